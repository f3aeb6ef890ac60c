"""`sayso pack` in its forms."""
