"""Applies corrections within a message about machines and their parts.

"open the north gate, no wait, the south one" opens the south gate; "erase the scans, no, calibrate it" erases nothing.
"""

from __future__ import annotations

from datetime import datetime

from sayso.decision import Span
from sayso.engine.clauses.split import Clause, split
from sayso.engine.grammar.sheet import Sheet, Stretch
from sayso.engine.lexicon.words import is_punctuation
from sayso.engine.linking.deed import Deed
from sayso.engine.linking.focus import Scene
from sayso.engine.linking.units import said
from sayso.engine.repair.markers import Marker
from sayso.engine.text.tokens import Text

_REMARK = 10  # words said beside a correction


def is_deed(sheet: Sheet, scene: Scene, start: int, before: Clause) -> bool:
    """Whether something is to be done with a thing, in place of what was to be done; a remark may come first."""
    if before.sense is None or before.sense.reading.deed is None:
        return False
    clauses = split(sheet, scene.mention(before.sense.reading.about), start)
    told = next((at for at, clause in enumerate(clauses) if clause.sense is not None), len(clauses))
    if any(clause.end - clause.start > _REMARK for clause in clauses[:told]):
        return False
    found = _first_deed(clauses)
    return found is not None and found.problem is None and bool(found.best.parts)


def _first_deed(clauses: list[Clause]) -> Deed | None:
    """What the first clause that makes sense asks to be done with a thing."""
    sense = next((clause.sense for clause in clauses if clause.sense is not None), None)
    return sense.reading.deed if sense is not None else None


def still_about(sheet: Sheet, scene: Scene, start: int, before: Clause) -> tuple[str, ...]:
    """What "it" means after a correction: what was spoken of, unless a remark beside it names something else."""
    about = before.sense.reading.about if before.sense is not None else ()
    if scene.inventory is None:
        return about
    clauses = split(sheet, scene.mention(about), start)
    told = next((clause.start for clause in clauses if clause.sense is not None), start)
    beside = scene.inventory.fitting(said(Stretch(sheet, start, told))) if told > start else {}
    return () if beside.keys() - {*about} else about


def other_thing(sheet: Sheet, scene: Scene, now: datetime, marker: Marker, before: Clause | None) -> Text | None:
    """ "open the north gate, no wait, the south one": the same with another thing, named in the place of the first."""
    found = before.sense.reading.deed if before is not None and before.sense is not None else None
    if found is None or found.problem is not None or not found.best.by_thing:
        return None
    text = in_place(sheet, _name_span(sheet, found), marker, phrase_end(sheet, marker.end))
    part = sheet.grammar.read(text, now) if text is not None else None
    other = _first_deed(split(part, scene, 0)) if part is not None and part.words else None
    if other is None or not other.best.by_thing or other.best.thing.id == found.best.thing.id:
        return None
    return text if other.best.parts else None


def _name_span(sheet: Sheet, found: Deed) -> Span:
    """Where the name of the thing stands in the message, without the words for its part."""
    apart = [at for at in found.best.by_thing if at not in found.best.by_part]
    named = [found.units[at] for at in apart or found.best.by_thing]
    words = sheet.words
    return min(words[one.start].start for one in named), max(words[one.end - 1].end for one in named)


def phrase_end(sheet: Sheet, at: int) -> int:
    """Where the words from here on come to a mark, or to the end."""
    while at < len(sheet.words) and not is_punctuation(sheet.words[at]):
        at += 1
    return at


def in_place(sheet: Sheet, span: Span, marker: Marker, end: int) -> Text | None:
    """ "mark the essay as done, no wait, the ficus" → mark the ficus as done; every token keeps its offsets."""
    starts = [*(word.start for word in sheet.words), len(sheet.text.message)]
    corrected, new, after = starts[marker.start], starts[marker.end], starts[end]
    tokens = sheet.text.tokens
    return sheet.text._replace(
        tokens=(
            *(one for one in tokens if one.start < span[0]),
            *(one for one in tokens if new <= one.start < after),
            *(one for one in tokens if span[1] <= one.start < corrected),
            *(one for one in tokens if after <= one.start),
        )
    )
