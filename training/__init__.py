"""Trains the learned reader from the corpus. Needs torch; nothing of this is part of the wheel."""
