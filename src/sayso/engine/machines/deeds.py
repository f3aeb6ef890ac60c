"""Reads clauses that name a thing and one of its parts, by the words of both.

"lamp on", "could you get the robot vacuum going", "a quanti gradi è la cantina?"
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
from sayso.engine.linking.inventory import Inventory, Thing
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
from sayso.engine.machines.targets import looked_at, target_of
from sayso.engine.slots.reading import Reading

_MOST_UNITS = 24  # a longer clause is not a command to a machine
_VAGUE = 0.4
_LEFT = 2  # unexplained words in a command to a thing that does not exist


def deeds(stretch: Stretch, scene: Scene, frames: Sequence[str], asks: bool) -> Sequence[Reading]:
    """The readings of a stretch in these moods; cached, because the same stretch is read again and again."""
    sheet, start, end = stretch
    known = scene.inventory.known
    about = (scene.focus, scene.earlier, scene.listed)
    key = (id(sheet.words), start, end, tuple(frames), asks, about)
    if key not in known:
        told = _in_moods(stretch, scene, frames, asks)
        known[key] = (sheet.words, told)  # keeps the words alive, so that no others get their identity
    found: tuple[Reading, ...] = known[key][1]
    return found


def _in_moods(stretch: Stretch, scene: Scene, frames: Sequence[str], asks: bool) -> tuple[Reading, ...]:
    """The readings, with a statement as a question if it is one; by its tone only if it is complete."""
    stated = "statement" in frames
    asked = stated and asks_so(stretch, asks)
    by_tone = stated and not asked and may_ask(stretch)
    read = _deeds(stretch, scene, ("question",) if asked or by_tone else frames, asks)
    return tuple(one for one in read if not by_tone or _is_complete(one.deed))


def deeds_of(stretch: Stretch, scene: Scene, tool: str, places: Container[int]) -> list[Reading]:
    """The readings of a tool for the words at these places, likeliest first.

    Empty for a change that the clause denies, postpones, or requests for somebody else's things.
    """
    sheet, end = stretch.sheet, stretch.end
    grammar = sheet.grammar
    writes = not grammar.pack.reads(tool)
    heard = _heard(stretch, scene, ("command",), sheet.lows[end - 1] == "?") if writes else None
    if writes and (heard is None or (heard.later and not heard.bare)):
        return []
    units = [unit for unit in said(stretch) if any(at in places for at in range(unit.start, unit.end))]
    readings: list[Reading] = []
    for name, act in grammar.acts_on_parts:
        found = _deed(stretch, scene, act, units) if act.tool == tool else None
        if found is not None and (heard is None or not heard.later or _sets(found[0])):
            whole = not writes and _is_whole(found[0])
            told = (found[0]._replace(problem=None), None) if whole else found
            readings.append(_reading(stretch, name, act, *told))
    return sorted(readings, key=_likelihood)


def _likelihood(reading: Reading) -> tuple[bool, float]:
    return reading.deed is not None and reading.deed.problem is not None, -reading.match.score


class _Heard(NamedTuple):
    """The content of a clause, before an act is looked for in it."""

    units: list[Unit]
    start: int
    end: int
    told: bool  # it states that something is so, or that somebody did something
    done: bool  # it requests nothing: no act that writes
    later: bool
    bare: bool  # the possible time is a number: "at 6", "for ten minutes"


def _deeds(stretch: Stretch, scene: Scene, frames: Sequence[str], asks: bool) -> Iterator[Reading]:
    grammar = stretch.sheet.grammar
    acts = [(name, act) for name, act in grammar.acts_on_parts if not set(act.mood).isdisjoint(frames)]
    heard = _heard(stretch, scene, frames, asks) if acts else None
    if heard is None or heard.told:
        return
    clause, sets = Stretch(stretch.sheet, heard.start, heard.end), False
    for name, act in acts:
        writes = not grammar.pack.reads(act.tool)
        found = _deed_heard(clause, scene, act, heard, writes=writes)
        if found is None or (not writes and sets and "question" not in frames):
            continue  # "spin at 900 rpm" does not ask for a reading
        sets = sets or (writes and _is_set(*found))
        reading = _read_as(clause, name, found, frames, asks)
        if reading is not None:
            yield reading


def _read_as(
    clause: Stretch, name: str, found: tuple[Deed, Unit | None], frames: Sequence[str], asks: bool
) -> Reading | None:
    """An operation as the reading of an act: without its part if all of a thing is meant, `None` if it is chance."""
    grammar = clause.sheet.grammar
    act = grammar.pack.acts[name]
    reads = grammar.pack.reads(act.tool)
    if act.part and reads and "question" in frames and _is_whole(found[0]):
        return _reading(clause, name, act, found[0]._replace(problem=None), None)
    if not _makes_sense(act, found[0], frames, grammar.actions):
        return None
    reading = _reading(clause, name, act, *found)
    return _doubted(reading, act, found[0], frames, asked=asks and not reads)


def _deed_heard(
    clause: Stretch, scene: Scene, act: Act, heard: _Heard, *, writes: bool
) -> tuple[Deed, Unit | None] | None:
    """The operation of a clause for one act, or `None`. A change that is already done is ignored, and one for later
    needs an act without a tool. A bare number that may be a time is the value if the part takes one, else a time."""
    wrong_time = heard.later != (act.tool is None) and not heard.bare
    if writes and (heard.done or wrong_time):
        return None
    found = _deed(clause, scene, act, heard.units)
    if found is None or (writes and heard.bare and _sets(found[0]) == (act.tool is None)):
        return None
    return found


def _is_set(found: Deed, value: Unit | None) -> bool:
    return _sets(found) and value is not None and found.problem is None


def _doubted(reading: Reading, act: Act, found: Deed, frames: Sequence[str], *, asked: bool) -> Reading:
    """The reading with a lower score, if it is a question for a change without a part, or only reads something."""
    plain = "command" not in frames and bool(found.best.by_thing)  # "is the front door locked?"
    reading = _less(reading) if asked and found.problem == "no_part" else reading
    return reading if plain else _less_if_vague(act, found, reading)


def _sets(found: Deed) -> bool:
    return any(part.valued for part in found.best.parts)


def _heard(stretch: Stretch, scene: Scene, frames: Sequence[str], asks: bool) -> _Heard | None:
    """The content of a clause without its reason; `None` if the clause is not for us."""
    sheet, known = stretch.sheet, scene.inventory.stock.keys
    units, actions = said(stretch), sheet.grammar.actions
    if not asks:
        stretch = stretch.narrowed(end=before_reason(stretch, units, actions))
        units = [unit for unit in units if unit.end <= stretch.end]
    if not 0 < len(units) <= _MOST_UNITS or _is_not_for_us(stretch, scene.inventory):
        return None
    told = stretch.holds("unreal", "reported") or (not asks and "statement" in frames and is_told(stretch))
    told = told or (not asks and is_report(sheet, units, actions, known))
    done = is_past(stretch, units, actions, known) or wonders(stretch, asks)
    later, bare = _when(stretch, in_names(units, known))
    return _Heard(units, stretch.start, stretch.end, told, done, later, bare)


def _when(stretch: Stretch, names: Sequence[Unit]) -> tuple[bool, bool]:
    """Whether something is for later, by a time or a condition, and whether all such times are numbers."""
    dates = _times(stretch, names)
    hangs = any(has(stretch.sheet, at, "condition") for at in range(stretch.start + 1, stretch.end))
    bare = bool(dates) and not hangs and all(is_number(stretch.sheet, chunk) for chunk in dates)
    return bool(dates) or hangs, bare


def _is_not_for_us(stretch: Stretch, inventory: Inventory) -> bool:
    """Whether a clause is about somebody else's machines, denies something, is only a yes, or is for another person."""
    sheet, end = stretch.sheet, stretch.end
    if Stretch(sheet, 0, end).holds("others_word") or is_denied(stretch):
        return True
    to = relayed_to(stretch.narrowed(opening(stretch)))
    told_to = said(Stretch(sheet, *to)) if to is not None else []
    return is_yes(stretch) or (bool(told_to) and not inventory.stock.spoken_of(told_to, "", ()))


