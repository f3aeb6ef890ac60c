"""What a model proposes, checked against the person's words."""
