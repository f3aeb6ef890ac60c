"""What the terminal talks to: an assistant in this process, or a chat service over HTTP."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Protocol

from sayso.assistant.conversation import Conversation
from sayso.assistant.values import Card, Reply
from sayso.case import Case
from sayso.decision import Answer
from sayso.errors import SaysoError


class Unanswered(SaysoError):
    """No answer came; the text says why, in the person's language."""


class Talk(Protocol):
    """A conversation, from its person's side."""

    @property
    def lang(self) -> str:
        """The language spoken last."""
        ...

    @property
    def decided(self) -> tuple[Case, Answer] | None:
        """What the last message was taken for, and by which words."""
        ...

    def say(self, message: str) -> Reply: ...

    def settle(self, card: Card, *, yes: bool) -> Reply: ...

    def undo(self) -> Reply: ...


class LocalTalk:
    """With an assistant in this process."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation

    @property
    def lang(self) -> str:
        return self._conversation.lang

    @property
    def decided(self) -> tuple[Case, Answer] | None:
        return self._conversation.decided

    def say(self, message: str) -> Reply:
        return asyncio.run(self._conversation.say(message))

    def settle(self, card: Card, *, yes: bool) -> Reply:
        return asyncio.run(self._conversation.settle(card, yes=yes))

    def undo(self) -> Reply:
        return asyncio.run(self._conversation.undo())


def retold(message: str, now: datetime, lang: str, reply: Reply) -> tuple[Case, Answer]:
    """The decisions that the answer of a service contains."""
    return Case(message=message, now=now), Answer(id="", lang=lang, decisions=reply.decisions)