def _times(stretch: Stretch, names: Sequence[Unit]) -> list[Chunk]:
    """The times in the words that do not belong to a name."""
    sheet, end = stretch.sheet, stretch.end
    times = (chunk for chunk in stretch.chunks if is_date(sheet, chunk, end) or is_hour(sheet, chunk, end))
    return [chunk for chunk in times if not overlaps(chunk, names)]


def _is_complete(found: Deed | None) -> bool:
    """Whether the words are only the thing and what the question is about."""
    return found is not None and bool(found.best.by_thing) and not found.best.left


def _deed(stretch: Stretch, scene: Scene, act: Act, units: list[Unit]) -> tuple[Deed, Unit | None] | None:
    """The operation that the words mean for one act, with the value that was said."""
    told = _told(stretch, scene, units)
    grammar = stretch.sheet.grammar
    if act.part:
        _stress_last(told.spoken, grammar.actions)
    if not told.spoken and (told.value is None or act.tool is None):
        return None
    actions, (things, pool) = _actions(grammar, act), _things_for(scene.inventory, act, told)
    counted = told.value is not None and counts_nothing(stretch.sheet, told.value)
    found = _deed_among(stretch, pool, act, told, actions, counted=counted)
    if found is not None and counted and found.problem is None and found.best.parts:
        return found._replace(problem="ambiguous"), None  # "the second one", and no list was shown
    if found is not None:
        found = _both(scene, found) if told.each and not found.best.by_thing else found
        found = looked_at(stretch, found, told.spoken, actions, writes=not grammar.pack.reads(act.tool))
    if found is None or not found.best.parts:
        found = _nowhere(actions, told.spoken, things, found) or found
    return (found, told.value) if found is not None else None


