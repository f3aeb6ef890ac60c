"""Repeats and lead times: "every monday", "10 minutes before"."""
