"""Code shared by services with an MCP server: the user, exactly-once calls, confirmation and serving."""
