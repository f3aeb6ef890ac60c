"""Finds an open question that is dropped, and the command that follows it.

"never mind that what is due today" is a question of its own, and "forget it I'll ask Jo" no name for a new thing.
"""

from __future__ import annotations

from sayso.engine.clauses.split import Clause, split
from sayso.engine.decide.decide import Room
from sayso.engine.dialogue.assent import covered, is_command
from sayso.engine.grammar.moods import opening
from sayso.engine.grammar.sheet import Stretch

_BEGINS = ("mood:question", "mood:request", "mood:plan")


def beyond_dismissal(room: Room) -> list[Clause]:
    """What a message asks for after it dropped the question in its first words; none where it does not."""
    after, count = dismissal(room), len(room.sheet.words)
    if not 0 < after < count or covered(room, after, count, "no", "cancel")[0]:  # "never mind, cancel"
        return []
    rest = split(room.sheet, room.scene, after)
    first = next((clause for clause in rest if clause.sense is not None and is_command(room, clause.sense)), None)
    at = opening(room.sheet.since(after))
    if first is None or first is not rest[0] or at >= count:
        return []
    return rest if room.sheet.commands(at) or room.sheet.has(at, *_BEGINS) else []


def dismissal(room: Room) -> int:
    """Where the words end that drop a question, at the beginning of a message; 0 where there are none."""
    sheet, end = room.sheet, len(room.sheet.words)
    at = opening(Stretch(sheet, 0, end))
    after = sheet.has(at, "retract") if at < end else 0
    while not after and at < end and sheet.has(at, "no", "cancel") == at + 1:  # "no, forget it"
        at = opening(Stretch(sheet, at + 1, end))
        after = sheet.has(at, "retract") if at < end else 0
    single = after == at + 1 and sheet.commands(at)  # "cancel the gym" may be a thing to do
    if not after or single or sheet.has(at, "no") == after:
        return 0
    while after < end and covered(room, after, after + 1, beside=("it", "filler", "polite", "address"))[0]:
        after += 1
    return after
