"""Proposes rules from a trail: for tools whose questions were answered with yes, again and again.

A proposal is as narrow as the recorded values allow: the same value, a few values, a folder, a host, a domain, a range.
It never allows a call that somebody declined, nor a destructive one, nor an argument that no confirmed call had.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from posixpath import commonpath, dirname
from typing import Any, NamedTuple

import msgspec

from sayso.gateway.rules.expression import BadExpression, Expression, facts
from sayso.gateway.rules.paths import host, under
from sayso.gateway.rules.rule import Rule
from sayso.gateway.rules.rulebook import variables
from sayso.gateway.values import Judged, Wanted
from sayso.ledger.chain import Entry

Risk = Callable[[str, str], str]  # of a tool, by server and name
FEW = 5  # different texts that a rule lists; with more, any text is allowed
_LONGEST = 80  # characters of a value in a rule
_REDACTED = "[redacted:"  # how the trail begins the placeholder of a secret
_DEEP = 2  # folders below the root, at least


class Asked(NamedTuple):
    """A call with a question, or one that would have had a question in shadow mode. Without an answer, it is `None`."""

    entry: int
    user: str
    wanted: Wanted
    arguments: dict[str, Any]
    answer: bool | None


class Proposal(NamedTuple):
    """A rule for a tool, the calls whose question it would have spared, and all others that it would have allowed."""

    server: str
    tool: str
    rule: Rule
    asked: int
    saved: tuple[Asked, ...]
    others: tuple[Asked, ...]


class Question(msgspec.Struct, frozen=True):
    """A question in the trail."""

    id: str
    wanted: Wanted
    asks: Any
    user: str = ""


def asked_calls(entries: Iterable[Entry], owner: str) -> list[Asked]:
    """The confirmations that a trail records, with their answers."""
    found: dict[str, Asked] = {}
    for entry in entries:
        if entry.body is None:
            continue
        if entry.kind == "question":
            question = _question(entry.body)
            if question is not None:
                arguments = question.asks["arguments"]
                found[question.id] = Asked(entry.number, question.user or owner, question.wanted, arguments, None)
        elif entry.kind == "answer":
            body = msgspec.json.decode(entry.body)
            known, said = found.get(body["question"]), body["answer"]
            if known is not None:
                found[body["question"]] = known._replace(answer=said is True)
        elif entry.kind == "judged":
            judged = msgspec.json.decode(entry.body, type=Judged)
            arguments = _would_ask(judged)
            if arguments is not None:
                user = str(msgspec.json.decode(entry.body).get("user", owner))
                found[f"entry {entry.number}"] = Asked(entry.number, user, judged.wanted, arguments, None)
    return list(found.values())


def _question(body: str) -> Question | None:
    """A question that a rule could have avoided; the trail of the chat service has others."""
    try:
        question = msgspec.json.decode(body, type=Question)
    except msgspec.ValidationError:
        return None
    asks = question.asks
    is_plain = asks.get("kind") == "confirm" and asks.get("reason") != "destructive"
    return question if is_plain else None


def _would_ask(judged: Judged) -> dict[str, Any] | None:
    """The arguments of a call that shadow mode forwarded, and that would otherwise have required a question."""
    asks = judged.verdict.get("ask") or {}
    if not judged.shadow or asks.get("kind") != "confirm" or asks.get("reason") == "destructive":
        return None
    found: dict[str, Any] = asks["arguments"]
    return found


def proposals(calls: Sequence[Asked], risk: Risk, least: int) -> list[Proposal]:
    """The rules that would have avoided questions, those that avoid most first."""
    by_tool: dict[tuple[str, str], list[Asked]] = defaultdict(list)
    for call in calls:
        by_tool[call.wanted.server, call.wanted.tool].append(call)
    several = len({call.user for call in calls}) > 1
    found = [
        proposal
        for (server, tool), asked in by_tool.items()
        if risk(server, tool) == "write"
        and (proposal := _proposal(server, tool, asked, several=several)) is not None
        and len(proposal.saved) >= least
    ]
    return sorted(found, key=lambda each: -len(each.saved))


def _proposal(server: str, tool: str, asked: list[Asked], *, several: bool) -> Proposal | None:
    confirmed = [call for call in asked if call.answer is True]
    when = _condition(confirmed, several=several) if confirmed else None
    if when is None:
        return None
    try:
        expression = Expression(when)
    except BadExpression:  # it is too long
        return None
    allowed = [call for call in asked if _applies(expression, call)]
    if any(call.answer is False for call in allowed):
        return None
    saved = tuple(call for call in allowed if call.answer is True)
    others = tuple(call for call in allowed if call.answer is None)
    return Proposal(server, tool, Rule(effect="allow", when=when), len(asked), saved, others)


def _applies(expression: Expression, call: Asked) -> bool:
    try:
        return expression.applies(facts(variables(call.user, call.wanted, call.arguments, "write")))
    except ValueError:
        return False


def _condition(calls: Sequence[Asked], *, several: bool) -> str | None:
    """The narrowest expression for these calls; `None` if a value has no form that can be described."""
    names = sorted({name for call in calls for name in call.arguments})
    parts = [f"user in {_listed({call.user for call in calls})}"] if several else []
    parts.append(f"args.all(name, name in {_listed(names)})" if names else "size(args) == 0")
    for name in names:
        values = [call.arguments[name] for call in calls if name in call.arguments]
        part = _of_values(_taken(name), values)
        if part is None:
            return None
        if part and len(values) < len(calls):
            part = f"(!({_told(name)} in args) || {part})"
        parts += [part] if part else []
    return " && ".join(parts)


def _of_values(taken: str, values: Sequence[Any]) -> str | None:
    """A condition that these values meet; empty if any value is allowed."""
    if all(isinstance(value, bool) for value in values):
        return _same(taken, values) if len(set(values)) == 1 else ""
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        low, high = min(values), max(values)
        return f"{taken} == {_told(low)}" if low == high else f"{taken} >= {_told(low)} && {taken} <= {_told(high)}"
    if any(_REDACTED in _told(value) for value in values):
        return None
    if all(isinstance(value, str) for value in values):
        return next(part for form in _FORMS if (part := form(taken, values)) is not _OTHER)
    part = _same(taken, values) if all(value == values[0] for value in values) else _OTHER
    return None if part is _OTHER else part


_OTHER = "\0"  # another form has to be found


def _same(taken: str, values: Sequence[Any]) -> str:
    return f"{taken} == {_told(values[0])}" if len(_told(values[0])) <= _LONGEST else _OTHER


def _one_value(taken: str, values: Sequence[str]) -> str | None:
    return _same(taken, values) if len(set(values)) == 1 else _OTHER


def _in_folder(taken: str, values: Sequence[str]) -> str | None:
    if not all(value.startswith("/") for value in values):
        return _OTHER
    folder = commonpath([dirname(value) for value in values])
    if folder.count("/") < _DEEP or not all(_holds(under, value, folder) for value in values):
        return None
    return f"under({taken}, {_told(folder)})"


def _at_host(taken: str, values: Sequence[str]) -> str | None:
    try:
        hosts = {host(value) for value in values}
    except ValueError:
        return _OTHER
    return f"host({taken}) in {_listed(hosts)}" if len(hosts) <= FEW else None


def _in_domain(taken: str, values: Sequence[str]) -> str | None:
    parts = [value.lower().split("@") for value in values]
    if not all(len(part) == 2 and all(part) and " " not in value for part, value in zip(parts, values, strict=True)):
        return _OTHER
    domains = {part[1] for part in parts}
    return f"lower({taken}).endsWith({_told('@' + domains.pop())})" if len(domains) == 1 else _OTHER


def _few_values(taken: str, values: Sequence[str]) -> str | None:
    different = set(values)
    if len(different) > FEW:
        return ""
    return f"{taken} in {_listed(different)}" if all(len(value) <= _LONGEST for value in different) else None


_FORMS = (_one_value, _in_folder, _at_host, _in_domain, _few_values)


def _holds(test: Callable[[str, str], bool], *values: str) -> bool:
    try:
        return test(*values)
    except ValueError:
        return False


def _taken(name: str) -> str:
    return f"args.{name}" if name.isidentifier() and name.isascii() else f"args[{_told(name)}]"


def _listed(values: Iterable[str]) -> str:
    return f"[{', '.join(_told(value) for value in sorted(values))}]"


def _told(value: Any) -> str:
    """A value as CEL writes it, which is the same as in JSON."""
    return msgspec.json.encode(value).decode()


def pasted(found: Iterable[Proposal]) -> dict[str, Any]:
    """The rules in the format of the gateway's file."""
    servers: dict[str, Any] = {}
    for each in found:
        tools = servers.setdefault(each.server, {"sayso": {"tools": {}}})["sayso"]["tools"]
        tools[each.tool] = {"rules": [_plain(each.rule)]}
    return {"mcpServers": servers}


def merged(raw: dict[str, Any], found: Iterable[Proposal]) -> dict[str, Any]:
    """The file with the rules added. It is changed in place."""
    for each in found:
        tools = raw["mcpServers"][each.server].setdefault("sayso", {}).setdefault("tools", {})
        tools.setdefault(each.tool, {}).setdefault("rules", []).append(_plain(each.rule))
    return raw


def _plain(rule: Rule) -> dict[str, str]:
    return {"effect": rule.effect, "when": rule.when}


def summaries(found: Iterable[Proposal]) -> Iterator[str]:
    """A text for people about the effect of each rule."""
    for each in found:
        saved = ", ".join(str(call.entry) for call in each.saved)
        yield f"{each.server}.{each.tool}: {len(each.saved)} of {each.asked} questions spared (entries {saved})"
        yield f"  allow when {each.rule.when}"
        for call in each.others:
            arguments = _told(call.arguments)
            yield f"  also allowed, but nobody answered: entry {call.entry} {arguments[:200]}"
        if not each.others:
            yield "  no other recorded call would have been allowed"
