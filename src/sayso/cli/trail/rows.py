"""Formats a trail entry as a line: server, tool, result and words."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from sayso.ledger.chain import ERASURE, Entry

_LONGEST = 160
_DECIDED = {"call": "allowed", "confirm": "confirmation required", "clarify": "question required", "none": "no call"}
_PLAIN = {"message": "said", "click": "clicked"}
_CARDS = {"done": "answered: yes", "declined": "answered: no"}
_ANSWERS = {True: "yes", False: "no", None: "no answer"}


class Row(NamedTuple):
    """What a person is shown of an entry."""

    server: str
    tool: str
    came: str
    words: str


class Reader:
    """Reads entries in their order: an answer says which question it answers, and no more."""

    def __init__(self) -> None:
        self._asked: dict[str, dict[str, Any]] = {}

    def read(self, entry: Entry) -> Row:
        if entry.body is None:
            return Row("", "", f"{entry.kind}, erased", "")
        body = msgspec.json.decode(entry.body)
        if entry.kind == "question" and "wanted" in body:
            self._asked[body["id"]] = body["wanted"]
        wanted = body.get("wanted") or self._asked.get(str(body.get("question"))) or {}
        words = wanted.get("words") or {}
        message = words.get("message", "") or str(body.get("content", "") if entry.kind == "message" else "")
        told = f"{message} (relayed by a model)" if message and not words.get("trusted", True) else message
        who = f"{body['user']}: " if "user" in body else ""
        tool = str(wanted.get("tool") or body.get("tool") or "")
        server = str(wanted.get("server") or (body.get("server") if entry.kind == "revocation" else "") or "")
        return Row(server, tool, who + _short(_came(entry.kind, body)), _short(told))


def _came(kind: str, body: dict[str, Any]) -> str:
    """The result, by the kind of the entry."""
    if kind == ERASURE:
        return f"entries {', '.join(map(str, body['numbers']))} were erased"
    came = _of_a_gateway(kind, body) or _of_an_operator(kind, body) or _of_a_service(kind, body)
    return came or f"{kind} {msgspec.json.encode(body).decode()}"


def _of_a_gateway(kind: str, body: dict[str, Any]) -> str | None:
    match kind, body:
        case "judged", {"verdict": verdict}:
            return _verdict(verdict) + _by(body)
        case "things", {"things": things}:
            return f"{len(things)} items known"
        case "question", {"asks": asks}:
            return f"asked: {asks['question']}"
        case "answer", {"answer": given}:
            return f"answered: {given if isinstance(given, str) else _ANSWERS[given]}"
        case "refusal", {"status": status}:
            return f"not run: {status}"
        case "call", {"failed": failed}:
            return "failed" if failed else "ran"
        case _:
            return None


def _of_an_operator(kind: str, body: dict[str, Any]) -> str | None:
    match kind, body:
        case "approval", {"server": server, "tools": tools}:
            return f"approved: {', '.join(f'{server}.{tool}' for tool in tools)}"
        case "rules", {"what": what, "rules": rules, "shadow": shadow}:
            told = f"{what} with {len(rules)} rules" if what == "started" else f"rules changed, now {len(rules)}"
            return told + (f"; SHADOW MODE for {', '.join(shadow)}: nothing is stopped" if shadow else "")
        case "pairing", {"for": user}:
            return f"printed a code to pair a browser for {user}"
        case "grant", {"grant": {"id": identifier, "scope": scope}}:
            return f"grant {identifier} given: {scope}"
        case "revocation", {"grant": identifier}:
            return f"grant {identifier} revoked"
        case _:
            return None


def _of_a_service(kind: str, body: dict[str, Any]) -> str | None:
    match kind, body:
        case "decision", {"kind": decided}:
            return _DECIDED.get(decided)
        case "question", {"card": {"card": asked}}:
            return f"asked: {asked}"
        case "card", {"state": state}:
            return _CARDS.get(state, f"the question is {state}")
        case "call", {"result": result}:
            return _ran(result)
        case "undo", {"numbers": list(numbers)}:
            return f"entries {', '.join(map(str, numbers))} were undone"
        case "undo", {"number": number}:
            return f"entry {number} was undone"
        case "reply", {"text": text}:
            return f"replied: {text}"
        case _:
            return _PLAIN.get(kind)


def _ran(result: dict[str, Any]) -> str:
    if result.get("status") != "success":
        return f"not done: {result.get('reason') or result.get('status')}"
    return f"ran: {result['title']}" if result.get("title") else "ran"


def _verdict(verdict: dict[str, Any]) -> str:
    if "forward" in verdict:
        return "allowed"
    return "confirmation required" if "ask" in verdict else f"refused: {verdict.get('refuse')}"


def _by(body: dict[str, Any]) -> str:
    """The grant or the rule that decided, and whether the verdict was enforced."""
    rule = f" by {body['rule']['key']}" if body.get("rule") else ""
    rule = f" by grant {body['grant']['id']}" if body.get("grant") else rule
    return rule + (
        " (shadow mode: forwarded anyway)" if body.get("shadow") and "forward" not in body["verdict"] else ""
    )


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
