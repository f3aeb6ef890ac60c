"""Indexes the person's things by the stems of their names.

"the fire traning" finds "Mandatory fire training": slips forgiven, any order, any part. A search touches only the
things that share a stem with what was said, and of very many only the best. Each table is made when it is first needed:
a case that names nothing pays for none.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from heapq import nlargest
from typing import NamedTuple

from sayso.engine.grammar.pack import EntityKind
from sayso.engine.lexicon.stems import Stems
from sayso.engine.linking.fits import Fit, Fits, best, bits_of, by_length
from sayso.engine.text.similarity import is_within, similarity
from sayso.record import Entity

_MOST_HITS = 60
_MANY = 400  # things that share a word with what was said; of more the best are chosen all at once
_ALIKE = 0.6  # the share of the letters that two words must have in common to be alike at all
_LONG = 9  # letters from which on two slips are forgiven where another word may be meant
_SAME_NAME = 50  # things of one name that are looked at


Allowed = Callable[[str], bool]


class Hit(NamedTuple):
    """A thing that may be meant. `said` is the share of the words that fit it, `whole` that all its name was said."""

    id: str
    said: float
    named: float  # share of the name that was said
    whole: bool


class Among:
    """Some of the person's things, as a question by id or as the bits of one number."""

    def __init__(self, fits: Allowed, numbers: Callable[[], Sequence[int]]) -> None:
        self._fits, self._numbers = fits, numbers

    def __call__(self, identifier: str) -> bool:
        return self._fits(identifier)

    @cached_property
    def bits(self) -> int:
        return bits_of(self._numbers())


