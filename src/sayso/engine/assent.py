"""Assent: whether a clause says yes or no to the open question, and nothing else.

"mm yeah get rid of it" is a yes to deleting it, "Yes, it's raining" is not.
"""

from __future__ import annotations

from sayso.decision import Confirm
from sayso.engine.decide import Room
from sayso.engine.detect import Sense, detect, opening
from sayso.engine.split import Clause
from sayso.engine.words import is_punctuation


def says_something(room: Room, clause: Clause) -> bool:
    """Whether anything is said beside fillers."""
    return opening(room.grammar, room.sheet, clause.start, clause.end) < clause.end


# What may stand beside a no; beside a yes, which runs something, only the first two.
_BESIDE = ("hesitation", "polite", "filler", "link", "it", "article")
_DOUBTS = ("hold", "doubt", "other", "no", "cancel")


def covered(room: Room, start: int, end: int, *classes: str, beside: tuple[str, ...] = _BESIDE) -> tuple[bool, bool]:
    """Whether these words are nothing but these classes and small words, and whether one of the classes is there."""
    at, there = start, False
    while at < end:
        after = room.grammar.has(room.sheet, at, *classes)
        if after and after <= end:
            there = True
        else:
            after = room.grammar.has(room.sheet, at, *beside)
            if is_punctuation(room.sheet.words[at]):
                after = after or at + 1
        if not after or after > end:
            return False, there
        at = after
    return True, there


def assents(room: Room, pending: Confirm, clause: Clause) -> bool:
    """Nothing but a yes, or a yes with the same act again ("yeah get rid of it")."""
    whole, there = covered(room, clause.start, clause.end, "yes", beside=_BESIDE[:2])
    if whole:
        return there
    at = clause.start
    said_yes = False
    while at < clause.end:
        after = room.grammar.has(room.sheet, at, "yes")
        if after and after < clause.end:
            said_yes, at = True, after
            continue
        small = room.grammar.has(room.sheet, at, *_BESIDE[:2]) or (
            at + 1 if is_punctuation(room.sheet.words[at]) else 0
        )
        if small and small < clause.end:
            at = small
            continue
        break
    if not said_yes:
        return False
    if clause.sense is not None and echoes(room, pending, clause.sense):
        return True
    senses = detect(room.grammar, room.sheet, room.scene, at, clause.end)
    return bool(senses) and echoes(room, pending, senses[0])


def takes_back(room: Room, clause: Clause) -> bool:
    """ "yes?", "yes, wait", "maybe yes", "yes the other one": a yes with a doubt in it is none."""
    places = range(clause.start, clause.end)
    if clause.sense is None and any(room.sheet.lows[at] == "?" for at in places):
        return True
    return any(room.grammar.has(room.sheet, at, *_DOUBTS, slips=0.0) for at in places)


def repeats(room: Room, pending: Confirm, clause: Clause) -> bool:
    return clause.sense is not None and not refuses(room, clause) and echoes(room, pending, clause.sense)


def echoes(room: Room, pending: Confirm, sense: Sense) -> bool:
    """The same act on the same thing, or on "it"."""
    act = room.grammar.pack.acts[sense.reading.act]
    if act.tool != pending.tool:
        return False
    target = sense.reading.target
    if target is None:
        return True
    known = {value for value in pending.arguments.values() if isinstance(value, str)}
    return (target.problem == "missing") or target.pronoun or bool(set(target.ids) & known)


def refuses(room: Room, clause: Clause) -> bool:
    whole, there = covered(room, clause.start, clause.end, "no", "cancel")
    if whole and there:
        return True
    at = opening(room.grammar, room.sheet, clause.start, clause.end)
    after = room.grammar.has(room.sheet, at, "cancel") if at < clause.end else 0
    return bool(after) and clause.sense is None and covered(room, after, clause.end, "cancel", "no", "function")[0]


def is_command(room: Room, sense: Sense) -> bool:
    """Something of its own: a command or a question, whose object is known if it needs one."""
    act = room.grammar.pack.acts[sense.reading.act]
    if act.again or sense.reading.match.literal == 0:
        return False
    target = sense.reading.target
    if target is not None and sense.reading.target_param is not None:
        return bool(target.ids) or target.problem in ("ambiguous", "bulk") or not act.must_link
    return True


def denies(room: Room, clause: Clause) -> bool:
    """A clause without an act that begins with a negation."""
    at = opening(room.grammar, room.sheet, clause.start, clause.end)
    soon = range(at, min(at + 2, clause.end))  # "not that one", "do not delete it"
    acts = clause.sense is not None and room.grammar.pack.acts[clause.sense.reading.act].tool is not None
    return not acts and any(room.grammar.has(room.sheet, place, "negation") for place in soon)


def is_unfinished(room: Room) -> bool:
    """ "yes but", "yes!?": something was still to come, or is asked."""
    words = room.sheet.words
    last = max((at for at, word in enumerate(words) if word.kind != "mark"), default=0)
    links = any(
        room.grammar.has(room.sheet, at, "link", slips=0.0) == last + 1 for at in range(max(0, last - 2), last + 1)
    )
    return links or "?" in room.sheet.lows
