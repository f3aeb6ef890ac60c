"""Decides which option of an open question a reply picks.

"the second", "I'd go with number 3", "option b", "the one for Bo", "the one due tomorrow", "both", "the first, no, the
second". A doubtful choice ("maybe the second?") is confirmed first. Words that pick no option pick nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sayso.decision import Clarify, Decision, Evidence, Option
from sayso.engine.decide.check import settle
from sayso.engine.decide.room import Plan, Room
from sayso.engine.dialogue.assent import covered, is_quoted
from sayso.engine.dialogue.reply import chunks_in
from sayso.engine.grammar.frames import Chunk
from sayso.engine.grammar.moods import opening
from sayso.engine.grammar.sheet import TYPOS, Stretch, Target
from sayso.engine.linking.focus import Scene
from sayso.engine.linking.link import counted, link
from sayso.engine.linking.positions import only, places, signed
from sayso.engine.linking.trim import trim
from sayso.engine.linking.units import said
from sayso.engine.values.when import When, falls_on
from sayso.record import Entity

_SURE, _DOUBTED = 0.94, 0.8
_CLEAR = 0.82  # a name with a typo; less is a name with words that the thing does not have
_CLOSE = 0.3  # closer than this, two fit equally well
_HALF = 0.6  # the weight of a word from a further field of a thing, such as its description
_LONGEST = 60  # words in which people choose
_BEFORE = ("no", "correction", "yes", "choose", "hesitation", "filler", "polite", "hold", "doubt")
_AROUND = ("article", "it", "dummy", "possessive", "function", "be", "of", "filler", "polite", "hesitation", "wh")
_LETTERS = "abcdefghij"


class _Asked(NamedTuple):
    """The open question: its options with their ids, and the parameter that distinguishes them."""

    pending: Clarify
    param: str
    ids: tuple[str, ...]
    doubted: bool


def picked(room: Room, pending: Clarify, end: int) -> list[Decision] | None:
    """The options that words[:end] pick: by number, by name, by part of a name, or the only one by a yes.

    `None` if the message takes its choice back, so that nothing else is read into it."""
    if end > _LONGEST or any(option.tool not in room.grammar.pack.tools for option in pending.options):
        return []
    param = room.grammar.pack.target_param(pending.tool or pending.options[0].tool)
    ids = _ids_of(pending, param)
    if (other := not_that_one(room, ids, end)) is not None:
        return [_option(room, pending.options[other])]
    region = _after_correction(room, ids, end)
    if region is None:
        return None
    start, end = region
    start = _after_small(room, start, end)
    if start >= end:
        return _picked_by_yes(room, pending, end)
    if start + 1 == end and _was_done(room, start, ids):
        return None
    return _picked_by_words(room, pending, param, start, end)


def _ids_of(pending: Clarify, param: str | None) -> tuple[str, ...]:
    """The ids of the options, if a parameter distinguishes them."""
    return tuple(str(option.arguments.get(param)) for option in pending.options) if param else ()


def _picked_by_words(room: Room, pending: Clarify, param: str | None, start: int, end: int) -> list[Decision]:
    ids = _ids_of(pending, param)
    if param is None or len(set(ids)) < len(ids):  # several actions on one thing
        return _picked_by_label(room, pending, start, end)
    return _picked_thing(room, _Asked(pending, param, ids, _doubted(room, end)), start, end)


def _picked_by_yes(room: Room, pending: Clarify, end: int) -> list[Decision]:
    """The only option, if the message is only a yes."""
    if len(pending.options) != 1 or not all(covered(room, 0, end, "yes")) or is_quoted(room, 0, end):
        return []
    return [_option(room, pending.options[0])]


def _was_done(room: Room, at: int, ids: Sequence[str]) -> bool:
    """ "finished" alone says that something is done but not what, even if a name begins with that verb."""
    low = room.sheet.lows[at]
    names = (room.voice.label(identifier).casefold().split() for identifier in ids)
    return room.grammar.is_past(low) and not any(low in name for name in names)


def _picked_thing(room: Room, asked: _Asked, start: int, end: int) -> list[Decision]:
    ids = asked.ids
    target = _target(room, ids, start, end)
    if target is None:
        return []
    if target.problem == "not_found" and target.source == "history":  # the one that was picked is gone
        return [room.voice.which(asked.pending.options[0].tool, {}, asked.param, (), "not_found", target.said)]
    if target.problem == "bulk" and not asked.doubted:
        if len(ids) != 2:
            return [room.voice.nothing("unsupported", _SURE)]
        target = Target(ids=ids, source="history")  # all of two are both
    return _options_of(room, asked, target)


def _options_of(room: Room, asked: _Asked, target: Target) -> list[Decision]:
    """The options that are meant, or a question if several may be meant."""
    ids = asked.ids
    fits = [option for option, identifier in zip(asked.pending.options, ids, strict=True) if identifier in target.ids]
    if asked.doubted and len(fits) > 1:  # "the first or the second"
        target = target._replace(options=target.ids, problem="ambiguous")
    if target.problem == "ambiguous":
        return [_fewer(room, asked, target)]
    doubted = asked.doubted or target.certainty < _CLEAR
    return [_option(room, option, target, doubted) for option in fits]


def _target(room: Room, ids: tuple[str, ...], start: int, end: int) -> Target | None:
    """The option that the words point at, by letter, name, words, place or value; `None` for a bare number."""
    by_words = _by_units(room, ids, start, end)
    if by_words is None and _is_no_number(room, start, end):
        return None
    scene = Scene(room.scene.things, focus=_only_one(ids), listed=ids)
    target = _by_letter(room, ids, start, end) or link(Stretch(room.sheet, start, end), scene, ids.__contains__)
    if not target.ids and by_words is not None:
        target = by_words
    if _means_none(target):
        target = _by_place(room, scene, start, end) or _by_value(room, ids, start, end) or target
    if _is_nearly_found(target):
        return Target(ids=target.options, span=target.span, said=target.said)
    return target


def _only_one(ids: tuple[str, ...]) -> tuple[str, ...]:
    return ids if len(ids) == 1 else ()


def _means_none(target: Target) -> bool:
    return not target.ids and target.problem != "bulk" and target.source != "history"


def _is_nearly_found(target: Target) -> bool:
    """Whether a name matches one thing by its further fields."""
    return target.problem == "not_found" and len(target.options) == 1 and target.certainty >= _HALF


def _by_units(room: Room, ids: Sequence[str], start: int, end: int) -> Target | None:
    """ "the one in the kitchen" for "Frigo cucina": the option that the words of any language match best."""
    units = said(Stretch(room.sheet, start, end))
    words = [unit for unit in units if not any(key.startswith("n:") for key in unit.keys)]
    scores = {one: score for one, score in room.scene.inventory.fitting(words).items() if one in ids}
    best = [one for one, score in scores.items() if score >= max(scores.values()) - _CLOSE]
    return Target(ids=(best[0],)) if len(best) == 1 else None


def _is_no_number(room: Room, start: int, end: int) -> bool:
    """ "next one", "that's a good one": the "one" that remains is not the number 1."""
    begin = trim(Stretch(room.sheet, start, end)).start
    if begin >= end or not room.sheet.has(begin, "dummy"):
        return False
    before = room.sheet.words[begin - 1] if begin else None
    chosen = any(room.sheet.has(at, "choose", slips=TYPOS) == begin for at in range(begin))
    return before is not None and before.kind != "mark" and not chosen


def _fewer(room: Room, asked: _Asked, target: Target) -> Decision:
    """The question again, about the options that may still be meant."""
    pending = asked.pending
    options = [option for option, known in zip(pending.options, asked.ids, strict=True) if known in target.options]
    tool = pending.tool or pending.options[0].tool
    return room.voice.which(tool, pending.arguments, asked.param, options, "ambiguous", target.said)


def _after_correction(room: Room, ids: Sequence[str], end: int) -> tuple[int, int] | None:
    """The words that count: those after the last correction, without denied ones; `None` if all is taken back.

    "the first, no, the second" → the second; "the second, not the third" → the second; "the second, wait" → nothing.
    """
    named = _places_of(room, ids, end)
    start, at = 0, _after_small(room, 0, end)
    while at < end:
        if at in named or signed(Stretch(room.sheet, at, end)):
            at += 1
            continue
        back = room.sheet.has(at, "no", "hold")
        past = max(back, room.sheet.has(at, "correction"))
        dropped = room.sheet.has(at, "cancel") > past
        if past and not dropped and opening(Stretch(room.sheet, past, end)) < end:
            start = at = past
        elif back or dropped:
            return None
        else:
            at += 1
    return _without_denied(room, start, end)


def _places_of(room: Room, ids: Sequence[str], end: int) -> set[int]:
    """The places of the words that give the complete name of one of these things."""
    mentions = room.scene.things.mentions(room.sheet.stems[:end])
    return {at for first, last, identifier in mentions if identifier in ids for at in range(first, last)}


def _without_denied(room: Room, start: int, end: int) -> tuple[int, int] | None:
    """The first stretch between commas that denies nothing."""
    if not any(room.sheet.has(at, "negation") for at in range(start, end)):
        return start, end
    first = start
    for at in range(start, end + 1):
        if at < end and room.sheet.lows[at] not in (",", ";", ".") and not room.sheet.has(at, "link"):
            continue
        denied = any(room.sheet.has(place, "negation") for place in range(first, at))
        if not denied and _after_small(room, first, at) < at:
            return first, at
        first = at + 1
    return None


def _after_small(room: Room, start: int, end: int) -> int:
    """Past "no", "I'd go with", "um" and the like, unless a name begins there."""
    names = {first for first, _, _ in room.scene.things.mentions(room.sheet.stems)}
    at = start
    while at < end and at not in names:
        if room.grammar.numbers.read_ordinal(room.sheet.lows, at) or signed(Stretch(room.sheet, at, end)):
            return at
        after = _past_small(room, at, end)
        if not after or after > end:
            return at
        at = after
    return at


def _past_small(room: Room, at: int, end: int) -> int:
    """Past the small words that begin here, or 0."""
    if room.sheet.words[at].kind == "mark":
        return at + 1
    after = room.sheet.has(at, *_BEFORE, slips=TYPOS)
    if 0 < after < end and room.sheet.has(at, "choose", slips=TYPOS) == after:  # "I was referring to the second"
        return max(after, room.sheet.has(after, "of", slips=TYPOS))
    return after


def _doubted(room: Room, end: int) -> bool:
    """ "maybe the second", "the second?", "the first or the second". A doubt inside a name does not count."""
    named = {at for first, last, _ in room.scene.things.mentions(room.sheet.stems[:end]) for at in range(first, last)}
    places = (at for at in range(end) if at not in named)
    return any(room.sheet.lows[at] == "?" or room.sheet.has(at, "doubt") for at in places)


def _by_letter(room: Room, ids: tuple[str, ...], start: int, end: int) -> Target | None:
    """ "option b", "b)"."""
    words = [at for at in range(start, end) if room.sheet.words[at].kind != "mark"]
    if not words or len(words) > 3 or room.sheet.lows[words[-1]] not in _LETTERS[: len(ids)]:
        return None
    letter = room.sheet.lows[words[-1]]
    if len(letter) != 1 or not (_is_announced(room, words) or _is_alone(room, words[-1])):
        return None
    return Target(ids=(ids[_LETTERS.index(letter)],), source="history")


def _is_announced(room: Room, words: Sequence[int]) -> bool:
    """Whether "option" or a similar word precedes the last of these words."""
    before = [room.sheet.has(at, "number_sign", "dummy", "article") for at in words[:-1]]
    return bool(before) and all(before) and before[-1] == words[-1]


def _is_alone(room: Room, place: int) -> bool:
    """Whether a word is all that was said, and is a telling word."""
    others = (word for at, word in enumerate(room.sheet.words) if at != place)
    return all(word.kind == "mark" for word in others) and room.sheet.stems[place] not in room.grammar.little


def _by_place(room: Room, scene: Scene, start: int, end: int) -> Target | None:
    """ "the one at the bottom", "la scelta numero 3"."""
    before = ("article", "it", "dummy", *room.grammar.nouns)
    ranks = places(Stretch(room.sheet, start, end), True, before)
    return counted(scene, ranks) if ranks else None


def _by_value(room: Room, ids: tuple[str, ...], start: int, end: int) -> Target | None:
    """ "the one due tomorrow", "the urgent one": the option that has the value, if nothing else is said."""
    chunks = _described(room, start, end)
    if not chunks:
        return None
    entities = ((identifier, room.scene.things.get(identifier)) for identifier in ids)
    found = tuple(one for one, entity in entities if entity is not None and _has_all(room, entity, chunks))
    if len(found) == 1:
        return Target(ids=found, span=Stretch(room.sheet, start, end).span)
    return Target(options=found, problem="ambiguous") if found else None


def _described(room: Room, start: int, end: int) -> list[Chunk]:
    """The values that describe one thing, if only words that point at it surround them."""
    chunks = _values_between(room, start, end)
    rest = [at for at in range(start, end) if not any(chunk.start <= at < chunk.end for chunk in chunks)]
    nouns = ("article", "it", "dummy", *room.grammar.nouns)
    pointing = any(room.sheet.has(at, *nouns, slips=TYPOS) for at in rest)
    return chunks if pointing and all(_stands_around(room, at) for at in rest) else []


def _values_between(room: Room, start: int, end: int) -> list[Chunk]:
    """The values in words[start:end], except numbers."""
    said = (chunk for chunk in chunks_in(room) if not isinstance(chunk.value, (int, float)))
    return [chunk for chunk in said if start <= chunk.start and chunk.end <= end]


def _has_all(room: Room, entity: Entity, chunks: Sequence[Chunk]) -> bool:
    return all(_has(room, entity, chunk) for chunk in chunks)


def _stands_around(room: Room, at: int) -> bool:
    return room.sheet.words[at].kind == "mark" or bool(room.sheet.has(at, *_AROUND, *room.grammar.nouns, slips=0.1))


def _has(room: Room, entity: Entity, chunk: Chunk) -> bool:
    """Whether a thing has this value in the field that some tool fills from such a slot."""
    for tool in room.grammar.pack.tools.values():
        for name, param in tool.params.items():
            if param.slot == chunk.slot and name in entity:
                held = entity.text(name)
                return falls_on(chunk.value, held) if isinstance(chunk.value, When) else held == str(chunk.value)
    return False


def _picked_by_label(room: Room, pending: Clarify, start: int, end: int) -> list[Decision]:
    ranks = places(Stretch(room.sheet, start, end), True)
    if ranks:
        return _picked_by_rank(room, pending, ranks)
    said = set(room.scene.things.telling(room.sheet.stems[start:end]))
    scored = [(len(said & set(room.scene.things.stems_of(option.label))), option) for option in pending.options]
    best = max(score for score, _ in scored)
    chosen = [option for score, option in scored if score == best]
    return [_option(room, chosen[0])] if best and len(chosen) == 1 else []


def _picked_by_rank(room: Room, pending: Clarify, ranks: Sequence[int]) -> list[Decision]:
    """The options at these places; empty if one of the places does not exist."""
    if any(abs(rank) > len(pending.options) for rank in ranks):
        return []
    return [_option(room, pending.options[rank - 1 if rank > 0 else rank]) for rank in ranks]


def _option(room: Room, option: Option, target: Target | None = None, doubted: bool = False) -> Decision:
    """A picked option. Picking does not confirm a delete: Sayso asks for that next."""
    evidence = {name: Evidence(source="pending") for name in option.arguments}
    param = room.grammar.pack.target_param(option.tool)
    identifier = str(option.arguments.get(param) or "") if param is not None else ""
    if param is not None and target is not None and target.ids:
        evidence[param] = Evidence(source="pending", entity=identifier)
        if target.span is not None:
            evidence[param] = Evidence(source="message", entity=identifier, span=target.span)
    sure = _DOUBTED if doubted else _SURE
    return settle(room, Plan(option.tool, dict(option.arguments), evidence, sure, doubted, identifier or None))


def not_that_one(room: Room, ids: Sequence[str], end: int) -> int | None:
    """ "not the draft, the other": of two options, the one that is not denied."""
    sheet = room.sheet
    denied = next((at for at in range(end) if sheet.has(at, "negation")), end)
    pauses = (at for at in range(denied, end) if sheet.words[at].kind == "mark" or sheet.has(at, "link"))
    pause = next(pauses, end)
    if len(ids) != 2 or not denied + 1 < pause < end or not _is_other(Stretch(sheet, pause + 1, end)):
        return None
    scene = Scene(room.scene.things, listed=tuple(ids))
    target = link(Stretch(sheet, denied + 1, pause), scene, ids.__contains__)
    return 1 - ids.index(target.ids[0]) if len(target.ids) == 1 else None


def _is_other(stretch: Stretch) -> bool:
    """Whether the stretch is only "the other one"."""
    sheet, end = stretch.sheet, stretch.end
    after = next((at for at in stretch.places if not sheet.has(at, "article", "link")), end)
    rest = sheet.has(after, "other") if after < end else 0
    return rest > 0 and only(stretch.narrowed(rest))
