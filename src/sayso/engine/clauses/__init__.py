"""The clauses of a message and their requests."""
