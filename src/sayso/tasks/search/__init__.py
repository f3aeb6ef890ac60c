"""Finds the task that the user means: by id, title, words or similar spelling."""
