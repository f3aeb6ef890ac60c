"""Grants: a yes that covers later calls of the same tool, within limits."""
