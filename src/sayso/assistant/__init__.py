"""A conversation with one person: a message becomes decisions, decisions become tool calls and an answer.

It stores nothing and opens nothing: the terminal keeps a conversation in memory, the chat service in PostgreSQL.
"""
