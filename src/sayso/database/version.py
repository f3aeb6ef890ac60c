"""The schema version of this program, read from the names of its migrations."""

from __future__ import annotations

from pathlib import Path

_VERSIONS = Path(__file__).parent / "migrations" / "versions"


def newest() -> str:
    """The number of the last migration."""
    return max(path.name.partition("_")[0] for path in _VERSIONS.glob("[0-9]*_*.py"))
