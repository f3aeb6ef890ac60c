"""Makes decisions about things with parts of what the learned reader found: a machine, its command, a value.

"start the steam on oven 5": the reader says which words are the machine and the command. They are compared with the
person's machines as the rules compare a whole clause, and what they fit becomes a decision by the same step.
"""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple

from sayso.decision import Decision, Nothing
from sayso.engine.clauses.detect import Sense
from sayso.engine.decide.decide import Room
from sayso.engine.decide.operate import operate
from sayso.engine.grammar.moods import Mood
from sayso.engine.machines.deeds import deeds_of
from sayso.engine.reader.read import Prediction
from sayso.engine.slots.extract import Reading


class Linked(NamedTuple):
    """The decisions about things with parts; `sure` if all words of the clause lead to the same ones."""

    decisions: list[Decision]
    sure: bool


def on_parts(room: Room, prediction: Prediction) -> Linked:
    """The decisions of a prediction about a thing with parts; none where its words fit none."""
    start, end = prediction.start, prediction.end
    marked = _best(room, prediction, {at for value in prediction.values for at in range(value.first, value.last)})
    if marked is None:
        return Linked([], sure=False)
    sense = Sense(marked, marked.match.score, Mood("open", start, room.sheet.lows[end - 1] == "?"))
    decisions = operate(room._replace(clause=(start, end)), sense)
    if any(isinstance(one, Nothing) for one in decisions):
        return Linked([], sure=False)
    whole = _best(room, prediction, range(start, end))
    return Linked(decisions, sure=whole is not None and _meant(whole) == _meant(marked))


def _best(room: Room, prediction: Prediction, places: Container[int]) -> Reading | None:
    found = deeds_of(room.sheet.over(prediction), room.scene, prediction.act, places)
    return found[0] if found else None


def _meant(reading: Reading) -> tuple[object, ...]:
    """The things and parts that a reading is about, with its value."""
    pairs = reading.deed.pairs if reading.deed is not None else ()
    about = tuple((pair.thing.id, tuple(part.id for part in pair.parts)) for pair in pairs)
    return (about, tuple(chunk.value for chunk in reading.chunks))
