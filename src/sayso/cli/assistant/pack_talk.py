"""A conversation over your own pack: each decided call is shown, none is run.

"note down that the key is under the mat" answers `→ add_note {"text": "the key is under the mat"}`. Questions, cards
and follow-ups work as they do with tools; the items that people can name come from a case file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sayso.assistant.conversation import Conversation
from sayso.assistant.converse import Assistant
from sayso.assistant.values import Done, Json
from sayso.decider import Decider
from sayso.decision import Arguments
from sayso.packs.answers import Answers, Worded, load_books
from sayso.packs.load import pack_folder
from sayso.record import Entity, Record

Fields = Mapping[str, Any]


class ShownCalls(Answers):
    """Shows each call as it is. What is said beside calls does not depend on the pack."""

    def __init__(self) -> None:
        super().__init__(load_books(pack_folder("tasks")))

    def deed(
        self, _lang: str, tool: str, arguments: Fields, _result: Fields, _now: datetime, _message: str = ""
    ) -> Worded:
        return Worded(f"→ {tool} {json.dumps(dict(arguments), ensure_ascii=False)}", ())

    def question(self, _lang: str, text: str, _tool: str, _arguments: Fields, _now: datetime) -> str:
        return text

    def again(self, _lang: str, _tool: str, _arguments: Fields, _thing: Fields, _now: datetime) -> None:
        """Nothing is added, so nothing can be there twice."""

    def asks_together(self, _lang: str) -> bool:
        return False


class NoTools:
    """Knows the items, and runs nothing."""

    def __init__(self, things: Sequence[Entity]) -> None:
        self._things = tuple(things)

    async def things(self, _message: str) -> tuple[Entity, ...]:
        return self._things

    async def call(self, _tool: str, _arguments: Arguments, _versions: dict[str, int]) -> Done:
        return Done({"status": "shown"}, None)

    async def put_back(self, _back: Json) -> Json:
        raise AssertionError("nothing was done")


def pack_conversation(
    decider: Decider,
    pack: str,
    *,
    clock: Callable[[], datetime],
    user: Mapping[str, str],
    lang: str | None = None,
    things: Sequence[Entity] = (),
) -> Conversation:
    """Start a conversation over this pack."""
    assistant = Assistant(decider, ShownCalls(), pack=pack)
    return Conversation(assistant, NoTools(things), clock=clock, user=Record(dict(user)), lang=lang)
