"""Signing in on the page: OpenID Connect, the session cookie and their routes."""
