"""Trail entries of a call: how it was judged and its result, so that it can be judged again."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from hashlib import sha256
from typing import Any

import mcp_types as types
import msgspec

from sayso.gateway.guarded import Guarded
from sayso.gateway.metrics import Metrics
from sayso.gateway.questions.asking import refusal
from sayso.gateway.questions.browser import Result, Trail
from sayso.gateway.redaction.redactor import Redactor
from sayso.gateway.trail.replay import judged_again
from sayso.gateway.upstream.server import Unreachable
from sayso.gateway.values import Judged, Question, Refuse, Wanted
from sayso.ledger.chain import Event
from sayso.record import Entity


class Noting:
    """Writes entries to the trail, with the items that they depend on."""

    def __init__(self, trail: Trail, metrics: Metrics, redactor: Redactor | None) -> None:
        self._trail, self._metrics, self._redactor = trail, metrics, redactor or Redactor.off()
        self._marks: dict[tuple[str, str], str] = {}  # of the things that were written down last

    async def add(self, user: str, events: Sequence[Event], *, wait: bool = True) -> None:
        """Add entries. If that fails, the items are recorded again with the next entry, because it is not known what
        was written."""
        try:
            await self._trail.add(user, self._redactor.events(events), wait=wait)
        except BaseException:
            self._marks = {key: mark for key, mark in self._marks.items() if key[0] != user}
            raise
        self._metrics.count(events)

    def judged(self, user: str, server: Guarded, things: Sequence[Entity], judged: Judged) -> list[Event]:
        """How a call was judged: the things that it rested on are written down where they are new."""
        if not judged.wanted.words.message:
            return [Event("judged", self._stored(user, server, (), judged))]
        listed = self._redactor.body([thing.as_dict() for thing in things])
        mark = sha256(msgspec.json.encode(listed, order="sorted")).hexdigest()
        known = self._marks.get((user, server.name)) == mark
        self._marks[user, server.name] = mark
        new = [] if known else [Event("things", {"mark": mark, "things": listed})]
        found = tuple(Entity(thing) for thing in listed)
        return [*new, Event("judged", self._stored(user, server, found, msgspec.structs.replace(judged, things=mark)))]

    def _stored(self, user: str, server: Guarded, things: Sequence[Entity], judged: Judged) -> Judged:
        """The same; if it holds secrets, without them and with the verdict that this leads to."""
        plain = msgspec.to_builtins(judged)
        without = self._redactor.body(plain)
        if without == plain:
            return judged
        stored = msgspec.convert(without, Judged)
        return msgspec.structs.replace(stored, as_stored=judged_again(server, stored, things, user))

    async def answered(self, user: str, question: Question, said: str | bool | None, by: dict[str, Any]) -> None:
        """What a person answered, and by what. An answer that gives the value of a secret parameter is secret."""
        missing = getattr(question.asks, "missing", ())
        name = next((name for name in missing if self._redactor.is_secret_name(name)), "answer")
        answer = self._redactor.body({name: said} if isinstance(said, str) else {"answer": said})
        told = next(iter(answer.values()))
        await self.add(user, [Event("answer", {"question": question.id, "answer": told, **by})])

    async def refused(
        self, user: str, wanted: Wanted, why: Refuse, before: Sequence[Event] = (), **more: Any
    ) -> types.CallToolResult:
        """A call that does not go on; `more` is for the client alone."""
        await self.add(user, [*before, Event("refusal", {"wanted": wanted, "status": why.status})])
        return refusal(why.status, why.message, **more)

    async def called(
        self,
        user: str,
        server: Guarded,
        wanted: Wanted,
        arguments: dict[str, Any],
        going: Awaitable[Result],
        before: Sequence[Event] = (),
    ) -> Result:
        """The result of a forwarded call. A call with an unknown outcome may have run, and is recorded as well."""
        called = {"wanted": wanted, "arguments": arguments, "failed": True}
        changes = server.judge.risk(wanted.tool) != "read"
        try:
            result = await going
        except Unreachable:
            await self.add(user, [*before, Event("call", called)], wait=changes)
            raise
        finally:
            if changes:
                server.forget(user)
        if isinstance(result, types.CallToolResult):
            called["failed"] = bool(result.is_error)
            await self.add(user, [*before, Event("call", called)], wait=changes)
        elif before:
            await self.add(user, before, wait=changes)
        return result
