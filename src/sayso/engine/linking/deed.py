"""Defines an operation on a part of a thing, for things that describe their own operations.

"dim the hallway lamp to forty percent" → the hallway lamp, its command "Set brightness". The words are
compared with every thing and each of its parts (commands, metrics); a pair counts only if the thing has the part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from sayso.engine.linking.inventory import Part, Thing, thing_fit
from sayso.engine.linking.units import Unit, is_concept

Problem = Literal["ambiguous", "no_part", "no_thing", "part_unknown"]

_UNEXPLAINED = 0.3
_MARGIN = 0.14
_COVERED, _NAMED = 0.35, 0.35
_NEAR = 0.75
_PHRASE = 0.35  # added if the words name a part with a phrase of several words


class Pair(NamedTuple):
    """A thing and the part of it to use, with how well the words match."""

    thing: Thing
    parts: tuple[Part, ...]
    score: float
    by_thing: tuple[int, ...]  # the units that name the thing
    by_part: tuple[int, ...]
    left: tuple[int, ...]  # the units that nothing explains


class Deed(NamedTuple):
    """The result for the words: one pair, several that are equally likely, or a problem if something is missing."""

    pairs: tuple[Pair, ...]
    units: tuple[Unit, ...]
    problem: Problem | None
    from_focus: bool = False
    group: bool = False  # the words name several: "the kitchen lights"

    @property
    def best(self) -> Pair:
        return self.pairs[0]


def deed(
    units: Sequence[Unit],
    things: Sequence[Thing],
    focus: Sequence[str],
    actions: frozenset[str],
    *,
    value: bool,
    many: bool,
    words: str = "",
) -> Deed | None:
    """The pairs that the words name. With `many`, a pair may have several parts of a thing."""
    pairs = _told_pairs(units, things, actions, value=value, many=many)
    if not pairs:
        return None
    in_focus = [pair for pair in pairs if pair.thing.id in focus]
    from_focus = _is_from_focus(pairs, in_focus, units, actions)
    pool = _pool(in_focus if from_focus else pairs, units, from_focus)
    best = _likeliest(pool, any_of_several=from_focus and len(focus) > 1)
    group = [] if from_focus else _group(best[0], pool, units)
    best = group or _called_so(best, words)
    problem = _problem(best, units, actions, from_focus)
    if not from_focus and (meant := _called_instead(best[0], pairs, words)) is not None:
        return Deed((meant,), tuple(units), "part_unknown")
    if problem == "no_thing" and (other := _named_instead(best[0], pairs)) is not None:
        return Deed((other,), tuple(units), "part_unknown" if other.left else "no_part")
    return Deed(tuple(best), tuple(units), problem, from_focus, bool(group))


def _told_pairs(
    units: Sequence[Unit], things: Sequence[Thing], actions: frozenset[str], *, value: bool, many: bool
) -> list[Pair]:
    """The pairs for the words, without those that only borrow a word or do more than was said."""
    every = (pair for thing in things for pair in _pairs(units, thing, value, many))
    pairs = [pair for pair in every if not _borrowed(pair, units, actions, value)]
    return [pair for pair in pairs if (value and _is_valued(pair)) or not _does_more(pair, pairs, units, actions)]


def _is_valued(pair: Pair) -> bool:
    return any(part.valued for part in pair.parts)


def _is_from_focus(
    pairs: Sequence[Pair], in_focus: Sequence[Pair], units: Sequence[Unit], actions: frozenset[str]
) -> bool:
    """Whether the thing in focus is meant, because no other thing matches better."""
    if not in_focus:
        return False
    named = [pair for pair in pairs if pair.by_thing]
    if named:
        return not _better(named, in_focus)
    return not _is_elsewhere(pairs, in_focus, units, actions)


def _pool(pairs: Sequence[Pair], units: Sequence[Unit], from_focus: bool) -> Sequence[Pair]:
    """The pairs with a part, if any have one; of these, the pairs whose full name was said, if any."""
    pool = [pair for pair in pairs if pair.parts] or pairs
    return pool if from_focus else _named_whole(pool, units) or pool


def _likeliest(pool: Sequence[Pair], *, any_of_several: bool) -> list[Pair]:
    """The pairs that match nearly as well as the best. Of several in focus, one pair for each: "stop it" after two."""
    top = max(pair.score for pair in pool)
    best = sorted((pair for pair in pool if pair.score >= top - _MARGIN), key=_by_score)
    if not any_of_several or best[0].by_thing:
        return best
    acting = sorted((pair for pair in pool if pair.parts), key=_by_score, reverse=True)
    return list({pair.thing.id: pair for pair in acting}.values()) or best


def _by_score(pair: Pair) -> float:
    return -pair.score


def _named_whole(pool: Sequence[Pair], units: Sequence[Unit]) -> list[Pair]:
    """The things whose full name was said, if that explains all the words: in "turn on the kitchen lamp" the lamp is
    the "Kitchen lamp", and not the light in the kitchen fridge."""
    lows = frozenset(unit.low for unit in units)
    return [
        pair
        for pair in pool
        if pair.parts
        and not pair.left
        and len(names := pair.thing.fields[0][1]) > 1
        and lows.issuperset(n.low for n in names)
    ]


def _borrowed(pair: Pair, units: Sequence[Unit], actions: frozenset[str], value: bool) -> bool:
    """A part that only the thing's name mentions, if a word asks for another action: "open the lock" locks nothing."""
    if value and any(part.valued for part in pair.parts):
        return False
    named = bool(pair.parts) and set(pair.by_part) <= set(pair.by_thing)
    return named and any(units[at].keys & actions for at in pair.left)


