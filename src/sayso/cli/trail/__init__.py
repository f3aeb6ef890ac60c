"""`sayso trail` in its forms."""
