"""The ledger remembers: conversations, their turns and cards, preferences, what can be taken back, and the trail."""
