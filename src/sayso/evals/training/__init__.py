"""Training: from labelled sentences to the weights that a pack ships with."""
