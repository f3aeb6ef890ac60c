"""Decides whether and how a message answers the open question.

A yes runs the pending call, a no drops it, a value or a name completes it. A new command drops the question.
"""

from __future__ import annotations

from functools import partial
from itertools import dropwhile

import msgspec
from msgspec import UNSET

from sayso.decision import Call, Confirm, Decision, Evidence, Nothing, Pending
from sayso.engine.clauses.clause import Clause, Sense
from sayso.engine.decide.check import part_of
from sayso.engine.decide.merge import adds_to
from sayso.engine.decide.room import Room
from sayso.engine.dialogue.assent import (
    after_yes,
    assents,
    begins_with_no,
    denies,
    echoes,
    forbids,
    is_command,
    is_condition,
    is_linked,
    is_unfinished,
    only_opens,
    only_stresses,
    puts_off,
    refuses,
    repeats,
    says_something,
    takes_back,
)
from sayso.engine.dialogue.clarification import Outcome, to_clarify
from sayso.engine.dialogue.dismissal import beyond_dismissal
from sayso.engine.dialogue.reply import (
    asked_again,
    changed,
    gone,
    is_place,
    named_alone,
    on_other,
    replaced,
    target_of,
    turned,
)
from sayso.engine.slots.validate import faults

_SURE = 0.95


def answer(room: Room, pending: Pending, clauses: list[Clause]) -> Outcome | None:
    """Decisions of the reply with the clauses that go beyond it, or `None` if the message does not reply at all."""
    if beyond := beyond_dismissal(room):
        return [], beyond
    if isinstance(pending, Confirm):
        return _to_confirm(room, pending, clauses)
    return to_clarify(room, pending, clauses)


def _to_confirm(room: Room, pending: Confirm, clauses: list[Clause]) -> Outcome | None:
    first, rest = clauses[0], clauses[1:]
    refused = any(map(partial(refuses, room), _remarks(first, rest)))
    agreed = assents(room, pending, first)
    if pending.group is not UNSET and not agreed:  # a question about several things takes only a yes or a no
        return _refused_group(room, clauses) if refused else None
    if (named := _yes_with_name(room, pending, clauses)) is not None:
        return [named], []
    if agreed:
        return _assented(room, pending, first, rest)
    if rest and _says_little(room, first):
        return _after_opening(room, pending, first, rest)
    if refused:
        return _refused(room, pending, clauses)
    if denies(room, first):  # a negation and a name, and then another name
        return _refused(room, pending, rest)
    return _goes_beyond(room, pending, clauses)


def _remarks(first: Clause, rest: list[Clause]) -> list[Clause]:
    """The first clause, and the clauses after it that ask for nothing."""
    return [first, *(clause for clause in rest if clause.sense is None)]


def _says_little(room: Room, clause: Clause) -> bool:
    return not says_something(room, clause) or only_stresses(room, clause)


def _after_opening(room: Room, pending: Confirm, first: Clause, rest: list[Clause]) -> Outcome | None:
    """The answer after an empty clause. A yes does not count if that clause takes it back: "dunno, yes"."""
    found = _to_confirm(room, pending, rest)
    runs = found is not None and any(isinstance(one, Call) for one in found[0])
    return None if runs and takes_back(room, first) else found


def _goes_beyond(room: Room, pending: Confirm, clauses: list[Clause]) -> Outcome | None:
    """Neither a yes nor a no: a separate request, another thing or another value. None of these runs the call."""
    senses = _senses(clauses)
    acts = room.grammar.pack.acts
    if is_place(room) and (placed := replaced(room, pending, clauses)) is not None:  # "actually, the last one"
        return [placed], []
    if any(_is_own(room, pending, sense) and not echoes(room, pending, sense) for sense in senses):
        return None
    if any(acts[sense.reading.act].again == "other" for sense in senses):  # the other of two
        return _only(_named_other(room, pending, clauses))
    refused = begins_with_no(room, clauses[0])
    other = _instead(room, pending, clauses) or turned(room, pending, surely=refused)
    return _only(other or _without_answer(room, senses, refused=refused))


def _without_answer(room: Room, senses: list[Sense], *, refused: bool) -> Decision | None:
    """A no drops the question, remarks leave it open; `None` if the reply says something else."""
    if refused:
        return room.voice.nothing("cancelled", _SURE)
    return _unanswered(room) if senses and all(_only_remarks(room, sense) for sense in senses) else None


def _only(decision: Decision | None) -> Outcome | None:
    """One decision as the whole outcome."""
    return None if decision is None else ([decision], [])


