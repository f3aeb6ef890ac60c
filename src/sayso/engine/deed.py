"""Deed: what is to be done with which thing, where the things themselves say what can be done with them.

"dim the living room lamp to thirty percent" → the living room lamp, its command "Set brightness". The words are
compared with every thing and each of its parts (commands, metrics); a pair counts only where the thing has the part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

from sayso.engine.pack import EntityKind, PartKind
from sayso.engine.units import Unit
from sayso.record import Entity

Problem = Literal["ambiguous", "no_part", "no_thing", "part_unknown"]
Read = Callable[[str], tuple[Unit, ...]]

_PROSE = "description"
_FIELDS = {"name": 1.0, "also": 0.95, _PROSE: 0.7}
_UNEXPLAINED = 0.3
_MARGIN = 0.14
_COVERED, _NAMED = 0.35, 0.35
_STANDS_IN = 0.7  # "on" for a machine that can only be started


class Part(NamedTuple):
    """Something that can be done with a thing, or read from it."""

    id: str
    label: str
    units: tuple[Unit, ...]
    more: tuple[Unit, ...]
    destroys: bool
    valued: bool
    implied: frozenset[str] = frozenset()
    alike: frozenset[str] = frozenset()  # what also means this part, of a thing that has no other for it


class Thing(NamedTuple):
    """A thing with its parts, as units."""

    id: str
    fields: tuple[tuple[float, tuple[Unit, ...]], ...]
    parts: tuple[Part, ...]
    kind: tuple[Unit, ...] = ()  # what it is, where it says so beside its name


class Pair(NamedTuple):
    """A thing and what is done with it, with how well the words fit."""

    thing: Thing
    parts: tuple[Part, ...]
    score: float
    by_thing: tuple[int, ...]  # which units speak of the thing
    by_part: tuple[int, ...]
    left: tuple[int, ...]  # which nobody explains


class Deed(NamedTuple):
    """What was made of the words: one pair, or several that are equally likely, or what is missing."""

    pairs: tuple[Pair, ...]
    units: tuple[Unit, ...]
    problem: Problem | None
    from_focus: bool = False
    group: bool = False  # several were spoken of: "the kitchen lights"

    @property
    def best(self) -> Pair:
        return self.pairs[0]


class Inventory:
    """The person's things with their parts, read when a message first needs them."""

    def __init__(self, entities: Sequence[Entity], kinds: dict[str, EntityKind], read: Read) -> None:
        self._entities, self._kinds, self.read = entities, kinds, read
        self._things: dict[tuple[str, tuple[str, ...]], list[Thing]] = {}
        self.known: dict[tuple[Any, ...], Any] = {}  # what stretches of words were read as

    def things(self, part: str, concepts: tuple[str, ...]) -> list[Thing]:
        """Each thing with its parts of this kind; the concepts count as a part of every thing."""
        key = (part, concepts)
        if key not in self._things:
            self._things[key] = [self._thing(one, part, concepts) for one in self._entities if one.kind in self._kinds]
        return self._things[key]

    def _thing(self, entity: Entity, part: str, concepts: tuple[str, ...]) -> Thing:
        kind = self._kinds[entity.kind]
        name = self.read(entity.text(kind.name))
        further = {field: units for field in kind.also if (units := self.read(entity.text(field)))}
        fields = [(_FIELDS["name"], name), (1.0, self.read(entity.id))]
        fields += [(_weight(field, units), units) for field, units in further.items()]
        what = [unit for unit in further.get(_PROSE, ()) if _is_kind(further[_PROSE]) and not unit.light]
        spec = kind.parts.get(part)
        parts = tuple(_parts(entity, spec, self.read)) if spec is not None else ()
        if concepts:
            any_of = Unit(0, 0, frozenset(f"c:{name}" for name in concepts), "")
            parts = (*parts, Part("", "", (any_of,), (), False, False))
        beside = tuple(unit for unit in what if not any(unit.fits(other) for other in name))
        return Thing(entity.id, tuple(fields), parts, beside)

    def part(self, kind: str, thing: object, identifier: object) -> Part | None:
        """The part of a thing with this id, where the thing is there and has it."""
        parts = (part for one in self.things(kind, ()) if one.id == thing for part in one.parts)
        return next((part for part in parts if part.id == identifier), None)


def _weight(field: str, units: Sequence[Unit]) -> float:
    return _FIELDS[_PROSE if field == _PROSE and not _is_kind(units) else "also"]


def _is_kind(units: Sequence[Unit]) -> bool:
    """A description of one known word ("Lamp") says what kind of thing it is."""
    telling = [unit for unit in units if not unit.light]
    return len(telling) == 1 and _is_concept(telling[0])


