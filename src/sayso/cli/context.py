"""The case that a command line describes: a message, perhaps a case file, and the clock of this machine."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from sayso.case import Case, case_from_object
from sayso.composition import thresholds
from sayso.decider import Decider
from sayso.errors import MalformedCase
from sayso.record import Entity

Message = Annotated[
    list[str] | None, typer.Argument(metavar="[MESSAGE]", help="The user's message.", show_default=False)
]
CaseFile = Annotated[
    Path | None,
    typer.Option(
        "--case",
        metavar="FILE",
        exists=True,
        dir_okay=False,
        help="A JSON file with the case: tasks, history, open question.",
    ),
]
PackName = Annotated[str | None, typer.Option("--pack", help="An installed pack, or the folder of a pack.")]
Lang = Annotated[str | None, typer.Option("--lang", help="The language, such as en. Detected if not given.")]
Now = Annotated[str | None, typer.Option("--now", help="The current time, ISO 8601. Default: this machine's clock.")]


def decider_for(pack: str | None) -> Decider:
    """The installed packs, and the one in the folder that `--pack` names."""
    folder = folder_of(pack)
    return Decider.installed(*([folder] if folder else []), thresholds=thresholds())


def joined(message: list[str] | None) -> str | None:
    """The message as one text, also if it was typed without quotation marks."""
    return " ".join(message) if message else None


def case_for(message: str | None, case: Path | None, pack: str | None, lang: str | None, now: str | None) -> Case:
    """The case of the file, with what the options say put over it."""
    data = _read(case) if case else {}
    said = {
        "message": None if message is None else sound(message),
        "pack": name_of(pack),
        "lang": lang,
        "now": moment(now) if now else None,
    }
    data |= {key: value for key, value in said.items() if value is not None}
    if "message" not in data:
        raise typer.BadParameter('say something, as in: sayso decide "show my tasks"', param_hint="MESSAGE")
    data.setdefault("now", datetime.now().astimezone())
    return case_from_object(data)


def items_of(case: Path | None) -> tuple[Entity, ...]:
    """The user's items that the file has."""
    data = _read(case) if case else {}
    return case_from_object({"message": "", "now": datetime.now().astimezone(), **data}).entities


def folder_of(pack: str | None) -> Path | None:
    """The folder that `--pack` names, if it names one."""
    if pack is None or not Path(pack).is_dir():
        return None
    return Path(pack).resolve()


def name_of(pack: str | None) -> str | None:
    """The name that `--pack` gives: a pack in a folder goes by the folder's name."""
    folder = folder_of(pack)
    return folder.name if folder else pack


def _read(file: Path) -> dict[str, Any]:
    try:
        return msgspec.json.decode(file.read_bytes(), type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise MalformedCase(f"{file}: not a JSON object: {problem}") from problem


def sound(argument: str) -> str:
    """Bytes of the command line that were no UTF-8 become the replacement character: JSON cannot carry them."""
    return argument.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def moment(text: str) -> datetime:
    """The moment that `--now` names; without an offset it is on this machine's clock."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as problem:
        raise typer.BadParameter(f'{problem}; write it as "2026-03-10T09:00+01:00"', param_hint="--now") from problem
    return moment if moment.tzinfo else moment.astimezone()
