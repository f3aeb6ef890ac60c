"""Answers to open questions, and acts that refer to earlier turns."""
