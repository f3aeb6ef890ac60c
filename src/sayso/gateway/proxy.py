"""The gateway as an MCP server: what clients see of the servers, and the path of a call.

A call: the person's words are taken out of it → it is judged → perhaps the person is asked → it is forwarded → it is
recorded. Everything but calls passes as it is.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import mcp_types as types
import msgspec
from mcp.server import Server
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, INVALID_REQUEST
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from sayso.confirmation import PATIENCE
from sayso.decision import Confirm
from sayso.errors import NotReady
from sayso.gateway.config import JOINT
from sayso.gateway.grants.granting import Granting
from sayso.gateway.grants.offers import Offer
from sayso.gateway.grants.store import Grants
from sayso.gateway.guarded import Guarded
from sayso.gateway.hooks.lookup import HookWords
from sayso.gateway.inbox.desk import Desk
from sayso.gateway.messages import say
from sayso.gateway.metrics import Metrics
from sayso.gateway.questions.asking import ANSWER, SCOPE, form, given, refusal
from sayso.gateway.questions.browser import Paging, Result
from sayso.gateway.questions.browsers import Browsers
from sayso.gateway.questions.changes import with_changes
from sayso.gateway.questions.missing import STATUS as MISSING
from sayso.gateway.questions.missing import is_first, missing, returned
from sayso.gateway.questions.pages import Pages
from sayso.gateway.questions.signatures import Signature
from sayso.gateway.rules.rulebook import Call, Rulebook
from sayso.gateway.seals.instructions import instructions
from sayso.gateway.trail.entries import Noting
from sayso.gateway.trail.stores import Keeping
from sayso.gateway.upstream.forward import Forwarder
from sayso.gateway.upstream.passthrough import Passing
from sayso.gateway.upstream.server import Connection, Unreachable, no_answer
from sayso.gateway.values import Ask, Forward, Judged, Question, Refuse, State, Unchanged, Verdict, Wanted, told
from sayso.gateway.words import take_words
from sayso.ledger.chain import Event
from sayso.protocol import Context, can_ask, client_name, elicit, is_modern, seal

_log = logging.getLogger(__name__)

Identify = Callable[[], str | None]
UNRECORDED = (OSError, NotReady)  # errors of the folder or database that stores the trail


class Gateway:
    """The handlers. Shared by all requests; what must outlive a process is in files, rows or with the client."""

    def __init__(
        self,
        servers: dict[str, Guarded],
        identify: Identify,
        keeping: Keeping,
        pages: Pages,
        browsers: Browsers,
        lang: str | None,
        grants: Grants,
    ) -> None:
        self._servers, self._identify, self._used, self._lang = servers, identify, keeping.used, lang
        self._clock, self.ready, self.browsers, self._rates = _now, keeping.ready, browsers, keeping.rates
        self.hook_words: HookWords | None = None  # of the client that started this process
        self._forwarder = Forwarder(lang)
        self.passing = Passing(self, lang)
        self.metrics = Metrics(lambda server, tool: servers[server].knows(tool))
        self._noting = Noting(keeping.trail, self.metrics, keeping.redactor)
        self.grants, self._granting = grants, Granting(grants, lang, self._noting.add)
        self.paging = Paging(pages, browsers, self._noting, lang, self._answered, self._noting.refused)
        self.paging.offered = self.offered
        self.desk: Desk | None = None  # for the inbox, once it is opened

    @property
    def lang(self) -> str | None:
        return self._lang

    def who(self) -> str:
        user = self._identify()
        if user is None:
            raise MCPError(code=INVALID_REQUEST, message="nobody is signed in")
        return user

    @property
    def instructions(self) -> str:
        """The instructions for clients: ours, and those of the servers that are approved."""
        return instructions(self._lang, ((name, server.pinned()) for name, server in self._servers.items()))

    @property
    def rules(self) -> Rulebook:
        """The operator's rules. They are replaced as a whole when the file changes."""
        return next(iter(self._servers.values())).rules

    @rules.setter
    def rules(self, rules: Rulebook) -> None:
        for server in self._servers.values():
            server.rules = rules

    async def note(self, user: str, event: Event) -> None:
        """Record what the operator does."""
        await self._noting.add(user, [event])

    async def list_tools(self, _ctx: Context, _params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        user = self.who()
        tools: list[types.Tool] = []
        for server in self._servers.values():
            try:
                listed = await server.tools(self._forwarder.connection(server, user), user)
            except Unreachable as problem:
                if len(self._servers) == 1:
                    raise MCPError(code=INVALID_REQUEST, message=str(problem)) from problem
                continue
            if len(self._servers) == 1:
                return types.ListToolsResult(tools=listed)
            tools += [tool.model_copy(update={"name": self.shown(server, tool.name)}) for tool in listed]
        return types.ListToolsResult(tools=tools)

    async def call_tool(self, ctx: Context, params: types.CallToolRequestParams) -> Result:
        user = self.who()
        server, tool = self.meant(params.name)
        try:
            if params.request_state is not None:
                return await self._go_on(ctx, user, server, params)
            return await self._begin(ctx, user, server, tool, params)
        except Unreachable as problem:
            return refusal("unreachable", say(self._lang, "unreachable", problem=str(problem)))
        except UNRECORDED as problem:
            return self.unrecorded(problem)

    def unrecorded(self, problem: Exception) -> types.CallToolResult:
        """The refusal of a call that cannot be recorded. Details of the database are only logged."""
        _log.error("the state cannot be written: %s", problem)
        told = (problem.strerror or "") if isinstance(problem, OSError) else say(self._lang, "no_database")
        return refusal("unrecorded", say(self._lang, "unrecorded", problem=told))

    async def _begin(
        self, ctx: Context, user: str, server: Guarded, tool: str, params: types.CallToolRequestParams
    ) -> Result:
        connection = self._forwarder.connection(server, user)
        definition = await server.definition(connection, user, tool)
        arguments, words = take_words(params.arguments or {}, ctx.meta or {})
        if self.hook_words is not None:
            words = self.hook_words.of(params.name, params.arguments or {}) or words
        wanted = Wanted(server=server.name, tool=tool, arguments=arguments, words=words)
        if definition is None:
            return await self._noting.refused(
                user, wanted, Refuse("held_back", say(self._lang, "held_back", tool=tool))
            )
        now = self._clock()
        limit = None if server.name in self.rules.shadow else server.server.sayso.limit(tool)
        if wait := self._rates.take(limit, user, server.name, tool, now.timestamp()):
            why = Refuse("rate_limited", say(self._lang, "rate_limited", tool=tool, seconds=str(wait)))
            return await self._noting.refused(user, wanted, why, retry_after=wait)
        things = await server.things(connection, user) if words.message else ()
        with self.metrics.judging():
            verdict, rule, shadow = server.verdict(user, wanted, things, definition, now)
        verdict, grant = await self._granting.cover(
            user, verdict, server.server.sayso, server.judge.risk(wanted.tool), now
        )
        judged = self._noting.judged(
            user,
            server,
            things,
            Judged(wanted=wanted, now=now, things="", verdict=told(verdict), rule=rule, shadow=shadow, grant=grant),
        )
        if shadow:
            verdict = Forward(arguments)
        names = missing(server.schema(wanted.tool), verdict, wanted)
        if names and await is_first(self._used, user, wanted, now):
            await self._noting.add(user, [*judged, Event("refusal", {"wanted": wanted, "status": MISSING})])
            return returned(server.schema(wanted.tool), names, wanted, self._lang)
        return await self._carry(ctx, user, server, wanted, verdict, judged)

    async def _go_on(self, ctx: Context, user: str, server: Guarded, params: types.CallToolRequestParams) -> Result:
        """The client comes back with an answer: to us, or to the server that asked."""
        state = msgspec.json.decode(params.request_state or "", type=State)
        if state.question is not None:
            answer = (params.input_responses or {}).get(ANSWER)
            if self._asks_on_page(ctx, server, state.question):
                return await self.paging.go_on(ctx, user, server, state.question, answer)
            if not isinstance(answer, types.ElicitResult):
                return self._put(server, state.question)
            return await self._answered(ctx, user, server, state.question, answer)
        if state.wanted is None or not await self._used.claim(state.id, user):
            return refusal("refused", say(self._lang, "refused"))
        wanted = state.wanted
        if await server.definition(self._forwarder.connection(server, user), user, wanted.tool) is None:
            return await self._noting.refused(
                user, wanted, Refuse("held_back", say(self._lang, "held_back", tool=wanted.tool))
            )
        going = self._forwarder.resume(ctx, server, user, state, params.input_responses)
        return await self._noting.called(user, server, state.wanted, state.arguments, going)

    async def _answered(
        self,
        ctx: Context,
        user: str,
        server: Guarded,
        question: Question,
        answer: types.ElicitResult,
        signature: Signature | None = None,
    ) -> Result:
        wanted = question.wanted
        connection = self._forwarder.connection(server, user)
        definition = await server.definition(connection, user, wanted.tool)
        late = question.until is not None and self._clock() > question.until
        if (
            late
            or question.user not in ("", user)
            or not await self._used.claim(question.id, user)
            or definition != question.definition
        ):
            return await self._noting.refused(user, wanted, Refuse("refused", say(self._lang, "refused")))
        said = given(answer)
        by = {"signature": signature} if signature is not None else {}
        await self._noting.answered(user, question, said, by)
        if said is True:
            scope, offered = (answer.content or {}).get(SCOPE), self.offered(server, question)
            await self._granting.give(user, question, scope, offered, self._clock())
        things = await server.things(connection, user) if isinstance(said, str) else ()
        answered = server.judge.answer(question, said, things, self._clock())
        verdict = server.rules.denies(server.judge, Call(user, wanted, question.definition), answered).verdict
        return await self._carry(ctx, user, server, wanted, verdict)

    async def _carry(
        self,
        ctx: Context,
        user: str,
        server: Guarded,
        wanted: Wanted,
        verdict: Verdict,
        before: Sequence[Event] = (),
    ) -> Result:
        match verdict:
            case Forward(arguments):
                if before and server.judge.risk(wanted.tool) != "read":
                    await self._noting.add(user, before)  # what cannot be recorded does not run
                    before = ()
                going = self._forwarder.forward(ctx, server, user, wanted, arguments)
                return await self._noting.called(user, server, wanted, arguments, going, before)
            case Refuse():
                return await self._noting.refused(user, wanted, verdict, before)
            case Ask(question):
                return await self._asked(ctx, user, server, question, before)

    def unchanged(self, name: str, arguments: dict[str, Any], meta: dict[str, Any]) -> Unchanged | None:
        """Forwards a read unchanged to a server with the current protocol. None: it needs a closer look."""
        try:
            user, (server, tool) = self.who(), self.meant(name)
        except MCPError:
            return None
        url, definition = server.server.url, server.at_hand(user, tool)
        version = self._forwarder.connection(server, user).version
        if url is None or definition is None or version not in MODERN_PROTOCOL_VERSIONS or server.signs_in(user):
            return None
        plain, words = take_words(arguments, meta)
        things = server.things_at_hand(user) if words.message else ()
        if things is None or server.judge.risk(tool) != "read" or server.server.sayso.limit(tool):
            return None
        wanted, now = Wanted(server=server.name, tool=tool, arguments=plain, words=words), self._clock()
        with self.metrics.judging():
            verdict, rule, shadow = server.verdict(user, wanted, things, definition, now)
        if not isinstance(verdict, Forward) or verdict.arguments != plain:
            return None
        headers = server.server.sayso.users.get(user, server.server.headers)
        judged = Judged(wanted=wanted, now=now, things="", verdict=told(verdict), rule=rule, shadow=shadow)
        return Unchanged(wanted, user, url, headers, server.server.sayso.deadline, judged)

    async def passed(self, call: Unchanged, *, failed: bool) -> types.CallToolResult | None:
        """Records a call that took the fast path. If that fails, returns the result to send instead of the answer."""
        server = self._servers[call.wanted.server]
        things = server.things_at_hand(call.user) or ()
        called = {"wanted": call.wanted, "arguments": call.wanted.arguments, "failed": failed}
        judged = self._noting.judged(call.user, server, things, call.judged)
        try:
            await self._noting.add(call.user, [*judged, Event("call", called)], wait=False)
        except UNRECORDED as problem:
            return self.unrecorded(problem)
        return None

    async def late(self, call: Unchanged) -> types.CallToolResult:
        """What to say of one that had no answer in time."""
        if refused := await self.passed(call, failed=True):
            return refused
        problem = no_answer(call.wanted.server, call.deadline)
        return refusal("unreachable", say(self._lang, "unreachable", problem=problem))

    async def _asked(
        self, ctx: Context, user: str, server: Guarded, question: Question, before: Sequence[Event] = ()
    ) -> Result:
        on_page = self._asks_on_page(ctx, server, question)
        shown = self.paging.pages.of(user, question) is None if on_page else can_ask(ctx)
        question, read = await self._described(ctx, user, server, question, shown=shown)
        asks, before = question.asks, [*before, *read]
        if on_page:
            return await self.paging.ask(ctx, user, server, question, before)
        asked = Event("question", {"id": question.id, "wanted": question.wanted, "asks": asks})
        await self._noting.add(user, [*before, asked])
        if not can_ask(ctx):
            status = "needs_confirmation" if isinstance(asks, Confirm) else "needs_clarification"
            options = [option.label for option in getattr(asks, "options", ())]
            message = say(self._lang, "cannot_ask", question=asks.question)
            return refusal(status, message, question=asks.question, options=options)
        if is_modern(ctx):
            return self._put(server, question)
        answer = await elicit(ctx, form(question, self._lang, self.offered(server, question)))
        if answer is None:
            return refusal("needs_confirmation", say(self._lang, "cannot_ask", question=asks.question))
        return await self._answered(ctx, user, server, question, answer)

    async def _described(
        self, ctx: Context, user: str, server: Guarded, question: Question, *, shown: bool
    ) -> tuple[Question, list[Event]]:
        """The question with who is asked, through what, and until when; if it is shown, also with what would change."""
        until = self._clock() + timedelta(seconds=PATIENCE)
        question = msgspec.structs.replace(question, user=user, client=client_name(ctx), until=until)
        if not shown:
            return question, []
        read = partial(server.read, self._forwarder.connection(server, user))
        return await with_changes(server, server.server.sayso, question, read, self._lang)

    def _asks_on_page(self, ctx: Context, server: Guarded, question: Question) -> bool:
        """Whether the user answers on a page: by your setting, or because the client cannot ask."""
        return server.asks_in_browser(question) or (not can_ask(ctx) and self.paging.pages.address is not None)

    def offered(self, server: Guarded, question: Question) -> tuple[Offer, ...]:
        """The answers beside a plain yes and no."""
        risk = server.judge.risk(question.wanted.tool)
        return self._granting.offered(question, server.server.sayso, risk)

    def _put(self, server: Guarded, question: Question) -> types.InputRequiredResult:
        offered = self.offered(server, question)
        request = types.ElicitRequest(params=form(question, self._lang, offered, modern=True))
        state = msgspec.json.encode(State(question=question)).decode()
        return types.InputRequiredResult(request_state=state, input_requests={ANSWER: request})

    def forget_tools(self) -> None:
        """List the tools of all servers again with the next call."""
        for server in self._servers.values():
            server.forget_tools()

    def connections(self) -> dict[str, tuple[Guarded, Connection]]:
        """Every server, with the caller's own connection to it."""
        user = self.who()
        return {name: (server, self._forwarder.connection(server, user)) for name, server in self._servers.items()}

    def shown(self, server: Guarded, tool: str) -> str:
        return tool if len(self._servers) == 1 else f"{server.name}{JOINT}{tool}"

    def meant(self, name: str) -> tuple[Guarded, str]:
        if len(self._servers) == 1:
            return next(iter(self._servers.values())), name
        server, joint, tool = name.partition(JOINT)
        if not joint or server not in self._servers:
            raise MCPError(code=INVALID_PARAMS, message=say(self._lang, "unknown_tool", tool=name))
        return self._servers[server], tool


def _now() -> datetime:
    return datetime.now().astimezone()


def make_server(gateway: Gateway, *, version: str, state_keys: tuple[str, ...] = ()) -> Server[Any]:
    """The gateway as a server. Replicas must share `state_keys`."""
    passing = gateway.passing

    async def list_tools(ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        listed = await gateway.list_tools(ctx, params)
        server.instructions = gateway.instructions  # a server that was never seen is pinned now
        return listed

    server: Server[Any] = Server(
        "sayso",
        version=version,
        instructions=gateway.instructions,
        on_list_tools=list_tools,
        on_call_tool=gateway.call_tool,
        on_list_resources=passing.list_resources,
        on_list_resource_templates=passing.list_templates,
        on_read_resource=passing.read_resource,
        on_list_prompts=passing.list_prompts,
        on_get_prompt=passing.get_prompt,
        on_completion=passing.complete,
        get_tool_input_schema=lambda _name: None,  # headers are not what is judged and sent on
    )
    seal(server, "sayso gateway", state_keys)
    return server
