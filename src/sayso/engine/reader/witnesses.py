"""Compares the rules with the learned reader.

If both agree on tool and arguments, the call runs. If one finds nothing, the other's probability decides between a
call, a question and nothing. If they differ, the likelier read runs, and a write requires confirmation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec import UNSET

from sayso.decision import Call, Clarify, Confirm, Decision, Evidence, Nothing, Span
from sayso.engine.decide.room import Room
from sayso.engine.grammar.moods import moods
from sayso.engine.grammar.sheet import Stretch
from sayso.engine.reader.compare import (
    Agreement,
    Trust,
    among,
    any_writes,
    are_among,
    as_question,
    as_questions,
    asks,
    differ,
    differ_in_direction,
    equal,
    folded,
    is_lacking,
    is_likelier,
    is_mild,
    is_reserved,
    is_same,
    is_same_tool,
    is_silent,
    leans,
    on_the_same,
    only_asks,
    several,
    shared,
    target,
)
from sayso.engine.reader.decisions import asked_when, draft, named_by_rest, together, undated
from sayso.engine.reader.doubts import (
    corrects,
    has_other_date,
    is_doubtful,
    is_unnamed,
    leaves_date,
    left_beside,
    left_near,
    left_over,
    moves_unnamed,
    never_rings,
    writes,
)
from sayso.engine.reader.on_parts import weigh_parts
from sayso.engine.reader.read import NOTHING, Draft, Prediction
from sayso.engine.slots.ringing import rings

_OPENING = 3  # words among which a command begins, after a courtesy


class Verdict(NamedTuple):
    """The decisions for a message, and how far the two witnesses agree."""

    decisions: list[Decision]
    agreement: Agreement
    drafts: tuple[Draft | None, ...] = ()
    predictions: tuple[Prediction, ...] = ()


def weigh(
    room: Room, rules: list[Decision], predictions: tuple[Prediction, ...], trust: Trust, *, known: bool = False
) -> Verdict:
    """The decisions of both witnesses together. `known`: the rules know the message, but may have no tool for it."""
    parted = bool(room.grammar.acts_on_parts)
    if not predictions:  # things with parts account for the words themselves
        return Verdict(rules if parted else _accounted(room, rules), "no reader")
    predictions, drafts = _drafted(room, predictions)
    if parted:
        agreement, decisions = weigh_parts(room, rules, predictions, drafts, trust, known=known)
        if left_beside(room, [one for one in decisions if isinstance(one, Call)]):
            decisions = as_questions(room, decisions)
        return Verdict(decisions, agreement, drafts, predictions)
    if leaves_date(room, rules):
        decisions = _with_date(room, drafts, trust) or as_questions(room, rules)
        return Verdict(decisions, "differ", drafts, predictions)
    agreement, decisions = _without_parts(room, rules, predictions, drafts, trust, known=known)
    if agreement == "rules alone":
        decisions = _unconfirmed(room, decisions, predictions[0], drafts, trust)
    decisions = _with_mild(room, rules, decisions)
    decisions = [_settled(room, one, rules, drafts, trust) for one in decisions]
    decisions = [as_question(room, one) if is_doubtful(room, one) else one for one in decisions]
    if {type(one) for one in decisions} == {Call, Confirm} and _are_for_group(room, decisions):
        decisions = as_questions(room, decisions)
    return Verdict(decisions, agreement, drafts, predictions)


def _with_date(room: Room, drafts: Sequence[Draft | None], trust: Trust) -> list[Decision]:
    """The reader's decisions, as questions, if it uses all dates."""
    found = drafts[0] if len(drafts) == 1 else None
    if found is None or found.chance < trust.ask or is_lacking(found.decisions) or leaves_date(room, found.decisions):
        return []
    return as_questions(room, found.decisions)


