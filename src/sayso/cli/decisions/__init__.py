"""`sayso decide` and `sayso explain`."""
