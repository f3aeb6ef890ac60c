"""Tasks in memory and in a file, and database rows as tasks."""