def _does_more(pair: Pair, pairs: Sequence[Pair], units: Sequence[Unit], actions: frozenset[str]) -> bool:
    """A part that does more than was said, if another part does only that: "heat it" is not "Heating off"."""
    if len(pair.parts) != 1 or not _has_unsaid(pair, units, actions):
        return False
    others = (one for one in pairs if one.thing is pair.thing and len(one.parts) == 1 and one is not pair)
    return any(set(pair.by_part) <= set(one.by_part) and not _has_unsaid(one, units, actions) for one in others)


def _has_unsaid(pair: Pair, units: Sequence[Unit], actions: frozenset[str]) -> bool:
    """Whether the part does something that no word asks for. A part that other words matched counts as asked for: to
    raise a shutter is to open it."""
    part = pair.parts[0].units
    if not any(units[at].fits(unit) for at in pair.by_part for unit in part):
        return not pair.by_part
    doing = (unit for unit in part if unit.keys & actions and not unit.light)
    return any(not any(said.fits(unit) for said in units) for unit in doing)


def _called_so(best: list[Pair], words: str) -> list[Pair]:
    """Of equally likely things, the one whose full name was said: "my phone" is not "phone"."""
    if len({pair.thing.id for pair in best}) < 2:
        return best
    said = [pair for pair in best if f" {pair.thing.name} " in words]
    longest = max((len(pair.thing.name) for pair in said), default=0)
    return [pair for pair in said if len(pair.thing.name) == longest] or best


def _group(first: Pair, pool: Sequence[Pair], units: Sequence[Unit]) -> list[Pair]:
    """All things that "the kitchen lights" may mean, whatever their names; empty if one thing has exactly that name."""
    head = next((at for at in first.by_thing if units[at].ones), None)
    if head is None or any(unit.low == units[head].low for unit in first.thing.fields[0][1]):
        return []
    needed = {*first.by_thing, *first.by_part}
    best: dict[str, Pair] = {}
    for pair in sorted(pool, key=_by_score):
        if head in pair.by_thing and needed <= {*pair.by_thing, *pair.by_part}:
            best.setdefault(pair.thing.id, pair)
    alike = [pair for pair in best.values() if _is_called_one_of(pair.thing, units[head].ones)]
    return alike if len(alike) > 1 else list(best.values())


def _is_called_one_of(thing: Thing, names: frozenset[str]) -> bool:
    return any(unit.low in names for _, field in thing.fields for unit in field)


def _named_instead(pair: Pair, pairs: Sequence[Pair]) -> Pair | None:
    """The thing that was named but does not have the part: "dim the sauna" is not about a lamp."""
    alone = [one for one in pairs if not one.parts and one.by_thing and set(pair.left) <= set(one.by_thing)]
    return max(alone, key=lambda one: one.score, default=None)


