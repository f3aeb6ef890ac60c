"""Holds the rules and the learned reader against each other: what both say runs, what only one says depends on it.

Both agree on tool and arguments: the call stands. One of them is silent: the other's probability decides between a
call, a question and nothing. They differ: a read runs by the likelier, a write is never run without a question.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import UNSET

from sayso.decision import Call, Clarify, Confirm, Decision, Evidence, Nothing
from sayso.engine.decide.decide import Room
from sayso.engine.grammar.moods import moods
from sayso.engine.reader.decisions import Draft, draft, together
from sayso.engine.reader.doubts import (
    corrects,
    is_doubtful,
    left_beside,
    left_near,
    left_over,
    moves_unnamed,
    never_rings,
    writes,
)
from sayso.engine.reader.read import NOTHING, Prediction
from sayso.engine.slots.ringing import rings

Agreement = Literal["agree", "rules alone", "reader alone", "differ", "no reader"]
_SUBJECT = 5  # words at the beginning of a question among which it says who
_OPENING = 3  # words among which a command begins, after a courtesy
_ASKING = frozenset({"question", "hypothetical"})
_RESERVING = ("negation", "reported", "condition", "unreal", "others_word")
_EDGES = re.compile(r"^\W+|\W+$")


class Trust(msgspec.Struct, frozen=True, kw_only=True):
    """How far the reader is believed: probabilities, chosen on first runs that nobody had tuned on."""

    write: float = 0.9  # alone, a write runs from here
    act: float = 0.6  # alone, it counts only where the act is so likely
    read: float = 0.2  # alone, a read runs from here: a wrong one does no harm
    ask: float = 0.25  # alone, a write is asked about from here
    destroy: float = 0.75  # alone, what cannot be taken back is asked about from here
    plain: float = 0.95  # the rules are believed against an unsure reader where they are so sure
    silence: float = 0.9  # the rules' write is dropped where the reader is so sure that nothing is asked for
    doubt: float = 0.5  # and asked about from here
    likelier: float = 0.8  # where both differ, the reader's version is put to the person from here
    allow: float = 0.05  # an explicit command to add something runs where the reader gives it so much
    testify: float = 0.9  # below this the reader counts as silent where the rules have a call


# For things with parts, chosen on the batches that are kept out of training: the rules are right more often there.
PARTS = Trust(write=0.97, act=0.85, silence=0.99, doubt=0.9, likelier=0.9, testify=0.95)


class Verdict(NamedTuple):
    """What becomes of a message, and how the two witnesses stood to each other."""

    decisions: list[Decision]
    agreement: Agreement
    drafts: tuple[Draft | None, ...] = ()
    predictions: tuple[Prediction, ...] = ()


def weigh(
    room: Room, rules: list[Decision], predictions: tuple[Prediction, ...], trust: Trust, *, known: bool = False
) -> Verdict:
    """The decisions of both witnesses together. `known`: the rules know the message, and maybe no tool for it."""
    parted = bool(room.grammar.acts_on_parts)
    if not predictions:  # things with parts account for the words themselves
        return Verdict(rules if parted else _accounted(room, rules), "no reader")
    predictions, drafts = _drafted(room, predictions)
    if parted:
        agreement, decisions = _with_parts(room, rules, predictions, drafts, trust, known=known)
        if left_beside(room, [one for one in decisions if isinstance(one, Call)]):
            decisions = _all_asked(room, decisions)
        return Verdict(decisions, agreement, drafts, predictions)
    agreement, decisions = _without_parts(room, rules, predictions, drafts, trust, known=known)
    if agreement == "rules alone":
        decisions = _unconfirmed(room, decisions, predictions[0], drafts, trust)
    decisions = _with_mild(room, rules, decisions)
    decisions = [_asked(room, one) if is_doubtful(room, one) else one for one in decisions]
    return Verdict(decisions, agreement, drafts, predictions)


def _drafted(
    room: Room, predictions: tuple[Prediction, ...]
) -> tuple[tuple[Prediction, ...], tuple[Draft | None, ...]]:
    """The predictions with what each of them comes to."""
    predictions = together(room.grammar.pack, predictions)
    drafts = tuple(draft(room, one) for one in predictions)
    pairs = zip(predictions, drafts, strict=True)
    return tuple(one if found is None else found.prediction for one, found in pairs), drafts


def _with_mild(room: Room, rules: Sequence[Decision], decisions: list[Decision]) -> list[Decision]:
    """A change of mild values alone runs if the rules are sure of it, and every word is accounted for."""
    asked = decisions[0] if len(decisions) == 1 else None
    if not isinstance(asked, Confirm) or asked.reason != "uncertain":
        return decisions
    backed: list[Decision] = [one for one in rules if isinstance(one, Call) and _same(one, asked)]
    if not backed or not _is_mild(room, asked):
        return decisions
    if corrects(room, asked) or left_near(room, decisions):
        return decisions
    return backed[:1]


def _is_mild(room: Room, asked: Call | Confirm) -> bool:
    """Whether a decision is about nothing but mild values."""
    params = room.grammar.pack.tools[asked.tool].params
    values = set(asked.arguments) - {room.grammar.pack.target_param(asked.tool)}
    return bool(values) and all(params[name].mild for name in values)


def _without_parts(
    room: Room,
    rules: list[Decision],
    predictions: tuple[Prediction, ...],
    drafts: tuple[Draft | None, ...],
    trust: Trust,
    *,
    known: bool,
) -> tuple[Agreement, list[Decision]]:
    """Where things have no parts: by how many clauses each witness finds, and whether one of them is silent."""
    silent = _is_silent(rules)
    if len(predictions) > 1:
        return _several(room, rules, drafts, trust, silent=silent)
    if len(rules) > 1:
        return _one_or_several(room, rules, predictions[0], drafts[0], trust)
    if silent:
        return _reader_alone(room, rules, predictions[0], drafts[0], trust, known=known)
    if predictions[0].act == NOTHING:
        return _rules_alone(room, rules, predictions[0], trust)
    return _both(room, rules, predictions[0], drafts[0], trust)


def _is_silent(rules: Sequence[Decision]) -> bool:
    return all(isinstance(one, Nothing) for one in rules)


def _unconfirmed(
    room: Room,
    decisions: list[Decision],
    prediction: Prediction,
    drafts: tuple[Draft | None, ...],
    trust: Trust,
) -> list[Decision]:
    """What the rules alone decide: asked about, unless the reader comes to it as well or it is plain enough."""
    learned = [one for found in drafts if found is not None for one in found.decisions]
    plain = len(decisions) == 1 and _is_plain(room, decisions[0], prediction, trust)
    return [one if plain or _among(one, learned) or _leans(one) else _asked(room, one) for one in decisions]


def _with_parts(
    room: Room,
    rules: list[Decision],
    predictions: tuple[Prediction, ...],
    drafts: tuple[Draft | None, ...],
    trust: Trust,
    *,
    known: bool,
) -> tuple[Agreement, list[Decision]]:
    """Where things have parts, their own names tell the rules what can be done: a call of theirs runs unless the reader
    says that nothing, something else, or another thing is meant."""
    silent = _is_silent(rules)
    if len(predictions) == 1 and len(rules) == 1:
        prediction, found = predictions[0], drafts[0]
        if silent:
            return _alone_on_parts(room, rules, prediction, found, trust, known=known)
        if prediction.act == NOTHING:
            return _denied(room, rules[0], prediction, trust)
        return _both_on_parts(room, rules[0], prediction, found, trust)
    if len(predictions) > 1 and (silent or len(rules) == 1):
        return _several(room, rules, drafts, trust, silent=silent)
    if all(one.act == NOTHING and one.chance >= trust.doubt for one in predictions):
        return "differ", [_asked(room, one) for one in rules]
    return _one_of_several(room, rules, predictions, drafts, trust)


def _alone_on_parts(
    room: Room, rules: list[Decision], prediction: Prediction, found: Draft | None, trust: Trust, *, known: bool
) -> tuple[Agreement, list[Decision]]:
    """The rules are silent: a reading that the reader is sure of runs, and a command that is likely is asked about."""
    if found is None:
        return ("agree" if prediction.act == NOTHING else "rules alone"), rules
    if known or _only_asks(room, prediction) or _reserved(room, prediction):
        return "rules alone", rules
    changing = [writes(room, one) for one in found.decisions]
    if any(changing) and left_beside(room, found.decisions):
        return "rules alone", rules  # "close it when the sun sets": a question about the rest would be another one
    whole = all(changing) and not _is_lacking(found.decisions)
    likely = whole and prediction.chance >= trust.act and found.chance >= trust.ask
    if likely or prediction.chance >= trust.write:
        return "reader alone", [_asked(room, one) for one in found.decisions]
    return "rules alone", rules


def _is_lacking(decisions: Iterable[Decision]) -> bool:
    """Whether one of them asks for what is missing."""
    return any(isinstance(one, Clarify) for one in decisions)


def _denied(room: Room, one: Decision, prediction: Prediction, trust: Trust) -> tuple[Agreement, list[Decision]]:
    """The reader holds that nothing is asked for: a command is asked about, and dropped only where that is certain."""
    commands = writes(room, one) and not isinstance(one, Clarify)
    if prediction.chance >= (trust.silence if commands else trust.doubt):
        return "differ", [room.voice.nothing("out_of_scope", prediction.chance)]
    return ("differ", [_asked(room, one)]) if prediction.chance >= trust.doubt else ("rules alone", [one])


def _both_on_parts(
    room: Room, one: Decision, prediction: Prediction, found: Draft | None, trust: Trust
) -> tuple[Agreement, list[Decision]]:
    """Both name a tool for one clause."""
    same = _is_same_tool([one], prediction)
    if not same and prediction.chance < trust.testify:
        return "rules alone", [one]
    if found is None or len(found.decisions) > 1:
        return _by_tool(room, one, same=same)
    (other,) = found.decisions
    if _same(one, other):
        return "agree", [one]
    if isinstance(one, Clarify) and not isinstance(other, Clarify):
        return _completed(room, one, prediction, found, trust)
    if isinstance(other, Clarify) or (writes(room, one) and not writes(room, other)):
        return _by_tool(room, one, same=same)
    if same and found.chance < trust.doubt:
        return "rules alone", [one]
    return _differ(room, [one], prediction, found, trust)


def _by_tool(room: Room, one: Decision, *, same: bool) -> tuple[Agreement, list[Decision]]:
    """What the rules found, asked about where the reader names another tool."""
    return ("agree", [one]) if same else ("differ", [_asked(room, one)])


def _is_same_tool(rules: Iterable[Decision], prediction: Prediction) -> bool:
    """Whether all that the rules found is for the tool that the reader names."""
    return all(not isinstance(one, Nothing) and one.tool == prediction.act for one in rules)


def _completed(
    room: Room, asked: Clarify, prediction: Prediction, found: Draft, trust: Trust
) -> tuple[Agreement, list[Decision]]:
    """The rules would ask for what the reader found: a reading runs if it fits, a command is asked about if likely."""
    (other,) = found.decisions
    if isinstance(other, Nothing):
        return "rules alone", [asked]
    fits = all(other.arguments.get(name) == value for name, value in asked.arguments.items())
    if fits and not writes(room, other):
        return "reader alone", [other]
    if found.chance < trust.doubt or _reserved(room, prediction):
        return "rules alone", [asked]
    return "differ", [_asked(room, other)]


def _one_of_several(
    room: Room,
    rules: list[Decision],
    predictions: tuple[Prediction, ...],
    drafts: tuple[Draft | None, ...],
    trust: Trust,
) -> tuple[Agreement, list[Decision]]:
    """Of what the rules found the one thing that the reader sees, where all else is a question or a look at it."""
    found = drafts[0] if len(drafts) == 1 else None
    if found is None or predictions[0].chance < trust.act:
        return "rules alone", rules
    same = _shared(rules, found)
    others = [one for one in rules if one not in same]
    about = {_target(one) for one in same}
    return ("agree", same) if same and all(_is_slight(room, one, about) for one in others) else ("rules alone", rules)


def _is_slight(room: Room, one: Decision, about: Container[str | None]) -> bool:
    """Whether it is a question, or only looks at what another decision is about."""
    return isinstance(one, Clarify) or (_looks(room, one) and _target(one) in about)


def _looks(room: Room, decision: Decision) -> bool:
    """Whether a decision only looks at a thing, at none of its parts in particular."""
    if not isinstance(decision, Call) or writes(room, decision):
        return False
    parts = room.grammar.pack.params_for(decision.tool, "part")
    return bool(parts) and not any(name in decision.arguments for name in parts)


def _changes(room: Room, decision: Decision) -> bool:
    """Whether a decision would change one of the person's things."""
    target = None if isinstance(decision, Nothing) else room.grammar.pack.target_param(decision.tool)
    return isinstance(decision, Call) and target is not None and writes(room, decision)


