"""A pack in one language, compiled for reading messages."""
