"""Finds reasons to ask before a write runs, however sure the rules and the learned reader are.

Words that no decision accounts for: "add milk to the zorb list" with the title "milk" leaves "zorb" over. A word is
accounted for if it is in a value or in the name of a thing, if the language or the pack knows it as part of a command,
a courtesy or a filler, or if it belongs to a reason. Also: a task of the same name is open, a word names another task,
a word says that another value may be meant, or a task that is done would get a date.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

from msgspec import UNSET

from sayso.decision import Call, Confirm, Decision, Evidence, Nothing, Span
from sayso.engine.decide.room import Room
from sayso.engine.grammar.frames import Chunk
from sayso.engine.grammar.sheet import Sheet
from sayso.engine.lexicon.words import Word
from sayso.engine.slots.arguments import held_date
from sayso.engine.slots.ringing import moment_of, rings
from sayso.engine.values.when import When

CORRECTING = ("no", "correction", "repair", "other", "each", "both", "them")  # these name another thing on purpose
_REASONS = ("because", "reason", "governs")
_ENDS = frozenset(".;!?")
_BREAKS = frozenset(".;!?,:-–")


def left_over(room: Room, decisions: Iterable[Decision]) -> list[int]:
    """The places of the words that are left over."""
    grammar, sheet = room.grammar, room.sheet
    spans = _all_spans(decisions)
    known = _known(sheet)
    found: list[int] = []
    explained = False
    for at, word in enumerate(sheet.words):
        explained = (explained and word.low not in _ENDS) or bool(sheet.has(at, *_REASONS))
        telling = word.kind != "mark" and sheet.stems[at] not in grammar.little and at not in known
        if telling and not explained and not _is_in(word, spans):
            found.append(at)
    return found


def _known(sheet: Sheet) -> set[int]:
    """The places of all words of known phrases: "per favore"."""
    phrases = ((at, end) for at, edges in enumerate(sheet.edges) for ends in edges.values() for end, _ in ends)
    return {place for at, end in phrases for place in range(at, max(end, at + 1))}


def _is_in(word: Word, spans: Iterable[Span]) -> bool:
    return any(start < word.end and word.start < end for start, end in spans)


def _leaves_out(room: Room, chunks: Iterable[Chunk], spans: Sequence[Span]) -> bool:
    """Whether all words of one of these values are outside the spans."""
    words = room.sheet.words
    return any(not any(_is_in(word, spans) for word in words[one.core : one.end]) for one in chunks)


def left_near(room: Room, decisions: Sequence[Decision]) -> bool:
    """Whether a word is left over in a sentence that contains a value. A separate sentence gives a reason."""
    words = room.sheet.words
    spans = _all_spans(decisions)
    parts = list(accumulate((word.low in _ENDS for word in words), initial=0))
    own = {parts[at] for at, word in enumerate(words) if _is_in(word, spans)}
    return any(parts[at] in own for at in left_over(room, decisions))


def corrects(room: Room, decision: Decision) -> bool:
    """Whether a word corrects an earlier turn; "no" in "no reminder" does not."""
    words, spans = room.sheet.words, spans_of(decision)
    outside = (at for at, word in enumerate(words) if not _is_in(word, spans))
    return room.sheet.first(outside, *CORRECTING) is not None


def left_beside(room: Room, decisions: Sequence[Decision]) -> bool:
    """Whether a word is left over in the same part of the message as a value, or a figure anywhere.

    Parts are divided by marks: "guests are gone, switch off the sauna" gives a reason in the first one.
    """
    words = room.sheet.words
    spans = _all_spans(decisions)
    taken = [_is_in(word, spans) for word in words]
    if any(not said and any(map(str.isdigit, word.text)) for word, said in zip(words, taken, strict=True)):
        return True
    parts = list(accumulate((word.low in _BREAKS for word in words), initial=0))[1:]
    own = {part for part, said in zip(parts, taken, strict=True) if said}
    return any(parts[at] in own for at in left_over(room, decisions))


def spans_of(decision: Decision) -> list[tuple[int, int]]:
    """Where in the message the values of a decision are said."""
    if isinstance(decision, Nothing):
        return []
    evidence = getattr(decision, "evidence", {}).values()
    return [one.span for one in evidence if one.span is not UNSET]


def _all_spans(decisions: Iterable[Decision]) -> list[tuple[int, int]]:
    return [span for one in decisions for span in spans_of(one)]


def is_doubtful(room: Room, decision: Decision) -> bool:
    """Whether Sayso asks about a write although the witnesses are sure of it."""
    return (
        _exists(room, decision)
        or _doubted(room, decision)
        or _names_another(room, decision)
        or never_rings(room, decision)
        or dates_closed(room, decision)
        or _holds_two(room, decision)
        or _hides_date(room, decision)
        or _leaves_group(room, decision)
        or _is_beside_unnamed(room, decision)
    )


def _is_beside_unnamed(room: Room, decision: Decision) -> bool:
    """Whether the thing of the turn before would be changed, and words are left over: "tomorrow the clocks change and
    half of them will be late" may be a remark. A correction of the turn before changes it, and names another thing."""
    if not isinstance(decision, Call) or not is_unnamed(room, [decision]):
        return False
    things, left = room.scene.things, left_over(room, [decision])
    return bool(left) and not things.search([room.sheet.stems[at] for at in left])


