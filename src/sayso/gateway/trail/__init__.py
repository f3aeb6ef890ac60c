"""The gateway's trail: entries, where they are stored, and replaying them."""
