"""The gateway: guards any MCP server. A call runs if the user's words support it, or if the user confirms it."""
