"""Finds the words with which people correct themselves: "no wait", "scusa".

A marker is never at the start of a message: there it corrects the turn before. Nor is it inside a complete name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sayso.engine.grammar.moods import opening
from sayso.engine.grammar.sheet import Sheet, Stretch
from sayso.engine.lexicon.words import is_punctuation
from sayso.engine.linking.focus import Scene

CLASSES = ("repair", "repair_weak", "repair_value", "retract", "unsaid", "closing", "hesitation")
_MARKING = ("repair", "repair_weak", "repair_value")
_BETWEEN = ("hesitation", "link", "therefore", "filler", "address")


class Marker(NamedTuple):
    """Words[start:end] say that something is corrected, words[end:] how. A pause belongs to the marker."""

    start: int
    end: int
    strong: bool  # counts whatever words surround it
    plain: int  # its end without a "make that", which only a value may follow
    before: bool  # a pause separates it from the words before
    after: bool  # a pause separates it from the words after
    bare: bool  # only words that take back or close, which need no marker: "…, never mind"


def is_there(sheet: Sheet) -> bool:
    """Whether any word of the message may be such a marker; most messages have none."""
    wanted = [sheet.grammar.cls[name] for name in CLASSES]
    return any(one in here for here in sheet.edges[1:] if here for one in wanted)


def markers(sheet: Sheet, scene: Scene) -> Iterator[Marker]:
    """The markers of a message in order, starting after something that could be corrected."""
    first = _first(sheet)
    named = _named(sheet, scene)
    at = first + 1
    while at < len(sheet.words):
        found = None if any(a < at < b for a, b in named) else _marker_at(sheet, first, at)
        if found is not None and found.start > first:
            yield found
        at = max(at + 1, found.end if found is not None else 0)


def _named(sheet: Sheet, scene: Scene) -> list[tuple[int, int]]:
    """Where complete names are, ignoring the marks inside them."""
    places = [at for at, word in enumerate(sheet.words) if not is_punctuation(word)]
    found = scene.things.mentions([sheet.stems[at] for at in places])
    return [(places[a], places[b - 1] + 1) for a, b, _ in found]


def _first(sheet: Sheet) -> int:
    """Where the message begins, after a yes, a no or a correction of the turn before."""
    at, end = 0, len(sheet.words)
    while (at := opening(Stretch(sheet, at, end))) < end:
        after = sheet.has(at, *_MARKING, "correction", "yes", "no", "cancel", "hold")
        if not after:
            break
        at = after
    return at


def _marker_at(sheet: Sheet, first: int, at: int) -> Marker | None:
    """The marker whose first telling word is here, with the little words and pauses around it."""
    marks = sheet.has(at, *_MARKING)
    whole = sheet.has(at, "retract", "unsaid", "closing")
    if not marks and not whole:
        return _pause_at(sheet, at)
    start, paused = _begin(sheet, first, at)
    if not marks:
        return Marker(start, at, False, at, paused, True, True)
    run = _run(sheet, at)
    closed = run.end >= len(sheet.words) or is_punctuation(sheet.words[run.end - 1])
    plain = run.end if run.valued is None else run.valued if run.said > 1 else start
    return Marker(start, run.end, run.strong or run.said > 1, plain, paused, closed, False)


class _Run(NamedTuple):
    """Marking words one after the other: "no, wait, make that"."""

    end: int
    said: int = 0  # how many
    strong: bool = False  # one of them counts whatever words surround it
    valued: int | None = None  # where the last one begins, if only a value may follow it


def _run(sheet: Sheet, at: int) -> _Run:
    run = _Run(at)
    while run.end < len(sheet.words):
        end = run.end
        if is_punctuation(sheet.words[end]):
            run = run._replace(end=end + 1)
            continue
        after = sheet.has(end, *_MARKING)
        if sheet.has(end, "retract") > after:
            break
        if after:
            strong = run.strong or bool(sheet.has(end, "repair"))
            run = _Run(after, run.said + 1, strong, end if after in sheet.ends(end, "repair_value") else None)
        elif hesitates := sheet.has(end, "hesitation"):
            run = run._replace(end=hesitates)
        else:
            break
    return run


def _pause_at(sheet: Sheet, at: int) -> Marker | None:
    """ "tomorrow, er, Thursday": a hesitation between pauses and before a value is a correction as well."""
    after = sheet.has(at, "hesitation")
    if not 0 < after < len(sheet.words) or not is_punctuation(sheet.words[after]):
        return None
    set_off = is_punctuation(sheet.words[at - 1])
    return Marker(at - 1, after + 1, False, at - 1, True, True, False) if set_off else None


def _begin(sheet: Sheet, first: int, at: int) -> tuple[int, bool]:
    """Where the pause before a marker begins, with the little words in it (", hmm, so"), and whether there is one."""
    start, paused = at, False
    while start > first:
        if is_punctuation(sheet.words[start - 1]):
            start, paused = start - 1, True
            continue
        small = next((a for a in range(max(first, start - 3), start) if _is_small(Stretch(sheet, a, start))), None)
        if small is None:
            return start, paused
        if not small or not is_punctuation(sheet.words[small - 1]):
            return (small, True) if sheet.has(small, "link") else (start, paused)
        start = small
    return start, paused


def _is_small(stretch: Stretch) -> bool:
    return stretch.end in stretch.sheet.ends(stretch.start, *_BETWEEN)
