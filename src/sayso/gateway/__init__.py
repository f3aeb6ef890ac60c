"""The gateway: guards any MCP server. A call runs if the person's words support it, or with a person's yes."""
