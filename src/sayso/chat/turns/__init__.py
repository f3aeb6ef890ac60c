"""A turn of the conversation or a click on the list: its transaction, its stream, its follow-up work."""
