"""Keeps one value per slot where several were said: "not the 25th, the 27th"."""

from __future__ import annotations

from collections.abc import Iterable

from sayso.engine.grammar.frames import Chunk
from sayso.engine.grammar.sheet import TYPOS, Sheet
from sayso.engine.values.when import When


def one_of_each(sheet: Sheet, chunks: Iterable[Chunk]) -> list[Chunk]:
    """One value for each slot: the last that is not denied ("not the 25th, the 27th"; "low, not medium")."""
    kept: dict[str, Chunk] = {}
    for chunk in sorted(chunks, key=lambda chunk: (chunk.start, chunk.end)):
        denied = _is_denied(sheet, chunk)
        if denied and chunk.slot in kept:
            continue
        held = kept.get(chunk.slot)
        if held is None or chunk.slot not in sheet.grammar.shared:  # of two groups the first one counts
            kept[chunk.slot] = chunk if held is None else _joined(held, chunk)
    return list(kept.values())


def _is_denied(sheet: Sheet, chunk: Chunk) -> bool:
    """ "not the 25th", "instead of the 25th"."""
    start = chunk.start
    if start > 0 and sheet.has(start - 1, "negation", slips=TYPOS):
        return True
    ends = (sheet.has(at, "rather") for at in range(max(0, start - 3), start))
    return any(start <= end <= chunk.core for end in ends)


def _joined(first: Chunk, second: Chunk) -> Chunk:
    """ "tomorrow I must call Bob at 5": the day of one date and the time of another. Otherwise the second counts."""
    if not isinstance(first.value, When) or not isinstance(second.value, When):
        return second
    if _completes(first.value, second.value):
        return first._replace(value=first.value._replace(time=second.value.time, name=None))
    if _completes(second.value, first.value) or _moves(first.value, second.value):
        return second._replace(value=second.value._replace(time=first.value.time, name=None))
    return second


def _completes(day: When, time: When) -> bool:
    """Whether one date is a day without a time, and the other only a time."""
    bare_time = time.time is not None and not time.day_said
    return bare_time and day.day is not None and day.day_said and day.time is None


def _moves(first: When, second: When) -> bool:
    """Whether the second date names another day and keeps the time: "wednesday at 9, no, thursday"."""
    days = first.day is not None and second.day is not None and first.day_said and second.day_said
    return days and first.time is not None and second.time is None
