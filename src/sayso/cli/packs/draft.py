"""`sayso pack draft tools.json my-pack`: the files, and the list of what is left to decide."""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path

import typer

from sayso.errors import BadData
from sayso.packs.draft.catalogue import read_catalogue
from sayso.packs.draft.guess import guess
from sayso.packs.draft.write import Question, save, write

_SHOWN = 3  # places of one question that are named


def run(tools: str, folder: Path, *, trusted: bool, force: bool) -> None:
    """Read the catalogue, write the pack, tell what could not be guessed."""
    listed = read_catalogue(_read(tools), "standard input" if tools == "-" else tools)
    written = write(guess(listed, trusted=trusted), folder.resolve().name)
    save(written, folder, force=force)
    count = "one tool" if len(listed) == 1 else f"{len(listed)} tools"
    typer.echo(f"{folder}: {count}, {', '.join(written.files)}")
    if written.questions:
        typer.echo("\nLeft to decide, each marked in its file:")
    for text, places in _by_text(written.questions):
        typer.secho(f"  {_named(places)}", fg="cyan")
        typer.echo(f"    {text}")
    typer.echo(f'\nNext: sayso pack check {folder}, then sayso decide "…" --pack {folder}')


def _read(tools: str) -> bytes:
    if tools == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(tools).read_bytes()
    except OSError as problem:
        why = problem.strerror or "cannot be read"
        remedy = "Save the server's tools/list result to a file, or pass - and pipe it in."
        raise BadData(tools, "(file)", why, remedy) from problem


def _by_text(questions: tuple[Question, ...]) -> list[tuple[str, list[Question]]]:
    """The same question about several places is told once."""
    ordered = sorted(questions, key=lambda question: (question.file != "pack.yaml", question.file, question.text))
    return [(text, list(group)) for (_, text), group in groupby(ordered, key=lambda one: (one.file, one.text))]


def _named(places: list[Question]) -> str:
    keys = [place.key for place in places]
    more = f" and {len(keys) - _SHOWN} more" if len(keys) > _SHOWN else ""
    return f"{places[0].file}  {', '.join(keys[:_SHOWN])}{more}"