def _unanswered(room: Room) -> Nothing:
    """Neither a yes nor a no, and no other request that can be decided."""
    return room.voice.nothing("out_of_scope", _SURE, "unanswered")


def _only_remarks(room: Room, sense: Sense) -> bool:
    """ "done", after the question whether to delete it: a statement that names nothing and may be about anything."""
    act, target = room.grammar.pack.acts[sense.reading.act], sense.reading.target
    return act.mood == ("statement",) and not sense.reading.texts and (target is None or target.source == "history")


def _is_own(room: Room, pending: Confirm, sense: Sense) -> bool:
    """Whether it is a separate command. "do it tomorrow" and "done" neither answer "delete it?" nor ask for more."""
    if pending.tool in room.grammar.pack.tools and adds_to(room, pending, sense.reading):
        return False  # "make it friday", after the question whether to add it
    act, target = room.grammar.pack.acts[sense.reading.act], sense.reading.target
    unnamed = act.mood == ("statement",) and (target is None or target.source == "history")
    return (is_command(room, sense) or sense.mood.name == "plan") and not unnamed


def _instead(room: Room, pending: Confirm, clauses: list[Clause]) -> Decision | None:
    """The same call with another thing or another value, if one was named."""
    other = replaced(room, pending, clauses) if _named_instead(room, clauses) else None
    return other or asked_again(room, pending)


def _yes_with_name(room: Room, pending: Confirm, clauses: list[Clause]) -> Decision | None:
    """ "yes, the oven": a yes if the question was about the oven. If not, Sayso asks about the oven, with no call."""
    at = after_yes(room, clauses[0])
    if not at or any(takes_back(room, clause) for clause in clauses):
        return None
    other = named_alone(room, pending, at, clauses)
    if other is None:
        return None
    if other.ids[0] == target_of(room, pending)[0]:
        return _approved(room, pending)
    found = on_other(room, pending, other)
    if not isinstance(found, Call):
        return found
    return room.voice.confirm(
        found.tool, found.arguments, found.evidence, found.confidence, pending.reason, other.ids[0]
    )


def _refused_group(room: Room, clauses: list[Clause]) -> Outcome:
    """A no to the whole group, with the commands beside it."""
    commands = [clause for clause in clauses if clause.sense is not None and not refuses(room, clause)]
    commands = [clause for clause in commands if not forbids(room, clause)]
    return ([], commands) if commands else ([room.voice.nothing("cancelled", _SURE)], [])


def _assented(room: Room, pending: Confirm, first: Clause, rest: list[Clause]) -> Outcome:
    """A yes, with the clauses beyond it. "yes?", "yes, wait" and a yes with a remark do not count: ask again."""
    rest = list(dropwhile(partial(_says_no_more, room, pending), rest))
    if any(map(partial(refuses, room), rest)):
        return _refused(room, pending, rest)
    if _is_spoilt(room, first, rest):
        return [_again(room, pending)], []
    if (more := _with_more(room, pending, rest)) is not None:
        return [more], []
    if rest and _begins_afresh(room, first, rest[0]):
        return [], rest
    if any(_narrows(room, clause) for clause in rest):
        return [_again(room, pending)], []  # "yes, but only after five": there is no list that it could narrow
    if any(_goes_elsewhere(room, pending, clause) for clause in rest):
        return [], rest
    return [_approved(room, pending)], rest


def _begins_afresh(room: Room, first: Clause, second: Clause) -> bool:
    """ "ok, I need to buy bread": a new command, not an answer to the question."""
    return second.sense is not None and only_opens(room, first) and not is_linked(room, second)


def _narrows(room: Room, clause: Clause) -> bool:
    return clause.sense is not None and bool(room.grammar.pack.acts[clause.sense.reading.act].narrows)


def _goes_elsewhere(room: Room, pending: Confirm, clause: Clause) -> bool:
    """Whether a clause after a yes postpones it, contradicts it, or requests something else for the same thing."""
    if puts_off(room, clause) or _orders_another(room, pending, clause):
        return True
    return clause.sense is not None and _contradicts(room, pending, clause.sense)


def _is_spoilt(room: Room, first: Clause, rest: list[Clause]) -> bool:
    """Whether the yes is taken back, conditional or has a remark: "yes, wait", "yes, when I'm done", "yes, the sun is
    out"."""
    if any(takes_back(room, clause) for clause in _remarks(first, rest)):
        return True
    if rest and is_condition(room, rest[0]):
        return True
    if any(clause.sense is not None for clause in rest):
        return False
    return is_unfinished(room) or any(says_something(room, clause) for clause in rest)


