"""Decides how far back a correction reaches.

A value takes the place of the last value of its kind, a phrase that of the last phrase which begins like it, a lone
word that of the last word.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from sayso.engine.grammar.frames import Chunk
from sayso.engine.grammar.sheet import Sheet, Stretch
from sayso.engine.lexicon.words import is_punctuation
from sayso.engine.repair.markers import Marker
from sayso.engine.values.when import When

Dropped = tuple[int, int]  # words that are dropped

_LONGEST = 3  # words that may replace as many without beginning alike
_ALIKE = (("article", "possessive"), ("function", "of"))  # phrases that begin with such words are of one kind


def replaced_value(sheet: Sheet, now: datetime, marker: Marker) -> tuple[Dropped, ...]:
    """The stretches to drop where a value follows the marker and one of its slot comes before; else none."""
    said = [chunk for chunk in sheet.chunks.get(marker.end, ()) if chunk.floats]
    for chunk in sorted(said, key=lambda one: -one.end):
        earlier = _last_like(sheet, marker, chunk)
        if earlier is None:
            continue
        top, last = earlier
        if _is_denied(sheet, top):
            return ()
        if last == marker.start:
            return ((_cut_from(sheet, now, marker, chunk.slot, top, chunk.end), marker.end),)
        if marker.strong and marker.before:  # "remind me at 4 to phone Ada, no wait, 5pm"
            return ((top, last), (marker.start, marker.end))
    return _replaced_number(sheet, marker)


def _last_like(sheet: Sheet, marker: Marker, chunk: Chunk) -> Dropped | None:
    """The last value before the marker that another one may replace."""
    earlier = [one for one in _floating(sheet, chunk.slot, marker.start) if _is_like(marker, one, chunk)]
    if not earlier:
        return None
    last = max(one.end for one in earlier)
    return min(one.start for one in earlier if one.end == last), last


def _floating(sheet: Sheet, slot: str, end: int) -> Iterator[Chunk]:
    """The values of a slot in words[:end] that may be said anywhere."""
    values = (one for here in sheet.chunks.values() for one in here if one.slot == slot and one.floats)
    return (one for one in values if one.end <= end)


def _is_like(marker: Marker, one: Chunk, other: Chunk) -> bool:
    """Whether a value may replace another: after no more than a hesitation or "make it", a day a day, a time a time."""
    if marker.plain > marker.start or not (isinstance(one.value, When) and isinstance(other.value, When)):
        return True
    if other.value.time is not None and not other.value.day_said:  # "friday, make it five" says both
        return one.value.time is not None
    return (one.value.time is None) == (other.value.time is None) or other.value.time is not None


def _is_denied(sheet: Sheet, at: int) -> bool:
    """ "not Tuesday, I meant Thursday" says both, and corrects what was said before."""
    return at > 0 and bool(sheet.has(at - 1, "negation"))


def _cut_from(sheet: Sheet, now: datetime, marker: Marker, slot: str, top: int, end: int) -> int:
    """How much of the value goes: of "tomorrow at 4, no, 5pm" only the 4, while what is left reads as one value."""
    for at in range(marker.start - 1, top, -1):
        if sheet.lows[at - 1] == sheet.lows[marker.end]:  # "for tomorrow, sorry, for Friday"
            return at - 1
        gone = (sheet.words[at].start, sheet.words[marker.end].start)
        again = sheet.grammar.read(sheet.text.without(gone), now)
        if any(one.slot == slot and one.end == at + end - marker.end for one in again.chunks.get(top, ())):
            return at
    return top - 1 if top > 0 and sheet.lows[top - 1] == sheet.lows[marker.end] else top


def _replaced_number(sheet: Sheet, marker: Marker) -> tuple[Dropped, ...]:
    """ "two, no, three pumpkins"."""
    if sheet.grammar.numbers.read(sheet.lows, marker.end) is None:
        return ()
    for at in range(max(0, marker.start - 4), marker.start):
        number = sheet.grammar.numbers.read(sheet.lows, at)
        if number is not None and number[1] == marker.start:
            return ((at, marker.end),)
    return ()


def replaced_words(sheet: Sheet, marker: Marker, first: int, text: bool) -> tuple[Dropped, bool] | None:
    """The words from `first` on that those after the marker replace, and whether that is a guess. None: nothing fits.

    Where a free `text` begins at `first`, it may be replaced as a whole.
    """
    start, end = marker.end, _phrase_end(sheet, marker.end)
    alike = _alike(sheet, marker, first)
    if alike is not None:
        return None if _is_denied(sheet, alike) else ((alike, marker.end), False)
    return _as_many(sheet, marker, Stretch(sheet, start, end), first, text)


def _as_many(sheet: Sheet, marker: Marker, new: Stretch, first: int, text: bool) -> tuple[Dropped, bool] | None:
    """As many words before the marker as follow it, or the whole text where as many follow."""
    count, room = new.end - new.start, marker.start - first
    if count >= room and text and marker.strong:
        return (first, marker.end), count > 1 or room > 1
    if not 0 < count <= min(_LONGEST, room) or _is_denied(sheet, marker.start - count):
        return None
    same = sheet.stems[new.end - 1] == sheet.stems[marker.start - 1]
    return (marker.start - count, marker.end), count > 1 and not same


def _phrase_end(sheet: Sheet, at: int) -> int:
    """Where the words end that replace others: at a pause or a date."""
    start = at
    while at < len(sheet.words) and not is_punctuation(sheet.words[at]) and not sheet.words[at].broken:
        if at > start and any(chunk.strong and chunk.floats for chunk in sheet.chunks.get(at, ())):
            break
        at += 1
    return at


def _alike(sheet: Sheet, marker: Marker, first: int) -> int | None:
    """Where the last phrase begins that begins like the one after the marker."""
    places = range(marker.start - 1, first - 1, -1)
    same = next((at for at in places if sheet.lows[at] == sheet.lows[marker.end]), None)
    if same is not None:
        return same
    for classes in _ALIKE:
        if sheet.has(marker.end, *classes):
            return next((at for at in places if sheet.has(at, *classes)), None)
    return None