def _leaves_group(room: Room, decision: Decision) -> bool:
    """Whether a new thing has no group, although the message names one beside its noun: "…, jobs list"."""
    pack = room.grammar.pack
    if not isinstance(decision, Call) or pack.naming_param(decision.tool) is None:
        return False
    groups = [name for name, one in pack.tools[decision.tool].params.items() if one.slot in room.grammar.shared]
    if not groups or any(decision.arguments.get(name) for name in groups):
        return False
    spans = _all_spans([decision])
    named = (
        one for here in room.sheet.chunks.values() for one in here if one.slot in room.grammar.shared and not one.cost
    )
    return _leaves_out(room, named, spans)


def dates_closed(room: Room, decision: Decision) -> bool:
    """Whether a closed thing would get a date, a repeat or a reminder, and its full name was not said.

    After "done", "zoo trip on tuesday" is a new thing and not a new date for "book coach for zoo trip".
    """
    pack, things = room.grammar.pack, room.scene.things
    target = pack.target_param(decision.tool) if isinstance(decision, Call | Confirm) else None
    if target is None or not isinstance(decision, Call | Confirm):
        return False
    among = pack.tools[decision.tool].several or {}
    thing = things.get(str(decision.arguments.get(target)))
    if thing is None or all(thing.text(field) == value for field, value in among.items()):
        return False
    if decision.arguments.keys().isdisjoint(pack.params_for(decision.tool, "date", "repeat", "lead")):
        return False
    reopens = any(decision.arguments.get(f"new_{field}") == value for field, value in among.items())
    return not reopens and all(named != thing.id for _, _, named in things.mentions(room.sheet.stems))


def leaves_date(room: Room, decisions: Sequence[Decision]) -> bool:
    """Whether a date is left over beside decisions about the thing of the turn before, or new things without a date.

    "mum's birthday is on the 3rd, remind me two days before" is about another thing.
    """
    if not decisions or not all(_is_unnamed(_target_proof(room, one)) or _is_undated(room, one) for one in decisions):
        return False
    spans = _all_spans(decisions)
    dates = (one for here in room.sheet.chunks.values() for one in here if isinstance(one.value, When) and one.floats)
    return _leaves_out(room, dates, spans)


def has_other_date(room: Room, decisions: Sequence[Decision]) -> bool:
    """Whether a date is not in any value for a date, a repeat or a lead time: it may be the one that is meant."""
    pack, spans = room.grammar.pack, list[Span]()
    for one in decisions:
        if isinstance(one, Call | Confirm):
            timed = (one.evidence.get(name) for name in pack.params_for(one.tool, "date", "repeat", "lead"))
            spans += [said.span for said in timed if said is not None and said.span is not UNSET]
    dates = (one for here in room.sheet.chunks.values() for one in here if isinstance(one.value, When))
    return _leaves_out(room, dates, spans)


