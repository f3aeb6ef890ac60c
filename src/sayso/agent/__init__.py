"""The language-model tier: a model proposes calls, and the judge decides about each of them.

It may be absent. Only what is in here knows the Agents SDK, and `claims` does without it.
"""
