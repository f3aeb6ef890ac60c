"""The chat service over HTTP: conversations, confirmations, decisions; for the web page and for voice front ends."""
