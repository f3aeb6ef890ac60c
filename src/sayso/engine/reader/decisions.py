"""Turns the predictions of the learned reader into decisions, by the same steps that the rules' readings take.

The reader says which words are the title, the date, the thing meant. The date reader reads dates, names are linked to
the user's things, and arguments and risk are checked as everywhere else. If no step can read a value, the whole
prediction is dropped: a value is never guessed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Container, Mapping, Sequence
from typing import Any

from sayso.decision import Call, Clarify, ClarifyReason, Confirm, Decision, Evidence, Nothing, Option
from sayso.engine.clauses.clause import Sense
from sayso.engine.decide.check import proof_of, settle
from sayso.engine.decide.decide import decide
from sayso.engine.decide.merge import distinct, joined
from sayso.engine.decide.room import Plan, Room
from sayso.engine.grammar.frames import Chunk
from sayso.engine.grammar.moods import Mood
from sayso.engine.grammar.pack import Act, Pack, Tool
from sayso.engine.grammar.sheet import Stretch, Target
from sayso.engine.linking.focus import Scene
from sayso.engine.linking.link import link
from sayso.engine.machines.deeds import deeds_of
from sayso.engine.reader.doubts import dates_closed, is_unnamed, left_over
from sayso.engine.reader.items import items_of
from sayso.engine.reader.read import Draft, Prediction, Value
from sayso.engine.repeats.recurrence import Lead, Repeat
from sayso.engine.slots.arguments import held_date, values_for
from sayso.engine.slots.reading import Reading
from sayso.engine.slots.ringing import Ringing, ringing, rings
from sayso.engine.slots.single import one_of_each
from sayso.engine.text.tokens import shown
from sayso.engine.values.when import When
from sayso.record import Entity

_OUTER = " ,;:-–—.!?"
_LEADS = 2  # small words before a date that may belong to it
_HOURS = 24
_CLOCK = re.compile(r"(\d{1,2})(?:\.([0-5]\d))?", re.ASCII)
_HALF, _CLEARLY = 0.5, 0.25  # the share of a name that must be said, and its lead over the next one
_BESIDE = 0.7  # the certainty of a thing that is named beside the values
_LINKED = 0.8  # the least certainty of a thing before Sayso asks for its date
_SURE = 0.99  # the confidence of a decision before the reader's own probability is applied


class _Unreadable(Exception):
    """A value that no step can read."""


def draft(room: Room, prediction: Prediction) -> Draft | None:
    """The decisions of a prediction; `None` if it requests no tool, or one of its values cannot be read.

    If its thing is not found, a value cannot be read, or words are left over beside the thing of the turn before, the
    next likeliest act is tried.
    """
    first = _draft(room, prediction)
    left = left_over(room, first.decisions) if first is not None and is_unnamed(room, first.decisions) else []
    if prediction.other is None or (first is not None and not left and not any(map(_is_lost, first.decisions))):
        return first
    second = _draft(room, prediction.other)
    if second is None or any(isinstance(one, Clarify) for one in second.decisions):
        return first
    return first if left and len(left_over(room, second.decisions)) >= len(left) else second


def named_by_rest(room: Room, found: Draft) -> Draft:
    """The draft of a new thing, with the words beside its date as its name, if the reader marks no name: "buy mia a
    bday present by saturday"."""
    if not all(isinstance(one, Clarify) and one.reason == "missing" for one in found.decisions):
        return found
    try:
        maker = _Maker(room, room.grammar.pack.tools[found.prediction.act], found.prediction, found.chance)
        named = maker.named_by_rest()
    except _Unreadable:
        return found
    return found if named is None else found._replace(decisions=tuple(named))


