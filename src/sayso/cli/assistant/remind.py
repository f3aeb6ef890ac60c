"""`sayso remind`: the reminders of your list, and with `--follow` each one as it comes due."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated

import typer

from sayso.cli.assistant.chat import data_file, language_of, reminder_text, say
from sayso.cli.assistant.ringing import EVERY, Bell
from sayso.cli.show import visible
from sayso.languages.load import installed_tags
from sayso.languages.spoken import spoken
from sayso.tasks.store.taskfile import TaskFile

app = typer.Typer(rich_markup_mode="rich", add_completion=False)


@app.command(name="remind")
def remind(
    follow: Annotated[bool, typer.Option("--follow", help="Keep running, and print each reminder when it is due.")] = (
        False
    ),
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
) -> None:
    """Show the next reminders, or print each one when it is due.

    It reads the list that `sayso chat` and `sayso add` keep. Stop it with Ctrl-C.
    """
    if lang is not None and lang not in installed_tags():
        raise typer.BadParameter(f"choose from: {', '.join(installed_tags())}", param_hint="--lang")
    kept = file or data_file(os.environ)
    if kept is None:
        raise typer.BadParameter("your data folder is not readable: name a file", param_hint="--file")
    language = lang or language_of(os.environ)
    list_file = TaskFile(kept)
    bell = Bell(lambda: list_file.load().tasks, _now)
    if not follow:
        _show(bell, language)
        return
    typer.echo(say(language, "following"), err=True)
    with suppress(KeyboardInterrupt):
        while True:
            for each in bell.due():
                typer.echo(visible(reminder_text(language, each.task, _now())))
            time.sleep(EVERY)


def _show(bell: Bell, language: str) -> None:
    now, words = _now(), spoken(language)
    coming = bell.coming(now + timedelta(days=1))
    for each in coming:
        at = words.when(each.at.astimezone(now.tzinfo).isoformat(timespec="minutes"), now)
        typer.echo(visible(f"{at}: {each.task.title}"))
    if not coming:
        typer.echo(say(language, "nothing_rings"))


def _now() -> datetime:
    return datetime.now().astimezone()
