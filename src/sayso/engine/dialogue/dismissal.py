"""Finds replies that drop the open question, and the command that follows.

"never mind that what is due today" asks a separate question, and "forget it I'll ask Jo" does not name a new thing.
"""

from __future__ import annotations

from sayso.engine.clauses.clause import Clause
from sayso.engine.clauses.split import split
from sayso.engine.decide.room import Room
from sayso.engine.dialogue.assent import covered, is_command
from sayso.engine.grammar.moods import opening
from sayso.engine.grammar.sheet import Stretch

_BEGINS = ("mood:question", "mood:request", "mood:plan")


def beyond_dismissal(room: Room) -> list[Clause]:
    """The requests of a message after its first words dropped the question; empty if they did not."""
    after, count = dismissal(room), len(room.sheet.words)
    if not 0 < after < count or covered(room, after, count, "no", "cancel")[0]:  # "never mind, cancel"
        return []
    rest = split(room.sheet, room.scene, after)
    sense = rest[0].sense if rest else None
    at = opening(room.sheet.since(after))
    if sense is None or not is_command(room, sense) or at >= count:
        return []
    return rest if room.sheet.commands(at) or room.sheet.has(at, *_BEGINS) else []


def dismissal(room: Room) -> int:
    """The end of the words that drop a question, at the beginning of a message; 0 if there are no such words."""
    sheet, end = room.sheet, len(room.sheet.words)
    at = _past_no(room)
    after = sheet.has(at, "retract") if at < end else 0
    single = after == at + 1 and sheet.commands(at)  # "cancel the gym" may be a thing to do
    if not after or single or sheet.has(at, "no") == after:
        return 0
    while after < end and covered(room, after, after + 1, beside=("it", "filler", "polite", "address"))[0]:
        after += 1
    return after


def _past_no(room: Room) -> int:
    """Past the opening of a message, and any "no" in front of the words that drop the question: "no, forget it"."""
    sheet, end = room.sheet, len(room.sheet.words)
    at = opening(Stretch(sheet, 0, end))
    while at < end and not sheet.has(at, "retract") and sheet.has(at, "no", "cancel") == at + 1:
        at = opening(Stretch(sheet, at + 1, end))
    return at
