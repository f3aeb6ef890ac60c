"""Indexes the user's things by the stems of their names.

"the fire traning" finds "Mandatory fire training": typos allowed, any order, any part. A search touches only the
things that share a stem with the words, and of very many only the best. Each table is built when it is first needed:
a case that names nothing builds none.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import NamedTuple

from sayso.engine.grammar.pack import EntityKind
from sayso.engine.grammar.sheet import Stretch
from sayso.engine.lexicon.words import Stems
from sayso.engine.linking.fits import Fit, Fits, best, bits_of, by_length
from sayso.engine.text.similarity import is_within, similarity
from sayso.engine.text.tokens import fold
from sayso.record import Entity

_MOST_HITS = 60
_MANY = 400  # things that share a word with the message; of more, the best are selected all at once
_ALIKE = 0.6  # the share of the letters that two words must have in common to be alike at all
_LONG = 9  # letters from which on two typos are allowed if another word may be meant
_SAME_NAME = 50  # things of one name that are looked at
_NAMED = 0.5  # the share of a name that must have been said
_ALL = 0.999  # if more than this share of the words matches, all of them do


Allowed = Callable[[str], bool]


class Hit(NamedTuple):
    """A thing that may be meant. `said`: the share of the words that match it; `whole`: its full name was said."""

    id: str
    said: float
    named: float  # share of the name that was said
    whole: bool


_hit = partial(tuple.__new__, Hit)  # the fields are in order, so a hit needs no argument checks


class Among:
    """Some of the user's things, as a predicate on ids or as the bits of one number."""

    def __init__(self, fits: Allowed, numbers: Callable[[], Sequence[int]]) -> None:
        self._fits, self._numbers = fits, numbers

    def __call__(self, identifier: str) -> bool:
        return self._fits(identifier)

    @cached_property
    def bits(self) -> int:
        return bits_of(self._numbers())