def asked_when(room: Room, prediction: Prediction) -> Clarify | None:
    """The question for a date that the reader marks and that no step can read: "move it to the week after".

    `None` if it can be read, or if something else is unclear: which thing it is about, or the name of a new one.
    """
    pack, tool = room.grammar.pack, room.grammar.pack.tools.get(prediction.act)
    dates = [value.slot for value in prediction.values if value.slot in pack.params_for(prediction.act, "date")]
    if tool is None or not dates or _is_readable(room, tool, prediction):
        return None
    try:
        arguments = _Maker(room, tool, undated(pack, prediction), prediction.chance).settled_arguments()
    except _Unreadable:
        return None
    return None if arguments is None else room.voice.missing(prediction.act, arguments, dates[:1], prediction.chance)


def undated(pack: Pack, prediction: Prediction) -> Prediction:
    """A prediction without its dates."""
    dates = pack.params_for(prediction.act, "date")
    return prediction._replace(values=tuple(value for value in prediction.values if value.slot not in dates))


def _is_readable(room: Room, tool: Tool, prediction: Prediction) -> bool:
    try:
        _Maker(room, tool, prediction, prediction.chance).decisions()
    except _Unreadable:
        return False
    return True


def only_closed(room: Room, predictions: Sequence[Prediction]) -> bool:
    """Whether a message gives only a date for a thing that is closed."""
    pack = room.grammar.pack
    if len(predictions) != 1 or not len(room.scene.things) or pack.target_param(predictions[0].act) is None:
        return False
    if {value.slot for value in predictions[0].values}.isdisjoint(
        pack.params_for(predictions[0].act, "date", "repeat", "lead")
    ):
        return False
    found = draft(room, predictions[0])
    return found is not None and all(dates_closed(room, one) for one in found.decisions)


def _is_lost(decision: Decision) -> bool:
    return isinstance(decision, Clarify) and decision.reason == "not_found"


def _draft(room: Room, prediction: Prediction) -> Draft | None:
    tool = room.grammar.pack.tools.get(prediction.act)
    if tool is None:
        return None
    chance = round(prediction.chance * prediction.certainty, 4)
    if prediction.act in room.grammar.tools_on_parts:
        return _on_parts(room, prediction, chance)
    try:
        decisions = _Maker(room, tool, prediction, chance).decisions()
    except _Unreadable:
        return None
    if not decisions or all(_changes_nothing(room, one) for one in decisions):
        return None
    return Draft(prediction, tuple(joined(room, distinct(decisions))), chance)


def _changes_nothing(room: Room, decision: Decision) -> bool:
    """Whether a thing already has all the values that a decision would give it."""
    if not isinstance(decision, Call | Confirm):
        return False
    target = room.grammar.pack.target_param(decision.tool)
    thing = room.scene.things.get(str(decision.arguments.get(target))) if target else None
    given = {name: value for name, value in decision.arguments.items() if name != target}
    return thing is not None and bool(given) and all(_holds_already(thing, *one) for one in given.items())


def _holds_already(thing: Entity, param: str, value: object) -> bool:
    """Whether a thing has this value in the field that a parameter such as new_due changes."""
    return any(param == f"new_{field}" and (thing.text(field) or None) == (value or None) for field in thing)


def _on_parts(room: Room, prediction: Prediction, chance: float) -> Draft | None:
    """The decisions about a thing with parts; `None` if the marked words match none. The values count as sure if all
    words of the clause lead to the same thing and part."""
    start, end = prediction.start, prediction.end
    marked = _best(room, prediction, {at for value in prediction.values for at in range(value.first, value.last)})
    if marked is None:
        return None
    sense = Sense(marked, marked.match.score, Mood("open", start, room.sheet.lows[end - 1] == "?"))
    decisions = decide(room._replace(clause=(start, end)), sense)
    if any(isinstance(one, Nothing) for one in decisions):
        return None
    whole = _best(room, prediction, range(start, end))
    sure = whole is not None and _meant(whole) == _meant(marked)
    return Draft(prediction, tuple(distinct(decisions)), prediction.chance if sure else chance)