def _called_instead(pair: Pair, pairs: Sequence[Pair], words: str) -> Pair | None:
    """The thing whose full name was said, if only a thing with a similar name can do what was said."""
    if not pair.by_thing or f" {pair.thing.name} " in words:
        return None
    alone = [one for one in pairs if not one.parts and one.thing.parts and f" {one.thing.name} " in words]
    return next((one for one in alone if set(pair.by_thing) <= set(one.by_thing)), None)


def _better(named: Sequence[Pair], focused: Sequence[Pair]) -> bool:
    """Whether the named things match better than the things in focus."""
    return max(pair.score for pair in named) > max(pair.score for pair in focused) + _MARGIN


def _is_elsewhere(
    pairs: Sequence[Pair], focused: Sequence[Pair], units: Sequence[Unit], actions: frozenset[str]
) -> bool:
    """ "wake the printer and brew an espresso": only another thing has it, and a word names more than the action."""
    acting = [pair for pair in focused if pair.parts]
    told = (pair for pair in pairs if pair.parts and _leaves_only_implied(pair, units))
    named = (at for pair in told for at in pair.by_part if _tells_more(units[at], actions))
    return any(all(at in pair.left for pair in acting) for at in named)


def _leaves_only_implied(pair: Pair, units: Sequence[Unit]) -> bool:
    return all(units[at].keys & pair.parts[0].implied for at in pair.left)


def _tells_more(unit: Unit, actions: frozenset[str]) -> bool:
    """Whether a word means more than the action."""
    return not unit.light and not unit.keys & actions


def _problem(best: Sequence[Pair], units: Sequence[Unit], actions: frozenset[str], from_focus: bool) -> Problem | None:
    first = best[0]
    if not first.parts:
        known = any(is_concept(units[at]) for at in first.left)
        return "part_unknown" if known and first.by_thing else "no_part"
    meant = bool(first.by_thing) or from_focus
    if not meant and any(_tells_more(units[at], actions) for at in first.left):
        return "no_thing"
    return "ambiguous" if len(best) > 1 else None


def _pairs(units: Sequence[Unit], thing: Thing, value: bool, many: bool) -> Iterator[Pair]:
    """The thing with each of its parts that the words may mean, and without a part."""
    by_thing = {at: thing_fit(unit, thing) for at, unit in enumerate(units) if _may_fit(unit, thing)}
    near = [units[at] for at in by_thing]
    if many:
        yield _pair(units, thing, by_thing, _all_parts(near, thing), value)
        return
    fitting = _chosen(near, thing)
    if value and not fitting:
        fitting = [part for part in thing.parts if part.valued]
    for part in fitting:
        pair = _pair(units, thing, by_thing, (part,), value)
        guessed = any(units[at].keys & part.near for at in pair.by_part)  # a `near` concept is a guess
        if not (guessed and (pair.left or (value and not part.valued))):
            yield pair
    yield _pair(units, thing, by_thing, (), value)


def _all_parts(near: Sequence[Unit], thing: Thing) -> tuple[Part, ...]:
    """Every part that the words name. The "door" of "pet door" does not ask for a metric."""
    others = [unit for unit in near if not any(unit.fits(name) for name in thing.fields[0][1])]
    chosen = _chosen(others, thing) or _chosen(near, thing)
    return tuple(part for part in chosen if not _inside(part, chosen, near))


def _may_fit(unit: Unit, thing: Thing) -> bool:
    """A cheap check before the exact one."""
    return bool(unit.keys & thing.keys) or not is_concept(unit)


def _chosen(units: Sequence[Unit], thing: Thing) -> list[Part]:
    return [part for part in thing.parts if any(_name_fit(unit, part) > 0 for unit in units)]


def _inside(part: Part, others: Sequence[Part], units: Sequence[Unit]) -> bool:
    """ "temperature" is not meant if "water temperature" was said, nor the other way round."""
    return any(_is_said_by(part, other, units) for other in others)


