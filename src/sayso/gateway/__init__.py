"""The gateway: any MCP server made careful. A call goes on only as far as words bear it out, or with a person's yes."""
