"""A server written by hand, of before 2026-07-28, that does wrong what a file tells it to: `python faulty.py FILE`.

Without the SDK, since the SDK would not let it.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

TOOL = {
    "name": "show_milk",
    "description": "Shows the milk.",
    "inputSchema": {"type": "object"},
    "annotations": {"readOnlyHint": True},
}


def right(method):
    if method == "initialize":
        info = {"name": "faulty", "version": "1"}
        return {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": info}
    if method == "tools/list":
        return {"tools": [TOOL]}
    return {"content": [{"type": "text", "text": "milk"}], "structuredContent": {"pid": os.getpid()}}


def answer(asked, fault):
    """The line to answer with, or None for none."""
    method, known = asked["method"], ("initialize", "tools/list", "tools/call")
    said = {"jsonrpc": "2.0", "id": asked["id"]}
    if method not in known:
        return json.dumps(said | {"error": {"code": -32601, "message": "no such method"}})
    match fault:
        case "hang":
            return None
        case "end":
            sys.exit(3)
        case "broken":
            return json.dumps(said | {"result": right(method)})[:-9]
        case "wrong":
            return json.dumps(said | {"result": {"tools": "none", "content": 7, "protocolVersion": []}})
        case "error":
            return json.dumps(said | {"error": {"code": -32000, "message": "out of milk"}})
        case "noise":
            sys.stdout.write("starting…\n\n\x1b[32mready\x1b[0m {\n")
        case "slow":
            time.sleep(0.2)
    return json.dumps(said | {"result": right(method)})


def main():
    file = Path(sys.argv[1])
    for line in sys.stdin:
        asked = json.loads(line)
        if "id" not in asked or "method" not in asked:
            continue
        fault, _, where = file.read_text().partition(" ")  # such as "hang tools/call"
        said = answer(asked, fault if where in ("", asked["method"]) else "")
        if said is not None:
            sys.stdout.write(said + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
