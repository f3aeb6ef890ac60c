"""Words that a user takes back, replaces or repeats within one message."""
