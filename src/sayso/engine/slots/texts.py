"""Reads free texts, without the dates and values that are said in them.

"call mom tomorrow at 5pm, it's urgent" is the text "call mom", a date and a priority. What may be part of a name stays
("The 5th Wave"), unless it stands at an edge or can be nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sayso.decision import Span
from sayso.engine.dates.dates import When
from sayso.engine.grammar.frames import Chunk
from sayso.engine.grammar.sheet import Sheet, Stretch
from sayso.engine.lexicon.words import is_punctuation
from sayso.engine.linking.trim import NOISE, trim
from sayso.engine.repeats.repeats import Lead, Repeat
from sayso.engine.text.tokens import shown

_OPENING = frozenset("([{")


class Piece(NamedTuple):
    """A text slot after what could be read out of it was read out."""

    text: str
    span: Span
    chunks: tuple[Chunk, ...]
    quoted: bool
    first: int
    last: int


def read_text(stretch: Stretch, typed: frozenset[str | None]) -> Piece | None:
    """A free text, with the dates and values at its edges, and those that can be nothing else, read out of it."""
    sheet, first, last = stretch
    first, last = trim(Stretch(sheet, first, last), NOISE)
    if first + 2 < last and sheet.words[first].broken and sheet.lows[first].isdigit() and sheet.lows[first + 1] == ".":
        first += 2  # "1. …": which line of a list it is
    if typed and any(isinstance(chunk.value, When) for chunk in sheet.chunks.get(last, ())):
        last = _unstranded(Stretch(sheet, first, last))
    found, last = _bracketed(Stretch(sheet, first, last), typed)
    taken = {chunk.slot for chunk in found}
    moved = True
    while moved and first < last:
        moved = False
        for chunk in edge_chunks(Stretch(sheet, first, last), typed):
            again = chunk.slot in taken and isinstance(
                chunk.value, When | Repeat
            )  # one date; two priorities both leave
            if (
                not again
                and _may_leave(Stretch(sheet, first, last), chunk)
                and not _takes_particle(sheet, first, chunk)
            ):
                found.append(chunk)
                taken.add(chunk.slot)
                first, last = (chunk.end, last) if chunk.start == first else (first, chunk.start)
                first, last = trim(Stretch(sheet, first, last), NOISE)
                last -= last > first and sheet.lows[last - 1] in _OPENING  # "… (urgent!)"
                last = _unstranded(Stretch(sheet, first, last)) if chunk.start >= last else last
                moved = True
                break
    if first >= last:
        return None if not found else Piece("", (0, 0), tuple(found), False, first, last)
    holes = _holes(Stretch(sheet, first, last), typed, taken)
    found.extend(holes)
    span = (sheet.words[first].start, sheet.words[last - 1].end)
    quote = _lone_quote(Stretch(sheet, first, last))
    if quote is not None:
        first, last = quote, quote + 1
        span = (sheet.words[first].start, sheet.words[first].end)
    if last - first == 1 and sheet.words[first].kind == "quote":
        return Piece(shown(sheet.text.said(span[0] + 1, span[1] - 1)), span, tuple(found), True, first, last)
    return Piece(_without(Stretch(sheet, first, last), holes), span, tuple(found), False, first, last)


def after_plan(stretch: Stretch) -> int:
    """Where a text begins after "I have to", which is said of whoever speaks and not written down; after "that", "I
    shall" is not either."""
    sheet, first, last = stretch
    if not sheet.has(first, "first"):
        return first
    told = first > 0 and sheet.has(first - 1, "governs") == first
    after = sheet.has(first, "mood:plan", *(("shall",) if told else ()))
    return after if first < after < last else first


def is_closed_quote(stretch: Stretch) -> bool:
    """A quotation with a pause after it: what follows is said beside it."""
    sheet, first, last = stretch
    return first + 2 < last and sheet.words[first].kind == "quote" and is_punctuation(sheet.words[first + 1])


def _bracketed(stretch: Stretch, typed: frozenset[str | None]) -> tuple[list[Chunk], int]:
    """The values that brackets at the end hold and nothing else, "(low priority, due monday)"; where the text then
    ends."""
    sheet, first, last = stretch
    brackets = [at for at in range(first + 1, last - 1) if sheet.lows[at] == "("]
    if not brackets or sheet.lows[last - 1] != ")":
        return [], last
    found: list[Chunk] = []
    at = brackets[-1] + 1
    while at < last - 1:
        chunks = [chunk for chunk in sheet.chunks.get(at, ()) if chunk.slot in typed and chunk.end < last]
        if chunks:
            found.append(max(chunks, key=lambda chunk: chunk.end))
            at = found[-1].end
        elif is_punctuation(sheet.words[at]):
            at += 1
        else:
            return [], last
    return (found, brackets[-1]) if len(found) == len({chunk.slot for chunk in found}) > 0 else ([], last)


def _lone_quote(stretch: Stretch) -> int | None:
    """The quotation that is the text: alone but for little words, after a colon ("with a K: «Call Katherine»"), or
    before what says when and why ("«Wax the skis» before we leave")."""
    sheet, first, last = stretch
    quotes = [at for at in stretch.places if sheet.words[at].kind == "quote"]
    if len(quotes) != 1:
        return None
    at = quotes[0]
    colon = at == last - 1 and at > first and sheet.words[at - 1].low == ":"
    little = all(sheet.skips[other] <= 0.12 for other in stretch.places if other != at)
    nearly = at == first and last - first <= 3  # hardly anybody goes on after the quotation
    closed = at == first and is_closed_quote(stretch)
    return at if colon or little or nearly or closed or (at == first and _says_when(sheet, at)) else None


