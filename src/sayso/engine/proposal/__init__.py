"""Checks a model's proposals against the user's words."""
