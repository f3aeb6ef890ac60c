"""The values of a turn."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal, NamedTuple, Protocol

import msgspec

from sayso.case import Preference, Turn
from sayso.decision import Arguments, Decision, FollowUp, Pending
from sayso.record import Entity, Record

Json = dict[str, Any]
CardState = Literal["done", "failed", "stale", "expired", "declined", "superseded"]


class Deed(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A call that ran, and what the tool gave; `undo` names it where it can be taken back."""

    tool: str
    arguments: Arguments
    result: Json
    undo: str | None = None

    @property
    def succeeded(self) -> bool:
        return bool(self.result.get("status") == "success")


class Done(NamedTuple):
    """What a tool gave, and how to take it back; None where nothing was changed or there is no way back."""

    result: Json
    back: Json | None


class Hands(Protocol):
    """Reads and changes the items of one user. Problems are returned as results, not raised."""

    async def things(self, message: str) -> tuple[Entity, ...]:
        """The person's own things, as the pack's list tool returns them, each with its `version`; of very many, those
        that the message may be about."""
        ...

    async def call(self, tool: str, arguments: Arguments, versions: dict[str, int]) -> Done:
        """Run a tool. A thing that is not at the version named for it is not touched: the reason is `stale`."""
        ...

    async def put_back(self, back: Json) -> Json:
        """Take back what was done; `stale` where it was changed since."""
        ...


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One of the things that a card for several asks about, as a card of its own would show it."""

    id: str
    card: str
    tool: str
    arguments: Arguments
    record: Json | None = None


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """What a person is shown before something runs that needs their yes: the question, the thing that it is about, and
    for how many days it could be taken back. A card for several things has `items` instead of a record."""

    id: str
    digest: str
    card: str
    expires_at: str
    record: Json | None = None
    undo_days: int | None = None
    items: tuple[Item, ...] = ()


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """The place of a question among those that one card asks: the heading of that card, and the number below it."""

    heading: str
    number: int


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A question that a turn left open. A confirmation has a card and the versions of the items that it would change.
    The questions of a group are stored one by one, each with its place in the group."""

    decision: Pending
    card: Card | None = None
    versions: dict[str, int] = {}
    said: str = ""  # the message that led to it
    place: Place | None = None


class Back(msgspec.Struct, frozen=True, kw_only=True):
    """Something that was done, and how to take it back."""

    id: str
    back: Json


class Speaker(NamedTuple):
    """Who speaks, what time it is for them, and in which conversation."""

    user: Record
    now: datetime
    conversation: str = ""

    @property
    def place(self) -> tuple[str, str]:
        """What a card is bound to: asked of this person, here."""
        return str(self.user.get("id") or ""), self.conversation


class State(msgspec.Struct, frozen=True, kw_only=True):
    """What a conversation rests on between two turns."""

    history: tuple[Turn, ...] = ()
    asked: tuple[Asked, ...] = ()  # by the last turn
    preferences: tuple[Preference, ...] = ()
    last: Back | None = None  # what was done last and can be taken back
    lang: str | None = None


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a turn, and the state to keep from it."""

    lang: str
    decisions: tuple[Decision, ...]
    reply: str
    deeds: tuple[Deed, ...] = ()
    shown: tuple[str, ...] = ()
    asked: tuple[Asked, ...] = ()
    cards: dict[str, CardState] = {}  # what became of cards that were open
    backs: tuple[Json | None, ...] = ()  # for each call, how to undo it
    groups: tuple[str | None, ...] = ()  # for each call, the group of questions that one yes answered
    taken_back: str | None = None
    learnt: Preference | None = None
    next: tuple[FollowUp, ...] = ()
    by_model: bool = False  # whether a language model had a part in it


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a turn."""

    turn_id: str
    decisions: tuple[Decision, ...]
    results: tuple[Deed, ...]
    reply: str
    confirmation: Card | None = None  # the last of `confirmations`
    confirmations: tuple[Card, ...] = ()
    settled: dict[str, CardState] = {}  # cards and items of before that this turn closed
    next: tuple[FollowUp, ...] = ()
    undo: str | None = None  # what was done last and can be taken back
    by_model: bool = False
