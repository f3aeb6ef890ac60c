"""A conversation with one person: what was said becomes decisions, decisions become deeds, deeds become an answer.

It stores nothing and opens nothing: the terminal keeps a conversation in memory, the chat service in PostgreSQL.
"""
