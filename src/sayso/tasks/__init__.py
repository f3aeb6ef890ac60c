"""The task service: a user's tasks in PostgreSQL, and the MCP server that offers them."""
