"""Sends a call to a server of either protocol version, and relays the server's own questions."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import mcp_types as types
import msgspec
from mcp.client.session import ClientSession
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from sayso.gateway.guarded import Guarded
from sayso.gateway.messages import say
from sayso.gateway.questions.asking import ANSWER, refusal
from sayso.gateway.upstream.relay import Asked, Desk, Underway
from sayso.gateway.upstream.server import Connection, Watch
from sayso.gateway.values import State, Wanted
from sayso.protocol import Context, can_ask, elicit, is_modern

MOST_ROUNDS = 10
Result = types.CallToolResult | types.InputRequiredResult
_CANCEL = types.ElicitResult(action="cancel")


class Forwarder:
    """Holds each user's connections, and the calls that run on them."""

    def __init__(self, lang: str | None) -> None:
        self._lang = lang
        self._desks: dict[tuple[str, str], Desk] = {}

    def connection(self, server: Guarded, user: str) -> Connection:
        desk = self._desks.setdefault((server.name, user), Desk())
        return server.connection(user, desk.elicit)

    async def forward(
        self, ctx: Context, server: Guarded, user: str, wanted: Wanted, arguments: dict[str, Any]
    ) -> Result:
        """The result, or a question from the server that the client has to ask the user."""
        connection, desk = self.connection(server, user), self._desks[server.name, user]
        if not await connection.ask(_asks_over_the_line):
            return await self._modern(ctx, connection, wanted, arguments, None, None)
        underway = desk.begin(lambda watch: self._call(connection, wanted.tool, arguments, watch=watch))
        return await self._follow(ctx, desk, underway, wanted, arguments)

    async def resume(
        self,
        ctx: Context,
        server: Guarded,
        user: str,
        state: State,
        answers: types.InputResponses | None,
    ) -> Result:
        """Continues a call with the answers that the client sends to the server's question."""
        connection, desk = self.connection(server, user), self._desks[server.name, user]
        if state.wanted is None:
            raise TypeError("the state of a question of ours is not the forwarder's")
        if state.parked is None:
            return await self._modern(ctx, connection, state.wanted, state.arguments, state.upstream, answers)
        answer = (answers or {}).get(ANSWER)
        underway = desk.resume(state.parked, answer if isinstance(answer, types.ElicitResult) else _CANCEL)
        if underway is None:
            return refusal("refused", say(self._lang, "refused"))
        return await self._follow(ctx, desk, underway, state.wanted, state.arguments)

    async def _modern(
        self,
        ctx: Context,
        connection: Connection,
        wanted: Wanted,
        arguments: dict[str, Any],
        state: str | None,
        answers: types.InputResponses | None,
    ) -> Result:
        """A server with the current protocol asks through its result."""
        for _ in range(MOST_ROUNDS):
            result = await self._call(connection, wanted.tool, arguments, state, answers)
            if isinstance(result, types.CallToolResult):
                return result
            asked = {
                name: types.ElicitRequest(params=self._named(wanted.server, request.params))
                for name, request in (result.input_requests or {}).items()
                if isinstance(request, types.ElicitRequest)  # other requests to the client are not relayed
            }
            if asked and is_modern(ctx) and can_ask(ctx):
                kept = State(wanted=wanted, arguments=arguments, upstream=result.request_state, id=str(uuid4()))
                return types.InputRequiredResult(
                    request_state=msgspec.json.encode(kept).decode(), input_requests={**asked}
                )
            state, answers = result.request_state, await self._answers(ctx, result, asked)
        return refusal("needs_clarification", say(self._lang, "too_often", tool=wanted.tool))

    async def _answers(
        self, ctx: Context, result: types.InputRequiredResult, asked: dict[str, types.ElicitRequest]
    ) -> types.InputResponses:
        """The user's answers, over the open connection of an older client. Requests other than questions get a no."""
        found: types.InputResponses = {}
        for name in result.input_requests or {}:
            answer = await elicit(ctx, asked[name].params) if name in asked and can_ask(ctx) else None
            found[name] = answer or _CANCEL
        return found

    def _named(self, server: str, params: types.ElicitRequestParams) -> types.ElicitRequestParams:
        """A server's question with the server's name, so that it cannot look like ours: the client sees one server."""
        message = say(self._lang, "asks", server=server, message=params.message)
        return params.model_copy(update={"message": message})

    async def _follow(
        self, ctx: Context, desk: Desk, underway: Underway, wanted: Wanted, arguments: dict[str, Any]
    ) -> Result:
        """Waits until the call ends, or until a question from the server has to become our result."""
        while True:
            came = await underway.next()
            if not isinstance(came, Asked):
                return came
            if not can_ask(ctx):
                came.give(_CANCEL)
            elif is_modern(ctx):
                parked = desk.park(underway, came)
                kept = State(wanted=wanted, arguments=arguments, parked=parked, id=str(uuid4()))
                return types.InputRequiredResult(
                    request_state=msgspec.json.encode(kept).decode(),
                    input_requests={ANSWER: types.ElicitRequest(params=self._named(wanted.server, came.params))},
                )
            else:
                came.give(await elicit(ctx, self._named(wanted.server, came.params)) or _CANCEL)

    async def _call(
        self,
        connection: Connection,
        tool: str,
        arguments: dict[str, Any],
        state: str | None = None,
        answers: types.InputResponses | None = None,
        *,
        watch: Watch | None = None,
    ) -> Result:
        def calling(on: ClientSession) -> Any:
            return on.call_tool(
                tool, arguments, request_state=state, input_responses=answers, allow_input_required=True
            )

        try:
            result: Result = await connection.ask(calling, watch)
        except MCPError as problem:
            message = say(self._lang, "upstream_failed", server=connection.name, problem=problem.error.message)
            return refusal("failed", message)
        return result


async def _asks_over_the_line(on: ClientSession) -> bool:
    """Whether the server's protocol is older than 2026-07-28."""
    return on.protocol_version not in MODERN_PROTOCOL_VERSIONS
