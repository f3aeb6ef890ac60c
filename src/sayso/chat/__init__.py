"""The chat service over HTTP: conversations, confirmations and decisions, for the page and for voice front ends."""
