"""Conversations for the proofs of the chat service: two replicas on one database, and a clock that can be set."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count
from pathlib import Path
from random import Random
from typing import NamedTuple, Self
from uuid import UUID, uuid4

from benchmarks.harness.services import assistant
from sayso.assistant.values import Card, Reply
from sayso.chat.turns.service import ChatService
from sayso.database.pool import Database
from sayso.files.yamlfile import parse
from sayso.identity.principal import Principal
from sayso.ledger.errors import Refused


class Clock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 10, 8, 0, tzinfo=UTC)  # a Tuesday

    def __call__(self) -> datetime:
        return self.now

    def pass_by(self, time: timedelta) -> None:
        self.now += time


class Replicas(NamedTuple):
    """Two services that share nothing but the database."""

    one: ChatService
    two: ChatService
    clock: Clock


@asynccontextmanager
async def replicas(url: str) -> AsyncIterator[Replicas]:
    clock = Clock()
    async with Database(url, connections=16, patience=60) as one, Database(url, connections=16, patience=60) as two:
        yield Replicas(*(ChatService(each, assistant(), clock=clock) for each in (one, two)), clock)


class Talk:
    """A conversation, one message after the other, each to the next replica."""

    def __init__(self, on: Replicas, who: Principal, conversation: UUID) -> None:
        self.on, self.who, self.conversation = on, who, conversation
        self._numbers = count()

    @classmethod
    async def begin(cls, on: Replicas, who: Principal | None = None, lang: str = "en") -> Self:
        """A new conversation; of somebody whom nobody knows, unless it is said of whom."""
        who = who or Principal(id=f"ada {uuid4()}", zone="Europe/Rome", language=lang)
        return cls(on, who, await on.one.open(who))

    async def say(self, content: str) -> Reply:
        number = next(self._numbers)
        return await self.on[number % 2].message(self.who, self.conversation, str(number), content)

    async def ask(self, content: str) -> Card:
        """The card of a message that must lead to one."""
        reply = await self.say(content)
        if reply.confirmation is None:
            raise SystemExit(f"no card for {content!r}: {reply.reply}")
        return reply.confirmation

    async def answer(self, card: Card, digest: str | None = None, *, yes: bool = True) -> Reply | None:
        """What came of a card; None where it was refused."""
        service = self.on[next(self._numbers) % 2]
        try:
            return await service.confirm(self.who, UUID(card.id), card.digest if digest is None else digest, yes=yes)
        except Refused:
            return None


class Words:
    """What somebody says who speaks one language."""

    def __init__(self, lang: str, rng: Random) -> None:
        self.lang, self._rng = lang, rng

    def titles(self, number: int) -> list[str]:
        """So many titles, no two of them alike."""
        return self._rng.sample(_words()[self.lang]["titles"], number)

    def choose(self, *acts: str) -> str:
        return self._rng.choice(acts)

    def for_(self, act: str, title: str = "", other: str = "") -> str:
        """One of the ways to say it."""
        chosen: str = self._rng.choice(_words()[self.lang][act])
        return chosen.format(title=title, other=other)


@cache
def _words() -> dict[str, dict[str, list[str]]]:
    words: dict[str, dict[str, list[str]]] = parse(Path(__file__).with_suffix(".yaml"))
    return words


LANGUAGES = tuple(_words())
