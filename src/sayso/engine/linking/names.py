"""Keeps words that are part of a thing's name from being read as values.

"push Friday Night Lights to Monday" names one date.
"""

from __future__ import annotations

from collections.abc import Callable

from sayso.engine.dates.dates import When
from sayso.engine.grammar.frames import Chunk
from sayso.engine.grammar.sheet import Sheet
from sayso.engine.linking.focus import Scene
from sayso.engine.linking.index import EntityIndex


def without_names(sheet: Sheet, index: EntityIndex) -> Sheet:
    """The sheet without the values that are part of a name said whole."""
    if not sheet.chunks:
        return sheet
    names = [(start, end) for start, end, _ in index.mentions(sheet.stems) if end - start > 1]
    if not names:
        return sheet
    return _without(sheet, lambda chunk: any(a <= chunk.core and chunk.end <= b for a, b in names))


def _without(sheet: Sheet, is_none: Callable[[Chunk], bool]) -> Sheet:
    """The sheet without the values that are none after all."""
    beside = {at: [chunk for chunk in here if not is_none(chunk)] for at, here in sheet.chunks.items()}
    kept = {at: here for at, here in beside.items() if here}
    return sheet._replace(chunks=kept, view=sheet.view._replace(chunks=kept), linked={})


def with_groups(sheet: Sheet, index: EntityIndex) -> Sheet:
    """Add the names of existing groups: "move it to work", if there is a list of that name."""
    grammar = sheet.grammar
    for slot, field in grammar.shared.items():
        if grammar.may_name_group(sheet, slot) and (names := index.shared(field)):
            sheet = grammar.with_groups(sheet, slot, names)
    return sheet


def without_places(sheet: Sheet, scene: Scene) -> Sheet:
    """The sheet without days that are places in the list shown last: "il primo e il terzo" are no 1st of the month."""
    if not scene.listed or not any(_is_place(sheet, one) for here in sheet.chunks.values() for one in here):
        return sheet
    return _without(sheet, lambda chunk: _is_place(sheet, chunk))


def _is_place(sheet: Sheet, chunk: Chunk) -> bool:
    """An ordinal with nothing but its article, where a clause begins."""
    if not isinstance(chunk.value, When):
        return False
    start = chunk.start
    opens = start == 0 or sheet.words[start - 1].kind == "mark" or sheet.has(start - 1, "link")
    at = sheet.has(start, "article") or start
    ordinal = sheet.grammar.numbers.read_ordinal(sheet.lows, at) if opens and at < chunk.end else None
    return ordinal is not None and ordinal[1] == chunk.end
