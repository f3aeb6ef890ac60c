"""Machines in a turn. Reads join the turn's transaction; commands are sent outside it.

The plan is stored first. Then the command is sent under a key of the turn, and the turn is finished with the result. A
process that finds the turn unfinished looks up the result of that key and sends nothing again.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Protocol
from uuid import UUID

from mcp_types import Tool

from sayso.assistant.converse import Assistant
from sayso.assistant.values import Done, Hands, Json
from sayso.database.pool import Transaction
from sayso.decision import Answer, Arguments, Call
from sayso.identity.principal import Principal
from sayso.record import Entity
from sayso.serving.person import Person


class Machines(Protocol):
    """A user's machines. `sayso.devices.hands` implements it if a broker is configured."""

    assistant: Assistant

    @property
    def patience(self) -> timedelta: ...

    def definitions(self) -> Sequence[Tool]: ...

    async def things(self, on: Transaction, person: Person) -> tuple[Entity, ...]: ...

    async def read(self, on: Transaction, person: Person, tool: str, arguments: Json) -> Json: ...

    async def overview(self, on: Transaction, person: Person, limit: int, points: int) -> Json: ...

    async def catch_up(self, who: Principal) -> None: ...

    async def look(self, who: Principal, person: Person, tool: str, arguments: Json) -> Json: ...

    async def give(
        self, who: Principal, person: Person, arguments: Json, versions: dict[str, int], key: str
    ) -> Json: ...

    async def came_of(self, on: Transaction, person: Person, arguments: Json, key: str) -> Json: ...


def reaches_out(machines: Machines | None, answer: Answer) -> bool:
    """Whether the answer sends a command to a machine."""
    if machines is None:
        return False
    assistant = machines.assistant
    return any(
        isinstance(each, Call) and each.tool in assistant.tools and not assistant.is_read(each.tool)
        for each in answer.decisions
    )


class Both:
    """Tasks and machines within a transaction. With the id of an unfinished turn, commands return their stored
    results."""

    def __init__(
        self, tasks: Hands, machines: Machines, on: Transaction, person: Person, left: UUID | None = None
    ) -> None:
        self._tasks, self._machines, self._on, self._person = tasks, machines, on, person
        self._keys = _Keys(left)

    async def things(self, message: str) -> tuple[Entity, ...]:
        return (*await self._tasks.things(message), *await self._machines.things(self._on, self._person))

    async def call(self, tool: str, arguments: Arguments, versions: dict[str, int]) -> Done:
        assistant = self._machines.assistant
        if tool not in assistant.tools:
            return await self._tasks.call(tool, arguments, versions)
        if assistant.is_read(tool):
            return Done(await self._machines.read(self._on, self._person, tool, arguments), None)
        return Done(await self._machines.came_of(self._on, self._person, arguments, self._keys.next()), None)

    async def put_back(self, back: Json) -> Json:
        return await self._tasks.put_back(back)


class Far:
    """Machines outside any transaction: runs the commands of one turn."""

    def __init__(
        self, machines: Machines, who: Principal, person: Person, turn: UUID, things: Sequence[Entity]
    ) -> None:
        self._machines, self._who, self._person, self._things = machines, who, person, things
        self._keys = _Keys(turn)

    async def things(self, _message: str) -> tuple[Entity, ...]:
        return tuple(self._things)

    async def call(self, tool: str, arguments: Arguments, versions: dict[str, int]) -> Done:
        if self._machines.assistant.is_read(tool):
            return Done(await self._machines.look(self._who, self._person, tool, arguments), None)
        given = (self._who, self._person, arguments, versions, self._keys.next())
        return Done(await self._machines.give(*given), None)

    async def put_back(self, _back: Json) -> Json:
        return {"status": "error", "reason": "stale"}


class _Keys:
    """The keys of a turn's commands, in their order: every process that runs the same plan uses the same keys."""

    def __init__(self, turn: UUID | None) -> None:
        self._turn, self._number = turn, 0

    def next(self) -> str:
        if self._turn is None:
            raise AssertionError("a command is not given within a transaction")
        self._number += 1
        return f"turn {self._turn} {self._number}"