def _drafted(
    room: Room, predictions: tuple[Prediction, ...]
) -> tuple[tuple[Prediction, ...], tuple[Draft | None, ...]]:
    """The predictions with their drafts. "It" in one may be the thing of the one before."""
    predictions = together(room.grammar.pack, predictions)
    drafts: list[Draft | None] = []
    for one in predictions:
        found = draft(room, one)
        drafts.append(found)
        named = [target(each) for each in found.decisions] if found is not None else []
        room = room._replace(scene=room.scene.mention([each for each in named if room.scene.knows([str(each)])]))
    pairs = zip(predictions, drafts, strict=True)
    return tuple(one if found is None else found.prediction for one, found in pairs), tuple(drafts)


def _with_mild(room: Room, rules: Sequence[Decision], decisions: list[Decision]) -> list[Decision]:
    """A change of only mild values runs if the rules are sure of it, and every word is accounted for."""
    asked = decisions[0] if len(decisions) == 1 else None
    if not isinstance(asked, Confirm) or asked.reason != "uncertain":
        return decisions
    backed: list[Decision] = [one for one in rules if isinstance(one, Call) and is_same(one, asked)]
    if not backed or not is_mild(room, asked):
        return decisions
    if corrects(room, asked) or left_near(room, decisions):
        return decisions
    return backed[:1]


def _without_parts(
    room: Room,
    rules: list[Decision],
    predictions: tuple[Prediction, ...],
    drafts: tuple[Draft | None, ...],
    trust: Trust,
    *,
    known: bool,
) -> tuple[Agreement, list[Decision]]:
    """For things without parts: by how many clauses each witness finds, and whether one of them finds nothing."""
    silent = is_silent(rules)
    if len(predictions) > 1:
        return several(room, rules, drafts, trust, silent=silent)
    if len(rules) > 1:
        return _one_or_several(room, rules, predictions[0], drafts[0], trust)
    if silent:
        return _reader_alone(room, rules, predictions[0], drafts[0], trust, known=known)
    if predictions[0].act == NOTHING:
        return _rules_alone(room, rules, predictions[0], trust)
    return _both(room, rules, predictions[0], drafts[0], trust)


def _unconfirmed(
    room: Room,
    decisions: list[Decision],
    prediction: Prediction,
    drafts: tuple[Draft | None, ...],
    trust: Trust,
) -> list[Decision]:
    """The decisions that only the rules find: as questions, unless the reader shares them or they are plain enough."""
    learned = [one for found in drafts if found is not None for one in found.decisions]
    plain = len(decisions) == 1 and _is_plain(room, decisions[0], prediction, trust)
    return [one if plain or among(one, learned) or leans(one) else as_question(room, one) for one in decisions]


def _are_for_group(room: Room, decisions: Sequence[Decision]) -> bool:
    """Whether several new things are created, some of them for a group. If Sayso asks about one, it asks about all:
    they may be one thing, or the group may be meant for all."""
    pack, grouped = room.grammar.pack, False
    for one in decisions:
        if not isinstance(one, Call | Confirm) or pack.naming_param(one.tool) is None:
            return False
        grouped = grouped or any(one.arguments.get(name) for name in pack.params_for(one.tool, "shared"))
    return grouped and len(decisions) > 1


def _accounted(room: Room, decisions: list[Decision]) -> list[Decision]:
    """The decisions of the rules without a reader, with writes as questions if words are left over."""
    if not any(isinstance(one, Call) and writes(room, one) for one in decisions) or not left_over(room, decisions):
        return decisions
    return [as_question(room, one) for one in decisions]


def _one_or_several(
    room: Room, rules: list[Decision], prediction: Prediction, found: Draft | None, trust: Trust
) -> tuple[Agreement, list[Decision]]:
    """The rules find several requests, the reader one clause. The rules are better at several requests."""
    if found is None:
        return "rules alone", rules
    same = shared(rules, found)
    if len(same) == len(rules) == len(found.decisions):
        return "agree", rules
    if len(same) == 1 == len(found.decisions) and _have_one_target(rules):
        return "rules alone", same  # several acts would affect the same thing
    if not same and found.chance >= trust.likelier and _is_one_chore(room, rules, prediction):
        return "differ", as_questions(room, found.decisions)
    return "rules alone", rules


