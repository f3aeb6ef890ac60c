"""Spelling, in both languages of the page: of the documentation, of the page's words, and of what is said back.

What people say to Sayso is not checked: packs hold their slips on purpose.
"""
