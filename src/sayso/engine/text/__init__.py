"""Text as tokens, and the patterns that match them."""
