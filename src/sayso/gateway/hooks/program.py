"""`sayso hook CLIENT`: the program that the hooks of a client run, with its payload on standard input.

It keeps a message of the user for the gateway, and records which call a session is about to make. It judges no calls,
unless the operator's file has patterns for them. A problem of this program never stops a client: without words, the
gateway asks.
"""

from __future__ import annotations

import os
import sys

from sayso.gateway.hooks.answers import answer_call, answer_prompt, judge
from sayso.gateway.hooks.payloads import Call, Prompt, plain, read_payload
from sayso.gateway.hooks.processes import client_marks
from sayso.gateway.hooks.spool import digest, now, open_spool

MOST_BYTES = 4_000_000


def run(arguments: list[str]) -> int:
    """The exit code. An answer is on standard output."""
    client, *rest = arguments or [""]
    config = rest[1] if len(rest) == 2 and rest[0] == "--config" else None
    told = None
    try:
        told = read_payload(sys.stdin.buffer.read(MOST_BYTES))
        _keep(told)
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as problem:
        print(f"sayso hook: {problem}", file=sys.stderr)  # noqa: T201
    if isinstance(told, Call):
        answer = answer_call(client, _event(client), judge(told, config), told.tool)
    else:
        answer = answer_prompt(client)
    if answer:
        os.write(1, answer.encode() + b"\n")
    return 0


def _keep(told: Prompt | Call | None) -> None:
    if isinstance(told, Prompt):
        open_spool().remember(told.session, told.text, now())
    elif isinstance(told, Call) and told.is_announced and told.arguments is not None:
        marks = client_marks()
        if marks is not None:
            call = {"session": told.session, "tool": plain(told.name), "arguments": digest(told.arguments)}
            open_spool().announce({**call, "client": marks}, now())


def _event(client: str) -> str:
    return "BeforeTool" if client == "gemini" else "PreToolUse"
