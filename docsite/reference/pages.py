"""The pages of the reference, and what writes each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from docsite.reference import commands, decisions, gateway, http, packs, settings, tools
from docsite.reference.markdown import page, table

FOLDER = Path(__file__).parents[2] / "docs" / "reference"
ABOUT = """Everything that has a name, written from the code by `make reference`; a test fails when a page is not what
the code says. For what to do with it, see the how-tos."""
HOLDS = {
    "commands": ("Commands", "`sayso` on the command line: each command, argument and option"),
    "settings": ("Settings", "each variable of the environment: what it takes, its default, whether it is a secret"),
    "http": ("HTTP", "each route of the chat service: parameters, bodies, answers, errors"),
    "decisions": ("Decisions", "the case that goes in, and the decisions that come out"),
    "packs": ("Packs", "each key of `pack.yaml` and of a language's file"),
    "gateway": ("The gateway's file", "each key of `sayso.json`"),
    "tools": ("MCP tools", "each tool of the servers `tasks` and `devices`"),
}


def index() -> str:
    rows = ((f"[{title}]({name}.md)", f"{about}") for name, (title, about) in HOLDS.items())
    return page("Reference", ABOUT, table(("page", "holds"), rows), "What the words mean: [glossary](../glossary.md).")


PAGES: dict[str, Callable[[], str]] = {
    "index": index,
    "commands": commands.markdown,
    "settings": settings.markdown,
    "http": http.markdown,
    "decisions": decisions.markdown,
    "packs": packs.markdown,
    "gateway": gateway.markdown,
    "tools": tools.markdown,
}


def file(name: str) -> Path:
    return FOLDER / f"{name}.md"
