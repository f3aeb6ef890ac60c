"""Languages as data: one folder per language, one loader."""
