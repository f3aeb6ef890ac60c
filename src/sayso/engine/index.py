"""The index: the person's things, by the stems of their names.

"the fire traning" finds "Mandatory fire training": slips forgiven, any order, any part. A search touches only the
things that share a stem with what was said, and of very many only the best. Each table is made when it is first needed:
a case that names nothing pays for none.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from heapq import nlargest
from itertools import pairwise
from typing import NamedTuple

from rapidfuzz.distance import OSA

from sayso.engine.pack import EntityKind
from sayso.engine.shortlist import Posting, best, bits_of, by_length
from sayso.engine.slips import Slips
from sayso.engine.stems import Stems
from sayso.record import Entity

_MOST_HITS = 60
_MANY = 400  # things that share a word with what was said; of more the best are chosen all at once
_SLIP = 0.8  # what a match through a slip counts
_ASIDE = 0.6  # what a match in a further field counts
_ALIKE = 0.6  # the share of the letters that two words must have in common to be alike at all
_SAME_NAME = 50  # things of one name that are looked at
_REMEMBERED = 2_000


class Hit(NamedTuple):
    """A thing that may be meant. `said` is the share of the words that fit it, `whole` that all its name was said."""

    id: str
    said: float
    named: float  # share of the name that was said
    whole: bool


class Among:
    """Some of the person's things: those that an act can be about."""

    def __init__(self, fits: Callable[[str], bool], numbers: Callable[[], Sequence[int]]) -> None:
        self._fits, self._numbers = fits, numbers

    def __call__(self, identifier: str) -> bool:
        return self._fits(identifier)

    @cached_property
    def bits(self) -> int:
        return bits_of(self._numbers())


class _Fit(NamedTuple):
    """How much a word tells, and whom it fits by how much."""

    weight: float
    shares: tuple[tuple[float, Posting], ...]
    count: int


