"""Reads clauses that name a thing and one of its parts, by the words of both.

"lamp on", "could you get the robot vacuum going", "a quanti gradi sta la cella?"
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import NamedTuple

from sayso.engine.grammar.frames import Chunk, Match
from sayso.engine.grammar.grammar import Grammar
from sayso.engine.grammar.moods import opening
from sayso.engine.grammar.pack import Act
from sayso.engine.grammar.sheet import Stretch
from sayso.engine.linking.deed import Deed, Pair, deed
from sayso.engine.linking.focus import Scene
from sayso.engine.linking.inventory import Thing
from sayso.engine.linking.units import Unit, said
from sayso.engine.machines.amounts import (
    counts_nothing,
    in_names,
    is_date,
    is_hour,
    is_number,
    other_of_two,
    overlaps,
    place_in_list,
    stands_for_noun,
    value_in,
    with_fraction,
)
from sayso.engine.machines.statements import (
    asks_so,
    before_reason,
    has,
    is_denied,
    is_past,
    is_report,
    is_told,
    is_yes,
    may_ask,
    relayed_to,
    wonders,
)
from sayso.engine.machines.targets import looked_at
from sayso.engine.slots.extract import Reading

_MOST_UNITS = 24  # whoever says more is not commanding a machine
_VAGUE = 0.4
_LEFT = 2  # words that nobody explains, in a command to something that is not there


def deeds(stretch: Stretch, scene: Scene, frames: Sequence[str], asks: bool) -> Sequence[Reading]:
    """The readings of words[start:end] in these moods; kept, since the same stretch is looked at again and again."""
    sheet, start, end = stretch
    if scene.inventory is None:
        return ()
    known = scene.inventory.known
    about = (scene.focus, scene.earlier, scene.listed)
    key = (id(sheet.words), start, end, tuple(frames), asks, about)
    if key not in known:
        stated = "statement" in frames
        asked = stated and asks_so(stretch, asks)
        by_tone = stated and not asked and may_ask(stretch)
        moods = ("question",) if asked or by_tone else frames
        read = _deeds(stretch, scene, moods, asks)
        told = tuple(one for one in read if not by_tone or _is_complete(one.deed))
        known[key] = (sheet.words, told)  # with the words themselves: no others have their identity meanwhile
    found: tuple[Reading, ...] = known[key][1]
    return found


def deeds_of(stretch: Stretch, scene: Scene, tool: str, places: Container[int]) -> list[Reading]:
    """The readings of a tool that the words at these places come to, likeliest first.

    None for a change that the clause denies, puts off to later, or asks of somebody else's things.
    """
    sheet, start, end = stretch
    grammar = sheet.grammar
    acts = [(name, act) for name, act in grammar.pack.acts.items() if act.tool == tool and (act.part or act.concepts)]
    writes = grammar.pack.tools[tool].risk != "read"
    units = [unit for unit in said(stretch) if any(at in places for at in range(unit.start, unit.end))]
    heard = _heard(stretch, scene, ("command",), sheet.lows[end - 1] == "?") if writes else None
    if writes and (heard is None or (heard.later and not heard.bare)):
        return []
    readings: list[Reading] = []
    for name, act in acts:
        found = _deed(stretch, scene, act, units)
        if found is None:
            continue
        if heard is not None and heard.later and not _sets(found[0]):
            continue
        if not writes and _is_whole(found[0]):
            found = found[0]._replace(problem=None), None
        readings.append(_reading(grammar, name, act, *found, (start, end)))
    return sorted(readings, key=lambda one: (one.deed is not None and one.deed.problem is not None, -one.match.score))


class _Heard(NamedTuple):
    """What a clause says, before any act is looked for in it."""

    units: list[Unit]
    start: int
    end: int
    told: bool  # something is so, or was done by somebody
    done: bool  # nothing is asked for: no act that writes
    later: bool
    bare: bool  # what may be a time is a number: "at 6", "for ten minutes"


def _deeds(stretch: Stretch, scene: Scene, frames: Sequence[str], asks: bool) -> Iterator[Reading]:
    grammar = stretch.sheet.grammar
    acts = [(name, act) for name, act in grammar.pack.acts.items() if act.part or act.concepts]
    acts = [(name, act) for name, act in acts if any(mood in act.mood for mood in frames)]
    heard = _heard(stretch, scene, frames, asks) if acts else None
    if heard is None or heard.told:
        return
    actions, sets, span = _all_actions(grammar), False, (heard.start, heard.end)
    for name, act in acts:
        writes = act.tool is None or grammar.pack.tools[act.tool].risk != "read"
        if writes and (heard.done or (heard.later != (act.tool is None) and not heard.bare)):
            continue
        found = _deed(Stretch(stretch.sheet, *span), scene, act, heard.units)
        if found is None or (writes and heard.bare and _sets(found[0]) == (act.tool is None)):
            continue
        if not writes and sets and "question" not in frames:  # "centrifuge at 4500 rpm" asks for no reading
            continue
        sets = sets or (writes and _sets(found[0]) and found[1] is not None and found[0].problem is None)
        if act.part and not writes and "question" in frames and _is_whole(found[0]):
            found = found[0]._replace(problem=None), None  # "what's the fridge in the garage at?"
            yield _reading(grammar, name, act, *found, span)
        elif _makes_sense(act, found[0], frames, actions):
            reading = _reading(grammar, name, act, *found, span)
            plain = "command" not in frames and bool(found[0].best.by_thing)  # "is the front door locked?"
            reading = _less(reading) if asks and writes and found[0].problem == "no_part" else reading
            yield reading if plain else _less_if_vague(act, found[0], reading)


def _sets(found: Deed) -> bool:
    return any(part.valued for part in found.best.parts)


def _heard(stretch: Stretch, scene: Scene, frames: Sequence[str], asks: bool) -> _Heard | None:
    """What is left of a clause without the reason for it; nothing where it is not for us."""
    sheet, start, end = stretch
    if scene.inventory is None:
        return None
    units, actions, known = said(Stretch(sheet, start, end)), _all_actions(sheet.grammar), scene.inventory.stock.keys
    if not asks:
        end = before_reason(Stretch(sheet, start, end), units, actions)
        units = [unit for unit in units if unit.end <= end]
    others = sheet.first(range(end), "others_word") is not None
    if others or is_denied(Stretch(sheet, start, end)) or not 0 < len(units) <= _MOST_UNITS:
        return None  # somebody else's machines are not ours to touch
    to = relayed_to(Stretch(sheet, opening(Stretch(sheet, start, end)), end))
    told_to = said(Stretch(sheet, *to)) if to is not None else []
    if is_yes(Stretch(sheet, start, end)) or (told_to and not scene.inventory.stock.spoken_of(told_to, "", ())):
        return None
    told = not asks and (
        ("statement" in frames and is_told(Stretch(sheet, start, end))) or is_report(sheet, units, actions, known)
    )
    told = told or sheet.first(range(start, end), "unreal", "reported") is not None
    done = is_past(Stretch(sheet, start, end), units, actions, known) or wonders(Stretch(sheet, start, end), asks)
    names = in_names(units, known)
    chunks = (chunk for at in range(start, end) for chunk in sheet.chunks.get(at, ()))
    dates = [
        chunk
        for chunk in chunks
        if (is_date(sheet, chunk, end) or is_hour(sheet, chunk, end)) and not overlaps(chunk, names)
    ]
    hangs = any(has(sheet, at, "condition") for at in range(start + 1, end))
    bare = bool(dates) and not hangs and all(is_number(sheet, chunk) for chunk in dates)
    return _Heard(units, start, end, told, done, bool(dates) or hangs, bare)


def _is_complete(found: Deed | None) -> bool:
    """Nothing was said but the thing and what is asked about it."""
    return found is not None and bool(found.best.by_thing) and not found.best.left


def _deed(stretch: Stretch, scene: Scene, act: Act, units: list[Unit]) -> tuple[Deed, Unit | None] | None:
    """What the words come to for one act, with the value that was said."""
    sheet, start, end = stretch
    grammar = sheet.grammar
    if scene.inventory is None:
        return None
    things = scene.inventory.stock.things(act.part, act.concepts)
    number = value_in(sheet, units, scene.inventory.stock.keys)
    place = place_in_list(sheet, scene, number, units, start) or other_of_two(stretch, scene, units)
    counts = place is not None and place[1] is number
    value = with_fraction(sheet, number) if number is not None and not counts else None
    counted = value is not None and counts_nothing(sheet, value)
    each = {at for at in stretch.places if sheet.has(at, "each")}
    aside = {number, place[1] if place is not None else None}
    spoken = [unit for unit in units if unit not in aside and unit.start not in each]
    if place is not None:
        spoken = [unit for unit in spoken if not stands_for_noun(unit)]  # "the last one" is not number one
    if act.part:
        _stress_last(spoken, _all_actions(grammar))
    if not spoken and (value is None or act.tool is None):
        return None
    focus = () if each else (place[0],) if place is not None else scene.earlier[-1:] or scene.focus
    many = act.tool is not None and grammar.pack.tools[act.tool].risk == "read"
    actions = _actions(grammar, act)
    words = f" {' '.join(sheet.lows[start:end])} "
    near = scene.inventory.stock.spoken_of(spoken, act.part, act.concepts)
    ids = {thing.id for thing in near}
    pool = near + [thing for thing in things if thing.id not in ids and thing.id in focus]
    found = deed(spoken, pool, focus, actions, value=value is not None and not counted, many=many, words=words)
    if found is not None and not found.from_focus and not (found.best.by_thing or found.best.by_part):
        found = None  # "add 12 and 30": a number alone speaks of no machine, unless one was spoken of before
    if found is not None and counted and found.problem is None and found.best.parts:
        return found._replace(problem="ambiguous"), None  # "the second one", and no list was shown
    if found is not None:
        found = _both(scene, found) if each and not found.best.by_thing else found
        found = looked_at(sheet, found, spoken, actions, (start, end), writes=not many)
    if found is None or not found.best.parts:
        found = _nowhere(actions, spoken, things, found) or found
    return (found, value) if found is not None else None


def _stress_last(spoken: list[Unit], actions: frozenset[str]) -> None:
    """A little word for what is to be done counts in full where it ends the wish: "sauna off, please"."""
    last = next((at for at in range(len(spoken) - 1, -1, -1) if spoken[at].keys & actions), None)
    if last is not None and all(unit.light for unit in spoken[last:]):
        spoken[last] = spoken[last]._replace(light=False)


def _both(scene: Scene, found: Deed) -> Deed:
    """ "close both": the two that were shown."""
    both = tuple(pair for pair in found.pairs if pair.thing.id in scene.two)
    return found._replace(pairs=both, problem="ambiguous") if len(both) == 2 else found


def _actions(grammar: Grammar, act: Act) -> frozenset[str]:
    kinds = (kind.parts[act.part] for kind in grammar.pack.entities.values() if act.part in kind.parts)
    return frozenset(f"c:{name}" for kind in kinds for name in kind.actions)


def _all_actions(grammar: Grammar) -> frozenset[str]:
    parts = (part for kind in grammar.pack.entities.values() for part in kind.parts.values())
    return frozenset(f"c:{name}" for part in parts for name in part.actions)


def _nowhere(actions: frozenset[str], units: list[Unit], things: Sequence[Thing], found: Deed | None) -> Deed | None:
    """Something is to be done, with nothing that we have: "turn on the jacuzzi"."""
    doing = tuple(at for at, unit in enumerate(units) if unit.keys & actions)
    left = tuple(at for at, unit in enumerate(units) if at not in doing and not unit.light)
    if not doing or not left or not things or (found is not None and found.best.by_thing):
        return None
    pair = Pair(things[0], (), 0.5, (), doing, left)
    return Deed((pair,), tuple(units), "no_thing")


def _is_whole(found: Deed) -> bool:
    """A thing and nothing else, asked about."""
    return found.problem == "no_part" and bool(found.best.by_thing) and not found.best.left and len(found.pairs) == 1


def _makes_sense(act: Act, found: Deed, frames: Sequence[str], actions: frozenset[str]) -> bool:
    """Whether a deed is more than a chance of words, by what is missing from it."""
    best = found.best
    left = [at for at in best.left if not found.units[at].light]
    if "question" in act.mood and "question" not in frames and _leaves_action(found, actions):
        return False  # "lights off" asks for no reading
    if found.problem in (None, "ambiguous"):
        return bool(best.parts) and len(left) <= len(best.by_part) + len(best.by_thing) + 1
    if act.tool is None or not act.part or len(left) > _LEFT:
        return False
    if found.problem == "no_part":  # a thing and nothing else
        return "statement" in frames and bool(best.by_thing) and not left and not act.concepts
    asked_for = any(found.units[at].keys & actions for at in (*left, *best.by_part))
    reads = "question" in act.mood
    if reads and not best.by_thing:
        return False
    return asked_for != reads if found.problem == "part_unknown" else not reads


def _leaves_action(found: Deed, actions: frozenset[str]) -> bool:
    """Whether something was to be done that the deed does not do."""
    best = found.best
    names = [unit for _, units in best.thing.fields for unit in units]
    known = {key for unit in (*names, *(unit for part in best.parts for unit in part.units)) for key in unit.keys}
    return any(unit.keys & actions and not unit.keys & actions & known for unit in found.units if not unit.light)


def _less_if_vague(act: Act, found: Deed, reading: Reading) -> Reading:
    """ "get it going" asks for more than a look."""
    parts = found.best.parts
    if not act.part or not parts or any(part.id for part in parts):
        return reading
    return _less(reading)


def _less(reading: Reading) -> Reading:
    return reading._replace(match=reading.match._replace(score=reading.match.score - _VAGUE))


def _reading(grammar: Grammar, name: str, act: Act, found: Deed, value: Unit | None, span: tuple[int, int]) -> Reading:
    (start, end), best = span, found.best
    score = best.score + act.confidence - 1 - (0.5 if found.problem in ("no_thing", "no_part", "part_unknown") else 0.0)
    match = Match(name, score, (), (), len(best.by_part), 0.0, 0.0, start, start, end)
    chunks: tuple[Chunk, ...] = ()
    if value is not None and act.tool is not None:
        slots = {param.slot for param in grammar.pack.tools[act.tool].params.values()}
        number = next(key for key in value.keys if key.startswith("n:"))
        chunks = tuple(
            Chunk(value.start, value.end, slot, float(number[2:]), value.start, True, 0.0, False)
            for slot, spec in grammar.pack.slots.items()
            if spec.type == "number" and slot in slots
        )
    return Reading(name, match, None, None, chunks, {}, start, end, found)
