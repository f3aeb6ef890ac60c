"""Machines and their orders in PostgreSQL: registering, discovering and resolving them."""
