"""`sayso devices` in its forms."""