def _best(room: Room, prediction: Prediction, places: Container[int]) -> Reading | None:
    found = deeds_of(room.sheet.over(prediction), room.scene, prediction.act, places)
    return found[0] if found else None


def _meant(reading: Reading) -> tuple[object, ...]:
    """The things and parts that a reading is about, with its value."""
    pairs = reading.deed.pairs if reading.deed is not None else ()
    about = tuple((pair.thing.id, tuple(part.id for part in pair.parts)) for pair in pairs)
    return (about, tuple(chunk.value for chunk in reading.chunks))


def together(pack: Pack, predictions: tuple[Prediction, ...]) -> tuple[Prediction, ...]:
    """Several successive new things as one prediction, so that they share the values that are said once."""
    acts = {one.act for one in predictions}
    if len(predictions) < 2 or len(acts) > 1 or pack.naming_param(predictions[0].act) is None:
        return predictions
    first, last = predictions[0], predictions[-1]
    values = tuple(value for one in predictions for value in one.values)
    chance = min(one.chance for one in predictions)
    certainty = round(math.prod(one.certainty for one in predictions), 4)
    return (first._replace(end=last.end, chance=chance, values=values, certainty=certainty),)


def slots_of(pack: Pack) -> dict[str, frozenset[str]]:
    """For each tool, the slots whose values it takes."""
    entities, parts = pack.slots_of("entity"), set(pack.slots_of("part"))
    found: dict[str, frozenset[str]] = {}
    for name, tool in pack.tools.items():
        named = entities if pack.reads(name) or pack.target_param(name) else ()
        own = parts & {param.slot for param in tool.params.values()}
        told = parts if own and not pack.reads(name) else own  # a command may name the measure that it changes
        found[name] = frozenset({*tool.params, *named, *told})
    return found


