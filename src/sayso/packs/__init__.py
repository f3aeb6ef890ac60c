"""Domains as data: one folder per pack, one loader."""
