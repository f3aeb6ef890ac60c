"""Asking the person, by the protocol's own means, before a task is deleted.

Since 2026-07-28 the server returns the question, and the client calls again with the answer and the sealed state.
Before that the server sends the question over the open connection. A client that cannot be asked gets a result that
says so, and nothing is deleted. No argument of the tool can stand for the person's yes.
"""

from __future__ import annotations

import mcp_types as types
import msgspec

from sayso.identity.principal import Principal
from sayso.protocol import Context, can_ask, elicit, is_modern
from sayso.tasks.messages import say
from sayso.tasks.service import Question, TaskService
from sayso.tasks.values import DeleteTask, TaskResult

MOST_ROUNDS = 5
_ANSWER = "confirm"


async def delete_asking(
    service: TaskService,
    who: Principal,
    given: DeleteTask,
    ctx: Context,
    params: types.CallToolRequestParams,
    key: str | None,
) -> TaskResult | types.InputRequiredResult:
    """Delete with the person's yes: a result, or the question that the client must put to them."""
    if params.request_state is not None:
        question = msgspec.json.decode(params.request_state, type=Question)
        answer = (params.input_responses or {}).get(_ANSWER)
        if not isinstance(answer, types.ElicitResult):
            return _put(question, who)
        outcome = await service.answer_delete(who, given, question, yes=_is_yes(answer), key=key)
        return outcome if isinstance(outcome, TaskResult) else _put(outcome, who)
    outcome = await service.ask_delete(who, given, key)
    if isinstance(outcome, TaskResult):
        return outcome
    if not can_ask(ctx):
        return _cannot_ask(outcome, who)
    if is_modern(ctx):
        return _put(outcome, who)
    return await _ask_now(service, who, given, ctx, outcome, key)


async def _ask_now(
    service: TaskService, who: Principal, given: DeleteTask, ctx: Context, question: Question, key: str | None
) -> TaskResult:
    """Over the open connection. No transaction is open while the person thinks."""
    outcome: Question | TaskResult = question
    for _ in range(MOST_ROUNDS):
        if isinstance(outcome, TaskResult):
            return outcome
        answer = await elicit(ctx, _form(outcome, who))
        if answer is None:
            return _cannot_ask(outcome, who)
        outcome = await service.answer_delete(who, given, outcome, yes=_is_yes(answer), key=key)
    return outcome if isinstance(outcome, TaskResult) else _cannot_ask(outcome, who)


def _put(question: Question, who: Principal) -> types.InputRequiredResult:
    return types.InputRequiredResult(
        request_state=msgspec.json.encode(question).decode(),
        input_requests={_ANSWER: types.ElicitRequest(params=_form(question, who))},
    )


def _form(question: Question, who: Principal) -> types.ElicitRequestFormParams:
    """The question, worded by us from what is stored; one box, ticked, so that sending the form is the yes."""
    box = {"type": "boolean", "title": say(who.language, "agree"), "default": True}
    schema = {"type": "object", "properties": {_ANSWER: box}, "required": [_ANSWER]}
    return types.ElicitRequestFormParams(message=_worded(question, who), requested_schema=schema)


def _worded(question: Question, who: Principal) -> str:
    details = [
        *([say(who.language, "due", due=question.due)] if question.due else []),
        *([say(who.language, "completed")] if question.completed else []),
    ]
    if question.again:
        return say(who.language, "question_again", title=question.title, details=", ".join(details) or "–")
    if details:
        return say(who.language, "question_details", title=question.title, details=", ".join(details))
    return say(who.language, "question", title=question.title)


def _is_yes(answer: types.ElicitResult) -> bool:
    """Whether the box came back ticked. A form that comes back empty is no yes, whatever the client calls it."""
    return answer.action == "accept" and (answer.content or {}).get(_ANSWER) is True


def _cannot_ask(question: Question, who: Principal) -> TaskResult:
    return TaskResult(
        status="needs_confirmation",
        reason="needs_confirmation",
        error_message=say(who.language, "needs_confirmation", title=question.title),
        task_id=str(question.task),
        title=question.title,
    )