def _accounted(room: Room, decisions: list[Decision]) -> list[Decision]:
    """The decisions of the rules alone, with writes as questions where words are left over."""
    if not any(isinstance(one, Call) and writes(room, one) for one in decisions) or not left_over(room, decisions):
        return decisions
    return [_asked(room, one) for one in decisions]


def _several(
    room: Room, rules: list[Decision], drafts: Sequence[Draft | None], trust: Trust, *, silent: bool
) -> tuple[Agreement, list[Decision]]:
    """Several clauses: the rules are better at them. The reader decides only where they find nothing."""
    known = _found(drafts)
    learned = [decision for one in known for decision in one.decisions]
    if silent:
        sure = None not in drafts and _are_likely(known, trust)
        return ("reader alone", _all_asked(room, learned)) if sure else ("rules alone", rules)
    if len(rules) == 1 and _among(rules[0], learned):
        return "agree", [one if _among(one, rules) else _asked(room, one) for one in learned]
    return ("agree" if _are_among(rules, learned) else "rules alone"), rules


def _are_likely(drafts: Sequence[Draft], trust: Trust) -> bool:
    return bool(drafts) and min(one.prediction.chance for one in drafts) >= trust.act


def _are_among(some: Iterable[Decision], others: list[Decision]) -> bool:
    return all(_among(one, others) for one in some)


