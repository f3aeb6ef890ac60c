"""Rate limits on tools."""