class EntityIndex:
    """The entities of one person, ready to be searched."""

    def __init__(
        self, entities: Iterable[Entity], kinds: Mapping[str, EntityKind], stems: Stems, little: frozenset[str]
    ) -> None:
        self._stems, self._little, self._kinds = stems, little, kinds
        self._entities = [entity for entity in entities if entity.kind in kinds]
        self._amongs: dict[tuple[tuple[str, str], ...], Among] = {}
        self._shared: dict[str, dict[str, str]] = {}

    @cached_property
    def _by_id(self) -> dict[str, Entity]:
        return {entity.id: entity for entity in self._entities}

    @cached_property
    def _low_ids(self) -> dict[str, str]:
        return {entity.id.casefold(): entity.id for entity in self._entities}

    @cached_property
    def _number(self) -> dict[str, int]:
        return {entity.id: number for number, entity in enumerate(self._entities)}

    @cached_property
    def _names(self) -> list[tuple[str, ...]]:
        """The stems of each thing's name."""
        fields = {name: kind.name for name, kind in self._kinds.items()}
        of = self._stems.of
        return [of(entity.text(fields[entity.kind])) for entity in self._entities]

    @cached_property
    def _by_name(self) -> dict[tuple[str, ...], list[int]]:
        found: dict[tuple[str, ...], list[int]] = {}
        for number, name in enumerate(self._names):
            if name in found:
                found[name].append(number)
            elif name:
                found[name] = [number]
        return found

    @cached_property
    def _lengths(self) -> dict[str, list[int]]:
        """How many words the names have that begin with a stem, longest first."""
        found: dict[str, set[int]] = defaultdict(set)
        for name in self._by_name:
            found[name[0]].add(len(name))
        return {stem: sorted(lengths, reverse=True) for stem, lengths in found.items()}

    @cached_property
    def _fits(self) -> Fits:
        also = {name: kind.also for name, kind in self._kinds.items() if kind.also}
        texts = ((number, entity, also.get(entity.kind, ())) for number, entity in enumerate(self._entities))
        further = ((number, self._stems_in(entity, fields)) for number, entity, fields in texts)
        return Fits(self._names, further)

    def _stems_in(self, entity: Entity, fields: Sequence[str]) -> list[str]:
        return [stem for field in fields if (text := entity.text(field)) for stem in self.stems_of(text)]

    @cached_property
    def _short_first(self) -> list[int]:
        return by_length([len(name) for name in self._names])

    def warm(self) -> None:
        """Make every table now, for an index that will serve many decisions."""
        for table in ("_by_id", "_low_ids", "_number", "_lengths", "_short_first"):
            getattr(self, table)
        self._fits.warm()

    @property
    def entities(self) -> Sequence[Entity]:
        """All of them, in their order."""
        return self._entities

    def __len__(self) -> int:
        return len(self._entities)

    def get(self, identifier: str) -> Entity | None:
        return self._by_id.get(identifier)

    def by_id(self, said: str) -> str | None:
        """The id that was said, whatever its case."""
        return self._low_ids.get(said.casefold())

    def place(self, identifier: str) -> int:
        """Where a thing stands in the person's own order."""
        return self._number[identifier]

    def label_stems(self, identifier: str) -> tuple[str, ...]:
        """The stems of a thing's name."""
        number = self._number.get(identifier)
        return self._names[number] if number is not None else ()

    def stems_of(self, text: str) -> tuple[str, ...]:
        return self._stems.of(text)

    def among(self, fields: Mapping[str, str]) -> Among:
        """The things whose fields have these values."""
        wanted = tuple(fields.items())
        if wanted not in self._amongs:

            def holds(entity: Entity) -> bool:
                return all(entity.text(field) == value for field, value in wanted)

            self._amongs[wanted] = Among(
                lambda identifier: (found := self.get(identifier)) is not None and holds(found),
                lambda: [number for number, entity in enumerate(self._entities) if holds(entity)],
            )
        return self._amongs[wanted]

    def shared(self, field: str) -> dict[str, str]:
        """The distinct values of a field, by their case-folded form, in order of first occurrence."""
        if field not in self._shared:
            found: dict[str, str] = {}
            for name in dict.fromkeys([entity.text(field) for entity in self._entities]):
                if name := name.strip():
                    found.setdefault(name.casefold(), name)
            self._shared[field] = found
        return self._shared[field]

    def only(self, ids: Iterable[str]) -> Among:
        """The things with these ids."""
        known = frozenset(ids)
        return Among(known.__contains__, lambda: sorted(self._number[i] for i in known if i in self._number))

    def mentions(self, stems: Sequence[str]) -> list[tuple[int, int, str]]:
        """Where a whole name is said: (start, end, id), longest first at each place."""
        found: list[tuple[int, int, str]] = []
        lengths = self._lengths
        for at, stem in enumerate(stems):
            for length in lengths.get(stem, ()):
                if at + length > len(stems):  # the rest may be another, shorter name
                    continue
                numbers = self._by_name.get(tuple(stems[at : at + length]), ())[:_SAME_NAME]
                found.extend([(at, at + length, self._entities[number].id) for number in numbers])
        return found

    def telling(self, stems: Sequence[str]) -> tuple[str, ...]:
        """The stems that tell something: no articles and the like, unless there is nothing else."""
        return tuple(dict.fromkeys(s for s in stems if s not in self._little)) or tuple(dict.fromkeys(stems))

    def search(self, stems: Sequence[str], allowed: Allowed | None = None) -> list[Hit]:
        """The things that share words with these stems, best first."""
        wanted = self.telling(stems)
        if not wanted or not self._entities:
            return []
        fits = [self._fits.of(stem) for stem in wanted]
        scores = self._scores(fits, allowed)
        total = sum(fit.weight for fit in fits)
        said = frozenset(wanted)
        hits = [self._hit(number, score / total, said) for number, score in scores]
        hits.sort(key=lambda hit: (-hit.said, not hit.whole, -hit.named))
        unknown = [stem for stem, fit in zip(wanted, fits, strict=True) if not fit.things]
        return self._closest_first(hits, unknown) if unknown else hits

    def differs(self, identifier: str, stems: Sequence[str]) -> bool:
        """Whether a word was said in place of one that the thing has there: "pay water bill" is not "Pay gas bill"."""
        name = self._names[self._number[identifier]]
        after = {stem: name[at + 1 : at + 3] for at, stem in enumerate(name[:-1])}
        for at, stem in enumerate(stems[:-1]):
            said, there = stems[at + 1 : at + 3], after.get(stem, ())
            if there and said[0] != there[0] and (*said[1:],) == there[1:] and self._is_other(said[0], there[0], name):
                return True
        return False

    def _is_other(self, said: str, there: str, name: Sequence[str]) -> bool:
        """Whether both tell something, and neither is a slip for the other nor said elsewhere in the name."""
        if said in self._little or there in self._little or said in name:
            return False
        return not is_within(1 if len(there) < _LONG else 2, said, there)

    def _scores(self, fits: Sequence[Fit], allowed: Allowed | None) -> list[tuple[int, float]]:
        """The things with the highest scores, by number: enough to choose from and to offer."""
        if sum(fit.things for fit in fits) > _MANY:
            return self._scores_of_many(fits, allowed)
        scores: dict[int, float] = defaultdict(float)
        for weight, shares, _ in fits:
            for share, posting in shares:
                for number in posting.numbers:
                    scores[number] += weight * share
        if allowed is not None:
            scores = {number: score for number, score in scores.items() if allowed(self._entities[number].id)}
        if len(scores) <= _MOST_HITS:
            return list(scores.items())
        return nlargest(_MOST_HITS, scores.items(), key=lambda pair: (pair[1], -len(self._names[pair[0]])))

    def _scores_of_many(self, fits: Sequence[Fit], allowed: Allowed | None) -> list[tuple[int, float]]:
        """The same for words that many things share: the best are chosen first, and they alone are scored."""
        scores: dict[int, float] = defaultdict(float)
        total = sum(fit.weight for fit in fits)
        gains = [(posting.bits, fit.weight * share / total) for fit in fits for share, posting in fit.shares]
        chosen = best(gains, self._short_first, _MOST_HITS, self._bits(allowed, fits))
        for fit in fits:
            for share, posting in fit.shares:
                for number in _common(chosen, posting.numbers):
                    scores[number] += fit.weight * share
        return list(scores.items())

    def _bits(self, allowed: Allowed | None, fits: Sequence[Fit]) -> int | None:
        if allowed is None:
            return None
        if isinstance(allowed, Among):
            return allowed.bits
        fitting = {number for fit in fits for _, posting in fit.shares for number in posting.numbers}
        return bits_of([number for number in sorted(fitting) if allowed(self._entities[number].id)])

    def _hit(self, number: int, said: float, wanted: frozenset[str]) -> Hit:
        name = frozenset(self._names[number])
        telling = name - self._little or name
        named = len(telling & wanted) / len(telling) if telling else 0.0
        return Hit(self._entities[number].id, said, named, named == 1.0 and said > 0.999)

    def _closest_first(self, hits: list[Hit], unknown: Sequence[str]) -> list[Hit]:
        """Where several fit equally well, what is written most like a word that fits none goes first."""
        equal = sum(1 for hit in hits if hit[1:] == hits[0][1:])
        if equal < 2:
            return hits

        def likeness(hit: Hit) -> float:
            name = self.label_stems(hit.id)
            return sum(max(similarity(word, stem, _ALIKE) for stem in name) for word in unknown)

        return sorted(hits[:equal], key=likeness, reverse=True) + hits[equal:]


def _common(chosen: Sequence[int], numbers: array[int]) -> list[int]:
    """The chosen numbers that are among the others; both are in order."""
    places = ((number, bisect_left(numbers, number)) for number in chosen)
    return [number for number, place in places if place < len(numbers) and numbers[place] == number]
