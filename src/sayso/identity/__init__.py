"""Identifies the person: the principal, and the bearer tokens that prove it."""
