"""Due dates, repeats, lead times and the history of repeating tasks."""
