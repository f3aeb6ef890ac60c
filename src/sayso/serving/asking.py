"""Asks the person through the protocol before something irreversible is done.

Since 2026-07-28 the server returns the question, and the client calls again with the answer and the sealed state.
Before that the server sends the question over the open connection. A client that cannot be asked gets a result that
says so, and nothing is done. No argument of a tool can stand for the person's yes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

import mcp_types as types
import msgspec

from sayso.protocol import Context, can_ask, elicit, is_modern

MOST_ROUNDS = 5
_ANSWER = "confirm"

Q = TypeVar("Q", bound=msgspec.Struct)
R = TypeVar("R", bound=msgspec.Struct)


class ConfirmedCall(ABC, Generic[Q, R]):
    """A call that may require confirmation: its question, the result of the answer, and their wording."""

    question: type[Q]
    patience: int  # seconds that a person has to answer

    @abstractmethod
    async def ask(self) -> Q | R:
        """The question; or at once the result, where there is nothing to ask."""

    @abstractmethod
    async def answer(self, question: Q, *, yes: bool) -> Q | R:
        """What comes of the answer: a result, or a new question."""

    @abstractmethod
    def worded(self, question: Q) -> str:
        """The question as the person reads it."""

    @abstractmethod
    def agree(self) -> str:
        """The text next to the box that is ticked."""

    @abstractmethod
    def cannot_ask(self, question: Q) -> R:
        """The result where nobody can be asked."""


async def call_with_confirmation(
    about: ConfirmedCall[Q, R], ctx: Context, params: types.CallToolRequestParams
) -> R | types.InputRequiredResult:
    """Run a call after confirmation. Returns the result, or the question that the client must ask."""
    if params.request_state is not None:
        question = msgspec.json.decode(params.request_state, type=about.question)
        answer = (params.input_responses or {}).get(_ANSWER)
        if not isinstance(answer, types.ElicitResult):
            return _put(about, question)
        outcome = await about.answer(question, yes=_is_yes(answer))
        return _put(about, outcome) if isinstance(outcome, about.question) else _result(outcome, about)
    outcome = await about.ask()
    if not isinstance(outcome, about.question):
        return _result(outcome, about)
    if not can_ask(ctx):
        return about.cannot_ask(outcome)
    if is_modern(ctx):
        return _put(about, outcome)
    return await _ask_now(about, ctx, outcome)


async def _ask_now(about: ConfirmedCall[Q, R], ctx: Context, question: Q) -> R:
    """Over the open connection. No transaction is open while the person thinks."""
    outcome: Q | R = question
    for _ in range(MOST_ROUNDS):
        if not isinstance(outcome, about.question):
            return _result(outcome, about)
        answer = await elicit(ctx, _form(about, outcome), patience=about.patience)
        if answer is None:
            return about.cannot_ask(outcome)
        outcome = await about.answer(outcome, yes=_is_yes(answer))
    return about.cannot_ask(outcome) if isinstance(outcome, about.question) else _result(outcome, about)


def _result(outcome: Q | R, about: ConfirmedCall[Q, R]) -> R:
    """Anything but a question is a result: a type checker cannot see that from a type that is a value."""
    if isinstance(outcome, about.question):
        raise AssertionError("a question is not a result")
    return outcome  # type: ignore[return-value]


def _put(about: ConfirmedCall[Q, R], question: Q) -> types.InputRequiredResult:
    return types.InputRequiredResult(
        request_state=msgspec.json.encode(question).decode(),
        input_requests={_ANSWER: types.ElicitRequest(params=_form(about, question))},
    )


def _form(about: ConfirmedCall[Q, R], question: Q) -> types.ElicitRequestFormParams:
    """The question, worded by us from what is stored; one box, ticked, so that sending the form is the yes."""
    box = {"type": "boolean", "title": about.agree(), "default": True}
    schema = {"type": "object", "properties": {_ANSWER: box}, "required": [_ANSWER]}
    return types.ElicitRequestFormParams(message=about.worded(question), requested_schema=schema)


def _is_yes(answer: types.ElicitResult) -> bool:
    """Whether the box came back ticked. A form that comes back empty is not a yes, whatever the client calls it."""
    return answer.action == "accept" and (answer.content or {}).get(_ANSWER) is True
