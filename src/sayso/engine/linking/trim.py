"""Removes the words around a name or a text that do not belong to it.

", please" and "um" are removed from a title; "if possible" too, if a pause sets it off; "again" stays.
"""

from __future__ import annotations

from sayso.engine.grammar.sheet import Sheet, Stretch
from sayso.engine.lexicon.words import is_punctuation

SMALL = ("hesitation", "filler", "polite")
NOISE = ("hesitation", "polite")
_LONGEST = 7  # words of a polite phrase


def trim(stretch: Stretch, small: tuple[str, ...] = SMALL) -> Stretch:
    """The stretch without the little words and marks around a name or a text."""
    sheet, start, end = stretch
    while start < end and (after := _small_at(sheet, start, small)) and after <= end:
        if _gives_thanks(Stretch(sheet, start, end)):
            break
        start = after
    while start < end and (before := _small_before(Stretch(sheet, start, end), small)) < end:
        if sheet.words[end - 1].low == ")" and any(word.low == "(" for word in sheet.words[start:end]):
            break
        end = before
    return Stretch(sheet, start, end)


def _small_at(sheet: Sheet, at: int, small: tuple[str, ...]) -> int:
    if is_punctuation(sheet.words[at]) and sheet.words[at].low != "#":
        return at + 1
    return sheet.has(at, *small, "link", slips=0.1)


def _gives_thanks(stretch: Stretch) -> bool:
    """Whether a text begins with thanks, and continues without a pause: "thank-you cards for the nurses"."""
    sheet, at, end = stretch
    after = sheet.has(at, "thanks")
    return 0 < after < end and not is_punctuation(sheet.words[after])


def _small_before(stretch: Stretch, small: tuple[str, ...]) -> int:
    sheet, start, end = stretch
    last = sheet.words[end - 1]
    if is_punctuation(last) or (small == SMALL and last.kind == "mark"):  # an emoji may belong to a text, not to a name
        return end - 1
    for at in range(max(start + 1, end - _LONGEST), end):
        set_off = end - at > 1 or is_punctuation(sheet.words[at - 1])  # people also say "if possible" beside a text
        if sheet.has(at, *(SMALL if set_off else small), "link", slips=0.1) == end:
            return at
        if sheet.has(at, "address", "greeting") == end and _after_thanks(sheet, start, at):
            return at
    return end


def _after_thanks(sheet: Sheet, start: int, at: int) -> bool:
    """Whether a polite word ends here: "thanks | mate", where "mate" only addresses the listener."""
    before = range(max(start + 1, at - _LONGEST), at)
    return any(at in sheet.ends(place, "polite") for place in before)