def _one_or_several(
    room: Room, rules: list[Decision], prediction: Prediction, found: Draft | None, trust: Trust
) -> tuple[Agreement, list[Decision]]:
    """The rules find several things to do, the reader one clause. The rules are better at several things."""
    if found is None:
        return "rules alone", rules
    same = _shared(rules, found)
    if len(same) == len(rules) == len(found.decisions):
        return "agree", rules
    if len(same) == 1 == len(found.decisions) and _have_one_target(rules):
        return "rules alone", same  # several things would be done to the same thing
    if not same and found.chance >= trust.likelier and _is_one_chore(room, rules, prediction):
        return "differ", _all_asked(room, found.decisions)
    return "rules alone", rules


def _is_one_chore(room: Room, rules: Sequence[Decision], prediction: Prediction) -> bool:
    """Whether several things of one kind may be one: what is told is a thing to do, or no command at all.

    Guards three new tasks in place of "buy eggs, milk and bread".
    """
    chore = room.sheet.has(0, *room.grammar.book.heads) > 0
    return _is_same_tool(rules, prediction) and (chore or not _commands(room))


def _have_one_target(decisions: Iterable[Decision]) -> bool:
    targets = {_target(one) for one in decisions}
    return len(targets) == 1 and None not in targets


def _target(decision: Decision) -> Any:
    """What the first argument of a decision names: the thing it is about."""
    return None if isinstance(decision, Nothing) else next(iter(decision.arguments.values()), None)