def _is_undated(room: Room, decision: Decision) -> bool:
    """Whether a decision creates a new thing without a date."""
    pack = room.grammar.pack
    if not isinstance(decision, Call | Confirm) or pack.naming_param(decision.tool) is None:
        return False
    return decision.arguments.keys().isdisjoint(pack.params_for(decision.tool, "date", "repeat"))


def _target_proof(room: Room, decision: Decision) -> Evidence | None:
    target = room.grammar.pack.target_param(decision.tool) if isinstance(decision, Call | Confirm) else None
    return decision.evidence.get(target) if isinstance(decision, Call | Confirm) and target is not None else None


def never_rings(room: Room, decision: Decision) -> bool:
    """Whether a new thing has to ring but has no date: it has a lead time, or has to ring at an event ("when I get
    home")."""
    how = rings(room.grammar.pack.params_of(decision.tool)) if isinstance(decision, Call) else None
    if how is None or not isinstance(decision, Call) or room.grammar.pack.target_param(decision.tool) is not None:
        return False
    if decision.arguments.get(how[1].before) is not None:
        return False
    worded = room.grammar.pack.params_of(decision.tool)[how[0]].worded
    asked = worded is not None and room.sheet.whole.holds(worded.by)
    return decision.arguments.get(how[0]) is not None or (asked and room.sheet.whole.holds(*how[1].never))


def _holds_two(room: Room, decision: Decision) -> bool:
    """Whether the name of a new thing may be the names of two, with a date each: "pay the rent on friday and the gas
    on saturday"."""
    pack, sheet = room.grammar.pack, room.sheet
    naming = pack.naming_param(decision.tool) if isinstance(decision, Call) else None
    if not isinstance(decision, Call) or naming is None:
        return False
    named = decision.evidence.get(naming)
    dated = [decision.evidence.get(name) for name in pack.params_for(decision.tool, "date")]
    last = max((one.span[0] for one in dated if one is not None and one.span is not UNSET), default=0)
    if named is None or named.span is UNSET or last < named.span[1]:
        return False
    inside = [at for at, word in enumerate(sheet.words) if _is_in(word, [named.span])]
    ends = {one.end for at in inside for one in sheet.chunks.get(at, ()) if pack.slots[one.slot].type == "date"}
    return any(at in ends and sheet.has(at, "link") for at in inside)


def _hides_date(room: Room, decision: Decision) -> bool:
    """Whether a thing would be changed, and a date among the words that name it is neither in its title nor its own
    date: "make the gym a tuesday job, every week"."""
    said = _target_proof(room, decision)
    if not isinstance(decision, Call) or said is None or said.span is UNSET or not writes(room, decision):
        return False
    thing = room.scene.things.get(str(decision.arguments[room.grammar.pack.target_param(decision.tool) or ""]))
    dates = room.grammar.pack.params_for(decision.tool, "date")
    if thing is None or not dates:
        return False
    held = {day for name in dates if (kept := held_date(thing, name)) is not None for day in kept[:1]}
    own = {*room.scene.things.label_stems(thing.id), *room.grammar.little}
    for one in (one for here in room.sheet.chunks.values() for one in here):
        inside = all(_is_in(word, [said.span]) for word in room.sheet.words[one.start : one.end])
        other = isinstance(one.value, When) and one.value.day not in held
        if inside and other and not own.issuperset(room.sheet.stems[one.core : one.end]):
            return True
    return False


def _exists(room: Room, decision: Decision) -> bool:
    """Whether a decision would add a thing although an open one has the same name."""
    things = room.scene.things
    if not isinstance(decision, Call) or not len(things):
        return False
    naming = room.grammar.pack.naming_param(decision.tool)
    if naming is None:
        return False
    said = things.telling(things.stems_of(str(decision.arguments.get(naming, ""))))
    same = (things.get(hit.id) for hit in things.search(said) if things.telling(things.label_stems(hit.id)) == said)
    return any(one is not None and one.text("status") != "completed" for one in same)


def _names_another(room: Room, decision: Decision) -> bool:
    """Whether a change of "it" leaves a word over that is in the name of another open thing.

    "no, I meant the boiler" and "the other one" correct an earlier turn: they name another thing on purpose.
    """
    target = None if isinstance(decision, Nothing) else room.grammar.pack.target_param(decision.tool)
    if not isinstance(decision, Call) or target is None or not writes(room, decision):
        return False
    given = decision.evidence.get(target)
    if given is None or given.source != "history":
        return False
    return not room.sheet.whole.holds(*CORRECTING) and _has_word_of_another(room, decision, target)