def _deed_among(
    stretch: Stretch, pool: Sequence[Thing], act: Act, told: _Told, actions: frozenset[str], *, counted: bool
) -> Deed | None:
    """The operation on one of these things."""
    sheet = stretch.sheet
    words = f" {' '.join(sheet.lows[stretch.start : stretch.end])} "
    valued, reads = told.value is not None and not counted, sheet.grammar.pack.reads(act.tool)
    return deed(told.spoken, pool, told.focus, actions, value=valued, many=reads, words=words)


class _Told(NamedTuple):
    """The words of a clause, sorted: names of things, the value, and the things that are pointed at."""

    spoken: list[Unit]
    value: Unit | None
    focus: Sequence[str]
    each: bool  # "both" was said


def _told(stretch: Stretch, scene: Scene, units: list[Unit]) -> _Told:
    sheet = stretch.sheet
    number = value_in(sheet, units, scene.inventory.stock.keys)
    place = place_in_list(sheet, scene, number, units, stretch.start) or other_of_two(stretch, scene, units)
    each = {at for at in stretch.places if sheet.has(at, "each")}
    spoken = [unit for unit in units if unit != number and unit.start not in each]
    if place is None:
        focus = () if each else scene.earlier[-1:] or scene.focus
        return _Told(spoken, with_fraction(sheet, number) if number is not None else None, focus, bool(each))
    value = with_fraction(sheet, number) if number is not None and place[1] is not number else None
    # "the last one" is not number one
    others = [unit for unit in spoken if unit != place[1] and not stands_for_noun(unit)]
    return _Told(others, value, () if each else (place[0],), bool(each))


def _things_for(inventory: Inventory, act: Act, told: _Told) -> tuple[Sequence[Thing], list[Thing]]:
    """All things that an act may be about, and those that may be meant: a word names them, or they are in focus."""
    things = inventory.stock.things(act.part, act.concepts)
    near = inventory.stock.spoken_of(told.spoken, act.part, act.concepts)
    ids = {thing.id for thing in near}
    return things, near + [thing for thing in things if thing.id not in ids and thing.id in told.focus]


def _stress_last(spoken: list[Unit], actions: frozenset[str]) -> None:
    """Gives full weight to a little word for the action if it ends the request: "sauna off, please"."""
    last = next((at for at in range(len(spoken) - 1, -1, -1) if spoken[at].keys & actions), None)
    if last is not None and all(unit.light for unit in spoken[last:]):
        spoken[last] = spoken[last]._replace(light=False)


