"""Devices: a registry of a person's machines in PostgreSQL, the MQTT link to them, and the MCP server."""
