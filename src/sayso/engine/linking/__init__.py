"""Finds which of the user's things the words point at."""
