"""Removes secrets from what the trail stores."""
