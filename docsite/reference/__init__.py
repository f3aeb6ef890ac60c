"""The reference, written from the code: `make reference`. A test keeps the pages up to date, and whole."""
