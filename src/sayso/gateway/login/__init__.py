"""Signs in to servers by OAuth, and keeps the tokens."""
