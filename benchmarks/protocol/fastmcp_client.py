"""What fastmcp's client does with the task server; run by fastmcp_tasks.py in fastmcp's own environment."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

import fastmcp
from fastmcp import Client
from fastmcp.client.elicitation import ElicitResult
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitResult as Answer

KEY_IN_META = "sayso/idempotency-key"
YES = Answer(action="accept", content={"confirm": True})


class Expected(Exception):
    """Something else was expected."""


def expect(found: Any, wanted: Any, what: str) -> None:
    if found != wanted:
        raise Expected(f"{what}: {found!r}, not {wanted!r}")


async def call(client: Client[Any], tool: str, key: str | None = None, **arguments: Any) -> Any:
    meta = {KEY_IN_META: key} if key else None
    return (await client.call_tool(tool, arguments, meta=meta, raise_on_error=False)).structured_content


async def titles(client: Client[Any]) -> list[str]:
    return [task["title"] for task in (await call(client, "list_tasks"))["tasks"]]


def connect(told: dict[str, Any], way: str, mode: str, token: str, answers: list[str]) -> Client[Any]:
    """A client; to what it is asked it gives the answers in turn."""

    async def handler(_message: str, kind: Any, _params: Any, _context: Any) -> Any:
        answer = answers.pop(0)
        return kind(confirm=True) if answer == "accept" else ElicitResult(action=answer)

    if way == "stdio":
        environment = told["environment"] | {"SAYSO_STDIO_USER": f"stdio {mode}"}
        command, *arguments = told["stdio"]
        transport: Any = StdioTransport(command, arguments, env=environment, keep_alive=False)
    else:
        transport = StreamableHttpTransport(told[way], headers={"Authorization": f"Bearer {token}"})
    return Client(transport, mode=mode, elicitation_handler=handler)


async def drive(client: Client[Any], answers: list[str]) -> None:
    """Every tool, and a delete that is declined, then accepted."""
    async with client:
        expect(len(await client.list_tools()), 6, "tools")
        first = await call(client, "add_task", key="k1", title="Buy milk", due="2030-01-01T10:00")
        expect(await call(client, "add_task", key="k1", title="Buy milk", due="2030-01-01T10:00"), first, "again")
        expect((await call(client, "add_task", key="k1", title="Buy bread"))["reason"], "key_reused", "changed body")
        expect(await titles(client), ["Buy milk"], "list")
        expect((await call(client, "complete_task", task_identifier="buy milk"))["task"]["completed"], True, "complete")
        changed = await call(client, "update_task", task_identifier="milk", new_status="pending", new_due=None)
        expect(changed["task"].get("due"), None, "update")
        expect((await call(client, "get_user_info"))["status"], "success", "user")
        answers[:] = ["decline", "accept"]
        expect((await call(client, "delete_task", task_identifier="milk"))["reason"], "declined", "declined")
        expect(await titles(client), ["Buy milk"], "after declining")
        expect((await call(client, "delete_task", task_identifier="milk"))["status"], "success", "accepted")
        expect(await titles(client), [], "after accepting")


async def replay_and_forge(client: Client[Any]) -> None:
    """A yes sent twice deletes once; a forged one deletes nothing."""
    async with client:
        await call(client, "add_task", title="Buy milk")
        arguments = {"task_identifier": "Buy milk"}
        asked = await client.session.call_tool("delete_task", arguments, allow_input_required=True)
        state = asked.request_state
        for forged in (state[:-8] + "AAAAAAAA", "v1.none"):
            try:
                await answer(client, forged)
            except MCPError:
                continue
            raise Expected("a forged state was taken")
        expect(await titles(client), ["Buy milk"], "after forging")
        gone = await answer(client, state)
        expect(gone["status"], "success", "yes")
        await call(client, "add_task", title="Buy milk")
        expect(await answer(client, state), gone, "replayed")
        expect(await titles(client), ["Buy milk"], "after replaying")


async def answer(client: Client[Any], state: str) -> Any:
    result = await client.session.call_tool(
        "delete_task",
        {"task_identifier": "Buy milk"},
        input_responses={"confirm": YES},
        request_state=state,
        allow_input_required=True,
    )
    return result.structured_content


async def main() -> int:
    told = json.load(sys.stdin)
    first, second, third = told["tokens"]
    ways = (
        ("stateless", "auto", first),
        ("sessions", "legacy", second),
        ("stdio", "auto", ""),
        ("stdio", "legacy", ""),
    )
    for way, mode, token in ways:
        answers: list[str] = []
        await drive(connect(told, way, mode, token, answers), answers)
        print(f"fastmcp {fastmcp.__version__}, {way}, {mode}: every tool, declined, accepted")
    await replay_and_forge(connect(told, "stateless", "2026-07-28", third, []))
    print(f"fastmcp {fastmcp.__version__}, stateless, 2026-07-28: replayed, forged")
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
