"""The operator's rules: which calls to allow, to ask about and to deny."""