def _found(drafts: Sequence[Draft | None]) -> list[Draft]:
    """The drafts without those whose thing does not exist, where others are about something: remarks, most likely."""
    known = [one for one in drafts if one is not None]
    return [one for one in known if not _is_lacking(one.decisions)] or known


def _shared(rules: Sequence[Decision], found: Draft) -> list[Decision]:
    """What the rules and the reader both found."""
    return [one for one in rules if _among(one, found.decisions)]


def _reader_alone(
    room: Room, rules: list[Decision], prediction: Prediction, found: Draft | None, trust: Trust, *, known: bool
) -> tuple[Agreement, list[Decision]]:
    if found is None:
        return ("agree" if prediction.act == NOTHING else "rules alone"), rules
    reserved = _reserved(room, prediction)
    if reserved and prediction.chance < trust.plain:
        return "rules alone", rules
    doubted = known or _only_asks(room, prediction)
    if doubted or moves_unnamed(room, found.decisions) or not _is_likely(room, prediction, found, trust):
        return "rules alone", rules
    if reserved or not _runs_alone(room, prediction, found, trust):
        return "reader alone", _all_asked(room, found.decisions)
    return "reader alone", list(found.decisions)


def _runs_alone(room: Room, prediction: Prediction, found: Draft, trust: Trust) -> bool:
    """Whether what the reader alone found runs: it is sure, nothing is asked, and a new thing is more than named."""
    if found.chance < trust.write or _asks(room, prediction) or _is_bare(room, prediction, found):
        return False
    names = room.grammar.pack.naming_param(prediction.act) is not None
    return not (names and left_over(room, found.decisions))  # "this song reminds me of 2006" adds nothing


