"""Turns the request of a clause into a decision, by risk and confidence."""
