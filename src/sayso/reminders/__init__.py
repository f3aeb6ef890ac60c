"""Reminders: when a task rings, which reminders have rung, and the channels that notify the user."""