def _parts(entity: Entity, spec: PartKind, read: Read) -> Iterator[Part]:
    valued, implied = _keys(spec.valued), _keys(spec.implied)
    other = _keys(spec.actions) - valued  # what is raised or opened is not set to a value
    measured = frozenset(f"m:{name}" for name in spec.measured)
    alike = {f"c:{name}": _keys(others) for name, others in spec.alike.items()}
    held = entity.get(spec.field)
    for one in held if isinstance(held, (list, tuple)) else ():
        if isinstance(one, str):
            yield Part(one, one, read(one), (), False, False)
        elif isinstance(one, dict) and isinstance(one.get("id"), str):
            units = read(str(one.get(spec.name, "")))
            more = read(str(one.get("description", "")))
            sets = any(unit.keys & valued and not unit.keys & other for unit in units if not unit.light)
            takes = sets or _is_measured(more, measured)
            near = frozenset(key for unit in units for own in unit.keys for key in alike.get(own, ()))
            label, destroys = str(one.get(spec.name, "")), one.get("destructive") is True
            yield Part(one["id"], label, units, more, destroys, takes, implied, near)


def _keys(names: Sequence[str]) -> frozenset[str]:
    return frozenset(f"c:{name}" for name in names)


def _is_measured(more: Sequence[Unit], measured: frozenset[str]) -> bool:
    """A description such as "Percent, 0 to 100" or "Grams": the command wants a number."""
    telling = [unit for unit in more if not unit.light]
    numbers = [unit for unit in telling if any(key.startswith("n:") for key in unit.keys)]
    begins = bool(telling) and bool(telling[0].keys & measured)
    return begins or (len(numbers) == 2 and all(unit in numbers or unit.keys & measured for unit in telling))


def deed(
    units: Sequence[Unit],
    things: Sequence[Thing],
    focus: Sequence[str],
    actions: frozenset[str],
    *,
    value: bool,
    many: bool,
) -> Deed | None:
    """The pairs that the words speak of; with `many`, several parts of a thing in one go."""
    pairs = [pair for thing in things for pair in _pairs(units, thing, value, many)]
    if not pairs:
        return None
    in_focus = [pair for pair in pairs if pair.thing.id in focus]
    named = [pair for pair in pairs if pair.by_thing]
    from_focus = bool(in_focus) and (not named or not _better(named, in_focus))
    pool = in_focus if from_focus else pairs
    acting = [pair for pair in pool if pair.parts]
    pool = acting or pool
    top = max(pair.score for pair in pool)
    best = sorted((pair for pair in pool if pair.score >= top - _MARGIN), key=lambda pair: -pair.score)
    whole = [pair for pair in best if _named(units, pair.thing) == 1.0]
    if len({pair.thing.id for pair in whole}) == 1:  # a name that was said whole, though another holds it
        best = whole
    group = [] if from_focus else _group(best[0], pool, units)
    best = group or best
    problem = _problem(best, units, actions, from_focus)
    if problem == "no_thing" and (other := _named_instead(best[0], pairs)) is not None:
        return Deed((other,), tuple(units), "part_unknown")
    return Deed(tuple(best), tuple(units), problem, from_focus, bool(group))


def _group(first: Pair, pool: Sequence[Pair], units: Sequence[Unit]) -> list[Pair]:
    """All that "the kitchen lights" may speak of, whatever each is called; none where one thing is called just so."""
    heads = [at for at in first.by_thing if units[at].ones]
    if not heads or any(unit.low == units[heads[0]].low for unit in first.thing.fields[0][1]):
        return []
    ones, needed = units[heads[0]].ones, {*first.by_thing, *first.by_part}
    best: dict[str, Pair] = {}
    for pair in sorted(pool, key=lambda pair: -pair.score):
        if heads[0] in pair.by_thing and needed <= {*pair.by_thing, *pair.by_part}:
            best.setdefault(pair.thing.id, pair)
    alike = [
        pair for pair in best.values() if any(unit.low in ones for _, names in pair.thing.fields for unit in names)
    ]
    return alike if len(alike) > 1 else list(best.values())


def _named_instead(pair: Pair, pairs: Sequence[Pair]) -> Pair | None:
    """The thing that was named, and does not have the part: "dim the sauna" is not about a lamp."""
    alone = [one for one in pairs if not one.parts and one.by_thing and set(pair.left) <= set(one.by_thing)]
    return max(alone, key=lambda one: one.score, default=None)


def _better(named: Sequence[Pair], focused: Sequence[Pair]) -> bool:
    """Whether what is named fits better than what was spoken of before."""
    return max(pair.score for pair in named) > max(pair.score for pair in focused) + _MARGIN


