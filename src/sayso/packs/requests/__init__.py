"""How people ask for tools that have no pack: tables of verbs and things, and what a tool's name and schema tell."""
