"""A demonstration of the gateway: a small MCP server that turns hostile, and a script of calls."""
