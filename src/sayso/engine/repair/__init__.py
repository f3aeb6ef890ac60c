"""What a person takes back, replaces or repeats within one message."""
