"""Reads answers to questions about a missing value, or about which thing is meant.

"the oak one, and show me the list" picks one of several and adds a request; "never mind" drops the question.
"""

from __future__ import annotations

from sayso.decision import Clarify, Decision
from sayso.engine.clauses.clause import Clause, Sense
from sayso.engine.decide.room import Room
from sayso.engine.dialogue.assent import asks, begins_with_no, is_command, only_agrees, refuses, says_something
from sayso.engine.dialogue.choice import picked
from sayso.engine.dialogue.dismissal import dismissal
from sayso.engine.dialogue.reply import filled
from sayso.engine.grammar.moods import opening
from sayso.engine.grammar.sheet import Stretch
from sayso.engine.linking.deed import Deed
from sayso.engine.linking.positions import places

_SURE = 0.95
_FEW = 3  # words in which a name picks an option
Outcome = tuple[list[Decision], list[Clause]]  # the decisions of the reply, and the clauses that go beyond it


def to_clarify(room: Room, pending: Clarify, clauses: list[Clause]) -> Outcome | None:
    refused = _refused_all(room, clauses) if not _says_label(room, pending) else None
    if refused is not None:
        return refused
    if len(pending.options) > 1 and all(only_agrees(room, clause) for clause in clauses):
        return [pending], []  # "go ahead", after the question which one
    if dismissal(room):
        return [room.voice.nothing("cancelled", _SURE)], []
    if pending.options:
        if asks(room, clauses[0]):
            return None
        chosen = _chosen(room, pending, clauses)
        if chosen is not None:
            return chosen
    return _completed(room, pending, clauses)


def _completed(room: Room, pending: Clarify, clauses: list[Clause]) -> Outcome | None:
    """The call with the missing value, or a no; `None` if the reply says something else."""
    commands = any(_is_other_command(room, pending, clause) for clause in clauses)
    declines = not commands and _declines(room, pending, clauses[0])
    if pending.tool is not None and not declines:
        whole = filled(room, pending, pending.tool, commands)
        if whole is not None:
            return [whole], []
    if not declines and any(clause.sense is not None for clause in clauses):
        return None
    return ([room.voice.nothing("cancelled", _SURE)], []) if begins_with_no(room, clauses[0]) else None


def _is_other_command(room: Room, pending: Clarify, clause: Clause) -> bool:
    """Whether a clause is a command, and does not name what the question asked for."""
    sense = clause.sense
    return sense is not None and is_command(room, sense) and not _names_deed(room, pending, sense)


def _names_deed(room: Room, pending: Clarify, sense: Sense) -> bool:
    """ "fix the cellar", after the question what to call it: a thing to do, because no thing has that name."""
    if not room.grammar.book.heads or (room.grammar.pack.naming_param(pending.tool),) != pending.missing:
        return False
    at = opening(room.sheet.over(sense.reading))
    target = sense.reading.target
    headed = at < sense.reading.end and room.sheet.has(at, *room.grammar.book.heads)
    return bool(headed) and target is not None and not room.scene.knows(target.ids)


def _declines(room: Room, pending: Clarify, clause: Clause) -> bool:
    """ "no, it isn't needed any more", after the question what to add: a no with a pause does not begin a name."""
    if not begins_with_no(room, clause) or (room.grammar.pack.naming_param(pending.tool),) != pending.missing:
        return False
    at = opening(room.sheet.over(clause))
    after = at
    while after < clause.end and (further := room.sheet.has(after, "no", "cancel")):
        after = further
    return after < len(room.sheet.words) and room.sheet.lows[after - 1 if after == clause.end else after] == ","


def _says_label(room: Room, pending: Clarify) -> bool:
    """Whether a word of an option was said exactly: "stopp" picks "Call Stopp" and stops nothing."""
    named = {word.strip(".,:;\"'«»") for option in pending.options for word in option.label.casefold().split()}
    if len(room.sheet.words) > _FEW:
        return False
    places = [at for at, word in enumerate(room.sheet.words) if word.low in named and len(word.low) > 2]
    return any(not room.sheet.has(at, "no", "cancel") for at in places)


def _refused_all(room: Room, clauses: list[Clause]) -> Outcome | None:
    """ "never mind", alone or with a new command; `None` if something else is said beside it."""
    others = [clause for clause in clauses if not refuses(room, clause)]
    if len(others) == len(clauses):
        return None
    commands = [clause for clause in others if clause.sense is not None]
    if commands:
        return [], commands
    if any(says_something(room, clause) for clause in others):
        return None
    return [room.voice.nothing("cancelled", _SURE)], []


def _chosen(room: Room, pending: Clarify, clauses: list[Clause]) -> Outcome | None:
    """The options that the reply picks, with the commands after them. If no words can pick, the question again."""
    if _is_fresh(room, clauses[0]):
        return None
    beyond = _beyond(room, clauses)
    end = beyond[0].start if beyond else len(room.sheet.words)
    chosen = _picked_at_all(room, pending, end)
    if chosen is None:  # taken back in the same breath
        return ([], beyond) if beyond else ([room.voice.nothing("cancelled", _SURE)], [])
    return (chosen, beyond) if chosen else None


def _picked_at_all(room: Room, pending: Clarify, end: int) -> list[Decision] | None:
    """The options that words[:end] pick, or else the words before a remark."""
    chosen = picked(room, pending, end)
    if chosen is not None and (not chosen or isinstance(chosen[0], Clarify)):
        return _before_remark(room, pending, end) or chosen
    return chosen


def _before_remark(room: Room, pending: Clarify, end: int) -> list[Decision]:
    """ "the oak one, it's been a long day": the choice before the first pause, if nothing after it denies it."""
    pause = next((at for at in range(1, end) if room.sheet.lows[at] in (",", ".", ";")), end)
    denies = ("no", "hold", "cancel", "negation", "repair", "repair_weak", "doubt", "link")
    if any(room.sheet.has(at, *denies) for at in range(pause, end)):
        return []
    chosen = picked(room, pending, pause) or []
    return [] if any(isinstance(one, Clarify) for one in chosen) else chosen


def _is_fresh(room: Room, clause: Clause) -> bool:
    """Whether the message begins with a separate command, and not with a name that sounds like one."""
    at = opening(room.sheet.over(clause))
    if clause.sense is None or at >= clause.end or not is_command(room, clause.sense):
        return False
    deed = clause.sense.reading.deed
    if deed is not None:
        return _names_both(deed)
    named = any(first == at for first, _, _ in room.scene.things.mentions(room.sheet.stems))
    named = named or bool(places(Stretch(room.sheet, at, clause.end), True))
    return room.sheet.commands(at) and not named


def _names_both(deed: Deed) -> bool:
    """Whether different words name the thing and the action on it."""
    thing, part = set(deed.best.by_thing), set(deed.best.by_part)
    return deed.problem is None and bool(thing - part) and bool(part - thing) and not deed.from_focus


def _beyond(room: Room, clauses: list[Clause]) -> list[Clause]:
    """The commands after the choice: "the second one, and show me the list"."""
    for number, clause in enumerate(clauses[1:], 1):
        if clause.sense is not None and is_command(room, clause.sense):
            return clauses[number:]
    return []
