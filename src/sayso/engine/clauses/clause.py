"""A part of a message that asks for one thing, and how it was understood."""

from __future__ import annotations

from typing import NamedTuple

from sayso.engine.grammar.moods import Mood
from sayso.engine.slots.reading import Reading


class Sense(NamedTuple):
    """A clause understood: its reading with a score that compares readings of the same clause."""

    reading: Reading
    score: float
    mood: Mood


class Clause(NamedTuple):
    """A stretch of words with the sense that was made of it, if any."""

    start: int
    end: int
    sense: Sense | None
