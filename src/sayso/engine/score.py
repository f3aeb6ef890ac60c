"""Score: how likely a reading is what the person meant, as a number between 0 and 1."""

from __future__ import annotations

from sayso.engine.detect import Sense
from sayso.engine.pack import Act


def confidence(act: Act, sense: Sense) -> float:
    """The act's own, less what was passed over, what was misspelt and how loosely the object fits."""
    match = sense.reading.match
    value = act.confidence
    value -= 0.12 * max(0.0, match.skipped - 0.15)
    value -= 0.05 * match.slips
    if sense.mood.name == "plan" and act.inferred and not sense.reading.chunks:
        value -= 0.07  # a plan without a date or a priority may be mere talk: it is asked about
    if act.past and not match.literal:
        value -= 0.05  # "grandma called" may be said of anybody
    target = sense.reading.target
    if target is not None and target.ids:
        value -= 0.35 * (1 - target.certainty)
    if sense.mood.asks and sense.mood.name == "open":
        value -= 0.1
    return round(min(0.99, max(0.05, value)), 3)