def _is_one_chore(room: Room, rules: Sequence[Decision], prediction: Prediction) -> bool:
    """Whether several things of one kind may be one: the message begins like a thing to do, or is not a command.

    Guards three new tasks in place of "buy eggs, milk and bread".
    """
    chore = room.sheet.has(0, *room.grammar.book.heads) > 0
    return is_same_tool(rules, prediction) and (chore or not _commands(room))


def _have_one_target(decisions: Iterable[Decision]) -> bool:
    targets = {target(one) for one in decisions}
    return len(targets) == 1 and None not in targets


def _reader_alone(
    room: Room, rules: list[Decision], prediction: Prediction, found: Draft | None, trust: Trust, *, known: bool
) -> tuple[Agreement, list[Decision]]:
    if found is None:
        when = asked_when(room, prediction) if not known and prediction.chance >= trust.plain else None
        if when is not None and not is_reserved(room, prediction) and not only_asks(room, prediction):
            return "reader alone", [when]
        return ("agree" if prediction.act == NOTHING else "rules alone"), rules
    found = named_by_rest(room, found)
    reserved = is_reserved(room, prediction)
    if reserved and prediction.chance < trust.plain:
        return "rules alone", rules
    asking = only_asks(room, prediction)
    doubted = known and not _is_sure_command(room, prediction, trust)
    doubted = doubted or (asking and not _asks_for_new(room, prediction, found, trust))
    if doubted or moves_unnamed(room, found.decisions) or not _is_likely(room, prediction, found, trust):
        return "rules alone", rules
    if reserved or known or asking or not _runs_alone(room, prediction, found, trust):
        return "reader alone", as_questions(room, found.decisions)
    return "reader alone", list(found.decisions)


def _asks_for_new(room: Room, prediction: Prediction, found: Draft, trust: Trust) -> bool:
    """Whether a question surely asks for a new thing with a date or a list: "is it possible to add, for friday, …"."""
    new = room.grammar.pack.naming_param(prediction.act) is not None
    return new and prediction.chance >= trust.plain and not _has_only_name(room, prediction, found)


def _is_sure_command(room: Room, prediction: Prediction, trust: Trust) -> bool:
    """Whether the reader is sure of the act, and the message begins with a command: "add mix track 5" adds a task, and
    does not ask for music."""
    return prediction.chance >= trust.plain and _commands(room)


def _runs_alone(room: Room, prediction: Prediction, found: Draft, trust: Trust) -> bool:
    """Whether the reader's decision runs although the rules have none: it is sure, no question, and not just a name."""
    if found.chance < trust.write or asks(room, prediction) or _is_bare(room, prediction, found):
        return False
    names = room.grammar.pack.naming_param(prediction.act) is not None
    if names or is_unnamed(room, found.decisions):  # "this song reminds me of 2006" adds nothing
        return not left_over(room, found.decisions)
    return True


def _is_likely(room: Room, prediction: Prediction, found: Draft, trust: Trust) -> bool:
    """Whether the reader is sure enough without the rules, given the risk of the tool and the values that are missing.
    If it is sure of the act, or that a change is meant, it may be less sure of the rest: a question is worth more than
    a refusal."""
    sure = prediction.chance >= trust.plain
    if is_lacking(found.decisions) and found.chance < (trust.doubt if sure else trust.likelier):
        return False
    risk = room.grammar.pack.tools[prediction.act].risk
    if risk == "read":  # without a value everything is shown, which is seldom meant by a remark
        return prediction.chance >= (trust.act if prediction.values else trust.testify) and found.chance >= trust.read
    if risk == "destructive":
        least = trust.doubt if sure and _commands(room) else trust.destroy
    else:
        least = trust.hint if sure else trust.ask
    return (prediction.chance >= trust.act or _is_change(room, prediction, trust)) and found.chance >= least


def _is_change(room: Room, prediction: Prediction, trust: Trust) -> bool:
    """Whether the reader is sure that the message requests a change, but not of the tool."""
    tools = room.grammar.pack.tools
    return (
        sum(chance for act, chance in prediction.acts.items() if act in tools and tools[act].risk == "write")
        >= trust.plain
    )


