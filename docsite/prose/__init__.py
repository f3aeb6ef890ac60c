"""Finds phrases that a reader has to translate: see docs/contributing/writing.md."""
