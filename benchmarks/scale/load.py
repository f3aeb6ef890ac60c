"""Who speaks to the service in measure.py: people one after the other, a round of messages each, from another process.

Each seat waits for an answer before it says the next thing. What is not answered, or not with what was meant, counts as
an error; nothing is sent again.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import random
import time
from dataclasses import dataclass, field
from statistics import quantiles
from typing import Any, NamedTuple
from uuid import uuid4

from benchmarks.harness.services import settings_for
from benchmarks.scale.fill import conversation_of, name_of
from benchmarks.speed.turns_load import MESSAGES, Wire
from sayso.identity.development import issue
from sayso.settings import Settings

PATIENCE = 30.0  # seconds


class People(NamedTuple):
    """Whose names begin so, and how many there are; `talking` where they go on with the conversation they have."""

    prefix: str
    count: int
    talking: bool = False


class Place(NamedTuple):
    """Where some people speak."""

    port: int
    people: People
    messages: tuple[str, ...] = MESSAGES


@dataclass
class Seen:
    """What came of a while of speaking."""

    seconds: float = 0.0
    took: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    sent: int = 0
    received: int = 0

    @property
    def turns(self) -> int:
        return len(self.took)

    @property
    def rate(self) -> float:
        return self.turns / self.seconds

    def percentile(self, number: int) -> float:
        """Milliseconds."""
        return quantiles(self.took, n=100)[number - 1] * 1000

    def add(self, other: Seen) -> None:
        self.seconds += other.seconds
        self.took += other.took
        self.errors += other.errors
        self.sent += other.sent
        self.received += other.received


class CountingWire(Wire):
    """A connection that counts its bytes."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.sent = self.received = 0

    async def open(self) -> None:
        await super().open()
        write, until, exactly = self._writer.write, self._reader.readuntil, self._reader.readexactly

        def written(content: bytes) -> None:
            self.sent += len(content)
            write(content)

        async def read_until(mark: bytes) -> bytes:
            got = await until(mark)
            self.received += len(got)
            return got

        async def read_exactly(count: int) -> bytes:
            got = await exactly(count)
            self.received += len(got)
            return got

        self._writer.write = written  # type: ignore[method-assign]
        self._reader.readuntil = read_until  # type: ignore[assignment,method-assign]
        self._reader.readexactly = read_exactly  # type: ignore[method-assign]

    def close(self) -> None:
        self._writer.close()


class Crowd(multiprocessing.Process):
    """A process that lets all its seats speak at some place for a while whenever it is told to."""

    def __init__(self, seats: int, *, seed: int = 1) -> None:
        super().__init__(daemon=True)
        self._seats, self._chance = seats, random.Random(seed)
        self._settings: Settings | None = None
        self.told, self._hear = multiprocessing.Pipe()
        self._next: dict[str, int] = {}
        self._order: dict[str, list[int]] = {}
        self.start()

    def run(self) -> None:
        self._settings = settings_for("postgresql://nowhere/none")
        asyncio.run(self._work())

    def ask(self, place: Place, seconds: float) -> Seen:
        """Let everybody speak there for so long."""
        self.told.send((place, seconds))
        while not self.told.poll(1):
            if not self.is_alive():
                raise SystemExit("who speaks has ended")
        seen: Seen = self.told.recv()
        return seen

    def stop(self) -> None:
        self.told.send(None)
        self.join(10)

    async def _work(self) -> None:
        while (told := await asyncio.to_thread(self._hear.recv)) is not None:
            place, seconds = told
            seen, started = Seen(), time.monotonic()
            await asyncio.gather(*(self._seat(place, started + seconds, seen) for _ in range(self._seats)))
            seen.seconds = time.monotonic() - started
            self._hear.send(seen)

    def _person(self, people: People) -> str:
        """The next one; everybody comes once before anybody comes again."""
        order = self._order.get(people.prefix)
        if order is None:
            order = self._chance.sample(range(1, people.count + 1), min(people.count, 100_000))
            self._order[people.prefix] = order
        number = self._next.get(people.prefix, 0)
        self._next[people.prefix] = number + 1
        return name_of(people.prefix, order[number % len(order)])

    async def _seat(self, place: Place, until: float, seen: Seen) -> None:
        wire: CountingWire | None = None
        while time.monotonic() < until:
            try:
                if wire is None:
                    wire = CountingWire(place.port)
                    await wire.open()
                await self._round(wire, place, seen)
            except (OSError, EOFError, ValueError, SystemExit, TimeoutError) as problem:
                seen.errors.append(f"{type(problem).__name__}: {problem}"[:300])
                wire = None
                await asyncio.sleep(0.05)
        if wire is not None:
            seen.sent, seen.received = seen.sent + wire.sent, seen.received + wire.received
            wire.close()

    async def _round(self, wire: CountingWire, place: Place, seen: Seen) -> None:
        if self._settings is None:
            raise AssertionError("the process runs")
        name = self._person(place.people)
        token = issue(self._settings, name)
        talk = str(conversation_of(name))
        if not place.people.talking:
            talk = (await wire.post("/v1/conversations", token=token))["id"]
        for message in place.messages:
            body = {"client_message_id": uuid4().hex, "content": message}
            began = time.monotonic()
            async with asyncio.timeout(PATIENCE):
                reply = await wire.post(f"/v1/conversations/{talk}/messages", body, token)
            seen.took.append(time.monotonic() - began)
            if not _as_meant(message, reply):
                seen.errors.append(f"{name}: {message!r} came to {reply['reply']!r}")


def _as_meant(message: str, reply: dict[str, Any]) -> bool:
    kinds = [each["kind"] for each in reply["decisions"]]
    return kinds == (["confirm"] if message.startswith(("delete", "elimina")) else ["call"])