class EntityIndex:
    """The entities of one person, ready to be searched."""

    def __init__(
        self, entities: Iterable[Entity], kinds: Mapping[str, EntityKind], stems: Stems, little: frozenset[str]
    ) -> None:
        self._stems, self._little, self._kinds = stems, little, kinds
        self._entities = [entity for entity in entities if entity.kind in kinds]
        self._amongs: dict[tuple[tuple[str, str], ...], Among] = {}
        self._fits: dict[str, _Fit] = {}

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
    def _postings(self) -> dict[str, Posting]:
        """By every stem of the names."""
        found: dict[str, Posting] = {}
        for number, name in enumerate(self._names):
            for stem in {*name}:
                if stem not in found:
                    found[stem] = Posting()
                found[stem].numbers.append(number)
        return found

    @cached_property
    def _further(self) -> dict[str, Posting]:
        """By every stem of the further fields, such as the description."""
        found: dict[str, Posting] = defaultdict(Posting)
        also = {name: kind.also for name, kind in self._kinds.items() if kind.also}
        for number, entity in enumerate(self._entities):
            texts = [entity.text(field) for field in also.get(entity.kind, ())]
            for stem in {stem for text in texts if text for stem in self.stems_of(text)}:
                found[stem].numbers.append(number)
        return found

    @cached_property
    def _slips(self) -> Slips:
        return Slips(self._postings)

    @cached_property
    def _short_first(self) -> list[int]:
        return by_length([len(name) for name in self._names])

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
                for number in self._by_name.get(tuple(stems[at : at + length]), ())[:_SAME_NAME]:
                    found.append((at, at + length, self._entities[number].id))
        return found

    def telling(self, stems: Sequence[str]) -> tuple[str, ...]:
        """The stems that tell something: no articles and the like, unless there is nothing else."""
        return tuple(dict.fromkeys(s for s in stems if s not in self._little)) or tuple(dict.fromkeys(stems))

    def search(self, stems: Sequence[str], allowed: Among | None = None) -> list[Hit]:
        """The things that share words with these stems, best first."""
        wanted = self.telling(stems)
        if not wanted or not self._entities:
            return []
        fits = [self._fit(stem) for stem in wanted]
        scores = self._scores(fits, allowed)
        total = sum(fit.weight for fit in fits)
        said = frozenset(wanted)
        hits = [self._hit(number, score / total, said) for number, score in scores]
        hits.sort(key=lambda hit: (-hit.said, not hit.whole, -hit.named))
        unknown = [stem for stem, fit in zip(wanted, fits, strict=True) if not fit.count]
        return self._closest_first(hits, unknown) if unknown else hits

    def _scores(self, fits: Sequence[_Fit], allowed: Among | None) -> list[tuple[int, float]]:
        """The things with the highest scores, by number: enough to choose from and to offer."""
        scores: dict[int, float] = defaultdict(float)
        if sum(fit.count for fit in fits) > _MANY:
            total = sum(fit.weight for fit in fits)
            gains = [(posting.bits, fit.weight * share / total) for fit in fits for share, posting in fit.shares]
            chosen = best(gains, self._short_first, _MOST_HITS, allowed.bits if allowed is not None else None)
            for fit in fits:
                for share, posting in fit.shares:
                    for number in _common(chosen, posting.numbers):
                        scores[number] += fit.weight * share
            return list(scores.items())
        for weight, shares, _ in fits:
            for share, posting in shares:
                for number in posting.numbers:
                    scores[number] += weight * share
        if allowed is not None:
            scores = {number: score for number, score in scores.items() if allowed(self._entities[number].id)}
        if len(scores) <= _MOST_HITS:
            return list(scores.items())
        return nlargest(_MOST_HITS, scores.items(), key=lambda pair: (pair[1], -len(self._names[pair[0]])))

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
            return sum(max(OSA.normalized_similarity(word, stem, score_cutoff=_ALIKE) for stem in name) for word in unknown)

        return sorted(hits[:equal], key=likeness, reverse=True) + hits[equal:]

    def _fit(self, stem: str) -> _Fit:
        fit = self._fits.get(stem)
        if fit is None:
            if len(self._fits) >= _REMEMBERED:
                self._fits.clear()
            fit = self._fits[stem] = self._work_out(stem)
        return fit

    def _work_out(self, stem: str) -> _Fit:
        named = self._postings.get(stem)
        aside = self._aside(stem)
        shares = [(1.0, named)] if named is not None else []
        if aside:
            shares.append((_ASIDE, Posting(sorted(aside.difference(named.numbers if named is not None else ())))))
        if not shares:
            taken: set[int] = set()
            for known, slips in self._slips.suggest(stem)[:2] if len(stem) > 3 else ():
                near = Posting(number for number in self._postings[known].numbers if number not in taken)
                shares.append((_SLIP if slips == 1 else _SLIP * 0.85, near if taken else self._postings[known]))
                taken.update(near.numbers)
        count = sum(len(posting.numbers) for _, posting in shares)
        weight = math.log(1 + len(self._entities) / count) if count else math.log(1 + len(self._entities))
        return _Fit(max(weight, 0.3), tuple(shares), count)

    def _aside(self, stem: str) -> set[int]:
        """The things that have the word in a further field, or as two in their name ("backup" for "Back up")."""
        further = self._further.get(stem)
        found = set(further.numbers) if further is not None else set()
        for cut in range(1, len(stem)):
            first, second = self._postings.get(stem[:cut]), self._postings.get(stem[cut:])
            if first is not None and second is not None:
                pair = (stem[:cut], stem[cut:])
                rarer = min(first.numbers, second.numbers, key=len)
                found.update(number for number in rarer if pair in pairwise(self._names[number]))
        return found


def _common(chosen: Sequence[int], numbers: array[int]) -> list[int]:
    """The chosen numbers that are among the others; both are in order."""
    places = ((number, bisect_left(numbers, number)) for number in chosen)
    return [number for number, place in places if place < len(numbers) and numbers[place] == number]
