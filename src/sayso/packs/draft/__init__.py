"""Drafts a pack from the tools that an MCP server lists."""
