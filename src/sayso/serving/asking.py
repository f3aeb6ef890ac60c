"""Asks the user through the protocol to confirm a destructive call.

Since 2026-07-28 the server returns the question, and the client calls again with the answer and the sealed state. In
earlier versions the server sends the question over the open connection. If a client cannot ask, it gets a result that
says so, and the call does not run. No argument of a tool can replace the user's confirmation.
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
    patience: int  # seconds that the user has to answer

    @abstractmethod
    async def ask(self) -> Q | R:
        """The question; or the result, if there is nothing to ask."""

    @abstractmethod
    async def answer(self, question: Q, *, yes: bool) -> Q | R:
        """Handle the user's answer. Returns the result, or a new question."""

    @abstractmethod
    def worded(self, question: Q) -> str:
        """The question as the user reads it."""

    @abstractmethod
    def agree(self) -> str:
        """The label of the checkbox."""

    @abstractmethod
    def cannot_ask(self, question: Q) -> R:
        """The result if the client cannot ask the user."""


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
    """Ask over the open connection. No transaction is open while the user answers."""
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
    """Narrow the outcome to a result. A type checker cannot infer this, because the question's type is a value."""
    if isinstance(outcome, about.question):
        raise AssertionError("a question is not a result")
    return outcome  # type: ignore[return-value]


def _put(about: ConfirmedCall[Q, R], question: Q) -> types.InputRequiredResult:
    return types.InputRequiredResult(
        request_state=msgspec.json.encode(question).decode(),
        input_requests={_ANSWER: types.ElicitRequest(params=_form(about, question))},
    )


def _form(about: ConfirmedCall[Q, R], question: Q) -> types.ElicitRequestFormParams:
    """The form of the question, worded from stored values. Its only checkbox is ticked, so sending the form
    confirms."""
    box = {"type": "boolean", "title": about.agree(), "default": True}
    schema = {"type": "object", "properties": {_ANSWER: box}, "required": [_ANSWER]}
    return types.ElicitRequestFormParams(message=about.worded(question), requested_schema=schema)


def _is_yes(answer: types.ElicitResult) -> bool:
    """Whether the checkbox was returned ticked. An empty form does not confirm, even if the client says "accept"."""
    return answer.action == "accept" and (answer.content or {}).get(_ANSWER) is True