def _is_likely(room: Room, prediction: Prediction, found: Draft, trust: Trust) -> bool:
    """Whether the reader is sure enough by itself, by the risk of the tool and by what it would have to ask for."""
    if _is_lacking(found.decisions) and found.chance < trust.likelier:
        return False
    risk = room.grammar.pack.tools[prediction.act].risk
    least = {"read": trust.read, "write": trust.ask, "destructive": trust.destroy}[risk]
    whole = risk == "read" and not prediction.values  # everything is shown, which is seldom meant by a remark
    return prediction.chance >= (trust.testify if whole else trust.act) and found.chance >= least


def _only_asks(room: Room, prediction: Prediction) -> bool:
    """Whether a write would come of a question about oneself: "should I add …?", "what happens if I delete …?"."""
    if room.grammar.pack.tools[prediction.act].risk == "read":
        return False
    found = moods(room.sheet.over(prediction))
    asking = [mood for mood in found if mood.name in _ASKING]
    if not asking or any(mood.name == "request" for mood in found):
        return False
    places = range(asking[0].start, min(asking[0].start + _SUBJECT, prediction.end))
    return asking[0].name == "hypothetical" or room.sheet.first(places, "first") is not None


def _asks(room: Room, prediction: Prediction) -> bool:
    """Whether a clause ends with a question mark."""
    return room.sheet.lows[prediction.end - 1] == "?"


def _reserved(room: Room, prediction: Prediction) -> bool:
    """Whether a write is denied, reported, or tied to a condition by a word that is in none of its values."""
    if room.grammar.pack.tools[prediction.act].risk == "read":
        return False
    inside = {at for value in prediction.values for at in range(value.first, value.last)}
    outside = (at for at in range(prediction.start, prediction.end) if at not in inside)
    return room.sheet.first(outside, *_RESERVING) is not None


def _is_bare(room: Room, prediction: Prediction, found: Draft) -> bool:
    """Whether a new thing is named with neither a command nor a date or a list: "buy milk", "buy milk, urgent"."""
    pack = room.grammar.pack
    naming = pack.naming_param(prediction.act)
    if naming is None:
        return False
    params = pack.tools[prediction.act].params
    slight = {name for name, param in params.items() if param.slot and pack.slots[param.slot].type == "value"}
    if any(not isinstance(one, Nothing) and one.arguments.keys() - slight - {naming} for one in found.decisions):
        return False
    return not _says_more(room, prediction)


