"""Connections to the servers behind the gateway, and calls sent to them."""
