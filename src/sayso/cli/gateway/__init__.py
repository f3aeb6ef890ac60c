"""`sayso gateway` in its forms."""
