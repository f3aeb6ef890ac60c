"""`sayso chat` and `sayso add`."""
