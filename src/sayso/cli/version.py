"""The version, read from the installed package."""

from __future__ import annotations

from importlib.metadata import version

TEXT = f"sayso {version('sayso')}"
