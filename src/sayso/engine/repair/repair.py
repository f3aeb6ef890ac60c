"""Finds the words that a user takes back or replaces within one message, and the message that remains.

"add fetch the cake for Saturday, no sorry, Sunday" is read as "add fetch the cake for Sunday", "delete the essay, no
wait, move it to Friday" as "move it to Friday", where "it" means the essay. Dropped words keep their place in the
message, so that every span still counts its characters.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from itertools import islice
from typing import NamedTuple

from sayso.decision import Call, Decision, Nothing, Span
from sayso.engine.clauses.clause import Clause, Sense
from sayso.engine.clauses.split import split
from sayso.engine.decide.room import Room
from sayso.engine.grammar.grammar import Grammar
from sayso.engine.grammar.moods import opening
from sayso.engine.grammar.pack import Act
from sayso.engine.grammar.sheet import TYPOS, Sheet, Stretch
from sayso.engine.lexicon.words import is_punctuation
from sayso.engine.linking.focus import UNKNOWN, Scene
from sayso.engine.repair.markers import Marker, is_there, markers
from sayso.engine.repair.replaced import Dropped, replaced_value, replaced_words
from sayso.engine.slots.reading import Reading
from sayso.engine.text.tokens import Text

_MOST, _FEW_WORDS = 3, 60  # corrections in one message; a message with more words may have only one
_MOST_MARKERS = 5  # a message with more of them corrects nothing
_MOST_WORDS = 100  # a longer message would take too long to read again
_MOST_READ = 220  # words that are read again, once for each marker
_LITTLE = 0.06  # the most that skipping a word without meaning costs
_SURE = 0.8  # a name with this certainty replaces another
_REMARK = 10  # words of a remark beside a correction


class Repair(NamedTuple):
    """The text that remains, and facts about the dropped words."""

    text: Text
    ids: tuple[str, ...] = ()  # the things of the dropped command
    cancelled: bool = False  # a command was taken back
    undone: tuple[str, ...] = ()  # the parts of things that the user no longer wants
    guessed: bool = False  # the extent of the replaced words is a guess


def repaired(sheet: Sheet, scene: Scene, now: datetime) -> Repair | None:
    """The corrected message, or `None` if it contains no correction."""
    whole: Repair | None = None
    for _ in range(_MOST if len(sheet.words) <= _FEW_WORDS else 1):
        step = _step(sheet, scene, now) if is_there(sheet) else None
        if step is None:
            break
        if whole is not None:
            step = Repair(
                step.text,
                (*whole.ids, *step.ids),
                cancelled=whole.cancelled or step.cancelled,
                undone=(*whole.undone, *step.undone),
                guessed=whole.guessed or step.guessed,
            )
        whole = step
        sheet, scene = sheet.grammar.read(step.text, now), scene.mention(step.ids)
        if not sheet.words:
            break
    return whole


def _step(sheet: Sheet, scene: Scene, now: datetime) -> Repair | None:
    """The message after its first correction."""
    if len(sheet.words) > _MOST_WORDS:
        return None
    said = list(islice(markers(sheet, scene), _MOST_MARKERS + 1))
    if len(said) > _MOST_MARKERS or len(said) * len(sheet.words) > _MOST_READ:
        return None
    for marker in said:
        before = _before(sheet, scene, now, marker.start)
        found = (
            _closed(sheet, scene, marker, before)
            or _taken_back(sheet, marker, before)
            or (_broken_off(sheet, marker) if before is None else None)
            or _corrected(sheet, scene, now, marker, before)
        )
        if found is not None:
            return found
    return None


def _before(sheet: Sheet, scene: Scene, now: datetime, end: int) -> Clause | None:
    """The last clause before the marker that requests something."""
    until = sheet.words[end].start
    part = sheet.grammar.read(sheet.text.without((until, len(sheet.text.message))), now)
    clauses = split(part, scene, 0) if part.words else []
    return next((clause for clause in reversed(clauses) if clause.sense is not None), None)


def _closed(sheet: Sheet, scene: Scene, marker: Marker, before: Clause | None) -> Repair | None:
    """ "…, and that's the lot, thanks love": closing words request nothing more, unless a command follows."""
    after = sheet.has(marker.end, "closing") if marker.end < len(sheet.words) else 0
    if not after or before is None or not marker.before or not _ends(sheet, after):
        return None
    rest = split(sheet, scene, after) if after < len(sheet.words) else []
    asks = any(clause.sense is not None and clause.sense.reading.match.literal >= 1 for clause in rest)
    return Repair(_without(sheet, (marker.start, after if asks else len(sheet.words))))


def _taken_back(sheet: Sheet, marker: Marker, before: Clause | None) -> Repair | None:
    """ "delete the essay, no wait, don't": the command before it is dropped."""
    grammar = sheet.grammar
    if before is None or before.sense is None or not (marker.before or marker.strong):
        return None
    act = grammar.pack.acts[before.sense.reading.act]
    if marker.bare and _is_command_of_its_own(sheet, marker, act):
        return None
    classes = ("retract", "unsaid") if _is_told(sheet, marker, before, act) else ("retract",)
    end = _past_retraction(sheet, marker.end, classes)
    if end == marker.end and not _is_last_word(sheet, marker):
        return None
    rest = _without(sheet, (before.start, end))
    return Repair(rest, _spoken_of(grammar, before), cancelled=True, undone=_parts(before))


def _is_last_word(sheet: Sheet, marker: Marker) -> bool:
    """ "…, no wait": no replacement follows, or only words that say it is not wanted."""
    return (marker.end >= len(sheet.words) and marker.strong) or _only_denies(sheet, marker)


def _is_command_of_its_own(sheet: Sheet, marker: Marker, act: Act) -> bool:
    """ "I no longer need milk, so forget that" takes nothing back. Nor does "not needed" after a delete."""
    tool = sheet.grammar.pack.tools.get(act.tool or "")
    rids = tool is not None and tool.risk == "destructive"
    return (rids and bool(sheet.has(marker.end, "unneeded"))) or sheet.over(marker).holds("therefore")


def _is_told(sheet: Sheet, marker: Marker, before: Clause, act: Act) -> bool:
    """Whether a statement is right before the marker: "the form is done. it isn't"."""
    if "command" in act.mood or sheet.lows[marker.end - 1] == ":":  # "…: finished. …: not yet" mentions two
        return False
    return all(sheet.skips[at] <= _LITTLE for at in range(before.end, marker.start))


def _broken_off(sheet: Sheet, marker: Marker) -> Repair | None:
    """ "remind me to... never mind": a command that was only begun, without a replacement."""
    first = opening(Stretch(sheet, 0, marker.start))
    if not marker.before or first >= marker.start or not sheet.commands(first):
        return None
    end = _past_retraction(sheet, marker.end, ("retract",))
    said = end > marker.end or (marker.strong and not marker.bare)
    return Repair(_without(sheet, (0, end)), cancelled=True) if said and end >= len(sheet.words) else None


def _only_denies(sheet: Sheet, marker: Marker) -> bool:
    """ "…, no, not today": the user denies something, and gives no replacement."""
    if marker.bare or marker.end >= len(sheet.words) or not marker.after:
        return False
    return bool(sheet.has(marker.end, "negation"))


def _past_retraction(sheet: Sheet, at: int, classes: tuple[str, ...]) -> int:
    """The end of the words that take something back, or `at` if there are no such words."""
    reached = at
    while at < len(sheet.words):
        after = _retraction_end(sheet, at, classes)
        if after and _ends(sheet, after):
            at = reached = after
        elif reached > 0 and is_punctuation(sheet.words[at]):
            at += 1
        else:
            break
    return reached


def _retraction_end(sheet: Sheet, at: int, classes: tuple[str, ...]) -> int:
    """Where one retraction ends, with the verb that may follow it: "don't add anything"."""
    after = sheet.has(at, *classes)
    if 0 < after < len(sheet.words) and sheet.commands(after):
        return next((end for end in (after + 1, after + 2) if _ends(sheet, end)), after)
    return after


def _ends(sheet: Sheet, at: int) -> bool:
    """Whether a clause ends here, apart from a polite word."""
    while at < len(sheet.words) and not is_punctuation(sheet.words[at]) and not sheet.words[at].broken:
        after = sheet.has(at, "polite", "address", "hesitation", "emphasis", "filler")
        if not after:
            return bool(sheet.has(at, "link"))
        at = after
    return True


def _corrected(sheet: Sheet, scene: Scene, now: datetime, marker: Marker, before: Clause | None) -> Repair | None:
    """The message with the words after the marker as a replacement: a value, a command, a name or words."""
    if marker.bare or marker.end >= len(sheet.words) or (before is None and not marker.strong):
        return None
    marker = _past_remark(sheet, marker)
    value = replaced_value(sheet, now, marker)
    if value:
        return Repair(_without(sheet, *value))
    if marker.plain < marker.end:
        if marker.plain == marker.start:
            return None
        marker = marker._replace(end=marker.plain)
    return (
        _other_command(sheet, scene, marker, before)
        or _value_for_words(sheet, marker)
        or _other_target(sheet, scene, now, marker, before)
        or _other_words(sheet, marker, before)
    )


def _is_paused(marker: Marker) -> bool:
    return marker.before and (marker.strong or marker.after)


def _other_command(sheet: Sheet, scene: Scene, marker: Marker, before: Clause | None) -> Repair | None:
    """A command that replaces the one before: "delete the essay, no wait, move it to Friday"."""
    again = marker.strong and _says_again(sheet, marker, before)
    if not (_is_paused(marker) or again) or not _is_command(sheet, scene, marker.end, before):
        return None
    rest = _without(sheet, (before.start if before else 0, marker.end))
    return Repair(rest, _still_about(sheet, scene, marker.end, before), undone=_parts(before))


def _still_about(sheet: Sheet, scene: Scene, start: int, before: Clause | None) -> tuple[str, ...]:
    """What "it" means after a correction: the thing mentioned before, unless a remark names another thing."""
    about = _spoken_of(sheet.grammar, before)
    clauses = split(sheet, scene.mention(about), start)
    told = next((clause.start for clause in clauses if clause.sense is not None), start)
    beside = scene.names.spoken_of(Stretch(sheet, start, told)) if told > start else {}
    return () if beside.keys() - {*about} else about


def _value_for_words(sheet: Sheet, marker: Marker) -> Repair | None:
    """A value that replaces words that were not a value: "…when I'm back, no wait, tomorrow"."""
    told = marker.strong and marker.before
    if told and any(one.strong for one in sheet.chunks.get(marker.end, ()) if one.floats):
        return Repair(_without(sheet, (marker.start, marker.end)), guessed=True)
    return None


def _other_target(sheet: Sheet, scene: Scene, now: datetime, marker: Marker, before: Clause | None) -> Repair | None:
    """Another thing that replaces the one that was named."""
    if not marker.before:
        return None
    named = _other_name(sheet, scene, now, marker, before)
    return Repair(named) if named is not None else None


def _other_words(sheet: Sheet, marker: Marker, before: Clause | None) -> Repair | None:
    """Words that replace as many words before them."""
    paused = _is_paused(marker)
    if not paused and not (marker.strong and _is_no(sheet, marker)):
        return None
    words = replaced_words(sheet, marker, *_reach(before, marker))
    unsure = not paused or bool(_ids(before))  # a thing was named, and now a name that no thing has
    return None if words is None else Repair(_without(sheet, words[0]), guessed=words[1] or unsure)


def _past_remark(sheet: Sheet, marker: Marker) -> Marker:
    """ "…, hang on, that's Fahrenheit, make it 10": a remark about the mistake comes before the replacement."""
    pause = (at for at in range(marker.end, len(sheet.words) - 1) if is_punctuation(sheet.words[at]))
    end = next(pause, -1) + 1
    remark = bool(end) and sheet.has(marker.end - 1, "be")
    if end and not remark and not sheet.commands(marker.end):  # "…, oh no, Friday is the fair, make it Monday"
        told = sheet.first(range(marker.end + 1, end), "be") is not None
        remark = told and bool(sheet.has(end, "repair_value"))
    if not remark:
        return marker
    return marker._replace(end=end, plain=end, after=True) if end else marker


def _says_again(sheet: Sheet, marker: Marker, before: Clause | None) -> bool:
    """ "add milk no wait add oat milk", dictated without a pause: the same verb again."""
    if before is None:
        return False
    here, there = (opening(sheet.since(start)) for start in (marker.end, before.start))
    return here < len(sheet.words) and sheet.lows[here] == sheet.lows[there]


def _is_no(sheet: Sheet, marker: Marker) -> bool:
    """ "call Ann no wait Bea", dictated without a pause. Capitalised words may be a name and do not count."""
    places = range(marker.start, marker.end)
    denied = any(sheet.has(at, "no") for at in places)
    return denied and all(sheet.words[at].text.islower() for at in places)


def _reach(before: Clause | None, marker: Marker) -> tuple[int, bool]:
    """The first word that may be replaced, and whether a free text begins there, which may be replaced completely."""
    if before is None or before.sense is None:
        return 0, False
    texts = [piece for piece in before.sense.reading.texts.values() if not piece.quoted]
    here = next((piece.first for piece in texts if piece.last == marker.start), None)
    return (before.start + 1, False) if here is None else (here, True)


def _is_command(sheet: Sheet, scene: Scene, start: int, before: Clause | None) -> bool:
    """Whether a complete command follows, which replaces the one before."""
    grammar = sheet.grammar
    at = opening(sheet.since(start))
    if before is None or before.sense is None or at >= len(sheet.words):
        return False
    asked = bool(sheet.has(at, "mood:request", slips=TYPOS))
    if not asked and not sheet.commands(at):
        return bool(sheet.grammar.acts_on_parts) and _names_act(sheet, scene, start, before)
    sense = split(sheet, scene.mention(_spoken_of(grammar, before)), start)[0].sense
    if sense is None or _leans(grammar, sense) or not _says_itself(sense, at, asked=asked):
        return False
    if before.sense.reading.texts and not _points_at(sense):  # "add call mum, no wait, email dad" is one title
        return asked or sheet.lows[at] == sheet.lows[opening(sheet.over(before))]
    return True


def _leans(grammar: Grammar, sense: Sense) -> bool:
    """Whether an act depends on another one that was requested."""
    act = grammar.pack.acts[sense.reading.act]
    return bool(act.again) or act.spares


def _says_itself(sense: Sense, at: int, *, asked: bool) -> bool:
    """Whether the words say what to do: from their first word on, unless they begin with a request ("could you")."""
    match = sense.reading.match
    return match.literal >= 1 and (asked or match.first <= at)


def _points_at(sense: Sense) -> bool:
    target = sense.reading.target
    return target is not None and bool(target.ids or target.pronoun)


def _names_act(sheet: Sheet, scene: Scene, start: int, before: Clause) -> bool:
    """Whether the next words name a thing and an action on it, without a verb of the pack: "no, lamp on"."""
    clauses = split(sheet, scene.mention(_ids(before)), start)
    told = next((at for at, clause in enumerate(clauses) if clause.sense is not None), len(clauses))
    if any(clause.end - clause.start > _REMARK for clause in clauses[:told]):
        return False
    found = _first(clauses)
    return found is not None and bool(found.about) and bool(found.parts)


def _first(clauses: Iterable[Clause]) -> Reading | None:
    """The reading of the first clause that makes sense."""
    return next((clause.sense.reading for clause in clauses if clause.sense is not None), None)


def _other_name(sheet: Sheet, scene: Scene, now: datetime, marker: Marker, before: Clause | None) -> Text | None:
    """ "tick off the ficus, scratch that, the porch", "open the north gate, no wait, the south one": the same command
    with another thing, whose name replaces the first."""
    span = _target_span(before)
    if span is None:
        return None
    text = _in_place(sheet, span, marker, _phrase_end(sheet, marker.end))
    part = sheet.grammar.read(text, now)
    other = _first(split(part, scene, 0)) if part.words else None
    return text if other is not None and before is not None and _is_other(before, other) else None


def _is_other(before: Clause, other: Reading) -> bool:
    """Whether a reading names another thing than a clause does, and both of them use parts or neither does."""
    target = other.target
    if target is None or target.pronoun or target.span is None or target.certainty < _SURE:
        return False
    known = target.ids or (target.options if target.problem == "ambiguous" else ())
    return bool(known) and known != _ids(before) and bool(other.parts) == bool(_parts_of(before))


def _phrase_end(sheet: Sheet, at: int) -> int:
    """The place of the next mark, or the end of the message."""
    while at < len(sheet.words) and not is_punctuation(sheet.words[at]):
        at += 1
    return at


def _in_place(sheet: Sheet, span: Span, marker: Marker, end: int) -> Text:
    """ "mark the essay as done, no wait, the ficus" → mark the ficus as done; every token keeps its offsets."""
    starts = [*(word.start for word in sheet.words), len(sheet.text.message)]
    corrected, new, after = starts[marker.start], starts[marker.end], starts[end]
    tokens = sheet.text.tokens
    return sheet.text._replace(
        tokens=(
            *(one for one in tokens if one.start < span[0]),
            *(one for one in tokens if new <= one.start < after),
            *(one for one in tokens if span[1] <= one.start < corrected),
            *(one for one in tokens if after <= one.start),
        )
    )


def _target_span(clause: Clause | None) -> Span | None:
    """Where a clause names its thing; `None` if it contains a text as well."""
    reading = clause.sense.reading if clause is not None and clause.sense is not None else None
    if reading is None or reading.target is None or reading.texts or not reading.about:
        return None
    return reading.target.span


def _ids(clause: Clause | None) -> tuple[str, ...]:
    target = clause.sense.reading.target if clause is not None and clause.sense is not None else None
    return target.ids if target is not None else ()


def _parts(clause: Clause | None) -> tuple[str, ...]:
    """The parts of a thing that a clause uses without a value: the user hardly wants the same again instead."""
    reading = clause.sense.reading if clause is not None and clause.sense is not None else None
    return reading.parts if reading is not None and not reading.chunks else ()


def _parts_of(clause: Clause) -> tuple[str, ...]:
    return clause.sense.reading.parts if clause.sense is not None else ()


def _spoken_of(grammar: Grammar, clause: Clause | None) -> tuple[str, ...]:
    """What "it" means after the clause is dropped. A thing that the clause would create will not exist."""
    sense = clause.sense if clause is not None else None
    makes = sense is not None and grammar.pack.naming_param(grammar.pack.acts[sense.reading.act].tool) is not None
    return (UNKNOWN,) if makes else _ids(clause)


def _without(sheet: Sheet, *stretches: Dropped) -> Text:
    """The text without these words."""
    length = len(sheet.text.message)
    ends = [*(word.start for word in sheet.words), length]
    return sheet.text.without(*((ends[start], ends[end]) for start, end in stretches if start < end))


def after_repair(room: Room, repair: Repair, decisions: list[Decision]) -> list[Decision]:
    """The decisions after a correction. If everything was taken back, the answer is `cancelled`. A write that is based
    on a guess requires confirmation."""
    if repair.cancelled and all(isinstance(one, Nothing) for one in decisions):
        return [room.voice.nothing("cancelled", 0.95)]
    return [_asked_first(room, one) if repair.guessed or _is_undone(one, repair) else one for one in decisions]


def _is_undone(decision: Decision, repair: Repair) -> bool:
    """Whether it is exactly what was taken back: "…, scratch that, he comes from the south, open that one"."""
    return isinstance(decision, Call) and any(one in repair.undone for one in decision.arguments.values())


def _asked_first(room: Room, decision: Decision) -> Decision:
    if not isinstance(decision, Call) or room.grammar.pack.tools[decision.tool].risk == "read":
        return decision
    tool, arguments, evidence = decision.tool, decision.arguments, decision.evidence
    target = next((one.entity for one in evidence.values() if isinstance(one.entity, str)), None)
    return room.voice.confirm(tool, arguments, evidence, decision.confidence, "uncertain", target)