def _says_more(room: Room, prediction: Prediction) -> bool:
    """Whether a telling word stands beside the values of a prediction."""
    inside = {at for value in prediction.values for at in range(value.first, value.last)}
    places = (at for at in range(prediction.start, prediction.end) if at not in inside)
    little, words, stems = room.grammar.little, room.sheet.words, room.sheet.stems
    return any(words[at].kind != "mark" and stems[at] not in little for at in places)


def _rules_alone(
    room: Room, rules: list[Decision], prediction: Prediction, trust: Trust
) -> tuple[Agreement, list[Decision]]:
    if not _any_writes(room, rules) or (_are_sure(rules, trust) and prediction.chance < trust.plain):
        return "rules alone", rules
    if prediction.chance >= trust.silence:
        return "differ", [room.voice.nothing("out_of_scope", prediction.chance)]
    if prediction.chance >= trust.doubt:
        return "differ", _all_asked(room, rules)
    return "rules alone", rules


def _are_sure(rules: Iterable[Decision], trust: Trust) -> bool:
    return min(one.confidence for one in rules) >= trust.plain


def _any_writes(room: Room, decisions: Iterable[Decision]) -> bool:
    return any(writes(room, one) for one in decisions)


def _both(
    room: Room, rules: list[Decision], prediction: Prediction, found: Draft | None, trust: Trust
) -> tuple[Agreement, list[Decision]]:
    same = _is_same_tool(rules, prediction)
    if found is None:
        return _no_draft(room, rules, prediction, trust, same=same)
    learned = list(found.decisions)
    if len(rules) == len(learned) and all(map(_same, rules, learned)):
        sure = found.chance >= trust.write and not _is_bare(room, prediction, found)
        return "agree", list(map(_settled, rules, learned)) if sure else rules
    if len(learned) > len(rules) and _are_among(rules, learned):
        return "differ", _all_asked(room, learned)
    if _is_longer(room, rules, learned) and prediction.chance >= trust.plain and _are_sure(rules, trust):
        return "agree", rules
    lacking = [_is_lacking(rules), _is_lacking(learned)]
    if any(lacking):
        return _one_lacks(room, rules, prediction, found, trust, lacking)
    return _both_whole(room, rules, prediction, found, trust)


def _is_longer(room: Room, rules: Sequence[Decision], learned: Sequence[Decision]) -> bool:
    """Whether an explicit command names a new thing with a word more than the reader does, and no word is left over:
    "remind me on sunday to take the lights down"."""
    if len(rules) != 1 or len(learned) != 1 or not _commands(room):
        return False
    one, other = rules[0], learned[0]
    if not isinstance(one, Call) or not isinstance(other, Call) or one.tool != other.tool:
        return False
    naming = room.grammar.pack.naming_param(one.tool)
    if naming is None or len(one.arguments) < 2 or one.arguments.keys() != other.arguments.keys():
        return False
    rest = [name for name in one.arguments if name != naming]
    if not all(_equal(one.arguments[name], other.arguments[name]) for name in rest):
        return False
    long, short = (_folded(str(each.arguments[naming])) for each in (one, other))
    if len(long.split()) - len(short.split()) != 1 or left_over(room, rules):
        return False
    return long.startswith(f"{short} ") or (long.endswith(f" {short}") and _does(room, one.evidence[naming]))


def _does(room: Room, said: Evidence) -> bool:
    """Whether a text begins with a word for doing something: "do the flashcards"."""
    starts = [at for at, word in enumerate(room.sheet.words) if said.span is not UNSET and word.start == said.span[0]]
    return room.sheet.first(starts, *room.grammar.book.heads) is not None


