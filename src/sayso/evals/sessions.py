"""Loads sessions: conversations with a clock, a starting list and the expected effect of each turn.

One JSON object a line:

{"id": "s1", "lang": "en", "now": "2026-03-10T09:00:00+00:00", "start": [{"title": "Old boots"}],
 "turns": [{"say": "delete the boots", "want": [{"delete": "Old boots"}], "ask": "must"}]}
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from sayso.errors import MalformedCase
from sayso.evals.dataset import read_bytes
from sayso.tasks.values import Priority, Status

Verb = Literal["add", "change", "complete", "reopen", "delete"]
VERBS: tuple[Verb, ...] = ("add", "change", "complete", "reopen", "delete")


class Fields(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The fields of a task that are compared, with their defaults."""

    title: Annotated[str, Meta(min_length=1)]
    description: str = ""
    status: Status = "pending"
    priority: Priority = "medium"
    due: str | None = None
    repeat: str | None = None
    list: str | None = None
    remind: str | None = None


class Change(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One change to the list: exactly one of the verbs. A value may be `{"any": [...]}`, one of several."""

    add: dict[str, Any] | None = None
    change: str | None = None
    complete: str | None = None
    reopen: str | None = None
    delete: str | None = None
    to: dict[str, Any] = {}  # for `change`, and for `complete` of a repeating task

    @property
    def verb(self) -> Verb:
        return next(verb for verb in VERBS if getattr(self, verb) is not None)

    @property
    def title(self) -> str:
        """The task to change; an added one has none yet."""
        return self.change or self.complete or self.reopen or self.delete or ""


class Show(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the reply must mention (of a list, one of them) and must not."""

    has: tuple[str | tuple[str, ...], ...] = ()
    not_: tuple[str, ...] = msgspec.field(default=(), name="not")


class Turn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is said, and what should come of it. Without `want` the list stays as it is."""

    say: str
    want: tuple[Change, ...] = ()
    show: Show | None = None
    ask: Literal["no", "may", "must"] = "may"
    then: str | None = None  # the answer to a question; a plain yes if not given


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation of one person. `group` is the name of its file."""

    id: str
    now: Annotated[datetime, Meta(tz=True)]
    turns: tuple[Turn, ...]
    lang: str = "en"
    start: tuple[Fields, ...] = ()
    group: str = ""


def load_sessions(files: Iterable[Path]) -> list[Session]:
    """All sessions of the files, in order; an id may come once only."""
    found: dict[str, Session] = {}
    for file in files:
        for number, line in enumerate(read_bytes(file).split(b"\n"), 1):
            if not line.strip():
                continue
            where = f"{file}:{number}"
            session = msgspec.structs.replace(_session(line, where), group=file.name.split(".")[0])
            if session.id in found:
                raise MalformedCase(f'{where}: the id "{session.id}" is used twice; give each session its own id')
            found[session.id] = session
    return list(found.values())


def alternatives(value: Any) -> tuple[Any, ...]:
    """The values that a label accepts, the preferred one first."""
    if isinstance(value, Mapping):
        return tuple(value["any"])
    return (value,)


def _session(line: bytes, where: str) -> Session:
    try:
        session = msgspec.json.decode(line, type=Session)
    except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
        raise MalformedCase(f"{where}: not a session: {problem}") from problem
    for number, turn in enumerate(session.turns, 1):
        for change in turn.want:
            for problem_text in _problems(change):
                raise MalformedCase(f"{where}: turn {number} of {session.id}: {problem_text}")
    return session


def _problems(change: Change) -> Iterator[str]:
    verbs = [verb for verb in VERBS if getattr(change, verb) is not None]
    if len(verbs) != 1:
        yield f"a change needs exactly one of {', '.join(VERBS)}"
        return
    if change.add is not None and "title" not in change.add:
        yield "`add` needs a `title`"
    if change.verb == "change" and not change.to:
        yield "`change` needs `to`"
    for name, value in {**(change.add or {}), **change.to}.items():
        if isinstance(value, Mapping) and not (isinstance(value.get("any"), list) and value["any"]):
            yield f'`{name}`: several values are written as {{"any": [...]}}'
            return
        for one in alternatives(value):
            try:
                msgspec.convert({"title": "-", name: one}, Fields)
            except msgspec.ValidationError as problem:
                yield str(problem)
