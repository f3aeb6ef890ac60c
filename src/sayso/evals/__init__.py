"""Evaluation: labelled cases, what counts as right, and the figures."""
