"""Keeps words that are part of a thing's name from being read as values.

"push Tomorrow Never Knows to Sunday" names one date, and so does "move Friday to Monday" where a task is called Friday.
"""

from __future__ import annotations

from datetime import datetime

from sayso.engine.dates.dates import When
from sayso.engine.grammar.frames import Chunk
from sayso.engine.grammar.grammar import Grammar, Sheet
from sayso.engine.linking.focus import Scene
from sayso.engine.linking.index import EntityIndex


def without_names(grammar: Grammar, sheet: Sheet, index: EntityIndex, now: datetime) -> Sheet:
    """The sheet without the values that are part of a name said whole."""
    if not sheet.chunks:
        return sheet
    mentions = [(start, end) for start, end, _ in index.mentions(sheet.stems)]
    moved = next((start for start, end in mentions if end == start + 1 and _may_be_moved(grammar, sheet, start)), None)
    chunks = _beside(grammar, sheet, moved, now) if moved is not None else None
    names = [(start, end) for start, end in mentions if end - start > 1]
    if chunks is None and not names:
        return sheet
    beside = {
        at: [chunk for chunk in here if not any(a <= chunk.core and chunk.end <= b for a, b in names)]
        for at, here in (sheet.chunks if chunks is None else chunks).items()
    }
    kept = {at: here for at, here in beside.items() if here}
    return sheet._replace(chunks=kept, view=sheet.view._replace(chunks=kept), linked={})


def with_groups(grammar: Grammar, sheet: Sheet, index: EntityIndex) -> Sheet:
    """Add the names of existing groups: "move it to work", if there is a list of that name."""
    for slot, field in grammar.shared.items():
        if grammar.may_name_group(sheet, slot) and (names := index.shared(field)):
            sheet = grammar.with_groups(sheet, slot, names)
    return sheet


def without_places(grammar: Grammar, sheet: Sheet, scene: Scene) -> Sheet:
    """The sheet without days that are places in the list shown last: "il primo e il terzo" are no 1st of the month."""
    if not scene.listed or not any(_is_place(grammar, sheet, one) for here in sheet.chunks.values() for one in here):
        return sheet
    beside = {at: [one for one in here if not _is_place(grammar, sheet, one)] for at, here in sheet.chunks.items()}
    kept = {at: here for at, here in beside.items() if here}
    return sheet._replace(chunks=kept, view=sheet.view._replace(chunks=kept), linked={})


def _is_place(grammar: Grammar, sheet: Sheet, chunk: Chunk) -> bool:
    """An ordinal with nothing but its article, where a clause begins."""
    if not isinstance(chunk.value, When):
        return False
    start = chunk.start
    opens = start == 0 or sheet.words[start - 1].kind == "mark" or grammar.has(sheet, start - 1, "link", slips=0.0)
    at = grammar.has(sheet, start, "article", slips=0.0) or start
    ordinal = grammar.numbers.read_ordinal(sheet.lows, at) if opens and at < chunk.end else None
    return ordinal is not None and ordinal[1] == chunk.end


def _may_be_moved(grammar: Grammar, sheet: Sheet, at: int) -> bool:
    """A date written like a name, right after a verb."""
    dated = any(chunk.core == at and isinstance(chunk.value, When) for chunk in sheet.chunks.get(at, ()))
    return dated and at > 0 and sheet.words[at].text[:1].isupper() and grammar.commands(sheet, at - 1)


def _beside(grammar: Grammar, sheet: Sheet, at: int, now: datetime) -> dict[int, list[Chunk]] | None:
    """The values of the message but for this word ("Friday to Monday" is no stretch of days), if one is a date."""
    word = sheet.words[at]
    rest = grammar.read(sheet.text.without((word.start, word.end)), now)
    if len(rest.words) != len(sheet.words) - 1:
        return None
    found: dict[int, list[Chunk]] = {}
    for start, here in rest.chunks.items():
        if start < at < max(chunk.end for chunk in here):
            return None
        step = 1 if start >= at else 0
        found[start + step] = [
            chunk._replace(start=chunk.start + step, end=chunk.end + step, core=chunk.core + step) for chunk in here
        ]
    dated = any(start > at and isinstance(chunk.value, When) for start, here in found.items() for chunk in here)
    return found if dated else None
