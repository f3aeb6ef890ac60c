"""Finding the task that is meant: by id, title, words or a near spelling."""
