"""Keeps one value per slot where several were said: "not the 25th, the 27th"."""

from __future__ import annotations

from collections.abc import Iterable

from sayso.engine.dates.dates import When
from sayso.engine.grammar.frames import Chunk
from sayso.engine.grammar.sheet import TYPOS, Sheet


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
    for day, time in ((first, second), (second, first)):
        if isinstance(day.value, When) and isinstance(time.value, When):
            bare_time = time.value.time is not None and not time.value.day_said
            if bare_time and day.value.day is not None and day.value.day_said and day.value.time is None:
                return day._replace(value=day.value._replace(time=time.value.time, name=None))
    if isinstance(first.value, When) and isinstance(second.value, When) and _moves(first.value, second.value):
        return second._replace(value=second.value._replace(time=first.value.time, name=None))
    return second


def _moves(first: When, second: When) -> bool:
    """Whether the second date names another day and keeps the time: "wednesday at 9, no, thursday"."""
    days = first.day is not None and second.day is not None and first.day_said and second.day_said
    return days and first.time is not None and second.time is None
