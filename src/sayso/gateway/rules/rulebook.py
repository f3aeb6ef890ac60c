"""Applies the rules of a gateway's file to a call that was judged.

Rules see the arguments that would run. Deny wins over ask, and ask over allow. Allow only skips a
confirmation: a destructive call still requires it, Sayso still asks about unclear calls, and no argument changes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from sayso.decision import Confirm
from sayso.errors import BadData
from sayso.gateway.config import Config
from sayso.gateway.judge import Judge
from sayso.gateway.messages import say
from sayso.gateway.rules.expression import BadExpression, Expression, facts
from sayso.gateway.rules.rule import ORDER, Applied, Effect, Placed
from sayso.gateway.values import Arguments, Ask, Forward, Refuse, Verdict, Wanted

REMEDY = "See docs/reference/gateway.md#rules."


class Call(NamedTuple):
    """A call that was judged: its user, and the known facts about it."""

    user: str
    wanted: Wanted
    definition: str


class Ready(NamedTuple):
    """A rule with its compiled expression."""

    placed: Placed
    expression: Expression


class Ruled(NamedTuple):
    """The verdict after the rules, the rule that decided, and whether the gateway is in shadow mode."""

    verdict: Verdict
    rule: Applied | None = None
    shadow: bool = False


class Rulebook:
    """The rules of all servers. Immutable: a changed file makes another one."""

    def __init__(
        self, rules: tuple[Ready, ...] = (), shadow: frozenset[str] = frozenset(), lang: str | None = None
    ) -> None:
        self.rules, self.shadow, self._lang = rules, shadow, lang
        self._by_server: Mapping[str | None, list[Ready]] = _by_server(rules)
        told = [(each.placed.key, each.placed.rule) for each in rules]
        self.digest = sha256(msgspec.json.encode((told, sorted(shadow)))).hexdigest()

    def with_shadow(self, shadow: frozenset[str]) -> Rulebook:
        """The same rules, with these servers in shadow mode."""
        return Rulebook(self.rules, shadow, self._lang)

    def apply(self, judge: Judge, call: Call, verdict: Verdict) -> Ruled:
        """The verdict after the rules."""
        shadow = call.wanted.server in self.shadow
        rules = self._of(call.wanted)
        if not rules or isinstance(verdict, Refuse):
            return Ruled(verdict, None, shadow)
        arguments = judge.settled(call.wanted, running(verdict, call.wanted))
        applied = _first(rules, judge, call, arguments)
        if applied is None:
            return Ruled(verdict, None, shadow)
        changed = self._changed(judge, call, verdict, arguments, applied)
        return Ruled(changed, applied if changed is not verdict or applied.effect == "ask" else None, shadow)

    def denies(self, judge: Judge, call: Call, verdict: Verdict) -> Ruled:
        """The same for a call that the user confirmed: a denied call stays denied."""
        rules = [each for each in self._of(call.wanted) if each.placed.rule.effect == "deny"]
        if not rules or not isinstance(verdict, Forward) or call.wanted.server in self.shadow:
            return Ruled(verdict)
        applied = _first(rules, judge, call, verdict.arguments)
        return Ruled(verdict) if applied is None else Ruled(self._refused(call, applied), applied)

    def _of(self, wanted: Wanted) -> list[Ready]:
        if not self.rules:
            return []
        found = [*self._by_server.get(None, ()), *self._by_server.get(wanted.server, ())]
        return [each for each in found if each.placed.tool in (None, wanted.tool)]

    def _changed(self, judge: Judge, call: Call, verdict: Verdict, arguments: Arguments, applied: Applied) -> Verdict:
        match applied.effect, verdict:
            case "deny", _:
                return self._refused(call, applied)
            case "ask", Forward():
                return judge.confirm(call.wanted, arguments, call.definition)
            case "allow", Ask(question) if isinstance(question.asks, Confirm):
                same = arguments == call.wanted.arguments
                destroys = judge.risk(call.wanted.tool) == "destructive" or question.asks.reason == "destructive"
                return Forward(arguments) if same and not destroys else verdict
            case _:
                return verdict

    def _refused(self, call: Call, applied: Applied) -> Refuse:
        why = f" {applied.why}" if applied.why else ""
        return Refuse("denied", say(self._lang, "denied", tool=call.wanted.tool) + why)


def make_rulebook(config: Config, file: Path) -> Rulebook:
    """The rules of a file, compiled. BadData with the key and the column for a bad expression."""
    ready = []
    for placed in placed_rules(config):
        try:
            expression = Expression(placed.rule.when)
        except BadExpression as problem:
            raise BadData(str(file), f"{placed.key}.when", str(problem), REMEDY) from problem
        ready.append(Ready(placed, expression))
    shadow = {name for name, each in config.servers.items() if config.sayso.shadow or each.sayso.shadow}
    return Rulebook(tuple(ready), frozenset(shadow), config.sayso.lang)


def placed_rules(config: Config) -> Iterator[Placed]:
    """Every rule of a file, with its place in it."""
    for number, rule in enumerate(config.sayso.rules):
        yield Placed(f"sayso.rules[{number}]", rule)
    for name, server in config.servers.items():
        key = f"mcpServers.{name}.sayso"
        for number, rule in enumerate(server.sayso.rules):
            yield Placed(f"{key}.rules[{number}]", rule, name)
        for tool, told in server.sayso.tools.items():
            for number, rule in enumerate(told.rules):
                yield Placed(f"{key}.tools.{tool}.rules[{number}]", rule, name, tool)


def running(verdict: Verdict, wanted: Wanted) -> Arguments:
    """The known arguments of the call that would run."""
    if isinstance(verdict, Forward):
        return verdict.arguments
    if isinstance(verdict, Ask) and isinstance(verdict.question.asks, Confirm):
        return verdict.question.asks.arguments
    return wanted.arguments


def variables(user: str, wanted: Wanted, arguments: Arguments, risk: str) -> dict[str, Any]:
    """The variables of a call that expressions can use."""
    words = wanted.words
    source = words.source or ("client" if words.trusted else "model")
    return {
        "args": arguments,
        "tool": wanted.tool,
        "server": wanted.server,
        "risk": risk,
        "user": user,
        "words": {"text": words.message, "source": source if words.message else "none"},
    }


def _first(rules: list[Ready], judge: Judge, call: Call, arguments: Arguments) -> Applied | None:
    """The rule that applies, of the strongest effect."""
    problem, context = "", None
    try:
        context = facts(variables(call.user, call.wanted, arguments, judge.risk(call.wanted.tool)))
    except ValueError as found:
        problem = str(found)
    for effect in ORDER:
        for each in rules:
            if each.placed.rule.effect == effect:
                applied = _applied(each, effect, context, problem)
                if applied is not None:
                    return applied
    return None


def _applied(each: Ready, effect: Effect, context: Any, problem: str) -> Applied | None:
    """Fails closed: if an expression gives no answer, every rule except allow applies."""
    rule = each.placed.rule
    if not problem:
        try:
            if not each.expression.applies(context):
                return None
        except ValueError as found:
            problem = str(found)
    if problem and effect == "allow":
        return None
    return Applied(key=each.placed.key, effect=effect, when=rule.when, why=rule.why, problem=problem)


def _by_server(rules: tuple[Ready, ...]) -> dict[str | None, list[Ready]]:
    found: dict[str | None, list[Ready]] = defaultdict(list)
    for each in rules:
        found[each.placed.server].append(each)
    return dict(found)
