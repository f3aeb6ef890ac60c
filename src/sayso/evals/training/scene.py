"""The scene around a row of public data: the clock, the person's tasks, what was shown, what was asked."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from sayso.case import Case, Turn
from sayso.decision import Pending
from sayso.files.datafile import read
from sayso.record import Entity

HOME = Path(__file__).parent


class Setting(msgspec.Struct, frozen=True):
    """A language's part of scene.yaml."""

    asked: str
    tasks: tuple[dict[str, str], ...]


class Scenery(msgspec.Struct, frozen=True):
    """scene.yaml."""

    pack: str
    kind: str
    now: str
    en: Setting
    it: Setting

    def of(self, lang: str) -> Setting:
        return self.it if lang == "it" else self.en


@cache
def scenery() -> Scenery:
    """What scene.yaml holds."""
    return read(HOME / "scene.yaml", Scenery)


@cache
def tasks(lang: str) -> tuple[Entity, ...]:
    """The small list, with ids that say where each stands."""
    return tuple(task(f"k{place}", **each) for place, each in enumerate(scenery().of(lang).tasks, 1))


def task(identifier: str, **fields: str) -> Entity:
    """A task with what most tasks have."""
    usual: dict[str, Any] = {"description": "", "status": "pending", "priority": "medium", "due": None}
    return Entity({"kind": scenery().kind, "id": identifier, **usual, **fields})


def case(
    message: str, entities: tuple[Entity, ...] = (), history: tuple[Turn, ...] = (), pending: Pending | None = None
) -> Case:
    """A case without a hint about its language: that is to be found."""
    here = scenery()
    return Case(
        message=message,
        now=datetime.fromisoformat(here.now),
        pack=here.pack,
        entities=entities,
        history=history,
        pending=pending,
    )


def shown(lang: str, entities: tuple[Entity, ...]) -> tuple[Turn, ...]:
    """The turns in which the list was asked for and shown."""
    numbered = "\n".join(f"{place}. {one.text('title')}" for place, one in enumerate(entities, 1))
    asked = Turn(role="user", content=scenery().of(lang).asked)
    return (asked, Turn(role="assistant", content=numbered, shown=tuple(one.id for one in entities)))
