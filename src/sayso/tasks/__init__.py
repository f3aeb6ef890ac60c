"""The task service: a person's tasks in PostgreSQL, and the MCP server that offers them."""
