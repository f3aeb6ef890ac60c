"""Checks that a slot contains everything that belongs to it, and nothing else.

"put | down milk" begins a text in the middle of a verb; in "tomorrow at | 3pm" a text would be the rest of a date. This
module also decides where a name ends and a text begins, and whether Sayso has to ask about a text that holds too much.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from unicodedata import category

from sayso.engine.grammar.frames import Chunk, Match
from sayso.engine.grammar.sheet import TYPOS, Sheet, Stretch
from sayso.engine.lexicon.words import Word, is_punctuation
from sayso.engine.linking.focus import Scene
from sayso.engine.linking.link import link
from sayso.engine.repeats.recurrence import Lead
from sayso.engine.slots.reading import Reading
from sayso.engine.slots.texts import Piece
from sayso.engine.values.when import When


def swallows_order(sheet: Sheet, reading: Reading) -> bool:
    """A name that no thing has, and that begins with a command: `add mend the net, has to be friday`."""
    target = reading.target
    if target is None or target.problem != "not_found" or not reading.match.slots:
        return False
    slot, first, _ = reading.match.slots[0]
    if sheet.grammar.pack.slots[slot].type != "entity" or 0 <= reading.match.first < first:
        return False
    heads, end = sheet.grammar.book.heads, first + 1
    told = bool(heads) and end < reading.end and sheet.has(end, *heads)
    return bool(told) and is_verb(sheet, first)


def is_text(sheet: Sheet, slot: str, piece: Piece, asked: bool) -> bool:
    """Words that can be a text: not too many, not only a number, not a question ("remind me what we said")."""
    if piece.quoted or not piece.text:
        return True
    if not asked and _has_value(sheet, piece):
        return False
    longest = sheet.grammar.pack.slots[slot].longest
    if longest:
        return _is_short_text(sheet, piece, longest)
    if sheet.has(piece.first, "wh", slips=TYPOS) and sheet.words[max(piece.first - 1, 0)].low != ":":
        return False
    little = all(map(partial(_says_little, sheet), range(piece.first, piece.last)))
    return not little and not _breaks_off(sheet, piece) and _has_letters(sheet, piece)


def _has_value(sheet: Sheet, piece: Piece) -> bool:
    """Whether a value, or a part of one, was read as a text."""
    return _is_value(sheet, piece) or _rest_of_date(sheet, piece) or _begins_with_lead(sheet, piece)


def _is_value(sheet: Sheet, piece: Piece) -> bool:
    """Whether the whole text is a value: "asap" is not a title, and "the thesis list" is not a search."""
    if any(_cuts(piece, *group) for group in sheet.groups):
        return True
    whole = (chunk for chunk in sheet.chunks.get(piece.first, ()) if chunk.end == piece.last and chunk.floats)
    return any(isinstance(chunk.value, When) or chunk.strong for chunk in whole)


def _cuts(piece: Piece, start: int, end: int) -> bool:
    """Whether a text is part of the name of a group, or contains only a part of it."""
    overlaps = piece.first < end and start < piece.last
    return (
        overlaps and not (piece.first <= start and end < piece.last) and not (piece.first < start and end <= piece.last)
    )


def _is_short_text(sheet: Sheet, piece: Piece, longest: int) -> bool:
    """Whether a short text has a telling word, and does not end with a date."""
    if _ends_in_date(sheet, piece):
        return False
    telling = any(sheet.stems[at] not in sheet.grammar.little for at in range(piece.first, piece.last))
    return telling and piece.last - piece.first <= longest


def _has_letters(sheet: Sheet, piece: Piece) -> bool:
    """Whether there is a word with letters, or more than one picture: a single one shows a mood, or thanks."""
    words = (at for at in range(piece.first, piece.last) if not sheet.has(at, "link", "it", "them"))
    said = [sheet.words[at] for at in words]
    lettered = any(character.isalpha() for word in said for character in word.low)
    return lettered or len({word.low for word in said if _is_picture(word)}) > 1


def _is_picture(word: Word) -> bool:
    return any(category(character) == "So" for character in word.low)


def _rest_of_date(sheet: Sheet, piece: Piece) -> bool:
    """The end of a date that begins before the text: "tomorrow at | 3pm" is not a place."""
    return any(
        chunk.end == piece.last and chunk.core < piece.first and chunk.strong and isinstance(chunk.value, When)
        for at in range(max(0, piece.first - 3), piece.first)
        for chunk in sheet.chunks.get(at, ())
    )


def _begins_with_lead(sheet: Sheet, piece: Piece) -> bool:
    """Whether the text starts with a lead time: "(remind me) an hour before the train" names nothing to do."""
    return any(isinstance(chunk.value, Lead) for chunk in sheet.chunks.get(piece.first, ()))


def _ends_in_date(sheet: Sheet, piece: Piece) -> bool:
    """A name that ends inside a date: "today's tasks" does not mean tasks of a person "today"."""
    return any(
        chunk.end > piece.last and isinstance(chunk.value, When)
        for at in range(piece.first, piece.last)
        for chunk in sheet.chunks.get(at, ())
    )


def _says_little(sheet: Sheet, at: int) -> bool:
    """A little word, a number or the general word for a thing: "three tasks" and "the first task" are not titles."""
    grammar = sheet.grammar
    if sheet.stems[at] in grammar.little or (sheet.words[at].kind == "mark" and not _is_picture(sheet.words[at])):
        return True
    if sheet.has(at, *grammar.nouns, "repair_weak", "retract"):
        return True
    numbers = grammar.numbers
    return numbers.read(sheet.lows, at) is not None or numbers.read_ordinal(sheet.lows, at) is not None


def _breaks_off(sheet: Sheet, piece: Piece) -> bool:
    """ "…, needs to be": a text whose end was read as something else, as was its beginning in "put | down milk"."""
    if piece.first and _splits_verb(sheet, piece.first):
        return True
    end = piece.last - 1
    stranded = end - piece.first > 2 and sheet.has(end, "be") == piece.last
    if not stranded or not sheet.has(end - 1, "function"):
        return False
    return not Stretch(sheet, piece.first, end).holds("wh", "governs")


def _splits_verb(sheet: Sheet, at: int) -> bool:
    """Whether the second word of a two-word command is here."""
    grammar = sheet.grammar
    return any(
        (at + 1, 0.0) in ends
        for cls, ends in sheet.edges[at - 1].items()
        if cls in grammar.verbs and grammar.frames.begins("command", cls)
    )


_MOST = 6  # places that are tried
_LONGEST = 30  # words in which people name a thing


def well_cut(sheet: Sheet, scene: Scene, moods: tuple[str, ...], match: Match) -> Match | None:
    """The match with its name and its text separated at the best place; `None` if it cuts through a name."""
    slots = sheet.grammar.pack.slots
    kinds = [slots[name].type for name, _, _ in match.slots]
    place = kinds.index("entity") if "entity" in kinds else None
    if place is None:
        return match
    _, first, last = match.slots[place]
    whole = _whole_until(sheet, scene, first, max(match.last, match.slots[-1][2]))
    through = whole > last and any(at < whole for at in _read_after(match, last))
    texts = match.slots[place + 1 :]
    if len(texts) != 1 or kinds[-1] == "entity":
        return None if through else match
    if last - first > _LONGEST:
        return match
    if through:
        return _cut_at(sheet, moods, match, place, whole)
    cuts = [whole] if first < whole < last else _places(Stretch(sheet, first, last))
    return _best_cut(sheet, scene, moods, match, place, cuts)


def _best_cut(
    sheet: Sheet, scene: Scene, moods: tuple[str, ...], match: Match, place: int, cuts: Sequence[int]
) -> Match:
    """The match, or a variant with another end of the name, by how surely a thing has that name."""
    tried = (_cut_at(sheet, moods, match, place, cut) for cut in cuts)
    found = (match, *(one for one in tried if one is not None))
    return max(found, key=lambda one: (_named(sheet, scene, one.slots[place]), -one.slots[place][2]))


def _whole_until(sheet: Sheet, scene: Scene, first: int, end: int) -> int:
    """The end of the longest complete name that begins here, ignoring an article."""
    return max((first + b for a, b, _ in scene.things.mentions(sheet.stems[first:end]) if a <= 1), default=first)


def _read_after(match: Match, last: int) -> Iterator[int]:
    """Where the frame continues after its name: its own words up to its next slot, or that slot."""
    if match.last > last:
        yield last
    yield from (start for _, start, _ in match.slots if start > last)


def _places(stretch: Stretch) -> list[int]:
    """Little words inside the name, at which it may end."""
    little = (at for at in range(stretch.start + 1, stretch.end) if stretch.sheet.has(at, "function"))
    return list(little)[:_MOST]


def _cut_at(sheet: Sheet, moods: tuple[str, ...], match: Match, place: int, cut: int) -> Match | None:
    """The same frame with its name ending at `cut`, if it can be read this way."""
    text, _, end = match.slots[-1]
    wanted = [name for name, _, _ in match.slots]
    first = match.slots[place][1]
    edges = [{} if first <= at < cut else here for at, here in enumerate(sheet.edges[: cut + 2])]  # only a name
    for one in sheet.grammar.frames.match(moods, match.start, min(cut + 2, end), sheet.view._replace(edges=edges)):
        same = one.act == match.act and [name for name, _, _ in one.slots] == wanted
        if same and one.slots[place][2] == cut:
            return match._replace(slots=(*one.slots[:-1], (text, one.slots[-1][1], end)), last=one.last)
    return None


def _named(sheet: Sheet, scene: Scene, slot: tuple[str, int, int]) -> tuple[bool, int]:
    """How well words name one thing: whether they do without repetition, and how much of its name they contain."""
    _, first, last = slot
    telling = [stem for stem in sheet.stems[first:last] if stem not in sheet.grammar.little]
    ids = link(Stretch(sheet, first, last), scene, None).ids
    if len(ids) != 1 or len(set(telling)) < len(telling):
        return False, 0
    return True, len(set(telling).intersection(scene.things.label_stems(ids[0])))


def doubtful(sheet: Sheet, tool: str, piece: Piece, chunks: Iterable[Chunk]) -> bool:
    """Whether Sayso has to ask about a free text before it is written, given the values beside it."""
    if piece.quoted or piece.first >= piece.last:
        return False
    if _orders_more(sheet, tool, piece) or _goes_on(sheet, piece) or _keeps_day(sheet, piece, chunks):
        return True
    if is_order(sheet, tool, piece) or _runs_on(sheet, piece):
        return True
    return any(piece.text.count(left) < piece.text.count(right) for left, right in ("()", "[]", "{}"))


def _keeps_day(sheet: Sheet, piece: Piece, chunks: Iterable[Chunk]) -> bool:
    """Whether a day is left in a text whose time was read: "sunday lunch at one" is hardly for today."""
    times = (chunk.value for chunk in chunks if isinstance(chunk.value, When))
    if not any(time.time is not None and not time.day_said for time in times):
        return False
    left = (chunk.value for at in range(piece.first, piece.last) for chunk in sheet.chunks.get(at, ()))
    return any(isinstance(value, When) and value.day_said for value in left)


def is_order(sheet: Sheet, tool: str | None, piece: Piece) -> bool:
    """Whether a text begins like a command to the same tool, in a form that people use only for commands."""
    grammar = sheet.grammar
    first = piece.first
    if piece.quoted or first >= piece.last or not is_verb(sheet, first):
        return False
    named = sheet.lows[first] in grammar.lemmas  # "record player"; but no thing is called "record buy milk"
    heads = grammar.book.heads
    if named and not (heads and first + 1 < piece.last and sheet.has(first + 1, *heads)):
        return False
    found = next(grammar.frames.match(("command",), first, piece.last, sheet.view), None)
    return found is not None and found.first == first and grammar.pack.acts[found.act].tool == tool


def _orders_more(sheet: Sheet, tool: str, piece: Piece) -> bool:
    """Whether an "and" inside a text is followed by a command to another tool that needs no thing."""
    for at in range(piece.first + 1, piece.last - 1):
        after = sheet.has(at, "link")
        if not 0 < after < piece.last or not is_verb(sheet, after):
            continue
        found = next(sheet.grammar.frames.match(("command",), after, piece.last, sheet.view), None)
        act = sheet.grammar.pack.acts[found.act] if found is not None and found.first == after else None
        if act is not None and act.tool not in (None, tool) and not act.must_link:
            return True
    return False


def _goes_on(sheet: Sheet, piece: Piece) -> bool:
    """Whether a pause follows a value inside a text, which may have ended there: "ring Bo tomorrow, then Gus"."""
    words = sheet.words
    inside = (one for one in piece.chunks if piece.first < one.start and one.end < piece.last)
    return any(is_punctuation(words[one.end]) and not is_punctuation(words[one.start - 1]) for one in inside)


def is_verb(sheet: Sheet, at: int) -> bool:
    """Whether one of the pack's verbs is here, spelt right, and may begin a command."""
    spelt = any(ends[0][1] == 0 for cls, ends in sheet.edges[at].items() if cls in sheet.grammar.verbs)
    return spelt and sheet.commands(at)


def _runs_on(sheet: Sheet, piece: Piece) -> bool:
    """Whether a separate sentence begins inside a text, and nothing before it requires one."""
    for at in range(piece.first, piece.last - 1):
        if sheet.has(at, "governs"):
            return False
        if at > piece.first and sheet.has(at, "sentence"):
            return True
    return False
