"""The devices: a registry of a person's machines in PostgreSQL, the link to them over MQTT, and the MCP server."""
