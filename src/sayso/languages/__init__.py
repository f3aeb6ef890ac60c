"""What is true of a language, as data: one folder per language, one loader."""
