"""Checks that a slot holds all that belongs to it, and no more.

"put | down milk" begins a text in the middle of a verb; in "tomorrow at | 3pm" a text would be the rest of a date.
"""

from __future__ import annotations

from unicodedata import category

from sayso.engine.dates.dates import When
from sayso.engine.grammar.sheet import TYPOS, Sheet, Stretch
from sayso.engine.lexicon.words import Word
from sayso.engine.repeats.repeats import Lead
from sayso.engine.slots.doubt import is_verb
from sayso.engine.slots.extract import Reading
from sayso.engine.slots.texts import Piece


def swallows_order(sheet: Sheet, reading: Reading) -> bool:
    """A name that nobody has, and that begins with a command: "add mend the net, has to be friday"."""
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
    """Words that can be a text: not too many, not a bare sum, not a question ("remind me what we said")."""
    if piece.quoted or not piece.text:
        return True
    if not asked and (_is_value(sheet, piece) or _rest_of_date(sheet, piece) or _begins_with_lead(sheet, piece)):
        return False
    longest = sheet.grammar.pack.slots[slot].longest
    if longest:
        return _is_short_text(sheet, piece, longest)
    if sheet.has(piece.first, "wh", slips=TYPOS) and sheet.words[max(piece.first - 1, 0)].low != ":":
        return False
    little = all(_says_little(sheet, at) for at in range(piece.first, piece.last))
    return not little and not _breaks_off(sheet, piece) and _has_letters(sheet, piece)


def _is_value(sheet: Sheet, piece: Piece) -> bool:
    """Whether the whole text is a value: "asap" is no title."""
    whole = (chunk for chunk in sheet.chunks.get(piece.first, ()) if chunk.end == piece.last and chunk.floats)
    return any(isinstance(chunk.value, When) or chunk.strong for chunk in whole)


def _is_short_text(sheet: Sheet, piece: Piece, longest: int) -> bool:
    """Whether a text of few words tells something, and no date ends it."""
    if _ends_in_date(sheet, piece):
        return False
    telling = any(sheet.stems[at] not in sheet.grammar.little for at in range(piece.first, piece.last))
    return telling and piece.last - piece.first <= longest


def _has_letters(sheet: Sheet, piece: Piece) -> bool:
    """Whether there is a word with letters, or more than one picture: one alone is a mood, or thanks."""
    words = (at for at in range(piece.first, piece.last) if not sheet.has(at, "link", "it", "them"))
    said = [sheet.words[at] for at in words]
    lettered = any(character.isalpha() for word in said for character in word.low)
    return lettered or len({word.low for word in said if _is_picture(word)}) > 1


def _is_picture(word: Word) -> bool:
    return any(category(character) == "So" for character in word.low)


def _rest_of_date(sheet: Sheet, piece: Piece) -> bool:
    """The end of a date whose beginning stands before it: "tomorrow at | 3pm" is no place."""
    return any(
        chunk.end == piece.last and chunk.core < piece.first and chunk.strong and isinstance(chunk.value, When)
        for at in range(max(0, piece.first - 3), piece.first)
        for chunk in sheet.chunks.get(at, ())
    )


def _begins_with_lead(sheet: Sheet, piece: Piece) -> bool:
    """Whether the text starts with a lead time: "(remind me) an hour before the train" names nothing to do."""
    return any(isinstance(chunk.value, Lead) for chunk in sheet.chunks.get(piece.first, ()))


def _ends_in_date(sheet: Sheet, piece: Piece) -> bool:
    """A name that ends amid a date: "today's tasks" are nobody else's."""
    return any(
        chunk.end > piece.last and isinstance(chunk.value, When)
        for at in range(piece.first, piece.last)
        for chunk in sheet.chunks.get(at, ())
    )


def _says_little(sheet: Sheet, at: int) -> bool:
    """A little word, a number or the word for a thing as such: "three tasks", "the first task" are no titles."""
    grammar = sheet.grammar
    if sheet.stems[at] in grammar.little or (sheet.words[at].kind == "mark" and not _is_picture(sheet.words[at])):
        return True
    if sheet.has(at, *grammar.nouns, "repair_weak", "retract"):
        return True
    numbers = grammar.numbers
    return numbers.read(sheet.lows, at) is not None or numbers.read_ordinal(sheet.lows, at) is not None


def _breaks_off(sheet: Sheet, piece: Piece) -> bool:
    """ "…, needs to be": a text whose end was taken for something else, as was its beginning in "put | down milk"."""
    heads = sheet.grammar.book.heads
    if piece.first and _splits_verb(sheet, piece.first):
        return True
    if heads and sheet.has(piece.first, *heads) > piece.last:
        return True  # "add write | to the mail"
    end = piece.last - 1
    stranded = end - piece.first > 2 and sheet.has(end, "be") == piece.last
    if not stranded or not sheet.has(end - 1, "function"):
        return False
    return not Stretch(sheet, piece.first, end).holds("wh", "governs")


def _splits_verb(sheet: Sheet, at: int) -> bool:
    """Whether a command of two words has its second one here."""
    grammar = sheet.grammar
    return any(
        (at + 1, 0.0) in ends
        for cls, ends in sheet.edges[at - 1].items()
        if cls in grammar.verbs and grammar.frames.begins("command", cls)
    )
