"""A guard for servers written with the official SDK: middleware in front of their own tools.

    server = MCPServer("notes", middleware=[CarefulTools()])

It judges each call with the person's words beside it, and asks through the protocol. The questions go out
through the SDK's seal for request state: `MCPServer` has one, a low-level `Server` is given one by `careful`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import uuid4

import mcp_types as types
import msgspec
from mcp.server import Server
from mcp.server.context import CallNext, HandlerResult
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp_types.methods import is_input_required

from sayso.confirmation import PATIENCE
from sayso.decision import Confirm
from sayso.gateway.config import ServerSettings
from sayso.gateway.guarded import with_words
from sayso.gateway.judge import Judge
from sayso.gateway.library.guard import OWN, Things, make_judge
from sayso.gateway.messages import say
from sayso.gateway.questions.asking import ANSWER, form, given, refusal
from sayso.gateway.questions.once import Claims, UsedHere
from sayso.gateway.seals.pins import fingerprint
from sayso.gateway.values import Ask, Forward, Question, Refuse, State, Verdict, Wanted
from sayso.gateway.words import take_words
from sayso.protocol import Context, can_ask, elicit, is_modern
from sayso.record import Entity

MOST_PAGES = 100


class CarefulTools:
    """Middleware that guards a server's tools. Replicas that share seal keys must also share `used`."""

    def __init__(
        self,
        settings: ServerSettings = OWN,
        *,
        things: Things[Context] | None = None,
        used: Claims | None = None,
        lang: str | None = None,
    ) -> None:
        self._settings, self._things, self._lang = settings, things, lang
        self._used = used or UsedHere()
        self._known: tuple[str, Judge] | None = None

    async def __call__(self, ctx: Context, call_next: CallNext) -> HandlerResult:
        if ctx.request_id is not None and ctx.method == "tools/list":
            return self._with_words(await call_next(ctx))
        if ctx.request_id is None or ctx.method != "tools/call":
            return await call_next(ctx)
        try:
            params = types.CallToolRequestParams.model_validate(ctx.params or {}, by_name=False)
        except ValueError:
            return await call_next(replace(ctx, params={}))  # it is said there what is wrong with it
        return await self._called(ctx, call_next, params)

    async def _called(self, ctx: Context, call_next: CallNext, params: types.CallToolRequestParams) -> HandlerResult:
        if params.request_state is not None:
            return await self._go_on(ctx, call_next, params)
        arguments, words = take_words(params.arguments or {}, ctx.meta or {})
        wanted = Wanted(server="", tool=params.name, arguments=arguments, words=words)
        judge, definition = await self._judge(ctx, call_next, params.name)
        things = await self._theirs(ctx) if words.message else ()
        return await self._carry(ctx, call_next, wanted, judge.judge(wanted, things, definition, _now()))

    async def _go_on(self, ctx: Context, call_next: CallNext, params: types.CallToolRequestParams) -> HandlerResult:
        """The client comes back with an answer: to us, or to the tool that asked."""
        state = msgspec.json.decode(params.request_state or "", type=State)
        if state.question is not None:
            answer = (params.input_responses or {}).get(ANSWER)
            if not isinstance(answer, types.ElicitResult):
                return self._put(state.question)
            return await self._answered(ctx, call_next, state.question, answer)
        if state.wanted is None or not await self._used.claim(state.id):
            return refusal("refused", say(self._lang, "refused"))
        return await self._run(ctx, call_next, state.wanted, state.arguments, state.upstream)

    async def _answered(
        self, ctx: Context, call_next: CallNext, question: Question, answer: types.ElicitResult
    ) -> HandlerResult:
        wanted = question.wanted
        judge, definition = await self._judge(ctx, call_next, wanted.tool)
        if definition != question.definition or not await self._used.claim(question.id):
            return refusal("refused", say(self._lang, "refused"))
        said = given(answer)
        things = await self._theirs(ctx) if isinstance(said, str) else ()
        return await self._carry(ctx, call_next, wanted, judge.answer(question, said, things, _now()))

    async def _carry(self, ctx: Context, call_next: CallNext, wanted: Wanted, verdict: Verdict) -> HandlerResult:
        match verdict:
            case Forward(arguments):
                return await self._run(ctx, call_next, wanted, arguments, None)
            case Refuse(status, message):
                return refusal(status, message)
            case Ask(question):
                return await self._asked(ctx, call_next, question)

    async def _asked(self, ctx: Context, call_next: CallNext, question: Question) -> HandlerResult:
        if can_ask(ctx) and is_modern(ctx):
            return self._put(question)
        answer = await elicit(ctx, form(question, self._lang)) if can_ask(ctx) else None
        if answer is not None:
            return await self._answered(ctx, call_next, question, answer)
        status = "needs_confirmation" if isinstance(question.asks, Confirm) else "needs_clarification"
        message = say(self._lang, "cannot_ask", question=question.asks.question)
        options = [option.label for option in getattr(question.asks, "options", ())]
        return refusal(status, message, question=question.asks.question, options=options)

    def _put(self, question: Question) -> types.InputRequiredResult:
        request = types.ElicitRequest(params=form(question, self._lang))
        state = msgspec.json.encode(State(question=question)).decode()
        return types.InputRequiredResult(request_state=state, input_requests={ANSWER: request})

    async def _run(
        self, ctx: Context, call_next: CallNext, wanted: Wanted, arguments: dict[str, Any], state: str | None
    ) -> HandlerResult:
        """Run the tool. What it asks itself is remembered as a call that was judged."""
        params = {**(ctx.params or {}), "arguments": arguments, "requestState": state}
        if state is None:
            params.pop("requestState")
        result = await call_next(replace(ctx, params=params))
        if not is_input_required(result):
            return result
        asked = result.get("requestState") if isinstance(result, Mapping) else result.request_state
        kept = State(wanted=wanted, arguments=arguments, upstream=asked, id=str(uuid4()))
        sealed = msgspec.json.encode(kept).decode()
        if isinstance(result, Mapping):
            return {**result, "requestState": sealed}
        return result.model_copy(update={"request_state": sealed})

    async def _judge(self, ctx: Context, call_next: CallNext, tool: str) -> tuple[Judge, str]:
        """Who judges the tools as they are now, and the fingerprint of this one."""
        tools = await _listed(ctx, call_next)
        definition = next((fingerprint(each) for each in tools if each.get("name") == tool), "")
        all_of_them = fingerprint({"tools": tools})
        if self._known is None or self._known[0] != all_of_them:
            self._known = (all_of_them, make_judge(tools, self._settings, lang=self._lang))
        return self._known[1], definition

    async def _theirs(self, ctx: Context) -> Sequence[Entity]:
        return await self._things(ctx) if self._things is not None else ()

    def _with_words(self, result: HandlerResult) -> HandlerResult:
        """The list of tools, each with an argument for the user's words."""
        if not isinstance(result, dict):
            return result
        tools = [
            {**tool, "inputSchema": with_words(tool.get("inputSchema") or {}, self._lang)}
            for tool in result.get("tools", ())
        ]
        return {**result, "tools": tools}


def careful(server: Server[Any], tools: CarefulTools, security: RequestStateSecurity | None = None) -> None:
    """Add the guard to a low-level server, with a seal in front of it."""
    seal = RequestStateBoundary(security or RequestStateSecurity.ephemeral(ttl=PATIENCE), default_audience=server.name)
    server.middleware += [seal, tools]


async def _listed(ctx: Context, call_next: CallNext) -> list[dict[str, Any]]:
    """The server's own tools, as this client would be shown them."""
    found: list[dict[str, Any]] = []
    meta = {name: value for name, value in (ctx.params or {}).items() if name == "_meta"}
    cursor: dict[str, Any] = {}
    for _ in range(MOST_PAGES):
        page = await call_next(replace(ctx, method="tools/list", params={**meta, **cursor}))
        if not isinstance(page, dict):
            break
        found += page.get("tools", ())
        if not page.get("nextCursor"):
            break
        cursor = {"cursor": page["nextCursor"]}
    return found


def _now() -> datetime:
    return datetime.now().astimezone()