def _is_bare(room: Room, prediction: Prediction, found: Draft) -> bool:
    """Whether a new thing is named with neither a command nor a date or a list: "buy milk", "buy milk, urgent"."""
    return _has_only_name(room, prediction, found) and not _says_more(room, prediction)


def _has_only_name(room: Room, prediction: Prediction, found: Draft) -> bool:
    """Whether a new thing gets a name but no date or list."""
    pack = room.grammar.pack
    naming = pack.naming_param(prediction.act)
    if naming is None:
        return False
    params = pack.tools[prediction.act].params
    slight = {name for name, param in params.items() if param.slot and pack.slots[param.slot].type == "value"}
    return all(isinstance(one, Nothing) or not one.arguments.keys() - slight - {naming} for one in found.decisions)


def _says_more(room: Room, prediction: Prediction) -> bool:
    """Whether the clause has a telling word outside the values of a prediction."""
    inside = {at for value in prediction.values for at in range(value.first, value.last)}
    places = (at for at in range(prediction.start, prediction.end) if at not in inside)
    return any(map(room.sheet.tells, places))


def _rules_alone(
    room: Room, rules: list[Decision], prediction: Prediction, trust: Trust
) -> tuple[Agreement, list[Decision]]:
    if not any_writes(room, rules) or (_are_sure(rules, trust) and prediction.chance < trust.plain):
        return "rules alone", rules
    if prediction.chance >= trust.silence:
        return "differ", [room.voice.nothing("out_of_scope", prediction.chance)]
    if prediction.chance >= trust.doubt:
        return "differ", as_questions(room, rules)
    return "rules alone", rules


def _are_sure(rules: Iterable[Decision], trust: Trust) -> bool:
    return min(one.confidence for one in rules) >= trust.plain


def _both(
    room: Room, rules: list[Decision], prediction: Prediction, found: Draft | None, trust: Trust
) -> tuple[Agreement, list[Decision]]:
    same = is_same_tool(rules, prediction)
    if found is None:
        return _no_draft(room, rules, prediction, trust, same=same)
    learned = list(found.decisions)
    same_calls = len(rules) == len(learned) and all(map(is_same, rules, learned))
    if same_calls or differ_in_direction(room, rules, learned):
        return "agree", rules
    if (len(learned) > len(rules) and are_among(rules, learned)) or _are_apart(room, rules, learned):
        return "differ", as_questions(room, learned)
    sure = prediction.chance >= trust.plain and _are_sure(rules, trust)
    if sure and (_is_longer(room, rules, learned) or _names_command(room, rules, learned)):
        return "agree", rules
    lacking = [is_lacking(rules), is_lacking(learned)]
    if any(lacking):
        return _one_lacks(room, rules, prediction, found, trust, lacking)
    return _both_whole(room, rules, prediction, found, trust)


def _settled(
    room: Room, one: Decision, rules: Sequence[Decision], drafts: Iterable[Draft | None], trust: Trust
) -> Decision:
    """A decision that the rules only ask about because they infer it. It runs if the reader has the same decision."""
    if not isinstance(one, Confirm) or one.reason != "uncertain" or one not in rules:
        return one
    for found in drafts:
        same = found is not None and any(isinstance(other, Call) and is_same(one, other) for other in found.decisions)
        if found is not None and same and _runs_agreed(room, one, found, trust):
            confidence = max(one.confidence, found.prediction.chance)
            return Call(tool=one.tool, arguments=one.arguments, confidence=confidence, evidence=one.evidence)
    return one


def _runs_agreed(room: Room, one: Confirm, found: Draft, trust: Trust) -> bool:
    """Whether a change that both witnesses find runs: the reader is sure of every value, or a thing is named, or a new
    thing is the only one in the message, has one date, and is not a plan."""
    pack, prediction = room.grammar.pack, found.prediction
    if prediction.chance < trust.write or (len(found.decisions) > 1 and pack.naming_param(one.tool) is not None):
        return False
    if found.chance >= trust.write and len(one.arguments) > 1 and not _is_bare(room, prediction, found):
        return True
    if (target := pack.target_param(one.tool)) is not None:
        return room.scene.things.is_named(str(one.arguments.get(target)), room.sheet.whole)
    if _has_only_name(room, prediction, found) or has_other_date(room, found.decisions):
        return False
    return all(mood.name != "plan" for mood in moods(room.sheet.over(prediction)))


