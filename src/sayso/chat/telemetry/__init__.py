"""Logs and traces of the chat service."""