def _with_more(room: Room, pending: Confirm, rest: list[Clause]) -> Decision | None:
    """ "sure, and make it high priority", asked about a thing that does not exist yet: the call with that value."""
    targets = [clause.sense.reading.target if clause.sense is not None else None for clause in rest]
    if target_of(room, pending)[1] is not None or not all(target is not None and target.pronoun for target in targets):
        return None
    return changed(room, pending) if rest else None


def _says_no_more(room: Room, pending: Confirm, clause: Clause) -> bool:
    """Whether a clause only says yes again, repeats the same act, or adds stress."""
    return assents(room, pending, clause) or repeats(room, pending, clause) or only_stresses(room, clause)


def _orders_another(room: Room, pending: Confirm, clause: Clause) -> bool:
    """ "yes, stop the oven", asked about the fridge: not a yes, unless the clause continues one ("yes, and then …")."""
    reading = clause.sense.reading if clause.sense is not None else None
    if reading is None or reading.deed is None or is_linked(room, clause):
        return False
    reads = room.grammar.pack.reads(room.grammar.pack.acts[reading.act].tool)
    return not (reads and reading.parts) and target_of(room, pending)[0] not in reading.about


def _contradicts(room: Room, pending: Confirm, sense: Sense) -> bool:
    """Another act on the same thing, or the same act on another thing: "yes, mark it as done instead"."""
    act, target = room.grammar.pack.acts[sense.reading.act], sense.reading.target
    if act.again:
        return True
    if target is None or act.tool is None or room.grammar.pack.tools[act.tool].risk == "read":
        return False
    if target.ids and not room.scene.knows(target.ids):
        return False  # "sure, and then tick it off", after the question whether to add it
    known = target_of(room, pending)[0]
    return target.pronoun or target.problem is not None or known in target.ids or act.tool == pending.tool


def _refused(room: Room, pending: Confirm, clauses: list[Clause]) -> Outcome:
    """A no: alone, with a new command, or with the thing or value that the user meant."""
    beyond = [clause for clause in clauses if not refuses(room, clause)]
    commands = [clause for clause in beyond if _is_fresh_command(room, pending, clause)]
    if commands:
        named = _named_other(room, pending, beyond)
        return ([], commands) if named is None else ([named], [])
    other = replaced(room, pending, beyond) if beyond else None  # "no, later" names nothing else
    return [other or room.voice.nothing("cancelled", _SURE)], []


def _is_fresh_command(room: Room, pending: Confirm, clause: Clause) -> bool:
    """Whether a clause beside a no requests something other than the pending call, and does not forbid it."""
    return clause.sense is not None and not echoes(room, pending, clause.sense) and not forbids(room, clause)


def _named_other(room: Room, pending: Confirm, clauses: list[Clause]) -> Decision | None:
    """ "the other one, the hedge": the same call for the thing named beside it, if the user asks for nothing else."""
    acts = [room.grammar.pack.acts[sense.reading.act].again for sense in _senses(clauses)]
    return replaced(room, pending, clauses) if acts == ["other"] else None


def _approved(room: Room, pending: Confirm) -> Decision:
    """Exactly the pending call, if its target still exists."""
    if (lost := gone(room, pending)) is not None:
        return lost
    tool = room.grammar.pack.tools.get(pending.tool)
    if tool is None or any(name not in tool.params for name in pending.arguments) or faults(tool, pending.arguments):
        return room.voice.nothing("unsupported", _SURE, "stale")  # a question we would not have asked
    takes_part, part = part_of(room, tool, pending.arguments)
    if takes_part and part is None:  # the thing exists, but can no longer do this
        target, param = target_of(room, pending)
        return room.voice.which(pending.tool, {}, str(param), (), "not_found", str(target))
    from_pending = {name: Evidence(source="pending") for name in pending.arguments}
    return Call(tool=pending.tool, arguments=pending.arguments, confidence=_SURE, evidence=from_pending)


def _again(room: Room, pending: Confirm) -> Decision:
    """The question again, after a yes that may not have been one."""
    evidence = {name: Evidence(source="pending") for name in pending.arguments}
    return gone(room, pending) or msgspec.structs.replace(pending, evidence=evidence)


def _named_instead(room: Room, clauses: list[Clause]) -> bool:
    """ "no, the tax letter", read as one clause."""
    return any(room.grammar.pack.acts[sense.reading.act].again for sense in _senses(clauses))


def _senses(clauses: list[Clause]) -> list[Sense]:
    return [clause.sense for clause in clauses if clause.sense is not None]