def _problem(best: Sequence[Pair], units: Sequence[Unit], actions: frozenset[str], from_focus: bool) -> Problem | None:
    first = best[0]
    if not first.parts:
        known = any(_is_concept(units[at]) for at in first.left)
        return "part_unknown" if known and first.by_thing else "no_part"
    if (
        not first.by_thing
        and not from_focus
        and any(not units[at].light and not units[at].keys & actions for at in first.left)
    ):
        return "no_thing"
    return "ambiguous" if len(best) > 1 else None


def _is_concept(unit: Unit) -> bool:
    return any(key.startswith("c:") for key in unit.keys)


def _pairs(units: Sequence[Unit], thing: Thing, value: bool, many: bool) -> Iterator[Pair]:
    """The thing with each of its parts that the words may speak of, and alone."""
    by_thing = [_thing_fit(unit, thing) for unit in units]
    if many:
        chosen = [part for part in thing.parts if any(_name_fit(unit, part) > 0 for unit in units)]
        whole = [part for part in chosen if not _inside(part, chosen)]
        yield _pair(units, thing, by_thing, tuple(whole), value)
        return
    fitting = [part for part in thing.parts if any(_name_fit(unit, part) > 0 for unit in units)]
    fitting = fitting or [part for part in thing.parts if any(_stands_in(unit, part) for unit in units)]
    if value and not fitting:
        fitting = [part for part in thing.parts if part.valued]
    for part in fitting:
        yield _pair(units, thing, by_thing, (part,), value)
    yield _pair(units, thing, by_thing, (), value)


def _inside(part: Part, others: Sequence[Part]) -> bool:
    """ "temperature" is not meant where "water temperature" was said, nor the other way round."""
    keys = {key for unit in part.units for key in unit.keys}
    return any(
        other is not part
        and len(other.units) > len(part.units)
        and keys <= {key for unit in other.units for key in unit.keys}
        for other in others
    )


def _pair(units: Sequence[Unit], thing: Thing, by_thing: list[float], parts: tuple[Part, ...], value: bool) -> Pair:
    of_thing: list[int] = []
    of_part: list[int] = []
    left: list[int] = []
    score = 0.0
    for at, unit in enumerate(units):
        fit = max((_part_fit(unit, part) for part in parts), default=0.0)
        if by_thing[at] or fit:
            score += max(by_thing[at], fit) * (0.3 if unit.light else 1.0)
            (of_part if fit >= by_thing[at] else of_thing).append(at)
            if fit and by_thing[at]:
                of_thing.append(at)
        elif not unit.light:
            left.append(at)
            score -= _UNEXPLAINED
    if parts:
        score += _COVERED * sum(_covered(units, part) for part in parts) / len(parts)
        score -= 0.6 * sum(part.valued != value for part in parts[:1] if value or part.valued)
    score += _NAMED * _named(units, thing)
    return Pair(thing, parts, score, tuple(dict.fromkeys(of_thing)), tuple(of_part), tuple(left))


def _thing_fit(unit: Unit, thing: Thing) -> float:
    return max((weight * unit.fits(other) for weight, names in thing.fields for other in names), default=0.0)


def _name_fit(unit: Unit, part: Part) -> float:
    return max((unit.fits(other) for other in part.units), default=0.0)


def _stands_in(unit: Unit, part: Part) -> bool:
    return not unit.light and bool(unit.keys & part.alike)


def _part_fit(unit: Unit, part: Part) -> float:
    best = max(_name_fit(unit, part), _STANDS_IN if _stands_in(unit, part) else 0.0)
    return max(best, 0.5 * max((unit.fits(other) for other in part.more), default=0.0))


def _covered(units: Sequence[Unit], part: Part) -> float:
    """The share of a part's name that was said."""
    return _share(units, [unit for unit in part.units if not unit.keys & part.implied] or part.units)


def _named(units: Sequence[Unit], thing: Thing) -> float:
    """The share of a thing's name that was said; what kind it is goes without saying."""
    kind = (other for other in thing.kind if any(unit.fits(other) for unit in units))
    return _share(units, (*thing.fields[0][1], *kind))


def _share(units: Sequence[Unit], names: Sequence[Unit]) -> float:
    """The share of a name that was said; one word for "cold room, meat" says half of it."""
    telling = [other for other in names if not other.light]
    lengths = [max(other.end - other.start, 1) for other in telling]
    said = (
        max((min(length, max(unit.end - unit.start, 1)) for unit in units if unit.fits(other)), default=0)
        for other, length in zip(telling, lengths, strict=True)
    )
    return sum(said) / max(sum(lengths), 1)
