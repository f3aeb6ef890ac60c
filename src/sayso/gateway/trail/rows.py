"""Formats a trail entry as a line: server, tool, result and words. The texts are in inbox/messages.yaml."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec

from sayso.gateway.messages import say
from sayso.ledger.chain import ERASURE, Entry

_LONGEST = 160
_DECIDED = {"call": "allowed", "confirm": "must_confirm", "clarify": "must_clarify", "none": "no_call"}
_PLAIN = {"message": "said", "click": "clicked"}
_CARDS = {"done": "yes", "declined": "no"}
_ANSWERS = {True: "yes", False: "no", None: "nothing"}


class Row(NamedTuple):
    """What a person is shown of an entry."""

    server: str
    tool: str
    came: str
    words: str


class Reader:
    """Reads entries in their order: an answer says which question it answers, and no more."""

    def __init__(self, lang: str | None = None, *, names_user: bool = True) -> None:
        self._names_user = names_user
        self._asked: dict[str, dict[str, Any]] = {}
        self._texts = _Texts(lang)

    def read(self, entry: Entry) -> Row:
        if entry.body is None:
            return Row("", "", self._texts.say("erased", kind=entry.kind), "")
        body = msgspec.json.decode(entry.body)
        if entry.kind == "question" and "wanted" in body:
            self._asked[body["id"]] = body["wanted"]
        wanted = body.get("wanted") or self._asked.get(str(body.get("question"))) or {}
        words = wanted.get("words") or {}
        message = words.get("message", "") or str(body.get("content", "") if entry.kind == "message" else "")
        relayed = message and not words.get("trusted", True)
        told = self._texts.say("relayed", words=message) if relayed else message
        who = f"{body['user']}: " if "user" in body and self._names_user else ""
        tool = str(wanted.get("tool") or body.get("tool") or "")
        return Row(
            str(wanted.get("server", "")), tool, who + _short(self._texts.result(entry.kind, body)), _short(told)
        )


class _Texts:
    """The result of an entry in words, by its kind."""

    def __init__(self, lang: str | None) -> None:
        self._lang = lang

    def say(self, name: str, **values: str) -> str:
        return say(self._lang, f"trail_{name}", **values)

    def result(self, kind: str, body: dict[str, Any]) -> str:
        if kind == ERASURE:
            return self.say("erasure", numbers=_listed(body["numbers"]))
        came = self._of_a_gateway(kind, body) or self._of_an_operator(kind, body) or self._of_a_service(kind, body)
        return came or f"{kind} {msgspec.json.encode(body).decode()}"

    def _of_a_gateway(self, kind: str, body: dict[str, Any]) -> str | None:
        match kind, body:
            case "judged", {"verdict": verdict}:
                return self._judged(verdict, body)
            case "things", {"things": things}:
                return self.say("things", number=str(len(things)))
            case "question", {"asks": asks}:
                return self.say("asked", question=asks["question"])
            case "answer", {"answer": given}:
                answer = given if isinstance(given, str) else self.say(f"answer_{_ANSWERS[given]}")
                return self.say("answered", answer=answer)
            case "refusal", {"status": status}:
                return self.say("not_run", status=status)
            case "call", {"failed": failed}:
                return self.say("failed" if failed else "ran")
            case _:
                return None

    def _judged(self, verdict: dict[str, Any], body: dict[str, Any]) -> str:
        """The verdict, the grant or the rule that made it, and whether it was enforced."""
        came = self.verdict(verdict)
        match body:
            case {"grant": {"id": identifier}}:
                came = self.say("by_grant", verdict=came, grant=identifier)
            case {"rule": {"key": key}}:
                came = self.say("by_rule", verdict=came, rule=key)
            case _:
                pass
        return self.say("in_shadow", verdict=came) if body.get("shadow") and "forward" not in verdict else came

    def _of_an_operator(self, kind: str, body: dict[str, Any]) -> str | None:
        match kind, body:
            case "approval", {"server": server, "tools": tools}:
                return self.say("approved", tools=_listed(f"{server}.{tool}" for tool in tools))
            case "rules", {"what": what, "rules": rules, "shadow": shadow}:
                came = self.say(f"rules_{what}", number=str(len(rules)))
                return self.say("shadow", rules=came, servers=_listed(shadow)) if shadow else came
            case "pairing", {"for": user}:
                return self.say("pairing", user=user)
            case "grant", {"grant": {"id": identifier, "scope": scope}}:
                return self.say("grant", grant=identifier, scope=scope)
            case "revocation", {"grant": identifier}:
                return self.say("revocation", grant=identifier)
            case _:
                return None

    def _of_a_service(self, kind: str, body: dict[str, Any]) -> str | None:
        match kind, body:
            case "decision", {"kind": decided}:
                return self.say(_DECIDED[decided]) if decided in _DECIDED else None
            case "question", {"card": {"card": asked}}:
                return self.say("asked", question=asked)
            case "card", {"state": state}:
                known = _CARDS.get(state)
                return (
                    self.say("answered", answer=self.say(f"answer_{known}")) if known else self.say("card", state=state)
                )
            case "call", {"result": result}:
                return self._ran(result)
            case "undo", {"numbers": list(numbers)}:
                return self.say("undone", numbers=_listed(numbers))
            case "undo", {"number": number}:
                return self.say("undone_one", number=str(number))
            case "reply", {"text": text}:
                return self.say("replied", text=text)
            case _:
                return self.say(_PLAIN[kind]) if kind in _PLAIN else None

    def _ran(self, result: dict[str, Any]) -> str:
        if result.get("status") != "success":
            return self.say("not_done", reason=str(result.get("reason") or result.get("status")))
        title = result.get("title")
        return self.say("ran_title", title=title) if title else self.say("ran")

    def verdict(self, verdict: dict[str, Any]) -> str:
        if "forward" in verdict:
            return self.say("allowed")
        if "ask" in verdict:
            return self.say("must_confirm")
        return self.say("refused", status=str(verdict.get("refuse")))


def verdict_text(lang: str | None, verdict: dict[str, Any]) -> str:
    """How a call was decided."""
    return _Texts(lang).verdict(verdict)


def _listed(names: Iterable[object]) -> str:
    return ", ".join(map(str, names))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
