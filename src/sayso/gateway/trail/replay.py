"""Judges recorded calls again with the current packs and rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from sayso.gateway.config import Config
from sayso.gateway.grants.granting import covered_then
from sayso.gateway.guarded import Guarded
from sayso.gateway.rules.rulebook import make_rulebook
from sayso.gateway.seals.pins import Pins
from sayso.gateway.values import Judged, told
from sayso.ledger.chain import Entry
from sayso.record import Entity

Json = dict[str, Any]


def replayed(
    config: Config, file: Path, pins: Pins, entries: Iterable[Entry], owner: str
) -> Iterator[tuple[int, Json, Json]]:
    """The number of each judged call, its verdict then, and its verdict now. The owner made the calls that name no
    user."""
    rules = make_rulebook(config, file)
    servers = {
        name: Guarded(name, server, pins, file.parent, config.sayso.lang) for name, server in config.servers.items()
    }
    for guarded in servers.values():
        guarded.know_pinned()
        guarded.rules = rules
    things: dict[str, tuple[Entity, ...]] = {"": ()}
    for entry in entries:
        if entry.body is None:
            continue
        if entry.kind == "things":
            body = msgspec.json.decode(entry.body)
            things[body["mark"]] = tuple(Entity(thing) for thing in body["things"])
        elif entry.kind == "judged":
            judged = msgspec.json.decode(entry.body, type=Judged)
            server = servers.get(judged.wanted.server)
            if server is not None and judged.things in things:
                then = judged.verdict if judged.as_stored is None else judged.as_stored
                user = msgspec.json.decode(entry.body).get("user", owner)
                yield entry.number, then, judged_again(server, judged, things[judged.things], user)


def judged_again(server: Guarded, judged: Judged, things: Sequence[Entity], user: str) -> Json:
    """The verdict on a call as it was recorded, by the packs and settings of now."""
    verdict = server.verdict(user, judged.wanted, things, "", judged.now).verdict
    if judged.grant is not None:
        risk = server.judge.risk(judged.wanted.tool)
        verdict = covered_then(judged.grant, verdict, server.server.sayso, risk, judged.now)
    found: Json = msgspec.json.decode(msgspec.json.encode(told(verdict)))
    return found
