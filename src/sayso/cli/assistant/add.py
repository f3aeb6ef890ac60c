"""`sayso add "call mum tomorrow at 5pm"`: any text as a task, on the list that `sayso chat` keeps."""

from __future__ import annotations

import asyncio
import os
from datetime import datetime
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from sayso.cli.assistant.chat import data_file, language_of
from sayso.cli.assistant.ringing import reach
from sayso.cli.context import Now, decider_for, joined, moment, sound
from sayso.cli.show import visible
from sayso.languages.load import installed_tags
from sayso.packs.answers import load_answers
from sayso.packs.load import pack_folder
from sayso.quick_add import FIELDS, Field, read_quick_add
from sayso.tasks.store.memory import MemoryTasks
from sayso.tasks.store.taskfile import TaskFile

app = typer.Typer(rich_markup_mode="rich", add_completion=False)


@app.command(name="add")
def add(
    text: Annotated[list[str], typer.Argument(metavar="TEXT", help="The task, as you would write it down.")],
    keep: Annotated[
        list[str] | None,
        typer.Option("--keep", metavar="FIELD", help=f"Leave this in the title: {', '.join(FIELDS)}. Repeatable."),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            "--file",
            dir_okay=False,
            help="The file with the tasks. Default: a file in your data folder.",
            metavar="PATH",
        ),
    ] = None,
    lang: Annotated[str | None, typer.Option("--lang", help="The language, such as en. Detected if not given.")] = None,
    now: Now = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result with the task as JSON.")] = False,
) -> None:
    """Add a task to your list.

    Any text is a task. Date, time, repeat, priority, list and reminder are read out of it; the rest is the title.
    """
    typed = sound(joined(text) or "")
    if not typed.split():
        raise typer.BadParameter('name the task, as in: sayso add "call mum tomorrow"', param_hint="TEXT")
    if lang is not None and lang not in installed_tags():
        raise typer.BadParameter(f"choose from: {', '.join(installed_tags())}", param_hint="--lang")
    at = moment(now) if now else datetime.now().astimezone()
    tasks = MemoryTasks(
        lambda: at, language=lang or language_of(os.environ), file=TaskFile(_place(file)), reach=reach(lambda: at)
    )
    found = read_quick_add(
        decider_for(None),
        typed,
        at,
        lang=tasks.language,
        lists=dict.fromkeys(task.list for task in tasks.kept.tasks if task.list),
        keep=_fields(keep or []),
    )
    done = asyncio.run(tasks.call("add_task", found.arguments, {}))
    failed = done.result["status"] != "success"
    if as_json:
        typer.echo(msgspec.json.encode(done.result).decode())
    elif failed:
        typer.echo(f"sayso: {visible(str(done.result['error_message']))}", err=True)
    else:
        answers = load_answers(pack_folder("tasks"))
        typer.echo(visible(answers.deed(lang or found.lang, "add_task", found.arguments, done.result, at, typed).text))
    if failed:
        raise typer.Exit(1)


def _fields(names: list[str]) -> list[Field]:
    fields = [field for field in FIELDS if field in names]
    unknown = [name for name in names if name not in FIELDS]
    if unknown:
        raise typer.BadParameter(f"choose from: {', '.join(FIELDS)}", param_hint="--keep")
    return fields


def _place(file: Path | None) -> Path:
    """The file of the list, in a folder that is there."""
    kept = file or data_file(os.environ)
    if kept is None:
        raise typer.BadParameter("your data folder is not writable: name a file", param_hint="--file")
    if not kept.expanduser().resolve().parent.is_dir():
        raise typer.BadParameter(f"there is no folder {kept.parent}: create it first", param_hint="--file")
    return kept
