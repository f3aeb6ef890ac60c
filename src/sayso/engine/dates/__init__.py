"""Expressions of time: which day, hour or period they mean."""
