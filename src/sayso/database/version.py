"""The version that this program's migrations lead to. Known from their names: a server need not load what migrates."""

from __future__ import annotations

from pathlib import Path

_VERSIONS = Path(__file__).parent / "migrations" / "versions"


def newest() -> str:
    """The number of the last migration."""
    return max(path.name.partition("_")[0] for path in _VERSIONS.glob("[0-9]*_*.py"))
