"""Clauses about machines and their parts."""
