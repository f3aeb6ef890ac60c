"""`sayso decide --jsonl`: reads one case per line, and writes and flushes one answer per line in the same order.

A line that is not a case answers {"id": …, "error": "…"}, and the run continues. Blank lines are ignored.
"""

from __future__ import annotations

import re
import traceback
from typing import Any, BinaryIO

import msgspec

from sayso.case import case_from_json, to_json
from sayso.decider import Decider
from sayso.errors import SaysoError

_ID = re.compile(rb'"id"\s*:\s*("(?:[^"\\]|\\.)*")')


class _Named(msgspec.Struct):
    id: Any = None


def run(decider: Decider, lines: BinaryIO, out: BinaryIO) -> int:
    """Answer every line; the exit status is 1 if deciding itself failed on one, which is a bug of ours."""
    status = 0
    for line in lines:
        if not line.strip():
            continue
        try:
            reply = to_json(decider.decide(case_from_json(line))).encode()
        except (SaysoError, RecursionError) as problem:
            reply = _error(line, str(problem))
        except Exception as problem:  # noqa: BLE001  one bad case must not take the others with it
            traceback.print_exc()
            reply = _error(line, f"internal error: {type(problem).__name__}: {problem}")
            status = 1
        out.write(reply + b"\n")
        out.flush()
    return status


def _error(line: bytes, problem: str) -> bytes:
    text = problem.encode("utf-8", "replace").decode()
    return msgspec.json.encode({"id": case_id(line), "error": text})


def case_id(line: bytes) -> Any:
    """The line's id, even if the rest of the line is invalid; None if the line has no id."""
    try:
        return msgspec.json.decode(line, type=_Named).id
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        found = _ID.search(line)
    try:
        return msgspec.json.decode(found[1]) if found else None
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
