"""What is true of a domain, as data: one folder per pack, one loader."""
