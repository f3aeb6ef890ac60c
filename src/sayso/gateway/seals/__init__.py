"""Pinned tool definitions, and the key that seals the gateway's files."""
