"""A conversation about a to-do list in this process, without a service."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

from sayso.assistant.conversation import Conversation
from sayso.assistant.converse import Assistant
from sayso.decider import Decider
from sayso.packs.answers import load_answers
from sayso.packs.load import pack_folder
from sayso.record import Record
from sayso.tasks.store.memory import MemoryTasks
from sayso.tasks.store.taskfile import TaskFile

DEFAULT = "en"


def todo_conversation(
    file: Path | str | None = None,
    *,
    clock: Callable[[], datetime] | None = None,
    user: Mapping[str, str] | None = None,
    lang: str | None = None,
    decider: Decider | None = None,
    hands: MemoryTasks | None = None,
) -> Conversation:
    """Start a conversation about a to-do list, stored in `file` or in memory.

    `clock` returns the user's local time with its offset; the default is this machine's clock. Without `lang` the
    language of each message is detected. `hands` is a list that you have opened yourself, instead of `file`.

    >>> import asyncio
    >>> from datetime import datetime
    >>> monday = datetime.fromisoformat("2026-11-16T09:30:00+01:00")
    >>> talk = todo_conversation(clock=lambda: monday)
    >>> asyncio.run(talk.say("call the dentist tomorrow at 10")).reply
    'I\\'ve added "call the dentist" to your list, due tomorrow at 10 am.'
    """
    at = clock or _now
    who = dict(user or {"id": "me", "name": "me"})
    kept = TaskFile(Path(file)) if file is not None else None
    hands = hands or MemoryTasks(at, user=who, language=lang or DEFAULT, file=kept)
    assistant = Assistant(decider or Decider.installed(), load_answers(pack_folder("tasks")))
    return Conversation(assistant, hands, clock=at, user=Record(who), lang=lang)


def _now() -> datetime:
    return datetime.now().astimezone()
