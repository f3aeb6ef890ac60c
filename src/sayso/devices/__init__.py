"""Devices: a registry of a user's machines in PostgreSQL, the MQTT link to them, and the MCP server."""
