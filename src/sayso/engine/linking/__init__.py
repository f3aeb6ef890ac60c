"""Which of the person's things the words point at."""
