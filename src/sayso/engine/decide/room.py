"""What deciding needs, and what it plans: the values that the steps of a decision hand to each other."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from sayso.decision import Evidence
from sayso.engine.decide.trained import Gate
from sayso.engine.decide.wording import Voice
from sayso.engine.grammar.grammar import Grammar
from sayso.engine.grammar.sheet import Sheet
from sayso.engine.linking.focus import Scene


class Thresholds(NamedTuple):
    """Below `act` Sayso asks. Below `inferred` an inferred write requires confirmation.

    Below `about` the message is out of scope. A question has at most `options` options. Without `compose` proposed
    calls are ignored, and without `reader` only the rules decide, to test a pack's sentences. With `exact`, every part
    of a value must be said, for tools without acts.
    """

    act: float = 0.7
    inferred: float = 0.9
    about: float = 0.02
    options: int = 5
    compose: bool = True
    reader: bool = True
    exact: bool = False


class Room(NamedTuple):
    """All that deciding needs beside the sense: the grammar, the message, the scene, the clock, the voice."""

    grammar: Grammar
    sheet: Sheet
    scene: Scene
    now: datetime
    voice: Voice
    thresholds: Thresholds
    gate: Gate | None
    clause: tuple[int, int]  # the words that are being decided on


class Plan(NamedTuple):
    """A call that is complete, before anyone asked whether it may run."""

    tool: str
    arguments: dict[str, Any]
    evidence: dict[str, Evidence]
    confidence: float
    inferred: bool
    target: str | None
    note: str = ""  # selects the text of the question: a parameter, optionally with a suffix
