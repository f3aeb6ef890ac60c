"""Measures what each rule of the engine is worth: switches it off and decides the cases again in which it was true.

A rule is a function of the engine that returns a truth value. Off means that it returns False. Only the cases in which
it returned True can change, so only these are decided again.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from typing import Any, Literal, NamedTuple, Self

import msgspec

import sayso.engine
from sayso.case import Case
from sayso.decision import Answer
from sayso.evals.compare import Tools
from sayso.evals.dataset import Labelled
from sayso.evals.score import judge_all

Outcome = Literal["right", "miss", "wrong write", "error"]


class Worth(msgspec.Struct, frozen=True, kw_only=True):
    """What a rule is worth: how many cases come out better or worse without it."""

    rule: str
    cases: int  # in which it was true
    tried: int  # of these, evenly spread
    lost: int  # right with it, not without it
    gained: int  # right without it, not with it
    writes: int  # more wrong writes without it

    @property
    def idle(self) -> bool:
        """Whether nothing gets worse without it."""
        return self.lost <= self.gained and self.writes <= 0


class _Place(NamedTuple):
    """Where a rule can be reached: an attribute of a module or a class."""

    owner: Any
    name: str


class Switches:
    """All rules of the engine, wrapped so that each can be switched off; `true` collects those that were true."""

    def __init__(self) -> None:
        self.off: str | None = None
        self.true: set[str] = set()
        self._places: dict[Callable[..., Any], list[_Place]] = defaultdict(list)
        modules = list(_modules())
        for module in modules:
            for name, value in vars(module).items():
                if inspect.isfunction(value) and _is_rule(value):
                    self._places[value].append(_Place(module, name))
            for cls in {value for value in vars(module).values() if inspect.isclass(value)}:
                if cls.__module__ == module.__name__:
                    for name, value in vars(cls).items():
                        if inspect.isfunction(value) and _is_rule(value) and not name.startswith("__"):
                            self._places[value].append(_Place(cls, name))

    @property
    def names(self) -> list[str]:
        return sorted(map(_name, self._places))

    def __enter__(self) -> Self:
        for rule, places in self._places.items():
            wrapped = self._wrapped(rule)
            for place in places:
                setattr(place.owner, place.name, wrapped)
        return self

    def __exit__(self, *_: object) -> None:
        for rule, places in self._places.items():
            for place in places:
                setattr(place.owner, place.name, rule)

    def _wrapped(self, rule: Callable[..., bool]) -> Callable[..., bool]:
        name, true = _name(rule), self.true

        @wraps(rule)
        def switched(*args: Any, **kwargs: Any) -> bool:
            if self.off == name:
                return False
            found = rule(*args, **kwargs)
            if found:
                true.add(name)
            return found

        return switched


def ablate(
    cases: Sequence[Labelled],
    decide: Callable[[Case], Answer],
    tools: Tools,
    switches: Switches,
    most: int = 200,
) -> Iterator[Worth]:
    """The worth of each rule, rule by rule as it is measured, on at most so many cases. `switches` must be entered."""
    held: dict[str, list[int]] = defaultdict(list)
    before: list[Outcome] = []
    for number, one in enumerate(cases):
        switches.true.clear()
        before.append(_outcome(one, decide, tools))
        for name in switches.true:
            held[name].append(number)
    for name in switches.names:
        switches.off = name
        change: Counter[str] = Counter()
        tried = held[name][:: max(1, len(held[name]) // most)]
        for number in tried:
            was, now = before[number], _outcome(cases[number], decide, tools)
            change["lost"] += was == "right" != now
            change["gained"] += now == "right" != was
            change["writes"] += (now == "wrong write") - (was == "wrong write")
        switches.off = None
        yield Worth(
            rule=name,
            cases=len(held[name]),
            tried=len(tried),
            lost=change["lost"],
            gained=change["gained"],
            writes=change["writes"],
        )


def _outcome(case: Labelled, decide: Callable[[Case], Answer], tools: Tools) -> Outcome:
    try:
        (verdict,) = judge_all([case], decide, tools)
    except Exception:  # noqa: BLE001  other code may rely on a rule, so that anything can happen without it
        return "error"
    return "wrong write" if verdict.wrong_write else "right" if verdict.right else "miss"


def _modules() -> Iterator[Any]:
    for found in pkgutil.walk_packages(sayso.engine.__path__, "sayso.engine."):
        yield importlib.import_module(found.name)
    yield from [module for name, module in sys.modules.items() if name.startswith("sayso.packs")]


def _is_rule(function: Any) -> bool:
    return function.__module__.startswith("sayso.engine.") and function.__annotations__.get("return") in ("bool", bool)


def _name(function: Callable[..., Any]) -> str:
    return f"{function.__module__.removeprefix('sayso.engine.')}.{function.__qualname__}"
