"""The learned reader: act, values and clause boundaries of a message, each with a probability."""
