"""Loads SQL statements from files, one statement per file."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def statement(folder: Path, name: str) -> bytes:
    """The statement in `folder/name.sql`, as bytes, which psycopg accepts as trusted."""
    return (folder / f"{name}.sql").read_bytes().strip()
