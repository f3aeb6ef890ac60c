"""What the measures share: rows of data in, sections of a report out."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol, TypeAlias, TypeVar

from sayso.case import Case
from sayso.decision import Answer, Call, Clarify, Confirm, Decision, Nothing

T = TypeVar("T")

Decide: TypeAlias = Callable[[Case], Answer]


class Watch(Protocol):
    """Hands items on and shows how far it has come."""

    def __call__(self, items: Sequence[T], label: str) -> Iterable[T]: ...


class Contender(NamedTuple):
    """Somebody who decides, with the name that the tables give."""

    name: str
    decide: Decide


class Table(NamedTuple):
    """Rows under a head, as text."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Figure(NamedTuple):
    """One line of the summary: a figure for each contender, and the goal that is set for the first of them."""

    name: str
    goal: str
    values: tuple[str, ...]
    met: bool | None = None


class Miss(NamedTuple):
    """A row that came out wrong. Kept for development splits only."""

    what: str
    text: str
    got: str


class Section(NamedTuple):
    """The result of one measure. `brief` is for the page, `text` for the file of all tables. `pictures` maps a file's
    name to its SVG."""

    name: str
    title: str
    split: str
    text: str
    figures: tuple[Figure, ...]
    tables: tuple[Table, ...]
    pictures: tuple[tuple[str, str], ...] = ()
    misses: tuple[Miss, ...] = ()
    brief: str = ""


def unwatched(items: Sequence[T], label: str) -> Iterator[T]:
    """No progress is shown."""
    del label
    yield from items


def percent(part: float, whole: float) -> str:
    """A share, or a dash where there is nothing to take a share of."""
    return f"{100 * part / whole:.1f} %" if whole else "–"


class Seen(NamedTuple):
    """A decision as the measures look at it."""

    kind: str
    tool: str | None
    reason: str = ""


def seen(decision: Decision) -> Seen:
    """Kind, tool and reason of any decision."""
    match decision:
        case Call():
            return Seen("call", decision.tool)
        case Confirm():
            return Seen("confirm", decision.tool, decision.reason)
        case Clarify():
            return Seen("clarify", decision.tool, decision.reason)
        case Nothing():
            return Seen("none", None, decision.reason)


def shown(answer: Answer) -> str:
    """An answer in a few words: kinds and tools."""
    return ", ".join(f"{one.kind} {one.tool or one.reason}" for one in map(seen, answer.decisions))


def decides(answer: Answer) -> bool:
    """Something other than none."""
    return any(not isinstance(decision, Nothing) for decision in answer.decisions)


def sample(found: list[T], most: int | None) -> list[T]:
    """All of them, or so many, always the same, in their order."""
    if most is None or len(found) <= most:
        return found
    chosen = sorted(random.Random(7).sample(range(len(found)), most))  # the same rows every time
    return [found[number] for number in chosen]
