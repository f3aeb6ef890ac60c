"""Languages: each is a folder of data files, and one loader reads them all."""