def _both(scene: Scene, found: Deed) -> Deed:
    """ "close both": the two things that were shown."""
    both = tuple(pair for pair in found.pairs if pair.thing.id in scene.two)
    return found._replace(pairs=both, problem="ambiguous") if len(both) == 2 else found


def _actions(grammar: Grammar, act: Act) -> frozenset[str]:
    kinds = (kind.parts[act.part] for kind in grammar.pack.entities.values() if act.part in kind.parts)
    return frozenset(f"c:{name}" for kind in kinds for name in kind.actions)


def _nowhere(actions: frozenset[str], units: list[Unit], things: Sequence[Thing], found: Deed | None) -> Deed | None:
    """An action on a thing that does not exist: "turn on the jacuzzi"."""
    if not things or (found is not None and found.best.by_thing):
        return None
    doing = tuple(at for at, unit in enumerate(units) if unit.keys & actions)
    left = tuple(at for at, unit in enumerate(units) if at not in doing and not unit.light)
    if not doing or not left:
        return None
    return Deed((Pair(things[0], (), 0.5, (), doing, left),), tuple(units), "no_thing")


def _is_whole(found: Deed) -> bool:
    """Whether a question names only a thing."""
    return found.problem == "no_part" and bool(found.best.by_thing) and not found.best.left and len(found.pairs) == 1


def _makes_sense(act: Act, found: Deed, frames: Sequence[str], actions: frozenset[str]) -> bool:
    """Whether an operation is more than a chance match, by the parts that it lacks."""
    best = found.best
    left = [at for at in best.left if not found.units[at].light]
    commands = "question" not in frames or (
        "command" in frames and any(unit.keys & actions for unit in found.units[:1])
    )
    if "question" in act.mood and commands and _leaves_action(found, actions):
        return False  # neither "lights off" nor "could you turn it on" asks for a reading
    if found.problem in (None, "ambiguous"):
        return bool(best.parts) and len(left) <= len(best.by_part) + len(best.by_thing) + 1
    if act.tool is None or not act.part or len(left) > _LEFT:
        return False
    if found.problem == "no_part":
        return "statement" in frames and _is_mere_thing(act, found, left)
    return _may_lack(act, found, left, actions)


def _is_mere_thing(act: Act, found: Deed, left: Sequence[int]) -> bool:
    """Whether only a thing is named."""
    return bool(found.best.by_thing) and not left and not act.concepts


def _may_lack(act: Act, found: Deed, left: Sequence[int], actions: frozenset[str]) -> bool:
    """Whether a thing or a part that does not exist may have been meant: a part by the action on it."""
    reads = "question" in act.mood
    if reads and not found.best.by_thing:
        return False
    asked_for = any(found.units[at].keys & actions for at in (*left, *found.best.by_part))
    return asked_for != reads if found.problem == "part_unknown" else not reads


def _leaves_action(found: Deed, actions: frozenset[str]) -> bool:
    """Whether the words name an action that a read does not do, whatever the part is called: "is_on"."""
    names = [unit for _, units in found.best.thing.fields for unit in units]
    known = {key for unit in names for key in unit.keys}
    return any(unit.keys & actions and not unit.keys & actions & known for unit in found.units if not unit.light)


def _less_if_vague(act: Act, found: Deed, reading: Reading) -> Reading:
    """ "get it going" asks for more than a read."""
    parts = found.best.parts
    if not act.part or not parts or any(part.id for part in parts):
        return reading
    return _less(reading)


def _less(reading: Reading) -> Reading:
    return reading._replace(match=reading.match._replace(score=reading.match.score - _VAGUE))


def _reading(clause: Stretch, name: str, act: Act, found: Deed, value: Unit | None) -> Reading:
    (sheet, start, end), best = clause, found.best
    grammar = sheet.grammar
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
    param = grammar.pack.target_param(act.tool)
    return Reading(name, match, target_of(sheet, found), param, chunks, {}, start, end, found)
