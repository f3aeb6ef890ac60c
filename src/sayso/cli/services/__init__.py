"""`sayso serve`, `sayso mcp` and `sayso token`."""