def _has_word_of_another(room: Room, decision: Call, target: str) -> bool:
    """Whether a word beside the values of a decision is in the name of an open thing that it is not about."""
    sheet, things = room.sheet, room.scene.things
    spans, own = spans_of(decision), set(things.label_stems(str(decision.arguments[target])))
    outside = (at for at, word in enumerate(sheet.words) if not _is_in(word, spans))
    said = {sheet.stems[at] for at in outside} - own - room.grammar.little
    others = (one for one in things.entities if one.text("status") != "completed")
    return any(said.intersection(things.telling(things.label_stems(one.id))) for one in others)


def _doubted(room: Room, decision: Decision) -> bool:
    """Whether a word of the message says that another value may be meant: "make the reminder two hours" moves nothing.
    After talk of a reminder, a bare duration may be a lead time too: "better half an hour". A thing without a date, or
    with a past one, can only get a date: "remind me again at 5"."""
    if not isinstance(decision, Call):
        return False
    params = room.grammar.pack.tools[decision.tool].params
    if (how := rings(room.grammar.pack.params_of(decision.tool))) and decision.arguments.get(how[0]) is not None:
        return False  # the words about ringing have their own value
    doubted = [
        given for given in decision.arguments if params[given].doubted_by and not _is_over(room, decision, given)
    ]
    names = frozenset().union(*(params[given].doubted_by for given in doubted))
    if not names or room.sheet.whole.holds(*names):
        return bool(names)
    earlier = room.scene.mentioned
    return earlier is not None and any(_is_length(room, decision, given) for given in doubted) and earlier(names)


def _is_over(room: Room, decision: Call, given: str) -> bool:
    """Whether a thing has no future date in the field that a value changes, and the value is not a duration."""
    target = room.grammar.pack.target_param(decision.tool)
    thing = room.scene.things.get(str(decision.arguments.get(target))) if target is not None else None
    if (
        thing is None
        or room.grammar.pack.slots[room.grammar.pack.tools[decision.tool].params[given].slot or ""].type != "date"
    ):
        return False
    held = held_date(thing, given)
    if held is None:
        return not _is_length(room, decision, given)
    return moment_of(*held) <= room.now.replace(tzinfo=None)


def _is_length(room: Room, decision: Call, given: str) -> bool:
    """Whether the words of a value are only a duration."""
    said, repeats = decision.evidence.get(given), room.grammar.repeats
    if said is None or said.span is UNSET or repeats is None:
        return False
    inside = [at for at, word in enumerate(room.sheet.words) if _is_in(word, [said.span])]
    return bool(inside) and repeats.leads.read(room.sheet.lows, inside[0], inside[-1] + 1, room.now) is not None


def moves_unnamed(room: Room, decisions: Sequence[Decision]) -> bool:
    """Whether the thing of the turn before would be put into a group, although other words may name the thing meant:
    "rooibos to groceries"."""
    pack = room.grammar.pack
    for one in decisions:
        if isinstance(one, Nothing) or one.tool is None:
            continue
        slots = (pack.tools[one.tool].params[name].slot for name in one.arguments)
        said = getattr(one, "evidence", {}).get(pack.target_param(one.tool))
        if _is_unnamed(said) and any(slot and pack.slots[slot].type == "shared" for slot in slots):
            return bool(left_over(room, decisions))
    return False


def is_unnamed(room: Room, decisions: Iterable[Decision]) -> bool:
    """Whether one of them changes the thing of the turn before although the message has no word of its name."""
    return any(_is_unnamed(_target_proof(room, one)) for one in decisions)


def _is_unnamed(proof: Evidence | None) -> bool:
    return proof is not None and proof.source == "history" and proof.span is UNSET


def writes(room: Room, decision: Decision) -> bool:
    if isinstance(decision, Nothing) or decision.tool is None:
        return False
    tool = room.grammar.pack.tools.get(decision.tool)
    return tool is None or tool.risk != "read"