def _is_longer(room: Room, rules: Sequence[Decision], learned: Sequence[Decision]) -> bool:
    """Whether an explicit command names a new thing with one word more than the reader does, and no word is left over:
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
    if not all(equal(one.arguments[name], other.arguments[name]) for name in rest):
        return False
    long, short = (folded(str(each.arguments[naming])) for each in (one, other))
    if len(long.split()) - len(short.split()) != 1 or left_over(room, rules):
        return False
    return long.startswith(f"{short} ") or (long.endswith(f" {short}") and _does(room, one.evidence[naming]))


def _names_command(room: Room, rules: Sequence[Decision], learned: Sequence[Decision]) -> bool:
    """Whether the reader includes the verb of a command in each name, beside a group that is named with its noun: "put
    cheese on the shopping list"."""
    naming = room.grammar.pack.naming_param(getattr(rules[0], "tool", ""))
    if naming is None or len(rules) != len(learned) or not room.sheet.groups or not room.sheet.commands(0):
        return False
    verb = folded(room.sheet.words[0].text)
    return all(_differs_by(verb, naming, one, other) for one, other in zip(rules, learned, strict=True))


def _differs_by(word: str, param: str, one: Decision, other: Decision) -> bool:
    """Whether the second of two calls has one more word, at the beginning of an argument."""
    if not isinstance(one, Call) or not isinstance(other, Call) or one.tool != other.tool:
        return False
    if param not in one.arguments or one.arguments.keys() != other.arguments.keys():
        return False
    rest = (name for name in one.arguments if name != param)
    short, long = (folded(str(each.arguments[param])) for each in (one, other))
    return long == f"{word} {short}" and all(equal(one.arguments[name], other.arguments[name]) for name in rest)


def _are_apart(room: Room, rules: Sequence[Decision], learned: Sequence[Decision]) -> bool:
    """Whether the rules name one new thing with the words of several that the reader finds, each with its own date:
    "remind me at 8 to phone the GP and at 6 to order formula"."""
    if len(rules) != 1 or len(learned) < 2 or not isinstance(rules[0], Call):
        return False
    pack, one = room.grammar.pack, rules[0]
    naming, dates = pack.naming_param(one.tool), pack.params_for(one.tool, "date")
    if naming is None or left_over(room, learned):
        return False
    calls = [each for each in learned if isinstance(each, Call) and each.tool == one.tool]
    within = all(folded(str(each.arguments.get(naming))) in folded(str(one.arguments[naming])) for each in calls)
    dated = {tuple(each.arguments.get(name) for name in dates) for each in calls}
    return len(dated) == len(calls) == len(learned) and within


def _does(room: Room, said: Evidence) -> bool:
    """Whether a text begins with a word for doing something: "do the flashcards"."""
    starts = [at for at, word in enumerate(room.sheet.words) if said.span is not UNSET and word.start == said.span[0]]
    return room.sheet.first(starts, *room.grammar.book.heads) is not None


def _both_whole(
    room: Room, rules: list[Decision], prediction: Prediction, found: Draft, trust: Trust
) -> tuple[Agreement, list[Decision]]:
    """Both have a complete call. The rules are believed if the reader has no value, or is less sure than they are."""
    same = is_same_tool(rules, prediction)
    if same and not prediction.values:  # the reader knows the act, but not its values
        return ("agree" if prediction.chance >= trust.testify else "rules alone"), rules
    if found.chance < trust.testify and _are_sure(rules, trust):
        alike = same and prediction.chance >= trust.plain and on_the_same(room, rules, found.decisions)
        return ("agree" if alike and not left_over(room, rules) else "rules alone"), rules
    return differ(room, rules, prediction, found, trust)


