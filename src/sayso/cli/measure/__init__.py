"""`sayso eval` in its forms."""
