"""The gateway as a library: guards your own tools in any framework.

It judges as the gateway does, and asks by whatever means the program has.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from sayso.decider import Decider
from sayso.decision import Confirm, Pending
from sayso.engine.decide.room import Thresholds
from sayso.errors import BadSetting
from sayso.gateway.config import ServerSettings
from sayso.gateway.judge import Judge
from sayso.gateway.messages import say
from sayso.gateway.values import Arguments, Ask, Forward, Refuse, Wanted, Words
from sayso.packs.load import installed_packs
from sayso.record import Entity

C = TypeVar("C")

# Asks the user: returns a yes or no, an option's label, the user's own words, or None if there is no answer.
Asker = Callable[[Pending], Awaitable[str | bool | None]]
Told = str | Words | Callable[[C], str | Words]  # the user's words, or a function that takes them from a call's context
Things = Callable[[C], Awaitable[Sequence[Entity]]]  # the user's own things

OWN = ServerSettings(trusted=True)  # people who guard their own tools trust their annotations


class Guard:
    """Judges calls, and asks until it is clear what becomes of them."""

    def __init__(self, judge: Judge, ask: Asker | None = None, *, name: str = "", lang: str | None = None) -> None:
        self._judge, self._ask, self._name, self._lang = judge, ask, name, lang

    async def check(
        self, tool: str, arguments: Arguments, words: str | Words, things: Sequence[Entity] = ()
    ) -> Forward | Refuse:
        """The arguments to run the tool with, or why it must not run."""
        wanted = Wanted(server=self._name, tool=tool, arguments=arguments, words=as_words(words))
        verdict = self._judge.judge(wanted, things, "", _now())
        while isinstance(verdict, Ask):
            question = verdict.question
            if self._ask is None:
                status = "needs_confirmation" if isinstance(question.asks, Confirm) else "needs_clarification"
                return Refuse(status, say(self._lang, "cannot_ask", question=question.asks.question))
            verdict = self._judge.answer(question, await self._ask(question.asks), things, _now())
        return verdict


def make_judge(
    tools: Iterable[dict[str, Any]], settings: ServerSettings = OWN, *, name: str = "tools", lang: str | None = None
) -> Judge:
    """A judge of these tools: by the pack that the settings name, installed or a folder, else by what `tools` say of
    themselves, as `tools/list` has it. Raises BadSetting for settings that need the gateway."""
    if settings.rules or settings.shadow or any(told.rules for told in settings.tools.values()):
        raise BadSetting("rules", "rules and shadow mode need the gateway: remove them here")
    for tool, told in settings.tools.items():
        if told.hidden or told.confirm != "client":
            raise BadSetting(f"tools.{tool}", '"hidden" and "confirm": "browser" need the gateway: remove them here')
    if settings.pack is None:
        decider = Decider({}, thresholds=Thresholds(exact=True))
        listed = msgspec.json.encode({"tools": list(tools)})
        decider.add_tools(name, listed, trusted=settings.trusted, risks=settings.risks)
        return Judge(decider, name, settings, lang)
    if settings.pack in installed_packs():
        return Judge(Decider.installed(), settings.pack, settings, lang)
    folder = Path(settings.pack)
    return Judge(Decider.installed(folder), folder.name, settings, lang)


def as_words(told: str | Words) -> Words:
    """The user's words, as the program passes them on."""
    return told if isinstance(told, Words) else Words(message=told, trusted=True, source="client")


def heard(told: Told[C], context: C) -> Words:
    """The person's words, in this context."""
    return as_words(told(context) if callable(told) else told)


def _now() -> datetime:
    return datetime.now().astimezone()
