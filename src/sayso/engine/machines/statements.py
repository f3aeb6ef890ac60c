"""Decides whether a clause about a machine states, asks or orders something.

"the lamp is on" states, "la luce è accesa?" asks in the same word order, "lamp on" orders.
"""

from __future__ import annotations

from collections.abc import Sequence

from sayso.engine.grammar.sheet import Sheet, Stretch
from sayso.engine.lexicon.words import is_punctuation
from sayso.engine.linking.units import Unit, is_concept

_SPOKEN = ("be", "first", "third")
_SUBJECT = 5  # words within which the subject of a state is named
_NAME = 5  # words within which the receiver of a message is named


def has(sheet: Sheet, at: int, name: str) -> int:
    """The end of a phrase of a class that the pack may have."""
    return sheet.has(at, name) if name in sheet.grammar.cls else 0


def before_reason(stretch: Stretch, units: Sequence[Unit], actions: frozenset[str]) -> int:
    """Where the reason for a request begins, with or without a pause: "stop the fans the cows are cold"."""
    sheet, start, end = stretch
    if start + 2 >= end:
        return end
    told = end if sheet.has(end - 1, "negation") else _wish_end(units, actions, end)
    for at in range(start + 2, end):
        if has(sheet, at, "reason") or (at >= told and _remarks(stretch.narrowed(at), units, actions)):
            return at
    return end


def _wish_end(units: Sequence[Unit], actions: frozenset[str], end: int) -> int:
    """Where the action and its thing have both been said."""
    done = next((unit.end for unit in units if unit.keys & actions), end)
    named = next((unit.end for unit in units if not unit.keys & actions and not unit.light), end)
    return max(done, named)


def _remarks(stretch: Stretch, units: Sequence[Unit], actions: frozenset[str]) -> bool:
    """Whether a remark about somebody or something begins here, after the request: "…the nurse is here"."""
    sheet, at, _ = stretch
    if has(sheet, at - 1, "function") and not any(unit.end == at and unit.keys & actions for unit in units):
        return False
    if has(sheet, at, "remark"):
        return True
    return bool(sheet.has(at, "article", "possessive")) and _has_verb(stretch)


def _has_verb(stretch: Stretch) -> bool:
    """Whether a verb follows soon after this place, before any pause."""
    sheet, at, end = stretch
    words = sheet.words[at : at + _SUBJECT]
    spoken = next((place for place, word in enumerate(words) if is_punctuation(word)), len(words))
    return sheet.first(range(at + 2, min(at + spoken, end)), "be") is not None


def is_yes(stretch: Stretch) -> bool:
    """Whether the words are only a yes: "sure, of course" does not mention a course of a washing machine."""
    sheet, start, end = stretch
    reached, words = {start}, sheet.words
    for at in stretch.places:
        if at in reached:
            reached.update(sheet.ends(at, "yes"))
            if at > start and is_punctuation(words[at]):
                reached.add(at + 1)
    return end in reached


def is_denied(stretch: Stretch) -> bool:
    return stretch.holds("negation")


def relayed_to(stretch: Stretch) -> tuple[int, int] | None:
    """The receiver of a message: "tell Otto to open the gate" is for Otto, if Otto is not a machine."""
    sheet, start, end = stretch
    after = sheet.has(start, "relay") if start < end else 0
    places = range(after + 1, min(after + _NAME, end)) if after else ()
    to = sheet.first(places, "tells_to")
    return (after, to) if to is not None and sheet.first(range(after, to), "wh") is None else None


def is_told(stretch: Stretch) -> bool:
    """Whether somebody states something ("the lamp is on", "I fixed the oven") and asks for nothing."""
    return stretch.holds(*_SPOKEN)


def asks_so(stretch: Stretch, asks: bool) -> bool:
    """A question with the word order of a statement ("la luce è accesa?", "tell me if it's on"), or without a verb."""
    sheet, start, end = stretch
    if start >= end:
        return False
    stated = _states(stretch)
    if asks and (stated or _is_well(stretch)):
        return True
    if has(sheet, start, "several") and (asks or stated):  # "any lights on"
        return True
    return _is_so(stretch) and (asks or bool(has(sheet, start, "show")))


def _is_well(stretch: Stretch) -> bool:
    """ "everything ok in the cellar?": a request to read, although the words may begin like a greeting."""
    sheet, start, end = stretch
    while start > 0 and not is_punctuation(sheet.words[start - 1]):
        start -= 1
    return any(has(sheet, at, "well") for at in range(start, end))


def may_ask(stretch: Stretch) -> bool:
    """A whole message that states how something is, in a language in which that may be a question."""
    sheet, start, end = stretch
    whole = start <= 1 and end == len(sheet.words)
    return whole and sheet.grammar.language.words.told_asks and _is_so(stretch)


def _is_so(stretch: Stretch) -> bool:
    return stretch.holds("be")


def _states(stretch: Stretch) -> bool:
    """A state after its subject, without a verb: "kitchen lamp on?"."""
    sheet, start, end = stretch
    if has(sheet, start, "stated") or any(has(sheet, at, "carrier") for at in stretch.places):
        return False
    return any(has(sheet, at, "stated") for at in range(start + 1, end))


def is_past(
    stretch: Stretch,
    units: Sequence[Unit],
    actions: frozenset[str],
    known: frozenset[str],
) -> bool:
    """Whether something was done, or is so: "he turned it down", "mi sono acceso". It requests nothing. `known` are
    names: the first word of "left printer on" is one."""
    if _is_so(stretch):
        return True
    first = next((unit for unit in units if not unit.light), None)
    if first is None or has(stretch.sheet, first.start, "present"):
        return False
    if (is_concept(first) or first.keys & known) and not first.keys & actions:  # "ground floor": nobody ground anything
        return False
    return stretch.sheet.grammar.is_past(stretch.sheet.lows[first.start])


def is_report(sheet: Sheet, units: Sequence[Unit], actions: frozenset[str], known: frozenset[str]) -> bool:
    """Whether a message reports what somebody did: "my apprentice shut the gate". The subject is not a known thing."""
    telling = [unit for unit in units if not unit.light]
    if len(telling) < 3:
        return False
    subject, done = telling[:2]
    if subject.start == 0 or subject.keys & known or subject.keys & actions:
        return False
    past = sheet.grammar.is_past(sheet.lows[done.start])
    if not past and (is_concept(subject) or not done.keys & actions):
        return False
    return _is_sentence(sheet, subject, done)


def _is_sentence(sheet: Sheet, subject: Unit, done: Unit) -> bool:
    """Whether somebody, a verb and something follow in this order, each with its article."""
    led = sheet.has(subject.start - 1, "article", "possessive") == subject.start
    aimed = sheet.has(done.end, "article", "possessive") if done.end < len(sheet.words) else 0
    return led and bool(aimed) and done.start - subject.end <= 1


def wonders(stretch: Stretch, asks: bool) -> bool:
    """ "how much milk is in the tank?" changes nothing."""
    return asks and stretch.holds("wh")