def _no_draft(
    room: Room, rules: list[Decision], prediction: Prediction, trust: Trust, *, same: bool
) -> tuple[Agreement, list[Decision]]:
    """The reader has no tool for it, such as an undo, or a value cannot be read."""
    if same and prediction.chance >= trust.testify:
        if not _leaves_value_unread(room, rules, prediction):
            return "agree", rules
        when = asked_when(room, prediction) if _takes_date_for_text(room, rules, prediction) else None
        if when is None or target(when) != target(rules[0]):
            return "differ", as_questions(room, rules)
        rest = draft(room, undated(room.grammar.pack, prediction))  # a new name beside the date
        return "differ", [when] if rest is None or is_lacking(rest.decisions) else as_questions(room, rest.decisions)
    named = prediction.act in room.grammar.pack.tools
    unsure = prediction.chance * prediction.certainty < trust.testify
    if same or unsure or not named:
        return "rules alone", rules
    return "differ", [as_question(room, one) for one in rules]


def _takes_date_for_text(room: Room, rules: Sequence[Decision], prediction: Prediction) -> bool:
    """Whether the one change of the rules writes a text that the reader marks as a date: "the week after"."""
    one, pack = rules[0] if len(rules) == 1 else None, room.grammar.pack
    if not isinstance(one, Call) or pack.target_param(one.tool) is None:
        return False
    texts = [one.evidence[name].span for name in pack.params_for(one.tool, "text") if name in one.evidence]
    dates = [value for value in prediction.values if value.slot in pack.params_for(one.tool, "date")]
    spans = [Stretch(room.sheet, value.first, value.last).span for value in dates]
    return any(text and _overlap(text, span) for text in texts for span in spans)


def _leaves_value_unread(room: Room, rules: Sequence[Decision], prediction: Prediction) -> bool:
    """Whether the reader marks words as a date or the like, and the rules read no value from them."""
    typed = room.grammar.pack.params_for(prediction.act, "date", "repeat", "lead", "shared", "value")
    calls = [one for one in rules if isinstance(one, Call | Confirm)]
    given = {name for one in calls for name in one.arguments}
    read = [one.evidence[name].span for one in calls for name in one.evidence if name in typed]
    lacking = [value for value in prediction.values if value.slot in typed and value.slot not in given]
    spans = [Stretch(room.sheet, value.first, value.last).span for value in lacking]
    unread = [one for one in spans if not any(other and _overlap(one, other) for other in read)]
    return bool(calls) and bool(unread)


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _one_lacks(
    room: Room, rules: list[Decision], prediction: Prediction, found: Draft, trust: Trust, lacking: list[bool]
) -> tuple[Agreement, list[Decision]]:
    """One of the two lacks a value that it would ask for. If the other's full call is likely, Sayso asks about that."""
    same = is_same_tool(rules, prediction)
    if any(never_rings(room, one) for one in found.decisions):
        return "rules alone", rules
    if _is_new(room, rules, prediction, found, trust):
        return "reader alone", list(found.decisions)
    likely = (same and found.chance >= trust.ask) or is_likelier(prediction, found, trust)
    if lacking == [True, False] and likely and any_writes(room, found.decisions):
        return "differ", as_questions(room, found.decisions)
    agrees = same and lacking == [False, True] and prediction.chance >= trust.testify
    return ("agree" if agrees else "rules alone"), rules


def _is_new(room: Room, rules: Sequence[Decision], prediction: Prediction, found: Draft, trust: Trust) -> bool:
    """Whether the rules look for a thing that does not exist, and the reader is sure of a new one that says when it
    rings: "night shift sunday at 9pm, remind me two hours before"."""
    lost = all(isinstance(one, Clarify) and one.reason == "not_found" for one in rules)
    naming, how = room.grammar.pack.naming_param(prediction.act), rings(room.grammar.pack.params_of(prediction.act))
    if not lost or naming is None or how is None or found.chance < trust.write or left_over(room, found.decisions):
        return False
    return all(isinstance(one, Call) and {how[0], how[1].before} <= one.arguments.keys() for one in found.decisions)


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
