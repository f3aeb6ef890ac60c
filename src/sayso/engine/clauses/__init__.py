"""The clauses of a message and what each asks for."""
