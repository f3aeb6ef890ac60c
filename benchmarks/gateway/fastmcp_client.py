"""What fastmcp's client does with the gateway; run by fastmcp_sides.py in fastmcp's own environment."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from typing import Any

import fastmcp
from fastmcp import Client
from fastmcp.client.elicitation import ElicitResult
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport

WORDS = "sayso/words"
WAYS = (("stdio", "auto"), ("stdio", "legacy"), ("stateless", "2026-07-28"), ("sessions", "legacy"))
FEW = (("sessions", "2026-07-28"), ("sessions", "legacy"))


class Expected(Exception):
    """Something else was expected."""


def expect(found: Any, wanted: Any, what: str) -> None:
    if found != wanted:
        raise Expected(f"{what}: {found!r}, not {wanted!r}")


class Person:
    """Who is asked: gives the answer of the moment, and keeps what was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.answer: Callable[[Any], Any] = lambda _params: ElicitResult(action="cancel")

    async def __call__(self, message: str, _kind: Any, params: Any, _context: Any) -> Any:
        self.asked.append(message)
        return self.answer(params)


def connect(told: dict[str, Any], way: str, mode: str, person: Person | None) -> Client[Any]:
    if way == "stdio":
        command, *arguments = told["stdio"]
        transport: Any = StdioTransport(command, arguments, env=told["environment"], keep_alive=False)
    else:
        transport = StreamableHttpTransport(told[way])
    return Client(transport, mode=mode, elicitation_handler=person)


async def call(client: Client[Any], tool: str, words: str, **arguments: Any) -> dict[str, Any]:
    meta = {WORDS: words} if words else None
    result = await client.call_tool(tool, arguments, meta=meta, raise_on_error=False)
    return result.structured_content or {}


async def ran(client: Client[Any], server: str) -> list[Any]:
    told: list[Any] = (await call(client, f"{server}__list_ran", ""))["ran"]
    return told


def accept(**content: Any) -> Callable[[Any], Any]:
    return lambda _params: ElicitResult(action="accept", content=content)


async def drive(client: Client[Any], person: Person, server: str) -> None:
    """Every turn that a call can take."""
    await ran(client, server)
    await call(client, f"{server}__add_task", "add buy flour", title="Buy flour")
    await call(client, f"{server}__add_task", "add buy flour, high priority", title="buy flour")
    expect(
        await ran(client, server),
        [["add_task", "Buy flour", "medium", None], ["add_task", "buy flour", "high", None]],
        "added",
    )
    expect(person.asked, [], "asked for nothing")
    person.answer = accept(answer="Call the bank")
    await call(client, f"{server}__complete_task", "complete the call", task_identifier="call")
    expect(await ran(client, server), [["complete_task", "t2"]], "chosen")
    person.answer = lambda _params: ElicitResult(action="decline")
    declined = await call(client, f"{server}__delete_task", "delete buy milk", task_identifier="Buy milk")
    expect((declined["status"], await ran(client, server)), ("declined", []), "declined")
    person.answer = accept(answer=True)
    await call(client, f"{server}__delete_task", "delete buy milk", task_identifier="Buy milk")
    expect(await ran(client, server), [["delete_task", "t3"]], "confirmed")
    person.answer = accept(seats=4)
    await call(client, f"{server}__book_table", "")
    asked = f"{server} asks: For how many?"
    expect((person.asked[-1], await ran(client, server)), (asked, [["book_table", 4]]), "the server's own")
    expect(len(person.asked), 4, "questions")


async def cannot_be_asked(client: Client[Any], server: str) -> None:
    kept = await call(client, f"{server}__delete_task", "delete buy milk", task_identifier="Buy milk")
    expect(kept["status"], "needs_confirmation", "no way to ask")
    unclear = await call(client, f"{server}__complete_task", "complete the call", task_identifier="call")
    expect(unclear["status"], "needs_clarification", "no way to ask which")
    expect(await ran(client, server), [], "nothing ran")


async def main() -> int:
    told = json.load(sys.stdin)
    for way, mode in FEW if "--short" in sys.argv else WAYS:
        person = Person()
        async with connect(told, way, mode, person) as client:
            for server in told["servers"]:
                person.asked.clear()
                await drive(client, person, server)
        async with connect(told, way, mode, None) as client:
            for server in told["servers"]:
                await cannot_be_asked(client, server)
        print(f"fastmcp {fastmcp.__version__}, {way}, {mode}: {len(told['servers'])} servers, every turn of a call")
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
