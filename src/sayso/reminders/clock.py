"""Computes when a task rings: a lead time before it is due, in the user's time zone.

ring_at("2026-03-12T17:00", "PT10M", ZoneInfo("Europe/Rome")) → 2026-03-12 16:50 in Rome

The database computes the same for stored tasks (`ringing_at` in migration 0008). A test compares the two.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Literal

MORNING = time(9)
Way = Literal["arrives", "page", "terminal", "nowhere"]  # a channel, an open page, an open terminal, or none
_LEAD = re.compile(
    r"P(?:(?P<weeks>\d+)W)?(?:(?P<days>\d+)D)?(?:T(?:(?P<hours>\d+)H)?(?:(?P<minutes>\d+)M)?(?:(?P<seconds>\d+)S)?)?",
    re.ASCII,
)


def ring_at(due: str | None, remind: str | None, zone: tzinfo, morning: time = MORNING) -> datetime | None:
    """The moment in UTC; None if the task has no due date or no reminder. A task that is due on a day without a time
    rings in the morning. Days and weeks of the lead time are calendar days; hours, minutes and seconds are elapsed
    time.
    """
    if not due or remind is None or (found := _LEAD.fullmatch(remind)) is None:
        return None
    lead = {name: int(number) for name, number in found.groupdict(default="0").items()}
    try:
        wall = wall_clock(due, morning) - timedelta(days=lead.pop("days"), weeks=lead.pop("weeks"))
        return moment(wall, zone) - timedelta(**lead)
    except OverflowError:
        return None


def wall_clock(due: str, morning: time = MORNING) -> datetime:
    """The wall clock time at which a task is due."""
    if len(due) == 10:
        return datetime.combine(date.fromisoformat(due), morning)
    return datetime.fromisoformat(due)


def moment(wall: datetime, zone: tzinfo) -> datetime:
    """A wall clock time as a moment in UTC. If a time occurs twice because the clock is set back, the first one counts.
    If a time does not exist because the clock is set forward, the moment is later by the same amount."""
    return wall.replace(tzinfo=zone, fold=0).astimezone(UTC)


def rings(at: datetime | None, now: datetime, way: Way) -> dict[str, str]:
    """The fields of a result about its reminder: the way by which it arrives, or why it does not ring."""
    if at is None or at <= now:
        return {"rings": "undated" if at is None else "past"}
    return {"rings": way, "remind_at": at.astimezone(now.tzinfo).isoformat(timespec="minutes")}


def quiet_until(now: datetime, zone: tzinfo, quiet_from: time | None, quiet_to: time | None) -> datetime | None:
    """The end of the quiet hours if `now` is within them, otherwise None."""
    if quiet_from is None or quiet_to is None or quiet_from == quiet_to:
        return None
    here = now.astimezone(zone)
    clock = here.time().replace(tzinfo=None)
    overnight = quiet_from > quiet_to
    is_quiet = (clock >= quiet_from or clock < quiet_to) if overnight else quiet_from <= clock < quiet_to
    if not is_quiet:
        return None
    day = here.date() + timedelta(days=1) if overnight and clock >= quiet_from else here.date()
    return moment(datetime.combine(day, quiet_to), zone)
