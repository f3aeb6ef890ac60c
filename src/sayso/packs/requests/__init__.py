"""Describes how people ask for tools that have no pack: tables of verbs and things, and profiles of the tools."""
