"""Values that begin at a word: numbers, figures, and the grammar of dates in rungs."""