def _both_whole(
    room: Room, rules: list[Decision], prediction: Prediction, found: Draft, trust: Trust
) -> tuple[Agreement, list[Decision]]:
    """Both have a whole call. The rules are believed if the reader has no value, or is less sure than they are."""
    same = _is_same_tool(rules, prediction)
    if same and not prediction.values:  # the reader knows what to do, and not with what
        return ("agree" if prediction.chance >= trust.testify else "rules alone"), rules
    if found.chance < trust.testify and _are_sure(rules, trust):
        alike = same and prediction.chance >= trust.plain and _on_the_same(room, rules, found.decisions)
        return ("agree" if alike and not left_over(room, rules) else "rules alone"), rules
    return _differ(room, rules, prediction, found, trust)


def _no_draft(
    room: Room, rules: list[Decision], prediction: Prediction, trust: Trust, *, same: bool
) -> tuple[Agreement, list[Decision]]:
    """The reader has no tool for it, such as an undo, or a value cannot be read."""
    if same and prediction.chance >= trust.testify:
        return "agree", rules
    named = prediction.act in room.grammar.pack.tools
    unsure = prediction.chance * prediction.certainty < trust.testify
    if same or unsure or not named:
        return "rules alone", rules
    return "differ", [_asked(room, one) for one in rules]


def _on_the_same(room: Room, rules: Sequence[Decision], learned: Sequence[Decision]) -> bool:
    """Whether both would change the same things."""
    about = [{_target(one) for one in each} for each in (rules, learned)]
    return about[0] == about[1] and all(_changes(room, one) for one in rules)


def _one_lacks(
    room: Room, rules: list[Decision], prediction: Prediction, found: Draft, trust: Trust, lacking: list[bool]
) -> tuple[Agreement, list[Decision]]:
    """One of the two lacks something that it would ask for. A whole call is asked about in its place, if likely."""
    same = _is_same_tool(rules, prediction)
    if any(never_rings(room, one) for one in found.decisions):
        return "rules alone", rules
    if _is_new(room, rules, prediction, found, trust):
        return "reader alone", list(found.decisions)
    likely = (same and found.chance >= trust.ask) or _is_likelier(prediction, found, trust)
    if lacking == [True, False] and likely and _any_writes(room, found.decisions):
        return "differ", _all_asked(room, found.decisions)
    agrees = same and lacking == [False, True] and prediction.chance >= trust.testify
    return ("agree" if agrees else "rules alone"), rules


def _is_new(room: Room, rules: Sequence[Decision], prediction: Prediction, found: Draft, trust: Trust) -> bool:
    """Whether the rules look for a thing that is not there, and the reader is sure of a new one that says when it
    rings: "night shift sunday at 9pm, remind me two hours before"."""
    lost = all(isinstance(one, Clarify) and one.reason == "not_found" for one in rules)
    naming, how = room.grammar.pack.naming_param(prediction.act), rings(room.grammar.pack.params_of(prediction.act))
    if not lost or naming is None or how is None or found.chance < trust.write or left_over(room, found.decisions):
        return False
    return all(isinstance(one, Call) and {how[0], how[1].before} <= one.arguments.keys() for one in found.decisions)


def _differ(
    room: Room, rules: list[Decision], prediction: Prediction, found: Draft, trust: Trust
) -> tuple[Agreement, list[Decision]]:
    """Both have a whole call, and not the same: a read runs by the likelier, a write is asked about."""
    changes = _any_writes(room, rules)
    if _destroys_more(room, rules, found):
        return "differ", _all_asked(room, rules)
    if not changes and (_only_asks(room, prediction) or _asks(room, prediction)):
        return "rules alone", rules  # a question never writes
    same = _is_same_tool(rules, prediction)
    likelier = found.chance >= trust.likelier or (not same and _is_likelier(prediction, found, trust))
    better = list(found.decisions) if likelier else rules
    if changes or _any_writes(room, found.decisions):
        return "differ", _all_asked(room, better)
    return "differ", rules if any(map(_leans, rules)) else better


