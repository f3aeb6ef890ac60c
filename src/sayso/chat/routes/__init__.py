"""The HTTP routes under /v1, and the shapes of what they take and return."""
