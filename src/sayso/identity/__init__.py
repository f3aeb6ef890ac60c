"""Identifies the user: the principal, and the bearer tokens that prove its identity."""