class EntityIndex:
    """The entities of one user, ready to be searched."""

    margin = 0.02  # a thing is meant if its share of the words is this much higher than any other's

    def __init__(
        self, entities: Iterable[Entity], kinds: Mapping[str, EntityKind], stems: Stems, little: frozenset[str]
    ) -> None:
        self._stems, self._little, self._kinds = stems, little, kinds
        self._entities = [entity for entity in entities if entity.kind in kinds]
        self._amongs: dict[tuple[tuple[str, str], ...], Among] = {}
        self._shared: dict[str, dict[str, str]] = {}
        self._tellings: dict[int, frozenset[str]] = {}

    @cached_property
    def _by_id(self) -> dict[str, Entity]:
        return {entity.id: entity for entity in self._entities}

    @cached_property
    def _ids(self) -> list[str]:
        return [entity.id for entity in self._entities]

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
        """The lengths in words of the names that begin with a stem, longest first."""
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
        """Builds every table now, for an index that serves many decisions."""
        for table in ("_by_id", "_ids", "_low_ids", "_number", "_lengths", "_short_first"):
            getattr(self, table)
        self._fits.warm()

    @property
    def entities(self) -> Sequence[Entity]:
        """All of them, in their order."""
        return self._entities

    def __len__(self) -> int:
        return len(self._entities)

    def spoken_of(self, stretch: Stretch) -> dict[str, float]:
        """The things that the words name, with how well."""
        return {hit.id: hit.said for hit in self.search(stretch.sheet.stems[stretch.start : stretch.end])}

    def called(self, name: str) -> frozenset[str]:
        """The things that a name matches best."""
        hits = self.search(self.stems_of(fold(name)))
        return frozenset(hit.id for hit in hits if hit.said >= hits[0].said and hit.named >= _NAMED)

    def is_named(self, identifier: str, stretch: Stretch) -> bool:
        """Whether enough of a name was said, because a name may share a word with anything."""
        stems = stretch.sheet.stems[stretch.start : stretch.end]
        return any(hit.named >= _NAMED for hit in self.search(stems, self.only([identifier])))

    def get(self, identifier: str) -> Entity | None:
        return self._by_id.get(identifier)

    def by_id(self, said: str) -> str | None:
        """The id that was said, in upper or lower case."""
        return self._low_ids.get(said.casefold())

    def place(self, identifier: str) -> int:
        """The position of a thing in the user's own order."""
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

    def narrowed(self, fields: Mapping[str, str]) -> EntityIndex:
        """An index of only the things whose fields have these values."""
        kept = [one for one in self._entities if all(one.text(field) == value for field, value in fields.items())]
        return EntityIndex(kept, self._kinds, self._stems, self._little)

    def only(self, ids: Iterable[str]) -> Among:
        """The things with these ids."""
        known = frozenset(ids)
        return Among(known.__contains__, lambda: sorted(self._number[i] for i in known if i in self._number))

    def mentions(self, stems: Sequence[str]) -> list[tuple[int, int, str]]:
        """Where a full name is said: (start, end, id), longest first at each place."""
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
        """The telling stems: no articles and the like, unless there is nothing else."""
        little = self._little
        return tuple(dict.fromkeys([stem for stem in stems if stem not in little])) or tuple(dict.fromkeys(stems))

    def search(self, stems: Sequence[str], allowed: Allowed | None = None) -> list[Hit]:
        """The things that share words with these stems, best first."""
        wanted = self.telling(stems)
        if not wanted or not self._entities:
            return []
        of = self._fits.of
        fits = [of(stem) for stem in wanted]
        hits = self._hits(self._scores(fits, allowed), sum([fit.weight for fit in fits]), frozenset(wanted))
        unknown = [stem for stem, fit in zip(wanted, fits, strict=True) if not fit.things]
        return self._closest_first(hits, unknown) if unknown else hits

    def _hits(self, scores: list[tuple[int, float]], total: float, wanted: frozenset[str]) -> list[Hit]:
        """The things with these scores as hits, best first; equal ones keep their order."""
        tellings, ids = self._tellings, self._ids
        ranked: list[tuple[float, bool, float, int, str]] = []
        for place, (number, score) in enumerate(scores):
            telling = tellings.get(number)
            if telling is None:
                name = frozenset(self._names[number])
                telling = tellings[number] = name - self._little or name
            said = score / total
            named = len(telling & wanted) / len(telling) if telling else 0.0
            ranked.append((-said, named < 1.0 or said <= _ALL, -named, place, ids[number]))
        ranked.sort()
        return [_hit((identifier, -said, -named, not part)) for said, part, named, _, identifier in ranked]

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
        """Whether both words are telling, and neither is a typo of the other nor elsewhere in the name."""
        if said in self._little or there in self._little or said in name:
            return False
        return not is_within(1 if len(there) < _LONG else 2, said, there)

    def _scores(self, fits: Sequence[Fit], allowed: Allowed | None) -> list[tuple[int, float]]:
        """The things with the highest scores, by number: enough to choose from and to offer."""
        if sum([fit.things for fit in fits]) > _MANY:
            return self._scores_of_many(fits, allowed)
        scores: dict[int, float] = defaultdict(float)
        for weight, shares, _ in fits:
            for share, posting in shares:
                gain = weight * share
                for number in posting.numbers:
                    scores[number] += gain
        if allowed is not None:
            scores = {number: score for number, score in scores.items() if allowed(self._entities[number].id)}
        if len(scores) <= _MOST_HITS:
            return list(scores.items())
        least = sorted(scores.values(), reverse=True)[_MOST_HITS - 1]
        names = self._names
        ranked = [
            (-score, len(names[number]), place, number)
            for place, (number, score) in enumerate(scores.items())
            if score >= least
        ]
        ranked.sort()
        return [(number, -score) for score, _, _, number in ranked[:_MOST_HITS]]

    def _scores_of_many(self, fits: Sequence[Fit], allowed: Allowed | None) -> list[tuple[int, float]]:
        """The same for words that many things share: selects the best first, and scores only those."""
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

    def _closest_first(self, hits: list[Hit], unknown: Sequence[str]) -> list[Hit]:
        """Of equal hits, puts first the one whose spelling is closest to a word that matches no thing."""
        equal = sum(1 for hit in hits if hit[1:] == hits[0][1:])
        if equal < 2:
            return hits

        def likeness(hit: Hit) -> float:
            name = self.label_stems(hit.id)
            return sum(max(similarity(word, stem, _ALIKE) for stem in name) for word in unknown)

        return sorted(hits[:equal], key=likeness, reverse=True) + hits[equal:]


def _common(chosen: Sequence[int], numbers: array[int]) -> list[int]:
    """The chosen numbers that are among the others; both are in order."""
    end = len(numbers)
    return [number for number in chosen if (at := bisect_left(numbers, number)) < end and numbers[at] == number]
