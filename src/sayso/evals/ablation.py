"""Measures what each rule of the engine is worth: switches it off and tries the cases again in which it was true.

A rule is a function or a property of the engine that returns a truth value. Off means that it returns False. Only the
cases in which it returned True can change, so only these are tried again, evenly spread, until enough of them are lost.

Some results are remembered from one case to the next, such as the stems of words. A rule behind such a memory is true
in fewer cases when the cases are tried a second time. It is measured on all cases with freshly loaded packs.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, wraps
from typing import Any, NamedTuple, Self

import msgspec

import sayso.engine
from sayso.assistant.converse import Assistant
from sayso.case import Case
from sayso.decision import Answer
from sayso.evals.compare import Tools
from sayso.evals.dataset import Labelled
from sayso.evals.play import play
from sayso.evals.score import judge_all
from sayso.evals.sessions import Session

ENOUGH = 8  # lost more than gained: the rule is worth its place, and the other cases need not be tried


class Outcome(NamedTuple):
    """The result of a case, or of the turns of a session."""

    right: int
    wrong: int  # wrong writes, or turns that changed the list wrongly


Trial = Callable[[], Outcome]
Load = Callable[[], Sequence[Trial]]  # loads the packs again


class Worth(msgspec.Struct, frozen=True, kw_only=True):
    """What a rule is worth: how many cases come out better or worse without it."""

    rule: str
    cases: int  # in which it was true; of a remembered rule, at the first time alone
    tried: int  # without it
    lost: int  # right with it, not without it
    gained: int  # right without it, not with it
    writes: int  # more wrong writes without it
    remembered: bool = False  # from one case to the next: tried on all cases

    @property
    def idle(self) -> bool:
        """Whether nothing gets worse without it."""
        return self.lost <= self.gained and self.writes <= 0


class _Place(NamedTuple):
    """Where a rule can be reached: an attribute of a module or a class."""

    owner: Any
    name: str
    value: Any  # what is there: the rule, or a property that calls it


class Switches:
    """All rules of the engine, wrapped so that each can be switched off; `true` collects those that were true."""

    def __init__(self) -> None:
        self.off: str | None = None
        self.true: set[str] = set()
        self._places: dict[Callable[..., Any], list[_Place]] = defaultdict(list)
        self._memories: list[Any] = []
        for module in _modules():
            classes = [value for value in vars(module).values() if inspect.isclass(value)]
            own = {cls for cls in classes if cls.__module__ == module.__name__}
            for owner in (module, *own):
                for name, value in vars(owner).items():
                    rule = _rule_of(value)
                    if rule is not None and not name.startswith("__"):
                        self._places[rule].append(_Place(owner, name, value))
            self._memories += [value for value in vars(module).values() if hasattr(value, "cache_clear")]

    @property
    def names(self) -> list[str]:
        return sorted(map(_name, self._places))

    def forget(self) -> None:
        """Drop the results that functions remember."""
        for memory in self._memories:
            memory.cache_clear()

    def __enter__(self) -> Self:
        for rule, places in self._places.items():
            wrapped = self._wrapped(rule)
            for place in places:
                _put(place, wrapped)
        return self

    def __exit__(self, *_: object) -> None:
        for places in self._places.values():
            for place in places:
                setattr(place.owner, place.name, place.value)
        self.forget()

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


def ablate(load: Load, switches: Switches, enough: int = ENOUGH) -> Iterator[Worth]:
    """The worth of each rule, rule by rule as it is measured. `switches` must be entered."""
    switches.forget()
    trials = load()
    before, held = _tried(trials, switches)
    _, again = _tried(trials, switches)
    remembered = {name for name in switches.names if held[name] != again[name]}
    for name in sorted(switches.names, key=lambda name: (name in remembered, name)):
        numbers: Sequence[int] = held[name]
        if name in remembered:
            switches.forget()
            trials, numbers = load(), range(len(trials))
        switches.off = name
        found = _worth(name, trials, before, numbers, enough)
        switches.off = None
        yield msgspec.structs.replace(found, cases=len(held[name]), remembered=name in remembered)


def trials_of_cases(cases: Iterable[Labelled], decide: Callable[[Case], Answer], tools: Tools) -> list[Trial]:
    """A trial for each case."""

    def trial(case: Labelled) -> Trial:
        def tried() -> Outcome:
            (verdict,) = judge_all([case], decide, tools)
            return Outcome(int(verdict.right), int(verdict.wrong_write))

        return tried

    return [trial(case) for case in cases]


def trials_of_sessions(sessions: Iterable[Session], assistant: Assistant) -> list[Trial]:
    """A trial for each session, which counts turns."""

    def trial(session: Session) -> Trial:
        def tried() -> Outcome:
            kinds = [turn.kind for turn in play(session, assistant)]
            return Outcome(kinds.count("right"), kinds.count("wrong"))

        return tried

    return [trial(session) for session in sessions]


def _tried(trials: Sequence[Trial], switches: Switches) -> tuple[list[Outcome], dict[str, list[int]]]:
    """The outcome of each trial, and the trials in which each rule was true."""
    held: dict[str, list[int]] = defaultdict(list)
    outcomes: list[Outcome] = []
    for number, trial in enumerate(trials):
        switches.true.clear()
        outcomes.append(_outcome(trial))
        for name in switches.true:
            held[name].append(number)
    return outcomes, held


def _worth(name: str, trials: Sequence[Trial], before: Sequence[Outcome], numbers: Sequence[int], enough: int) -> Worth:
    tried = lost = gained = writes = 0
    for number in _spread(numbers):
        was, now = before[number], _outcome(trials[number])
        tried += 1
        lost += max(0, was.right - now.right)
        gained += max(0, now.right - was.right)
        writes += now.wrong - was.wrong
        if lost - gained >= enough:
            break
    return Worth(rule=name, cases=0, tried=tried, lost=lost, gained=gained, writes=writes)


def _spread(numbers: Sequence[int]) -> Iterator[int]:
    """All of them, in an order in which those that come first are from everywhere."""
    step = max(1, int(len(numbers) ** 0.5))
    return (number for start in range(step) for number in numbers[start::step])


def _outcome(trial: Trial) -> Outcome:
    try:
        return trial()
    except Exception:  # noqa: BLE001  other code may rely on a rule, so that anything can happen without it
        return Outcome(0, 0)


def _put(place: _Place, wrapped: Callable[..., bool]) -> None:
    """Put the wrapped rule where the rule was."""
    value: Any = wrapped
    if isinstance(place.value, property):
        value = property(wrapped)
    elif isinstance(place.value, cached_property):
        value = cached_property(wrapped)
        value.__set_name__(place.owner, place.name)
    setattr(place.owner, place.name, value)


def _rule_of(value: Any) -> Callable[..., bool] | None:
    """The function that returns a truth value, if this is a rule or a property that is one."""
    function: Any = value
    if isinstance(value, property):
        function = value.fget
    elif isinstance(value, cached_property):
        function = value.func
    return function if inspect.isfunction(function) and _is_rule(function) else None


def _modules() -> Iterator[Any]:
    for found in pkgutil.walk_packages(sayso.engine.__path__, "sayso.engine."):
        yield importlib.import_module(found.name)
    yield from [module for name, module in sys.modules.items() if name.startswith("sayso.packs")]


def _is_rule(function: Any) -> bool:
    return function.__module__.startswith("sayso.engine.") and function.__annotations__.get("return") in ("bool", bool)


def _name(function: Callable[..., Any]) -> str:
    return f"{function.__module__.removeprefix('sayso.engine.')}.{function.__qualname__}"
