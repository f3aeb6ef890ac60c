"""The values that the gateway passes around."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal, NamedTuple

import msgspec

from sayso.case import Turn
from sayso.decision import Clarify, Pending
from sayso.gateway.grants.grant import Grant
from sayso.gateway.rules.rule import Applied

Arguments = dict[str, Any]


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """The user's words, as reported by a hook of the client, by the client (trusted) or by the model. A model can
    invent them. Old entries of the trail name no source."""

    message: str = ""
    history: tuple[Turn, ...] = ()
    trusted: bool = False
    source: Literal["hook", "client", "model", ""] = ""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """A call that a client makes."""

    server: str
    tool: str
    arguments: Arguments
    words: Words


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A question to the user about a call. It goes to the client sealed, and comes back with the answer. It counts
    once."""

    id: str
    wanted: Wanted
    asks: Pending
    definition: str  # the fingerprint of the tool, which must still be the same
    rounds: int = 1
    user: str = ""  # the user who has to answer
    client: str = ""  # the program that made the call, by its own name
    until: datetime | None = None  # when the question ends
    changes: str = ""  # what the call would change, as text


class State(msgspec.Struct, frozen=True, kw_only=True):
    """The sealed state that a client keeps for us between a question and its answer: ours, or a server's."""

    question: Question | None = None
    wanted: Wanted | None = None
    arguments: dict[str, Any] = {}
    parked: str | None = None
    upstream: str | None = None
    id: str = ""


class Forward(NamedTuple):
    """The call is forwarded, with these arguments."""

    arguments: Arguments


class Ask(NamedTuple):
    """The user has to answer first."""

    question: Question


class Refuse(NamedTuple):
    """It is not forwarded: a code, and a text for the caller."""

    status: str
    message: str


Verdict = Forward | Ask | Refuse


class Judged(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a call was judged, with everything that the verdict is based on; `things` identifies the recorded ones. The
    gateway does not enforce the verdict in shadow mode."""

    wanted: Wanted
    now: datetime
    things: str
    verdict: dict[str, Any]
    rule: Applied | None = None
    shadow: bool = False
    grant: Grant | None = None  # the grant that covered the call, which would otherwise require confirmation
    # the verdict on the call as stored, if secrets were removed from it: judging it again must give the same
    as_stored: dict[str, Any] | None = None


class Unchanged(NamedTuple):
    """A call that is forwarded unchanged, and how it was judged."""

    wanted: Wanted
    user: str
    url: str
    headers: dict[str, str]
    deadline: float
    judged: Judged


def told(verdict: Verdict) -> dict[str, Any]:
    """The parts of a verdict that must be the same when a call is judged again."""
    match verdict:
        case Forward(arguments):
            return {"forward": arguments}
        case Ask(question):
            return {"ask": msgspec.to_builtins(question.asks)}
        case Refuse(status):
            return {"refuse": status}


def labels(asks: Clarify) -> list[str]:
    """The options to choose from: items with the same name are distinguished by their number."""
    plain = [option.label for option in asks.options]
    return [f"{label} ({number})" if plain.count(label) > 1 else label for number, label in enumerate(plain, 1)]
