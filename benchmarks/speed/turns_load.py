"""Who speaks to the servers of turns.py: eight at a time, from a process of their own, over light connections."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import re
import statistics
import time
from collections import Counter
from typing import Any
from uuid import uuid4

SEATS = 8  # who speak at the same time
PEOPLE = 10  # for each seat
# A round that leaves the list as it was.
MESSAGES = (
    "add a task to water the ferns on Friday",
    "make it high priority",
    "show my tasks",
    "mark water the ferns as done",
    "delete it",
    "yes",
)


def name_of(seat: int, person: int) -> str:
    return f"user {seat} {person}"


class Wire:
    """One connection that speaks just enough HTTP, so that the sender weighs little."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def open(self) -> None:
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)

    async def post(self, path: str, body: Any = None, token: str = "") -> Any:
        content = json.dumps(body).encode() if body is not None else b""
        head = f"POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json"
        self._writer.write(f"{head}\r\nContent-Length: {len(content)}\r\n\r\n".encode() + content)
        answer = (await self._reader.readuntil(b"\r\n\r\n")).lower()
        if b"transfer-encoding" in answer:
            said = b""
            while size := int(await self._reader.readline(), 16):
                said += (await self._reader.readexactly(size + 2))[:-2]
            await self._reader.readexactly(2)
        else:
            length = re.search(rb"content-length: (\d+)", answer)
            said = await self._reader.readexactly(int(length[1]) if length else 0)
        if b"connection: close" in answer:  # a proxy ends a connection after so many requests, and says so
            self._writer.close()
            await self.open()
        if not answer.split(b" ", 2)[1].startswith(b"2"):
            raise SystemExit(f"the server said {answer!r} {said!r}")
        return json.loads(said)


class Seat:
    """Says one message after the other, of one person after the other, and waits for each answer."""

    def __init__(self, number: int, ours: int, bare: int, tokens: list[str]) -> None:
        self._names = [name_of(number, person) for person in range(PEOPLE)]
        self._wires, self._tokens = {"ours": Wire(ours), "bare": Wire(bare)}, tokens
        self._conversations: list[str] = []
        self._rounds = Counter[str]()

    async def open(self) -> None:
        wire = self._wires["ours"]
        await wire.open()
        for token in self._tokens:
            self._conversations.append((await wire.post("/v1/conversations", token=token))["id"])

    async def speak(self, which: str, until: float) -> list[float]:
        """How long each turn took."""
        took: list[float] = []
        await self._wires[which].open()  # a server closes what was silent for a while
        while time.monotonic() < until:
            person = self._rounds[which] % PEOPLE
            self._rounds[which] += 1
            for number, message in enumerate(MESSAGES):
                started = time.monotonic()
                await self._say(which, person, number, message)
                took.append(time.monotonic() - started)
        return took

    async def _say(self, which: str, person: int, number: int, message: str) -> None:
        body = {"client_message_id": uuid4().hex, "content": message}
        if which == "bare":
            await self._wires[which].post(f"/turn/{number}", body | {"user": self._names[person]})
            return
        address = f"/v1/conversations/{self._conversations[person]}/messages"
        reply = await self._wires[which].post(address, body, self._tokens[person])
        if [each["kind"] for each in reply["decisions"]] != ["confirm" if message == "delete it" else "call"]:
            raise SystemExit(f"{message!r} came to {reply!r}")


class Load(multiprocessing.Process):
    """A process that lets all the seats speak for a while whenever it is told to."""

    def __init__(self, ours: int, bare: int, tokens: list[list[str]]) -> None:
        super().__init__(daemon=True)
        self._given = (ours, bare, tokens)
        self.told, self._hear = multiprocessing.Pipe()

    def run(self) -> None:
        asyncio.run(self._work())

    async def _work(self) -> None:
        ours, bare, tokens = self._given
        seats = [Seat(number, ours, bare, tokens[number]) for number in range(SEATS)]
        for seat in seats:
            await seat.open()
        self._hear.send(None)
        while (told := await asyncio.to_thread(self._hear.recv)) is not None:
            which, seconds = told
            started = time.monotonic()
            took = await asyncio.gather(*(seat.speak(which, started + seconds) for seat in seats))
            each = [one for seat in took for one in seat]
            self._hear.send((len(each) / (time.monotonic() - started), statistics.median(each), len(each)))

    def ask(self, which: str, seconds: float) -> tuple[float, float, int]:
        """Turns a second, how long one takes, how many there were."""
        self.told.send((which, seconds))
        while not self.told.poll(1):
            if not self.is_alive():
                raise SystemExit("who speaks has ended")
        answer: tuple[float, float, int] = self.told.recv()
        return answer
