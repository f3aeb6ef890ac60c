"""From what a clause asks for to a decision, by risk and confidence."""
