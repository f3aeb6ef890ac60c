"""`sayso db` in its forms."""
