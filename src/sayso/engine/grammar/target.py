"""Defines the result of linking words to a thing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from sayso.decision import Source, Span

Problem = Literal["missing", "ambiguous", "not_found", "bulk"]
Allowed = Callable[[str], bool]


class Target(NamedTuple):
    """What was found: ids if it is settled, else a problem and what to offer."""

    ids: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    problem: Problem | None = None
    source: Source = "message"
    certainty: float = 1.0
    span: Span | None = None
    said: str = ""
    pronoun: bool = False
    lost: tuple[str, ...] = ()  # what was named beside the ids, and is not there
