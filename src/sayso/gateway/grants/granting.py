"""The step between judging and asking: a grant may cover a call, and an answer may give a grant."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import NamedTuple

from sayso.engine.grammar.pack import Risk
from sayso.errors import NotReady
from sayso.gateway.config import ServerSettings
from sayso.gateway.grants.denial import may_deny
from sayso.gateway.grants.grant import Call, Grant, covers, is_open
from sayso.gateway.grants.offers import Offer, allows, chosen, make_grant, offers, words_of
from sayso.gateway.grants.store import Grants
from sayso.gateway.values import Ask, Forward, Question, Verdict
from sayso.ledger.chain import Event

MOST_GRANTS = 200  # of one user; beyond them the oldest ends
Add = Callable[[str, Sequence[Event]], Awaitable[None]]

_log = logging.getLogger(__name__)


class Covered(NamedTuple):
    """A verdict, and the grant that it rests on, if it rests on one."""

    verdict: Verdict
    grant: Grant | None = None


class Granting:
    """Applies grants and makes them. `add` writes to the trail."""

    def __init__(self, store: Grants, lang: str | None, add: Add) -> None:
        self._store, self._lang, self._add = store, lang, add

    async def cover(self, user: str, verdict: Verdict, settings: ServerSettings, risk: Risk, now: datetime) -> Covered:
        """The verdict; if it is a question that a grant answers, the call is forwarded. If the grants cannot be read,
        the user is asked."""
        if not isinstance(verdict, Ask) or not self.offered(verdict.question, settings, risk):
            return Covered(verdict)
        call = _call(user, verdict.question)
        if may_deny(verdict.question.wanted.words.message):
            return Covered(verdict)
        try:
            kept = await self._store.of(user)
            most = settings.most(call.tool)
            found = next((each for each in kept if allows(most, each.scope) and covers(each, call, now)), None)
            if found is not None:
                await self._store.count(found)
        except (OSError, NotReady) as problem:
            _log.error("the grants cannot be read: %s", problem)
            return Covered(verdict)
        return Covered(Forward(call.arguments), found) if found is not None else Covered(verdict)

    def offered(self, question: Question, settings: ServerSettings, risk: Risk) -> tuple[Offer, ...]:
        """What the user can answer instead of a plain yes."""
        return offers(question, settings.most(question.wanted.tool), risk, self._lang)

    async def give(self, user: str, question: Question, scope: object, offered: Sequence[Offer], now: datetime) -> None:
        """Record and keep the grant that the answer gives, if it gives one."""
        offer = chosen(scope, offered)
        grant = make_grant(offer, user, question, now) if offer is not None else None
        if grant is None:
            return
        kept = sorted((one for one in await self._store.of(user) if is_open(one, now)), key=lambda one: one.made)
        too_many = kept[: max(0, len(kept) - MOST_GRANTS + 1)]
        given = Event("grant", {"question": question.id, "grant": grant})
        await self._add(user, [given, *(revocation(old) for old in too_many)])
        for old in too_many:
            await self._store.revoke(old)
        await self._store.keep(grant)


def revocation(grant: Grant) -> Event:
    """The entry that a grant counts no more."""
    return Event("revocation", {"grant": grant.id, "server": grant.server, "tool": grant.tool})


def covered_then(grant: Grant, verdict: Verdict, settings: ServerSettings, risk: Risk, now: datetime) -> Verdict:
    """The verdict on a recorded call that this grant covered. The words and the definition of the tool were compared
    then, and may not be in the trail as they were."""
    if not isinstance(verdict, Ask):
        return verdict
    question = verdict.question
    most, call = settings.most(question.wanted.tool), _call(grant.user, question)
    call = call._replace(definition=grant.definition, words=grant.words)
    may = offers(question, most, risk, None) and allows(most, grant.scope)
    return Forward(call.arguments) if may and covers(grant, call, now) else verdict


def _call(user: str, question: Question) -> Call:
    wanted, arguments = question.wanted, question.asks.arguments
    return Call(user, wanted.server, wanted.tool, question.definition, arguments, words_of(wanted.words))
