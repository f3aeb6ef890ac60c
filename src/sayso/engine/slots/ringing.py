"""Turns the moment at which something has to ring into the time before its date.

"remind me of the dentist on friday at 9" with the dentist due on Saturday at 10:00 → P1DT1H. A thing without a date
gets the moment as its date, and so does one whose date comes before the moment. A bare duration is a lead time
if the thing has not rung yet, and a snooze if it has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime, time, timedelta
from typing import Any, Literal, NamedTuple

from sayso.engine.grammar.pack import Param, Rings
from sayso.engine.grammar.sheet import Sheet
from sayso.engine.linking.focus import Scene
from sayso.engine.repeats.recurrence import Lead
from sayso.engine.values.when import Shift, When

# The values that are read as the time to ring: none, durations, any date, or a duration by which that moment moves.
Ringing = Literal["", "lengths", "moments", "earlier", "later"]
SHIFTS = ("earlier", "later")
Held = tuple[date, tuple[int, int] | None]

MORNING = (9, 0)  # when something without a time rings, unless the user has set another hour
_HALF = 12  # hours
_DURATION = re.compile(r"P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:\d+S)?)?")


class Rung(NamedTuple):
    """When something rings: at its date, some time before it, or at a separate date."""

    lead: str | None = None
    due: str | None = None


def rings(params: Mapping[str, Param]) -> tuple[str, Rings] | None:
    """The parameter of a tool that says when something rings, if there is one."""
    return next(((name, param.rings) for name, param in params.items() if param.rings is not None), None)


def ringing(
    sheet: Sheet, scene: Scene, how: Rings, places: Iterable[int], thing: str | None, *, named: bool
) -> Ringing:
    """How the words at these places affect the time at which a thing rings.

    A date is the time to ring if the words are about ringing and not about moving the item. After talk of a reminder, a
    bare duration is too: "no, half an hour". Words of the item's own name do not count.
    """
    own = set(scene.things.label_stems(thing)) if thing is not None and scene.things.get(thing) is not None else set()
    said = [at for at in places if sheet.stems[at] not in own]
    if sheet.first(said, *how.unless) is not None:
        return ""
    if sheet.first(said, *how.by) is not None:
        return "moments"
    talked = not named and scene.mentioned is not None and scene.mentioned(frozenset((*how.by, *how.after)))
    return "lengths" if talked else ""


def rung(when: When, held: Held | None, lead: str, now: datetime, kind: Ringing) -> Rung | None:
    """The new date or lead time of a thing with this date and lead time; `None` if `when` is not a time to ring."""
    length = when.shift or when.later
    if held is None:
        return _dated(when)
    here, moment = now.replace(tzinfo=None, second=0, microsecond=0), moment_of(*held)
    rang = moment - (_length(lead) or timedelta()) <= here
    if length is not None and kind in SHIFTS and not rang:
        return _moved(length, _length(lead) or timedelta(), kind)
    if length is not None:
        if min(length) < 0:  # "two hours earlier" than its date
            return Rung(lead=_lead_of(length.back()))
        if not rang:
            return Rung(lead=_lead_of(length))
        return _at(here + timedelta(days=length.days, minutes=length.minutes), moment) if not length.months else None
    if kind == "lengths" and not rang:
        return None  # "no, friday" corrects the date
    return _again(when, here, moment) if rang else _before(when, held, here)


def _moved(length: Shift, lead: timedelta, kind: Ringing) -> Rung | None:
    """A lead time that becomes longer or shorter: "move the reminder of the call forward by 5 minutes"."""
    by = abs(timedelta(days=length.days, minutes=length.minutes))
    moved = lead + by if kind == "earlier" else lead - by
    return Rung(lead=duration(moved)) if not length.months and moved >= timedelta() else None


def ahead(lead: Lead, held: Held | None) -> str | None:
    """A lead time as a duration. If it names an hour, it is counted from the date that it comes before."""
    if lead.at is None:
        return lead.duration
    if held is None:
        return None
    day = held[0] - timedelta(days=lead.days)
    between = moment_of(*held) - moment_of(day, lead.at)
    return duration(between) if between >= timedelta() else None


def duration(between: timedelta) -> str:
    """A duration in ISO 8601 format."""
    return Lead(between.days, between.seconds // 60).duration


def _dated(when: When) -> Rung | None:
    """Gives a date to a thing that has none; the thing rings on it."""
    if when.shift is not None or when.day is None:
        return None
    return Rung(lead="PT0S") if when.time is None else Rung()


def _before(when: When, held: Held, here: datetime) -> Rung | None:
    """The time between a moment and the date of the thing that rings then."""
    if when.day is None:
        return None
    due, (day, clock) = moment_of(*held), held
    if when.time is None:
        days = (day - when.day).days
        return Rung(lead=Lead(days).duration) if days > 0 or (not days and clock is None) else None
    if when.day_said:
        return _at(moment_of(when.day, when.time), due)
    found = [moment_of(day, (hour, when.time[1])) for hour in _hours(when)]
    ahead = [one for one in found if one > here]
    if not ahead:
        return _at(moment_of(when.day, when.time), due)
    return _at(min(ahead, key=lambda one: abs(one - due)), due)


def _again(when: When, here: datetime, due: datetime) -> Rung | None:
    """The next ringing of a thing that has already rung. A bare hour means its next occurrence."""
    if when.day is None or when.time is None:
        return None
    if when.day_said:
        return _at(moment_of(when.day, when.time), due)
    days = (here.date(), here.date() + timedelta(days=1))
    found = [moment_of(day, (hour, when.time[1])) for day in days for hour in _hours(when)]
    return _at(min(one for one in found if one > here), due)


def _hours(when: When) -> tuple[int, ...]:
    """The hours that a time may mean if the half of the day was not said."""
    hour = when.time[0] if when.time is not None else 0
    return (hour % _HALF, hour % _HALF + _HALF) if when.guessed else (hour,)


def _at(moment: datetime, due: datetime) -> Rung:
    return Rung(lead=duration(due - moment)) if moment <= due else Rung(due=moment.strftime("%Y-%m-%dT%H:%M"))


def moment_of(day: date, clock: tuple[int, int] | None) -> datetime:
    """When a date rings, with this time or without a time."""
    return datetime.combine(day, time(*(clock or MORNING)))


def _lead_of(length: Shift) -> str | None:
    return Lead(length.days, length.minutes).duration if not length.months and min(length) >= 0 else None


def _length(lead: str) -> timedelta | None:
    """The length of an ISO 8601 duration, for the units that lead times use."""
    found = _DURATION.fullmatch(lead)
    if found is None:
        return None
    weeks, days, hours, minutes = (int(part or 0) for part in found.groups())
    return timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes)


def due_of(found: Mapping[str, Any], name: str) -> Held | None:
    """The date among the arguments of a call, with its time."""
    text = found.get(name)
    if not isinstance(text, str):
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment.date(), (moment.hour, moment.minute) if "T" in text else None