class _Maker:
    """Makes the decisions of one prediction."""

    def __init__(self, room: Room, tool: Tool, prediction: Prediction, chance: float) -> None:
        self._room, self._tool, self._chance = room, tool, chance
        self._name, self._prediction = prediction.act, prediction
        self._thing: Entity | None = None  # the thing whose arguments are being read
        slots = room.grammar.pack.slots
        self._target_param = room.grammar.pack.target_param(self._name)
        named = [value for value in prediction.values if (slot := slots.get(value.slot)) and slot.type == "entity"]
        self._targets = named
        self._values: dict[str, list[Value]] = {}
        for value in prediction.values:
            if value not in named:
                self._values.setdefault(value.slot, []).append(value)

    def decisions(self) -> list[Decision]:
        if not self._values.keys() <= self._tool.params.keys():
            raise _Unreadable
        if self._target_param is not None:
            return self._on_things(self._target_param)
        if self._targets:
            return [self._about(self._targets[0])]
        several = next((name for name in self._values if self._is_required(name)), None)
        if several is not None:
            return self._for_each(several)
        return [self._settled(*self._arguments(None), None)]

    def settled_arguments(self) -> dict[str, Any] | None:
        """The arguments for the one thing that is changed or created; `None` if that thing is not settled."""
        if not self._values.keys() <= self._tool.params.keys():
            raise _Unreadable
        if self._target_param is not None:
            targets = self._linked() if self._targets else []
            sure = len(targets) == 1 and targets[0].problem is None and targets[0].certainty >= _LINKED
            ids = targets[0].ids if sure else ()
            return {self._target_param: ids[0], **self._arguments(ids[0])[0]} if len(ids) == 1 else None
        naming = self._room.grammar.pack.naming_param(self._name)
        made = self._for_each(naming) if naming is not None and naming in self._values else []
        return dict(made[0].arguments) if len(made) == 1 and isinstance(made[0], Call) else None

    def named_by_rest(self) -> list[Decision] | None:
        """A question about a new thing whose name is the words beside its date, if they are consecutive."""
        pack, start, end = self._room.grammar.pack, self._prediction.start, self._prediction.end
        naming = pack.naming_param(self._name)
        if naming is None or naming in self._values:
            return None
        if self._values.keys().isdisjoint(pack.params_for(self._name, "date", "repeat")):
            return None
        taken = {at for said in self._values.values() for one in said for at in range(self._opened(one), one.last)}
        words = [at for at in range(start, end) if at not in taken and self._room.sheet.tells(at)]
        if not words:
            return None
        first, last = self._opened(Value(naming, words[0], words[-1] + 1)), words[-1] + 1
        if not taken.isdisjoint(range(first, last)):
            return None
        self._values[naming] = [Value(naming, first, last)]
        return self._for_each(naming, inferred=True)

    def _for_each(self, name: str, *, inferred: bool = False) -> list[Decision]:
        """A decision for each thing that the texts of a parameter name, with the values that belong to it."""
        texts = self._values.pop(name)
        every = self._values
        grouped = any(self._type(other) == "shared" for other in every)
        found: list[Decision] = []
        for item in items_of(self._room, texts, every, grouped=grouped):
            self._values = item.values
            arguments, evidence = self._arguments(None)
            read = [self._text(piece) for piece in item.texts]
            text, span = " ".join(said for said, _ in read), (read[0][1][0], read[-1][1][1])
            found.append(
                self._settled({name: text, **arguments}, {name: _said(span), **evidence}, None, inferred=inferred)
            )
        return found

    def _is_required(self, name: str) -> bool:
        return self._tool.params[name].required and self._type(name) == "text"

    def _type(self, name: str) -> str:
        slot = self._tool.params[name].slot
        return self._room.grammar.pack.slots[slot].type if slot else ""

    def _on_things(self, param: str) -> list[Decision]:
        found: list[Decision] = []
        targets = self._linked()
        every = self._values
        for place, target in enumerate(targets):
            self._values = _own(every, place, len(targets))
            if target.problem == "bulk":
                raise _Unreadable
            if target.problem is not None:
                found.append(self._unresolved(param, target))
                continue
            for identifier in target.ids:
                arguments, evidence = self._arguments(identifier)
                proof = proof_of(self._room.scene, target, identifier)
                plan, certainty = {param: identifier, **arguments}, target.certainty
                beside = not self._targets and target.span is not None  # then Sayso asks first
                found.append(self._settled(plan, {param: proof, **evidence}, identifier, certainty, inferred=beside))
        return found

    def _linked(self) -> list[Target]:
        room = self._room
        allowed = self._allowed()
        if not self._targets:
            named = self._named_beside(allowed)
            if named is None and not self._values:
                raise _Unreadable  # "I ran out of sugar" does not say that anything is done
            return [named or _unsaid(room.scene)]
        found: list[Target] = []
        for value in self._targets:  # "it" may be the one named before
            scene = room.scene.mention([one for target in found for one in target.ids])
            found.append(link(Stretch(room.sheet, value.first, value.last), scene, allowed))
        return found

    def _named_beside(self, allowed: Any) -> Target | None:
        """The one thing whose name is said beside the values, if the reader marks none: "Gino put the interview off to
        monday"."""
        room, inside = self._room, {at for value in self._prediction.values for at in range(value.first, value.last)}
        beside = [at for at in range(self._prediction.start, self._prediction.end) if at not in inside]
        stems, things = room.sheet.stems, room.scene.things
        found = things.search([stems[at] for at in beside], allowed)
        hits = [one for one in found if one.named >= _HALF]
        if not hits or (len(hits) > 1 and hits[0].named <= hits[1].named + _CLEARLY):
            return None
        name = set(things.stems_of(room.voice.label(hits[0].id)))
        places = [at for at in beside if stems[at] in name]
        told = {stems[at] for at in places}
        others = (things.stems_of(room.voice.label(one.id)) for one in found if one.id != hits[0].id)
        if told < name and any(told.issubset(other) for other in others):
            return None  # "the bread" names "buy bread" and "buy bread rolls"
        if not self._values and all(map(self._says_deed, places)):
            return None  # "I finished my lunch" does not name "finish the report"
        said = [room.sheet.words[at] for at in places]
        span = (said[0].start, said[-1].end) if said else None
        return Target(ids=(hits[0].id,), certainty=_BESIDE, span=span) if span else None

    def _says_deed(self, at: int) -> bool:
        """Whether a word names the action, or says that it is done, but not to which thing."""
        sheet, grammar = self._room.sheet, self._room.grammar
        return sheet.commands(at) or bool(sheet.has(at, *grammar.nouns)) or grammar.is_past(sheet.lows[at])

    def _allowed(self) -> Any:
        """The things that the act can be about, by the pack's acts of the same tool: a done task is not completed."""
        acts = [act for act in self._room.grammar.pack.acts.values() if act.tool == self._name and not act.undoes]
        first: Act | None = acts[0] if acts else None
        if first is None or not first.among or any(act.among != first.among for act in acts):
            return None
        return self._room.scene.things.among(first.among)

    def _unresolved(self, param: str, target: Target) -> Decision:
        room = self._room
        if target.problem == "missing" and not target.options:
            arguments, _ = self._arguments(None)
            return room.voice.missing(self._name, arguments, (param,), self._chance)
        options: list[Option] = []
        for place, identifier in enumerate(target.options):
            own, _ = self._arguments(identifier)
            share = round(max(0.1, 0.5 - 0.01 * place), 2)
            given = {param: identifier, **own}
            label = room.voice.label(identifier)
            options.append(Option(label=label, tool=self._name, arguments=given, confidence=share))
        arguments, _ = self._arguments(None)
        reason: ClarifyReason = "not_found" if target.problem == "not_found" else "ambiguous"
        return room.voice.which(self._name, arguments, param, options, reason, target.said)

    def _about(self, value: Value) -> Decision:
        """A read about one thing: its name becomes the search."""
        room = self._room
        target = link(Stretch(room.sheet, value.first, value.last), room.scene, None)
        text = next((name for name in self._tool.params if self._type(name) == "text"), None)
        if text is None:
            raise _Unreadable
        if target.ids:
            arguments = {text: room.voice.label(target.ids[0])}
            evidence = {text: proof_of(room.scene, target, target.ids[0])}
        else:
            said, span = self._text(value)
            arguments, evidence = {text: said}, {text: _said(span)}
        return self._settled(arguments, evidence, None)

    def _arguments(self, identifier: str | None) -> tuple[dict[str, Any], dict[str, Evidence]]:
        room = self._room
        texts = {name: values for name, values in self._values.items() if self._type(name) == "text"}
        entity = self._thing = room.scene.things.get(identifier) if identifier is not None else None
        typed = [
            chunk for name, values in self._values.items() if name not in texts for chunk in self._read(name, values)
        ]
        chunks = tuple(one_of_each(room.sheet, _apart(typed)))
        how = self._ringing(identifier)
        arguments, evidence = values_for(room.sheet, self._name, chunks, room.now, entity, how)
        if not self._values.keys() - texts.keys() <= arguments.keys() | (self._rung if how else set()):
            raise _Unreadable
        for name, values in texts.items():
            arguments[name], span = self._text(values[-1])
            evidence[name] = _said(span)
        return arguments, evidence

    def _ringing(self, identifier: str | None) -> Ringing:
        """Whether a date of the clause says when its thing has to ring."""
        room, said = self._room, self._prediction
        how = rings(self._tool.params)
        if how is None or identifier is None:
            return ""
        places = range(said.start, said.end)
        return ringing(room.sheet, room.scene, how[1], places, identifier, named=bool(self._targets))

    @property
    def _rung(self) -> set[str]:
        """The date that a lead time may have replaced."""
        how = rings(self._tool.params)
        return {how[1].before} if how is not None else set()

    def _read(self, name: str, values: Sequence[Value]) -> list[Chunk]:
        """The values in these words, of the parameter's kind."""
        slot = self._tool.params[name].slot or ""
        kind = self._type(name)
        found: list[Chunk] = []
        for value in values:
            if kind == "shared":
                found.append(self._group(slot, value))
            elif kind in ("repeat", "lead"):
                found.append(self._timed(slot, kind, value))
            else:
                found.extend(self._chunks(slot, value) if len(values) == 1 else self._readable(slot, value))
        if len(values) > 1 and not found:
            raise _Unreadable
        return found

    def _readable(self, slot: str, value: Value) -> list[Chunk]:
        """The same for one of several, which may have no value: "thursday 3pm in room 4.12"."""
        try:
            return self._chunks(slot, value)
        except _Unreadable:
            return []

    def _group(self, slot: str, value: Value) -> Chunk:
        """The name of a group, with the spelling of the existing group if there is one."""
        room = self._room
        said, _ = self._text(value)
        known = room.scene.things.shared(room.grammar.pack.slots[slot].of)
        return _chunk(slot, known.get(said.casefold(), said), value)

    def _timed(self, slot: str, kind: str, value: Value) -> Chunk:
        """The repeat or lead time in these words, alone or with a time beside them."""
        room = self._room
        here = [one for chunks in room.sheet.chunks.values() for one in chunks
                if one.slot == slot and one.core < value.last and value.first < one.end]  # fmt: skip
        if here:
            return max(here, key=lambda one: (one.end - one.core, -one.start))
        repeats = room.grammar.repeats
        if repeats is None:
            raise _Unreadable
        reader = repeats if kind == "repeat" else repeats.leads
        read = reader.read(room.sheet.lows, value.first, value.last, room.now)
        if read is None:
            raise _Unreadable
        return _chunk(slot, read, value)

    def _text(self, value: Value) -> tuple[str, tuple[int, int]]:
        words = self._room.sheet.words
        first, last = value.first, value.last
        after = self._room.sheet.has(first, "further")  # "also candles"
        first = after if 0 < after < last else first
        if last - first == 1 and words[first].kind == "quote" and any(map(str.isalnum, words[first].text)):
            return shown(words[first].text), (words[first].start, words[first].end)
        span = (words[first].start, words[last - 1].end)
        text = shown(self._room.sheet.text.said(*span)).strip(_OUTER)
        if not any(letter.isalnum() for letter in text):
            raise _Unreadable
        return text, span

    def _chunks(self, slot: str, value: Value) -> list[Chunk]:
        """The dates or choices that fill these words; empty if a repeat has taken them."""
        every = [one for chunks in self._room.sheet.chunks.values() for one in chunks]
        if any(isinstance(one.value, Repeat) and _holds(one, value) for one in every):
            return []
        found = self._one_after_another([one for one in every if one.slot == slot], value)
        covered = {at for chunk in found for at in range(chunk.core, chunk.end)}
        return self._date(slot, value) if not found or self._leaves_out(value, covered) else found

    def _leaves_out(self, value: Value, covered: Container[int]) -> bool:
        """Whether a telling word of a value is not covered."""
        return any(at not in covered and self._room.sheet.tells(at) for at in range(value.first, value.last))

    def _one_after_another(self, chunks: Sequence[Chunk], value: Value) -> list[Chunk]:
        """The first and longest of the chunks in these words, then the next one after it, and so on."""
        found: list[Chunk] = []
        first = end = self._opened(value)
        here = (one for one in chunks if first <= one.core and one.end <= value.last)
        for chunk in sorted(here, key=lambda one: (one.core, -one.end, -one.start)):
            if chunk.core >= end and chunk.end > value.first:
                found.append(chunk)
                end = chunk.end
        return found

    def _date(self, slot: str, value: Value) -> list[Chunk]:
        """The date in these words, read without the rest of the message: only then "sat" is a date."""
        room = self._room
        if room.grammar.pack.slots[slot].type != "date":
            raise _Unreadable
        spans = room.grammar.dates.find(room.sheet.lows[value.first : value.last], room.now)
        if not spans and (hour := self._hour(slot, value)) is not None:
            return [_chunk(slot, hour, value)]
        if len(spans) != 1:
            raise _Unreadable
        covered = range(value.first + spans[0].start, value.first + spans[0].end)
        if self._leaves_out(value, covered):
            raise _Unreadable
        return [_chunk(slot, spans[0].when, value)]

    def _hour(self, slot: str, value: Value) -> When | None:
        """A bare number as the time, if the thing has a time that it can correct: "make it 6", "make it 6.30"."""
        lows = self._room.sheet.lows[value.first : value.last]
        found = [clock for low in lows if (clock := _CLOCK.fullmatch(low)) is not None]
        if len(found) != 1 or not 0 < int(found[0][1]) < _HOURS or not self._has_time(slot):
            return None
        hour, minute = int(found[0][1]), int(found[0][2] or 0)
        return When(day=self._room.now.date(), time=(hour, minute), day_said=False, guessed=hour <= _HOURS // 2)

    def _has_time(self, slot: str) -> bool:
        """Whether the thing has a time in the field that such a slot changes."""
        names = [name for name, param in self._tool.params.items() if param.slot == slot]
        held = next((found for name in names if (found := held_date(self._thing, name))), None)
        return held is not None and held[1] is not None

    def _opened(self, value: Value) -> int:
        """Where a value may begin: at the small words before it, which the reader does not mark ("at" of "at 5")."""
        first, tells = value.first, self._room.sheet.tells
        while first > max(0, value.first - _LEADS) and not tells(first - 1) and self._is_word(first - 1):
            first -= 1
        return first

    def _is_word(self, at: int) -> bool:
        return self._room.sheet.words[at].kind == "word"

    def _settled(
        self,
        arguments: dict[str, Any],
        evidence: dict[str, Evidence],
        target: str | None,
        certainty: float = 1.0,
        *,
        inferred: bool = False,
    ) -> Decision:
        sure = round(_SURE - 0.35 * (1 - certainty), 3)
        return settle(self._room, Plan(self._name, arguments, evidence, sure, inferred, target))


def _own(values: Mapping[str, list[Value]], place: int, count: int) -> dict[str, list[Value]]:
    """The values of one of several things: its own if each has one, or the values said once for all of them.

    "an hour before the call and a day before the exam" says two lead times.
    """
    if count > 1 and any(len(said) not in (1, count) for said in values.values()):
        raise _Unreadable
    return {name: [said[place]] if len(said) == count > 1 else said for name, said in values.items()}


def _apart(chunks: Sequence[Chunk]) -> list[Chunk]:
    """The values without dates that are part of a lead time: "the evening before at 8"."""
    leads = [one for one in chunks if isinstance(one.value, Lead) and one.value.at is not None]
    inside = [one for one in chunks if any(lead.core <= one.core and one.end <= lead.end for lead in leads)]
    return [one for one in chunks if one in leads or one not in inside]


def _holds(chunk: Chunk, value: Value) -> bool:
    return chunk.core <= value.first and value.last <= chunk.end


def _chunk(slot: str, value: object, words: Value) -> Chunk:
    return Chunk(words.first, words.last, slot, value, words.first, True)


def _said(span: tuple[int, int]) -> Evidence:
    return Evidence(source="message", span=span)


def _unsaid(scene: Scene) -> Target:
    """The target if the user named none: the one thing in focus, or a question."""
    if scene.earlier:
        return Target(ids=scene.earlier[-1:], source="entity", pronoun=True)
    if len(scene.focus) == 1:
        return Target(ids=scene.focus, source="history", pronoun=True)
    if scene.focus:
        return Target(options=scene.focus, problem="ambiguous", source="history", pronoun=True)
    return Target(problem="missing")
