"""Packs: each domain is a folder of data files, and one loader reads them all."""
