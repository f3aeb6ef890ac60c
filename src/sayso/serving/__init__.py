"""What services with an MCP server share: for whom they act, exactly once, asking first, and how they are served."""
