"""The language-model tier: a model proposes, somebody else judges every call it makes, and nothing else ever happens.

It may be absent. Only what is in here knows the Agents SDK, and `claims` does without it.
"""