def _is_said_by(part: Part, other: Part, units: Sequence[Unit]) -> bool:
    """Whether the other part has the same words and more of those said, or fewer if less was said."""
    keys, theirs = _keys_of(part), _keys_of(other)
    longer = len(other.units) > len(part.units) and keys <= theirs
    shorter = len(other.units) < len(part.units) and theirs <= keys
    said = _share(units, (other if longer else part).units) == 1.0
    return (longer and said) or (shorter and not said) or _said_of(other, part, units)


def _keys_of(part: Part) -> set[str]:
    return {key for unit in part.units for key in unit.keys}


def _said_of(other: Part, part: Part, units: Sequence[Unit]) -> bool:
    """ "die temperature" is not "barrel temperature", although one of its words was said."""
    if _share(units, other.units) < 1.0 or _share(units, part.units) == 1.0:
        return False
    theirs = {unit for unit in units if _name_fit(unit, other) > 0}
    return {unit for unit in units if _name_fit(unit, part) > 0} < theirs


def _pair(
    units: Sequence[Unit], thing: Thing, by_thing: dict[int, float], parts: tuple[Part, ...], value: bool
) -> Pair:
    of_thing: list[int] = []
    of_part: list[int] = []
    left: list[int] = []
    score = 0.0
    for at, unit in enumerate(units):
        called = by_thing.get(at, 0.0)
        fit = max((_part_fit(unit, part) for part in parts), default=0.0) if at in by_thing else 0.0
        if called or fit:
            score += max(called, fit) * (0.3 if unit.light else 1.0)
            (of_part if fit >= called else of_thing).append(at)
            if fit and called:
                of_thing.append(at)
        elif not unit.light:
            left.append(at)
            score -= _UNEXPLAINED
    near = [units[at] for at in by_thing]
    if parts:
        score = _with_parts(score, near, parts, value)
    score += _NAMED * _named(near, thing) if any(by_thing.values()) else 0.0
    return Pair(thing, parts, score, tuple(dict.fromkeys(of_thing)), tuple(of_part), tuple(left))


def _with_parts(score: float, near: Sequence[Unit], parts: tuple[Part, ...], value: bool) -> float:
    """The score with the coverage of the parts, and with whether they take a value if one was said."""
    score += _COVERED * sum(_covered(near, part) for part in parts) / len(parts)
    score += _PHRASE * any(_has_phrase(unit, part) for unit in near for part in parts)
    return score - 0.6 * (parts[0].valued != value)


def _name_fit(unit: Unit, part: Part) -> float:
    best = max((unit.fits(other) for other in part.units), default=0.0)
    return best or (_NEAR if unit.keys & part.near and not unit.light else 0.0)


def _part_fit(unit: Unit, part: Part) -> float:
    best = _name_fit(unit, part)
    return max(best, 0.5 * max((unit.fits(other) for other in part.more), default=0.0))


def _has_phrase(unit: Unit, part: Part) -> bool:
    """Whether a phrase names the part: "central heating" is the boiler's part of that name, not any heater."""
    return unit.end - unit.start > 1 and any(unit.low == other.low for other in part.more)


def _covered(units: Sequence[Unit], part: Part) -> float:
    """The share of a part's name that was said."""
    return _share(units, [unit for unit in part.units if not unit.keys & part.implied] or part.units)


def _named(units: Sequence[Unit], thing: Thing) -> float:
    """The share of a thing's name that was said. Its kind may be omitted, and its place alone is not a name."""
    kind = [other for other in thing.kind if any(unit.fits(other) for unit in units)]
    said = kind or any(unit.fits(other) for unit in units for other in thing.own)
    return _share(units, (*thing.fields[0][1], *kind)) if said else 0.0


def _share(units: Sequence[Unit], names: Sequence[Unit]) -> float:
    """The share of a name that was said. One word for "cold room, meat" is half of it."""
    telling = [other for other in names if not other.light]
    lengths = [max(other.end - other.start, 1) for other in telling]
    said = (
        max((min(length, max(unit.end - unit.start, 1)) for unit in units if unit.fits(other)), default=0)
        for other, length in zip(telling, lengths, strict=True)
    )
    return sum(said) / max(sum(lengths), 1)