def _says_when(sheet: Sheet, quote: int) -> bool:
    """Whether a sentence of its own follows a quotation of more than a word: "… for when the lease is up"."""
    if len(sheet.words[quote].text.split()) < 2:
        return False
    return any(
        sheet.has(at, "governs", "because", "reason", "condition")
        for at in (quote + 1, quote + 2)
        if at < len(sheet.words) and (at == quote + 1 or sheet.has(at - 1, "function") == at)
    )


def edge_chunks(stretch: Stretch, typed: frozenset[str | None]) -> Iterator[Chunk]:
    """Chunks at the end, then at the beginning, longest first."""
    sheet, first, last = stretch
    ending = [
        chunk
        for at in range(max(first, last - 14), last)
        for chunk in sheet.chunks.get(at, ())
        if chunk.end == last and chunk.slot in typed
    ]
    yield from sorted(ending, key=lambda chunk: chunk.start)
    beginning = [chunk for chunk in sheet.chunks.get(first, ()) if chunk.end <= last and chunk.slot in typed]
    yield from sorted(beginning, key=lambda chunk: -chunk.end)


def _may_leave(stretch: Stretch, chunk: Chunk) -> bool:
    """Whether a chunk at the edge of a text is said beside it rather than part of it."""
    sheet, first, last = stretch
    if isinstance(chunk.value, When) and (chunk.value.shift is not None or not chunk.floats):
        return False
    if isinstance(chunk.value, (int, float)):
        return False
    if isinstance(chunk.value, Repeat):
        return True
    if not isinstance(chunk.value, When) and chunk.start == first and chunk.end - chunk.start == 1:
        return chunk.end < last and sheet.words[chunk.end].kind == "mark"  # "urgent: …", not "top up the card"
    if chunk.strong or chunk.start < chunk.core:
        return not (chunk.start == first and chunk.end == last and not chunk.strong)
    if chunk.start > first and sheet.words[chunk.start - 1].kind == "mark":
        return True
    if isinstance(chunk.value, When):
        before = sheet.words[chunk.start - 1] if chunk.start > first else None
        named = before is not None and before.text.istitle() and sheet.words[chunk.core].text.istitle()
        return chunk.end == last and not (named and before is not None and before.start != sheet.words[first].start)
    return False


def _takes_particle(sheet: Sheet, first: int, chunk: Chunk) -> bool:
    """Whether what looks like the beginning of a date belongs to the verb: "get it looked at | tomorrow"."""
    if chunk.start in (first, chunk.core) or not sheet.has(chunk.start, "particle"):
        return False
    timed = isinstance(chunk.value, When) and chunk.value.time is not None
    return not timed and sheet.grammar.is_past(sheet.words[chunk.start - 1].low)


def _unstranded(stretch: Stretch) -> int:
    """Where a text ends that lost its date: "the show is | on saturday" without the verb, "ask how he is" with it."""
    sheet, first, last = stretch
    asked = stretch.holds("wh", "governs")
    stranded = last - first > 2 and sheet.has(last - 1, "be") == last
    return last - 1 if stranded and not asked else last


def _holes(stretch: Stretch, typed: frozenset[str | None], taken: set[str]) -> list[Chunk]:
    """Values to remove from the middle of a text: one date or value, one repeat and one lead time."""
    kept: dict[str, Chunk] = {}
    for chunk in _inner_chunks(stretch, typed):
        apart = all(chunk.end <= one.start or one.end <= chunk.start for one in kept.values())
        more = isinstance(chunk.value, Repeat | Lead) or all(isinstance(o.value, Repeat | Lead) for o in kept.values())
        if chunk.slot not in taken and chunk.slot not in kept and apart and more:
            kept[chunk.slot] = chunk
    return list(kept.values())


def _inner_chunks(stretch: Stretch, typed: frozenset[str | None]) -> Iterator[Chunk]:
    """Dates in the middle that can be nothing else, and values set off by marks."""
    sheet, first, last = stretch
    for at in range(first + 1, last):
        for chunk in sorted(sheet.chunks.get(at, ()), key=lambda chunk: -chunk.end):
            if chunk.slot not in typed or chunk.end >= last:
                continue
            if isinstance(chunk.value, Repeat | Lead):
                if chunk.strong:
                    yield chunk
            elif isinstance(chunk.value, When):
                if chunk.strong and chunk.value.shift is None and chunk.value.period is None:
                    yield chunk
            elif sheet.words[at - 1].kind == "mark" and sheet.words[chunk.end].kind == "mark":
                yield chunk


def _without(stretch: Stretch, holes: list[Chunk]) -> str:
    sheet, first, last = stretch
    parts: list[str] = []
    at = first
    for hole in sorted(holes):
        if hole.start > at:
            parts.append(sheet.text.said(sheet.words[at].start, sheet.words[hole.start - 1].end))
        at = hole.end
        if parts and at < last and is_punctuation(sheet.words[at]) and is_punctuation(sheet.words[hole.start - 1]):
            at += 1  # one comma is enough where something between two was taken out
    if at < last:
        rest = sheet.text.said(sheet.words[at].start, sheet.words[last - 1].end)
        parts.append(f"{parts.pop()}{rest}" if parts and sheet.lows[at] in (",", ";", ".") else rest)
    return shown(" ".join(parts)).strip(" ,;:-–—")
