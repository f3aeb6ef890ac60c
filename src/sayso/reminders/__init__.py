"""Reminders: when a task rings, what has rung, and the channels over which a person is told."""
