"""Compares a decision with the expected ones by the rules of the decision benchmark.

Titles, descriptions and searches are compared without regard to case, spacing and outer punctuation; ids, enums,
dates and numbers exactly; `{"any": […]}` stands for one of several values; an argument equal to its default may be
left out. `question`, `reply`, `reason` and `evidence` are not compared.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from sayso.evals.facts import UNKNOWN, ToolFacts

Json = Mapping[str, Any]
Tools = Mapping[str, ToolFacts]

_OUTER = ".,;:!?'\"“”«» "
_STRAIGHT = str.maketrans("’‘", "''")


def as_expected(outcomes: Sequence[Sequence[Json]], decisions: Sequence[Json], tools: Tools) -> bool:
    """True if the decisions are, all of them and in order, one of the acceptable outcomes."""
    return any(
        len(outcome) == len(decisions)
        and all(matches(pattern, decision, tools) for pattern, decision in zip(outcome, decisions, strict=True))
        for outcome in outcomes
    )


def matches(pattern: Json, decision: Json, tools: Tools) -> bool:
    """True if one decision fits one pattern."""
    if pattern.get("kind") != decision.get("kind"):
        return False
    match pattern["kind"]:
        case "call" | "confirm":
            return _same_call(pattern, decision, tools)
        case "clarify":
            return _same_question(pattern, decision, tools)
        case _:
            return True


def _same_call(pattern: Json, decision: Json, tools: Tools) -> bool:
    tool = pattern["tool"]
    given = decision.get("arguments") or {}
    if tool != decision.get("tool") or not isinstance(given, Mapping):
        return False
    facts = tools.get(tool, UNKNOWN)
    wanted = pattern.get("arguments", {})
    given = {key: value for key, value in given.items() if facts.instead.get(key) not in given}
    return all(_same_argument(key, wanted, given, facts) for key in {*wanted, *given})


def _same_argument(key: str, wanted: Json, given: Json, facts: ToolFacts) -> bool:
    if key not in wanted and key not in facts.defaults:
        return False
    if key not in given and key not in facts.defaults:
        return False
    loose = key in facts.free
    return _same(wanted.get(key, facts.defaults.get(key)), given.get(key, facts.defaults.get(key)), loose)


def _same_question(pattern: Json, decision: Json, tools: Tools) -> bool:
    if pattern.get("tool") and decision.get("tool") and pattern["tool"] != decision["tool"]:
        return False
    if not set(pattern.get("options") or ()) <= _offered(decision):
        return False
    instead = {name: entity for facts in tools.values() for name, entity in facts.instead.items()}
    missing = decision.get("missing")
    names = [name for name in missing if isinstance(name, str)] if isinstance(missing, list) else []
    asked = {instead.get(name, name) for name in names}
    return not pattern.get("missing") or not asked or bool(asked & set(pattern["missing"]))


def _offered(decision: Json) -> set[str]:
    options = [option for option in decision.get("options") or () if isinstance(option, Mapping)]
    arguments = [option["arguments"] for option in options if isinstance(option.get("arguments"), Mapping)]
    return {value for each in arguments for value in each.values() if isinstance(value, str)}


def _same(wanted: Any, given: Any, loose: bool) -> bool:
    if isinstance(wanted, Mapping) and "any" in wanted:
        return any(_same(one, given, loose) for one in wanted["any"])
    if _is_number(wanted) and isinstance(given, str):
        given = _number(given)
    return bool(loosely(wanted) == loosely(given) if loose else _exactly(wanted) == _exactly(given))


def _number(text: str) -> float | str:
    try:
        return float(text.strip().replace(",", ".").replace("−", "-"))
    except ValueError:
        return text


def loosely(value: Any) -> Any:
    """The value without regard to case, spacing and outer punctuation, for comparing."""
    if isinstance(value, str):
        visible = "".join(letter for letter in value if unicodedata.category(letter) != "Cf")
        text = unicodedata.normalize("NFC", visible).translate(_STRAIGHT).strip().strip(_OUTER).casefold()
        return re.sub(r"\s+", " ", text)
    if _is_list(value):
        return sorted((loosely(one) for one in value), key=str)
    return float(value) if _is_number(value) else value


def _exactly(value: Any) -> Any:
    if _is_list(value):
        return sorted(value, key=str)
    return float(value) if _is_number(value) else value


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
