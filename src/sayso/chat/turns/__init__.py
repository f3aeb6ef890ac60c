"""A turn of the conversation or a click on the list: its transaction, its event stream and its background jobs."""
