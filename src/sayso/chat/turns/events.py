"""A turn as server-sent events with AG-UI names.

The conversation is the thread, and the message is the run: `runId` is the client_message_id, so a message sent again
is the same run.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from fastapi.sse import format_sse_event

from sayso.assistant.values import Reply
from sayso.chat.guards.problems import Problem

Event = dict[str, Any]


def started(thread: str, run: str) -> Event:
    return {"type": "RUN_STARTED", "threadId": thread, "runId": run}


def of_reply(thread: str, run: str, reply: Reply) -> Iterator[Event]:
    """The events of a turn's reply, in order: decisions, tool calls, text, confirmations."""
    said: Event = msgspec.json.decode(msgspec.json.encode(reply, order="deterministic"))
    yield _custom("decisions", said["decisions"])
    for number, deed in enumerate(said["results"], 1):
        yield from _deed(f"{reply.turn_id}/{number}", reply.turn_id, deed)
    if reply.reply:
        yield {"type": "TEXT_MESSAGE_START", "messageId": reply.turn_id, "role": "assistant"}
        yield {"type": "TEXT_MESSAGE_CONTENT", "messageId": reply.turn_id, "delta": reply.reply}
        yield {"type": "TEXT_MESSAGE_END", "messageId": reply.turn_id}
    for card in said["confirmations"]:
        yield _custom("confirmation", card)
    if said["next"]:
        yield _custom("next", said["next"])
    yield {"type": "RUN_FINISHED", "threadId": thread, "runId": run, "result": said}


def of_problem(problem: Problem, language: str | None) -> Event:
    """The event of a turn that failed: `code` is the kind of the problem."""
    return {"type": "RUN_ERROR", "message": problem.body(language)["detail"], "code": problem.kind}


def encoded(event: Event) -> bytes:
    """The event as a server-sent event."""
    return format_sse_event(data_str=msgspec.json.encode(event).decode())


def _deed(call: str, message: str, deed: Event) -> Iterator[Event]:
    yield {"type": "TOOL_CALL_START", "toolCallId": call, "toolCallName": deed["tool"], "parentMessageId": message}
    yield {"type": "TOOL_CALL_ARGS", "toolCallId": call, "delta": _text(deed["arguments"])}
    yield {"type": "TOOL_CALL_END", "toolCallId": call}
    result = _text(deed["result"])
    yield {"type": "TOOL_CALL_RESULT", "messageId": call, "toolCallId": call, "content": result, "role": "tool"}


def _custom(name: str, value: Any) -> Event:
    return {"type": "CUSTOM", "name": name, "value": value}


def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()
