"""`sayso doctor`: checks the installation, the settings and the services, and says what to do."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, NamedTuple

import typer

from sayso.cli.lazy import load
from sayso.cli.version import TEXT
from sayso.errors import SaysoError
from sayso.files.data_folder import data_folder
from sayso.packs.load import installed_packs, pack_folder

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

# A package that only this extra installs.
EXTRAS = {"server": "psycopg", "devices": "aiomqtt", "gateway": "mcp", "agent": "openai"}
PAGE = Path(__file__).parents[1] / "chat" / "page" / "index.html"


class Finding(NamedTuple):
    """One line of the report: the state, the subject of the check, and the details with what to do next."""

    state: Literal["ok", "off", "bad"]
    what: str
    text: str


MARKS = {"ok": ("✓", "green"), "off": ("–", "bright_black"), "bad": ("✗", "red")}


@app.command(name="doctor")
def doctor() -> None:
    """Check the installation, the settings and the services.

    Exits with 1 if something that is configured does not work.
    """
    findings = []
    for check in CHECKS:
        for found in check():
            findings.append(found)
            mark, colour = MARKS[found.state]
            typer.echo(f"{typer.style(mark, fg=colour)} {found.what:<14}{found.text}")
    if any(one.state == "bad" for one in findings):
        raise typer.Exit(1)


def _installation() -> Iterator[Finding]:
    yield Finding("ok", "sayso", f"{TEXT}, Python {sys.version.split()[0]}")
    for name in installed_packs():
        readers = (pack_folder(name) / "reader.bin").exists()
        without = "the rules decide alone: reinstall Sayso to get its learned reader"
        yield Finding("ok", f"pack {name}", "with its learned reader" if readers else without)
    for extra, package in EXTRAS.items():
        there = find_spec(package) is not None
        missing = f'not installed; pip install "sayso[{extra}]" if you need it'
        yield Finding("ok" if there else "off", f"extra {extra}", "installed" if there else missing)


def _own_list() -> Iterator[Finding]:
    folder = data_folder(os.environ, sys.platform)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as problem:
        yield Finding("bad", "your list", f"{folder} cannot be created ({problem.strerror}): set XDG_DATA_HOME")
        return
    if os.access(folder, os.W_OK):
        yield Finding("ok", "your list", f"in {folder}")
    else:
        yield Finding("bad", "your list", f"{folder} is not writable: change its permissions, or set XDG_DATA_HOME")


def _page() -> Iterator[Finding]:
    missing = "not built; run `make web` in a checkout, or install Sayso from its wheel"
    yield Finding("ok", "page", "built") if PAGE.exists() else Finding("off", "page", missing)


def _services() -> Iterator[Finding]:
    if find_spec("psycopg") is None or find_spec("pydantic_settings") is None:
        return
    try:
        for state, what, text in load("services.checks").checks():
            yield Finding(state, what, text)
    except SaysoError as problem:
        yield Finding("bad", "settings", str(problem))


CHECKS: tuple[Callable[[], Iterator[Finding]], ...] = (_installation, _own_list, _page, _services)
