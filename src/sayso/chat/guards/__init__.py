"""The checks that run on every request before its route, and the error responses."""
