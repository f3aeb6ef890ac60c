"""Describes the user's things by the actions and readings they offer.

A lamp with the command "Set brightness" and the metric "power" is a thing with two parts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec

from sayso.engine.grammar.pack import EntityKind, PartKind
from sayso.engine.grammar.sheet import Stretch
from sayso.engine.linking.units import Unit, is_concept, said
from sayso.record import Entity

Units = tuple[Unit, ...]
Read = Callable[[str], Units]

_ENCODER = msgspec.json.Encoder()
_KEPT = 20_000  # things that are kept as units
_STOCKS = 100  # users whose things are cached
_MARGIN = 0.25  # of a word
_PROSE = "description"
_NUMBERED = re.compile(r"(?<=[^\W\d_])-(?=\d)")
_FIELDS = {"name": 1.0, "also": 0.95, _PROSE: 0.7}


class Part(NamedTuple):
    """Something that can be done with a thing, or read from it."""

    id: str
    label: str
    units: tuple[Unit, ...]
    more: tuple[Unit, ...]
    destroys: bool
    valued: bool
    implied: frozenset[str] = frozenset()
    near: frozenset[str] = frozenset()  # further concepts for it, because no other part of the thing has them


class Thing(NamedTuple):
    """A thing with its parts, as units."""

    id: str
    fields: tuple[tuple[float, tuple[Unit, ...]], ...]
    parts: tuple[Part, ...]
    own: tuple[Unit, ...] = ()  # its name without the place where it is
    kind: tuple[Unit, ...] = ()  # its kind, if a description gives one beside its name
    name: str = ""  # as written, in lower case
    keys: frozenset[str] = frozenset()  # all keys of it and its parts
    lows: frozenset[str] = frozenset()


class StockCache:
    """Caches items that were read before, by their content: the same ones come with every message."""

    def __init__(self, kinds: dict[str, EntityKind], read: Read) -> None:
        self._kinds, self._read = kinds, read
        self._kept: dict[tuple[bytes, str, tuple[str, ...]], Thing] = {}
        self._stocks: dict[bytes, Stock] = {}

    def stock_of(self, entities: Sequence[Entity]) -> Stock:
        """The items of a user, from the cache if none has changed."""
        held = [entity for entity in entities if entity.kind in self._kinds]
        key = _ENCODER.encode([entity.as_dict() for entity in held])
        found = self._stocks.get(key)
        if found is None:
            if len(self._stocks) >= _STOCKS:
                self._stocks.clear()
            found = self._stocks[key] = Stock(held, self._thing)
        return found

    def _thing(self, entity: Entity, part: str, concepts: tuple[str, ...]) -> Thing:
        key = (_ENCODER.encode(entity.as_dict()), part, concepts)
        found = self._kept.get(key)
        if found is None:
            if len(self._kept) >= _KEPT:
                self._kept.clear()
            found = self._kept[key] = self._made(entity, part, concepts)
        return found

    def _made(self, entity: Entity, part: str, concepts: tuple[str, ...]) -> Thing:
        kind = self._kinds[entity.kind]
        name = self._name(entity, kind)
        further = {field: units for field in kind.also if (units := self._read(entity.text(field)))}
        fields = list(self._names(entity, kind, name))
        fields += [(_weight(field, units), units) for field, units in further.items()]
        parts = self._parts_of(entity, kind.parts.get(part), concepts)
        called = [unit for _, names in fields for unit in names]
        called += [unit for one in parts for unit in (*one.units, *one.more)]
        near = frozenset[str]().union(*(one.near for one in parts))
        return Thing(
            entity.id,
            tuple(fields),
            parts,
            _own_name(name, further),
            _kind_beside(name, further),
            entity.text(kind.name).lower(),
            near.union(*(unit.keys for unit in called)),
            frozenset(filter(None, (unit.low for unit in called))),
        )

    def _name(self, entity: Entity, kind: EntityKind) -> Units:
        """The units of its name; a word that is also an action is a noun in it."""
        actions = frozenset(f"c:{action}" for part in kind.parts.values() for action in part.actions)
        return tuple(_as_noun(unit, actions) for unit in self._read(entity.text(kind.name)))

    def _names(self, entity: Entity, kind: EntityKind, name: Units) -> Iterator[tuple[float, Units]]:
        """Its names: its name, its id, and the name with its number separated: "CHILL-2" is "chill 2" as well."""
        yield _FIELDS["name"], name
        yield 1.0, self._read(entity.id)
        apart = _NUMBERED.sub(" ", entity.text(kind.name))
        if apart != entity.text(kind.name):
            yield _FIELDS["name"], self._read(apart)

    def _parts_of(self, entity: Entity, spec: PartKind | None, concepts: tuple[str, ...]) -> tuple[Part, ...]:
        """Its parts of one kind, and one for any of the concepts."""
        parts = _with_near(tuple(_parts(entity, spec, self._read)), spec) if spec is not None else ()
        if not concepts:
            return parts
        any_of = Unit(0, 0, frozenset(f"c:{name}" for name in concepts), "")
        return (*parts, Part("", "", (any_of,), (), False, False))


class Stock:
    """The things of a user with their parts, independent of a message."""

    def __init__(self, entities: Sequence[Entity], read: Callable[[Entity, str, tuple[str, ...]], Thing]) -> None:
        self._entities, self._read = entities, read
        self._things: dict[tuple[str, tuple[str, ...]], list[Thing]] = {}
        self._alike: dict[tuple[str, str, tuple[str, ...]], frozenset[str]] = {}

    def __len__(self) -> int:
        return len(self._entities)

    def things(self, part: str, concepts: tuple[str, ...]) -> list[Thing]:
        """Each thing with its parts of this kind; the concepts count as a part of every thing."""
        key = (part, concepts)
        if key not in self._things:
            self._things[key] = [self._read(one, part, concepts) for one in self._entities]
        return self._things[key]

    @cached_property
    def keys(self) -> frozenset[str]:
        """All keys of the things themselves."""
        return frozenset().union(*(thing.keys for thing in self.things("", ())))

    def spoken_of(self, units: Sequence[Unit], part: str, concepts: tuple[str, ...]) -> list[Thing]:
        """The things that one of the units may mean, by the thing or by a part of it."""
        keys = frozenset(key for unit in units for key in unit.keys)
        lows = frozenset(low for unit in units for low in self._slips(unit, part, concepts))
        return [thing for thing in self.things(part, concepts) if thing.keys & keys or thing.lows & lows]

    def _slips(self, unit: Unit, part: str, concepts: tuple[str, ...]) -> frozenset[str]:
        """The words of the things of which a word may be a typo."""
        if is_concept(unit):
            return frozenset()
        key = (unit.low, part, concepts)
        found = self._alike.get(key)
        if found is None:
            if len(self._alike) >= _KEPT:
                self._alike.clear()
            lows = frozenset().union(*(thing.lows for thing in self.things(part, concepts)))
            found = self._alike[key] = frozenset(low for low in lows if unit.names(Unit(0, 1, frozenset(), low)))
        return found


class Inventory(NamedTuple):
    """The user's things while a message is read, and the readings of stretches of its words.

    It is empty if things have no parts. Otherwise words are compared with things by concepts, not by stems.
    """

    stock: Stock
    known: dict[tuple[Any, ...], Any]
    read: Read  # a name in whatever language it is

    def __bool__(self) -> bool:
        return bool(self.stock)

    @property
    def margin(self) -> float:
        """How much better than any other a thing has to match."""
        return _MARGIN

    def spoken_of(self, stretch: Stretch) -> dict[str, float]:
        """The things that the words name, with how well."""
        return self.fitting(said(stretch))

    def called(self, name: str) -> frozenset[str]:
        """The things that a name matches best, if they match every kind in it: a pump is not a lamp."""
        units = self.read(name)
        scores = self.fitting(units)
        kinds = [unit for unit in units if is_concept(unit) and not unit.light]
        fitting = {one.id for one in self.stock.things("", ()) if all(thing_fit(unit, one) for unit in kinds)}
        return frozenset(one for one, score in scores.items() if score >= max(scores.values()) and one in fitting)

    def is_named(self, identifier: str, stretch: Stretch) -> bool:  # noqa: ARG002  no word is in a name by chance
        """Whether enough of a name was said."""
        return True

    def fitting(self, units: Sequence[Unit]) -> dict[str, float]:
        """The things that the telling units mention, with how well they match."""
        telling = [unit for unit in units if not unit.light]
        scores = {thing.id: sum(thing_fit(unit, thing) for unit in telling) for thing in self.stock.things("", ())}
        return {identifier: score for identifier, score in scores.items() if score}

    def part(self, kind: str, thing: object, identifier: object) -> Part | None:
        """The part of a thing with this id, if the thing exists and has it."""
        parts = (part for one in self.stock.things(kind, ()) if one.id == thing for part in one.parts)
        return next((part for part in parts if part.id == identifier), None)


EMPTY = Inventory(Stock((), lambda entity, *_: Thing(entity.id, (), ())), {}, lambda _: ())


def thing_fit(unit: Unit, thing: Thing) -> float:
    """How well a unit matches a thing."""
    return max((weight * unit.names(other) for weight, names in thing.fields for other in names), default=0.0)


def _as_noun(unit: Unit, actions: frozenset[str]) -> Unit:
    """A word in a name is read as a noun if it can be one: the "porta" of "Porta cantina" is a door, not the verb
    "bring"."""
    rest = unit.keys - actions
    return unit._replace(keys=rest) if any(key.startswith("c:") for key in rest) else unit


def _weight(field: str, units: Sequence[Unit]) -> float:
    return _FIELDS[_PROSE if field == _PROSE and not _is_kind(units) else "also"]


def _is_kind(units: Sequence[Unit]) -> bool:
    """A description of one known word ("Lamp") says what kind of thing it is."""
    telling = [unit for unit in units if not unit.light]
    return len(telling) == 1 and is_concept(telling[0])


def _own_name(name: Units, further: Mapping[str, Units]) -> Units:
    """The words of a name that do not say where the thing is; all of them if there are no others."""
    place = [unit for field, units in further.items() if field != _PROSE for unit in units]
    return tuple(unit for unit in name if not any(unit.fits(other) for other in place)) or name


def _kind_beside(name: Units, further: Mapping[str, Units]) -> Units:
    """The kind of the thing that the description gives, beyond its name."""
    prose = further.get(_PROSE, ())
    what = [unit for unit in prose if not unit.light] if prose and _is_kind(prose) else []
    return tuple(unit for unit in what if not any(unit.fits(other) for other in name))


def _parts(entity: Entity, spec: PartKind, read: Read) -> Iterator[Part]:
    held = entity.get(spec.field)
    for one in held if isinstance(held, (list, tuple)) else ():
        if isinstance(one, str):
            yield Part(one, one, read(one), (), False, False)
        elif isinstance(one, dict) and isinstance(one.get("id"), str):
            yield _described_part(one, spec, read)


def _described_part(one: dict[str, Any], spec: PartKind, read: Read) -> Part:
    label = str(one.get(spec.name, ""))
    units, more = read(label), read(str(one.get("description", "")))
    valued, measured = _keys(spec.valued), frozenset(f"m:{name}" for name in spec.measured)
    other = _keys(spec.actions) - valued  # "raise" or "open" does not set a value
    sets = any(unit.keys & valued and not unit.keys & other for unit in units if not unit.light)
    takes = sets or _is_measured(more, measured) or _ends_measured(units, measured)
    takes = takes or any(unit.low in spec.value_words for unit in more)  # "Spin at rpm (value)"
    return Part(one["id"], label, units, more, one.get("destructive") is True, takes, _keys(spec.implied))


def _keys(names: Sequence[str]) -> frozenset[str]:
    return frozenset(f"c:{name}" for name in names)


def _is_measured(more: Sequence[Unit], measured: frozenset[str]) -> bool:
    """A description such as "Percent, 0 to 100" or "Grams": the command takes a number."""
    telling = [unit for unit in more if not unit.light]
    begins = bool(telling) and bool(telling[0].keys & measured)
    told = any(one.keys & measured and two.keys & measured for one, two in pairwise(telling))  # "value in minutes"
    return begins or told or _is_range(telling, measured)


def _is_range(telling: Sequence[Unit], measured: frozenset[str]) -> bool:
    """Two numbers and only a measure: "0 to 100 percent"."""
    numbers = [unit for unit in telling if any(key.startswith("n:") for key in unit.keys)]
    return len(numbers) == 2 and all(unit in numbers or unit.keys & measured for unit in telling)


def _ends_measured(units: Sequence[Unit], measured: frozenset[str]) -> bool:
    """A name such as "Run for minutes": the number is missing."""
    counted = any(key.startswith("n:") for unit in units for key in unit.keys)
    return len(units) > 1 and not counted and bool(units[-1].keys & measured)


def _with_near(parts: tuple[Part, ...], spec: PartKind) -> tuple[Part, ...]:
    """ "start the fan" turns it on, if it has no start command; "set" does so only if it is the only command."""
    own = {key for part in parts for unit in part.units for key in unit.keys}
    near = [pair for pair in spec.near.items() if pair[0] not in spec.valued or len(parts) == 1]
    also = [(f"c:{said}", _keys(meant)) for said, meant in near if f"c:{said}" not in own]
    return tuple(part._replace(near=_near_to(part, also)) for part in parts)


def _near_to(part: Part, also: Sequence[tuple[str, frozenset[str]]]) -> frozenset[str]:
    """The keys that may mean a part although none of its own words was said."""
    return frozenset(said for said, meant in also if any(meant & unit.keys for unit in part.units))
