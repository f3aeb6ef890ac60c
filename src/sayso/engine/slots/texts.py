"""Reads free texts, without the dates and values that are said in them.

"call mom tomorrow at 5pm, it's urgent" is the text "call mom", a date and a priority. A value that may be part of a
name stays ("The 5th Wave"), unless it is at an edge or can only be a value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sayso.decision import Span
from sayso.engine.grammar.frames import Chunk
from sayso.engine.grammar.sheet import Sheet, Stretch
from sayso.engine.lexicon.words import is_punctuation
from sayso.engine.linking.trim import NOISE, trim
from sayso.engine.repeats.recurrence import Lead, Repeat
from sayso.engine.text.tokens import shown
from sayso.engine.values.when import When

_OPENING = frozenset("([{")


class Piece(NamedTuple):
    """The content of a text slot, without the values that were read from it."""

    text: str
    span: Span
    chunks: tuple[Chunk, ...]
    quoted: bool
    first: int
    last: int


def read_text(stretch: Stretch, typed: frozenset[str | None]) -> Piece | None:
    """A free text. Dates and values at its edges, and those that can only be values, are read and removed."""
    stretch = _past_further(_past_number(trim(stretch, NOISE)))
    if typed and any(isinstance(chunk.value, When) for chunk in stretch.sheet.chunks.get(stretch.end, ())):
        stretch = stretch.narrowed(end=_end_without_verb(stretch))
    found, last = _bracketed(stretch, typed)
    stretch = _without_edges(stretch.narrowed(end=last), typed, found)
    if stretch.start >= stretch.end:
        return None if not found else Piece("", (0, 0), tuple(found), False, stretch.start, stretch.end)
    holes = _holes(stretch, typed, {chunk.slot for chunk in found})
    chunks = (*found, *holes)
    quote = _lone_quote(stretch)
    if quote is not None:
        stretch = Stretch(stretch.sheet, quote, quote + 1)
    sheet, first, last = stretch
    span = stretch.span
    if last - first == 1 and sheet.words[first].kind == "quote":
        return Piece(shown(sheet.text.said(span[0] + 1, span[1] - 1)), span, chunks, True, first, last)
    return Piece(_without(stretch, holes), span, chunks, False, first, last)


def _past_number(stretch: Stretch) -> Stretch:
    """Without the "1." that numbers a line of a list."""
    sheet, first, last = stretch
    opens_line = first + 2 < last and sheet.words[first].broken
    if opens_line and sheet.lows[first].isdigit() and sheet.lows[first + 1] == ".":
        return stretch.narrowed(first + 2)
    return stretch


def _past_further(stretch: Stretch) -> Stretch:
    """Without the "also" that only announces one more thing."""
    after = stretch.sheet.has(stretch.start, "further") if stretch.start < stretch.end else 0
    return stretch.narrowed(after) if 0 < after < stretch.end else stretch


def _without_edges(stretch: Stretch, typed: frozenset[str | None], found: list[Chunk]) -> Stretch:
    """The text without the values said beside it, which are added to `found`."""
    while stretch.start < stretch.end:
        chunk = next((one for one in edge_chunks(stretch, typed) if _is_beside(stretch, one, found)), None)
        if chunk is None:
            break
        found.append(chunk)
        stretch = _past_value(stretch, chunk)
    return stretch


def _is_beside(stretch: Stretch, chunk: Chunk, found: Sequence[Chunk]) -> bool:
    """Whether a value at the edge is said beside the text: at most one date or repeat per slot, and any other value."""
    again = isinstance(chunk.value, When | Repeat) and any(chunk.slot == one.slot for one in found)
    return not again and _may_leave(stretch, chunk) and not _takes_particle(stretch.sheet, stretch.start, chunk)


def _past_value(stretch: Stretch, chunk: Chunk) -> Stretch:
    """The rest of a text without a value at its edge, and without words that only lead to that value."""
    begins = chunk.start == stretch.start
    rest = trim(stretch.narrowed(chunk.end) if begins else stretch.narrowed(end=chunk.start), NOISE)
    if rest.end > rest.start and rest.sheet.lows[rest.end - 1] in _OPENING:  # "… (urgent!)"
        rest = rest.narrowed(end=rest.end - 1)
    return rest.narrowed(end=_end_without_verb(rest)) if chunk.start >= rest.end else rest


def after_plan(stretch: Stretch) -> int:
    """Where a text begins after "I have to", which is about the speaker and is not written down. After "that", the
    same holds for "I shall"."""
    sheet, first, last = stretch
    if not sheet.has(first, "first"):
        return first
    told = first > 0 and sheet.has(first - 1, "governs") == first
    after = sheet.has(first, "mood:plan", *(("shall",) if told else ()))
    return after if first < after < last else first


def is_closed_quote(stretch: Stretch) -> bool:
    """A quotation with a pause after it: the following words are said beside it."""
    sheet, first, last = stretch
    return first + 2 < last and sheet.words[first].kind == "quote" and is_punctuation(sheet.words[first + 1])


def _bracketed(stretch: Stretch, typed: frozenset[str | None]) -> tuple[list[Chunk], int]:
    """The values in brackets at the end, if the brackets contain only values, "(low priority, due monday)", and the new
    end of the text."""
    sheet, first, last = stretch
    brackets = [at for at in range(first + 1, last - 1) if sheet.lows[at] == "("]
    if not brackets or sheet.lows[last - 1] != ")":
        return [], last
    found = _nothing_but_values(Stretch(sheet, brackets[-1] + 1, last - 1), typed)
    return (found, brackets[-1]) if len(found) == len({chunk.slot for chunk in found}) > 0 else ([], last)


def _nothing_but_values(stretch: Stretch, typed: frozenset[str | None]) -> list[Chunk]:
    """The values that the words consist of, one after the other; empty if there are other words."""
    sheet, at, end = stretch
    found: list[Chunk] = []
    while at < end:
        chunks = [chunk for chunk in sheet.chunks.get(at, ()) if chunk.slot in typed and chunk.end <= end]
        if chunks:
            found.append(max(chunks, key=lambda chunk: chunk.end))
            at = found[-1].end
        elif is_punctuation(sheet.words[at]):
            at += 1
        else:
            return []
    return found


def _lone_quote(stretch: Stretch) -> int | None:
    """The quotation that is the text: with only little words around it, after a colon ("with a K: «Call Katherine»"),
    or before words that say when and why ("«Wax the skis» before we leave")."""
    sheet, first, last = stretch
    quotes = [at for at in stretch.places if sheet.words[at].kind == "quote"]
    if len(quotes) != 1:
        return None
    at = quotes[0]
    colon = at == last - 1 and at > first and sheet.words[at - 1].low == ":"
    return at if colon or _is_all_but_little(stretch, at) or (at == first and _ends_text(stretch)) else None


def _is_all_but_little(stretch: Stretch, at: int) -> bool:
    """Whether there is hardly any other word beside the one here."""
    return all(stretch.sheet.skips[other] <= 0.12 for other in stretch.places if other != at)


def _ends_text(stretch: Stretch) -> bool:
    """Whether a quotation that comes first is the whole text: hardly any words follow, or a pause, or a reason."""
    nearly = stretch.end - stretch.start <= 3
    return nearly or is_closed_quote(stretch) or _says_when(stretch.sheet, stretch.start)


def _says_when(sheet: Sheet, quote: int) -> bool:
    """Whether a separate sentence follows a quotation of several words: "… for when the lease is up"."""
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
    """Whether a chunk at the edge of a text is said beside it, and does not belong to it."""
    sheet, first, last = stretch
    if isinstance(chunk.value, When):
        return chunk.value.shift is None and chunk.floats and _date_may_leave(stretch, chunk)
    if isinstance(chunk.value, (int, float)):
        return False
    if isinstance(chunk.value, Repeat):
        return True
    if chunk.start == first and chunk.end - chunk.start == 1:
        return chunk.end < last and sheet.words[chunk.end].kind == "mark"  # "urgent: …", not "top up the card"
    return _is_announced(stretch, chunk) if _is_marked(chunk) else _follows_mark(stretch, chunk)


def _date_may_leave(stretch: Stretch, chunk: Chunk) -> bool:
    if _is_marked(chunk):
        return _is_announced(stretch, chunk)
    return chunk.end == stretch.end and not _ends_name(stretch, chunk)


def _is_marked(chunk: Chunk) -> bool:
    """Whether words can only be a value, or have a word that announces it."""
    return chunk.strong or chunk.start < chunk.core


def _is_announced(stretch: Stretch, chunk: Chunk) -> bool:
    """Whether it is more than a guess about the whole text."""
    return chunk.strong or chunk.start != stretch.start or chunk.end != stretch.end


def _follows_mark(stretch: Stretch, chunk: Chunk) -> bool:
    return chunk.start > stretch.start and stretch.sheet.words[chunk.start - 1].kind == "mark"


def _ends_name(stretch: Stretch, chunk: Chunk) -> bool:
    """Whether a date is the end of a capitalised name, after the first word of the text."""
    words = stretch.sheet.words
    if chunk.start <= stretch.start:
        return False
    before = words[chunk.start - 1]
    titled = before.text.istitle() and words[chunk.core].text.istitle()
    return titled and before.start != words[stretch.start].start


def _takes_particle(sheet: Sheet, first: int, chunk: Chunk) -> bool:
    """Whether the apparent beginning of a date belongs to the verb: "get it looked at | tomorrow"."""
    if chunk.start in (first, chunk.core) or not sheet.has(chunk.start, "particle"):
        return False
    timed = isinstance(chunk.value, When) and chunk.value.time is not None
    return not timed and sheet.grammar.is_past(sheet.words[chunk.start - 1].low)


def _end_without_verb(stretch: Stretch) -> int:
    """The end of a text after its date was removed. A last "be" is dropped: "the show is | on saturday". It stays
    after a word such as "how": "ask how he is"."""
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
    """Dates in the middle that can only be dates, and values between marks."""
    sheet, first, last = stretch
    for at in range(first + 1, last):
        for chunk in sorted(sheet.chunks.get(at, ()), key=lambda chunk: -chunk.end):
            if chunk.slot in typed and chunk.end < last and _is_apart(sheet, chunk):
                yield chunk


def _is_apart(sheet: Sheet, chunk: Chunk) -> bool:
    """Whether a value in the middle of a text does not belong to the text."""
    value = chunk.value
    if isinstance(value, Repeat | Lead):
        return chunk.strong
    if isinstance(value, When):
        return chunk.strong and value.shift is None and value.period is None
    return sheet.words[chunk.start - 1].kind == "mark" and sheet.words[chunk.end].kind == "mark"


def _without(stretch: Stretch, holes: list[Chunk]) -> str:
    sheet, first, last = stretch
    parts: list[str] = []
    at = first
    for hole in sorted(holes):
        if hole.start > at:
            parts.append(sheet.text.said(sheet.words[at].start, sheet.words[hole.start - 1].end))
        at = hole.end
        if parts and at < last and is_punctuation(sheet.words[at]) and is_punctuation(sheet.words[hole.start - 1]):
            at += 1  # one comma is enough after the words between two commas were removed
    if at < last:
        rest = sheet.text.said(sheet.words[at].start, sheet.words[last - 1].end)
        parts.append(f"{parts.pop()}{rest}" if parts and sheet.lows[at] in (",", ";", ".") else rest)
    return shown(" ".join(parts)).strip(" ,;:-–—")
