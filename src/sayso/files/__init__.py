"""Reading data files: YAML as plain data and as typed values, and the folder of one user's data."""
