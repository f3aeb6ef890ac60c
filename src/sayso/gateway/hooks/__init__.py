"""The user's words from hooks of the client: what the hooks run, what they keep, and how the gateway finds it."""
