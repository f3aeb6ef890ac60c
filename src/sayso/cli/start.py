"""Starts the `sayso` command. Hooks of clients call it for every message and every call, by a short way."""

from __future__ import annotations

import sys


def run() -> None:
    """`sayso`, as it is installed."""
    if sys.argv[1:2] == ["hook"] and len(sys.argv) > 2 and not sys.argv[2].startswith("-"):
        from sayso.gateway.hooks.program import run as run_hook  # noqa: PLC0415

        sys.exit(run_hook(sys.argv[2:]))
    from sayso.cli.main import app  # noqa: PLC0415  loads in half a second

    app(prog_name="sayso")