def _destroys_more(room: Room, rules: Sequence[Decision], found: Draft) -> bool:
    """Whether the rules change a mild value of the very thing that the reader would destroy: "delete the reminder of
    the call" names a value by its own word, and the reader has no such word."""
    tools = room.grammar.pack.tools
    wiped = tools[found.prediction.act].risk == "destructive"
    mild = all(isinstance(one, Call) and _is_mild(room, one) for one in rules)
    return wiped and mild and _on_the_same(room, rules, found.decisions)


def _is_likelier(prediction: Prediction, found: Draft, trust: Trust) -> bool:
    """Whether the reader is believed where the rules have another tool."""
    return prediction.chance >= trust.plain and found.chance >= trust.doubt


def _among(decision: Decision, others: Sequence[Decision]) -> bool:
    return any(_same(decision, other) for other in others)


def _is_plain(room: Room, decision: Decision, prediction: Prediction, trust: Trust) -> bool:
    """Whether a change is an explicit command, all words are accounted for, and the reader allows it."""
    if not isinstance(decision, Call) or not _commands(room):
        return False
    if prediction.act == decision.tool and prediction.values and prediction.certainty >= trust.doubt:
        return False  # the reader has another version of it
    new = room.grammar.pack.naming_param(decision.tool) is not None
    allowed = prediction.acts.get(decision.tool, 0.0) >= (trust.allow if new else trust.doubt)
    return allowed and decision.confidence >= trust.write and not left_over(room, [decision])


def _commands(room: Room) -> bool:
    """Whether a message begins with a command, after a courtesy."""
    return any(room.sheet.commands(at) for at in range(min(_OPENING, len(room.sheet.words))))


def _leans(decision: Decision) -> bool:
    """Whether a decision takes a value from what was said before, as a follow-up to a list does."""
    return isinstance(decision, Call) and any(one.source == "history" for one in decision.evidence.values())


def _settled(one: Decision, other: Decision) -> Decision:
    """What the rules would only ask about because they infer it runs where the reader says the same and is sure."""
    if isinstance(one, Confirm) and one.reason == "uncertain" and isinstance(other, Call) and len(one.arguments) > 1:
        return Call(tool=one.tool, arguments=one.arguments, confidence=other.confidence, evidence=one.evidence)
    return one


def _same(one: Decision, other: Decision) -> bool:
    """Whether two decisions would call the same tool with the same arguments."""
    if isinstance(one, Nothing) or isinstance(other, Nothing):
        return isinstance(one, Nothing) and isinstance(other, Nothing)
    if one.tool != other.tool:
        return False
    if isinstance(one, Clarify) or isinstance(other, Clarify):
        return isinstance(one, Clarify) and isinstance(other, Clarify)
    names = {*one.arguments, *other.arguments}
    return all(_equal(one.arguments.get(name), other.arguments.get(name)) for name in names)


def _equal(one: Any, other: Any) -> bool:
    """Whether two values mean the same; a note that is added to another one means what was said of it."""
    if isinstance(one, str) and isinstance(other, str):
        return _folded(one) == _folded(other) or one.endswith(f"\n{other}")
    return bool(one == other)


def _folded(value: str) -> str:
    """A text without what does not change it: case, spaces, and marks and emoji around it."""
    return _EDGES.sub("", " ".join(value.casefold().split()))


def _all_asked(room: Room, decisions: Iterable[Decision]) -> list[Decision]:
    return [_asked(room, one) for one in decisions]


def _asked(room: Room, decision: Decision) -> Decision:
    """A write that may be wrong, as a question; everything else as it is."""
    if not isinstance(decision, Call) or not writes(room, decision):
        return decision
    target = room.grammar.pack.target_param(decision.tool)
    thing = decision.arguments.get(target) if target is not None else None
    return room.voice.confirm(
        decision.tool, decision.arguments, decision.evidence, min(decision.confidence, 0.8), "uncertain", thing
    )
