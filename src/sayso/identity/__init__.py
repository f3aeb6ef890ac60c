"""Who is asking: the principal, and the bearer tokens that prove it."""
