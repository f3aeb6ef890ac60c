"""The `sayso` command, one module per command. The clock and the files are read here, and nowhere below."""
