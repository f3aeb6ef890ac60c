"""Checks that every request passes before a route sees it, and the errors that it gets otherwise."""
