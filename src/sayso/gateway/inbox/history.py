"""Reads the trail for the inbox: a user's own entries, searched, and calls that are decided again."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple, Protocol

import msgspec

from sayso.gateway.trail.record import FileTrail
from sayso.gateway.trail.rows import Reader, Row
from sayso.ledger.chain import Entry

SHOWN = 30  # entries on a page
REPLAYED = 500  # calls that are decided again at once
_CHUNK = 500

Replay = Callable[[Iterable[Entry], str], Iterator[tuple[int, dict[str, Any], dict[str, Any]]]]


class StoredTrail(Protocol):
    """A trail that is read by user, page by page."""

    async def entries(self, user: str, after: int) -> list[Entry]: ...


class Line(NamedTuple):
    """An entry and how it reads."""

    entry: Entry
    row: Row


class Replayed(NamedTuple):
    """How many calls are decided the same, and those that are not: number, verdict then, verdict now."""

    looked_at: int
    same: int
    others: list[tuple[int, dict[str, Any], dict[str, Any]]]


class History:
    """The trail of one user at a time. Other users' entries are never read out."""

    def __init__(self, trail: object, owner: str, replay: Replay, lang: str | None) -> None:
        self._trail, self._owner, self._replay, self._lang = trail, owner, replay, lang

    async def search(self, user: str, words: str, before: int) -> tuple[list[Line], bool]:
        """The newest entries before a number in which all words occur, and whether there are older ones."""
        wanted, reader = words.casefold().split(), Reader(self._lang, names_user=False)
        found: deque[Line] = deque(maxlen=SHOWN + 1)
        async for entry in self._entries(user):
            if before and entry.number >= before:
                break
            row = reader.read(entry)
            text = " ".join((entry.kind, *row)).casefold()
            if all(word in text for word in wanted):
                found.append(Line(entry, row))
        shown = list(found)[-SHOWN:]
        return shown[::-1], len(found) > SHOWN

    async def entry(self, user: str, number: int) -> Line | None:
        """One entry."""
        reader = Reader(self._lang, names_user=False)
        async for entry in self._entries(user):
            row = reader.read(entry)
            if entry.number == number:
                return Line(entry, row)
        return None

    async def replay(self, user: str, number: int | None = None) -> Replayed:
        """Decide again: one call, or the last ones. The items that a decision used were recorded before it."""
        things: list[Entry] = []
        judged: deque[Entry] = deque(maxlen=REPLAYED)
        async for entry in self._entries(user):
            if entry.kind == "judged" and number in (None, entry.number):
                judged.append(entry)
            elif entry.kind != "judged":
                things.append(entry)
        again = await asyncio.to_thread(lambda: list(self._replay(sorted([*things, *judged], key=_number), user)))
        others = [each for each in again if each[1] != each[2]]
        return Replayed(len(again), len(again) - len(others), others)

    async def _entries(self, user: str) -> AsyncIterator[Entry]:
        if isinstance(self._trail, FileTrail):
            reading = self._trail.read()
            while chunk := await asyncio.to_thread(lambda: list(islice(reading, _CHUNK))):
                for entry in chunk:
                    if _whose(entry, self._owner) == user:
                        yield entry
            return
        stored: StoredTrail = self._trail  # type: ignore[assignment]  # the only other one
        after = 0
        while found := await stored.entries(user, after):
            for entry in found:
                yield entry
            after = found[-1].number


def _number(entry: Entry) -> int:
    return entry.number


def _whose(entry: Entry, owner: str) -> str | None:
    """Whose entry of a file it is; None if it was erased."""
    if entry.body is None:
        return None
    body = msgspec.json.decode(entry.body)
    return str(body.get("user", owner)) if isinstance(body, dict) else owner
