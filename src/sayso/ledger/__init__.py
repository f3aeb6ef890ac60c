"""The ledger stores conversations, turns, cards, preferences, undo steps and the trail."""
