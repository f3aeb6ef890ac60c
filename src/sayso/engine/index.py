"""The index: the person's things, by the stems of their names.

"the fire traning" finds "Mandatory fire training": slips forgiven, any order, any part. Built once for a set of
entities; a search touches only the things that share a stem with what was said.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import nlargest
from itertools import pairwise
from typing import NamedTuple

from sayso.engine.pack import EntityKind
from sayso.engine.slips import Slips
from sayso.engine.stems import Stems
from sayso.record import Entity

_MOST_HITS = 60
_SLIP = 0.8  # what a match through a slip counts
_ASIDE = 0.6  # what a match in a further field counts


class Hit(NamedTuple):
    """A thing that may be meant. `said` is the share of the words that fit it, `whole` that all its name was said."""

    id: str
    said: float
    named: float  # share of the name that was said
    whole: bool


class _Row(NamedTuple):
    entity: Entity
    stems: tuple[str, ...]


class EntityIndex:
    """The entities of one person, ready to be searched."""

    def __init__(
        self, entities: Iterable[Entity], kinds: Mapping[str, EntityKind], stems: Stems, little: frozenset[str]
    ) -> None:
        self._stems = stems
        self._little = little
        self._rows: list[_Row] = []
        self._by_id: dict[str, Entity] = {}
        self._low_ids: dict[str, str] = {}
        self._number: dict[str, int] = {}
        self._names: dict[str, list[int]] = defaultdict(list)
        self._aside: dict[str, list[int]] = defaultdict(list)
        self._firsts: dict[str, list[int]] = defaultdict(list)
        for entity in entities:
            kind = kinds.get(entity.kind)
            if kind is not None:
                self._add(entity, kind)
        self._slips: Slips | None = None

    def _add(self, entity: Entity, kind: EntityKind) -> None:
        number = len(self._rows)
        stems = self.stems_of(entity.text(kind.name))
        self._rows.append(_Row(entity, stems))
        self._by_id[entity.id] = entity
        self._number[entity.id] = number
        self._low_ids[entity.id.casefold()] = entity.id
        for stem in set(stems):
            self._names[stem].append(number)
        for first, second in pairwise(stems):
            self._aside[first + second].append(number)  # "backup" for "Back up"
        for field in kind.also:
            for stem in set(self.stems_of(entity.text(field))):
                self._aside[stem].append(number)
        if stems:
            self._firsts[stems[0]].append(number)

    def __len__(self) -> int:
        return len(self._rows)

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
        return self._rows[number].stems if number is not None else ()

    def stems_of(self, text: str) -> tuple[str, ...]:
        return self._stems.of(text)

    def mentions(self, stems: Sequence[str]) -> list[tuple[int, int, str]]:
        """Where a whole name is said: (start, end, id), longest first at each place."""
        found: list[tuple[int, int, str]] = []
        for at, stem in enumerate(stems):
            for number in self._firsts.get(stem, ())[:50]:
                row = self._rows[number]
                size = len(row.stems)
                if tuple(stems[at : at + size]) == row.stems:
                    found.append((at, at + size, row.entity.id))
        return sorted(found, key=lambda mention: (mention[0], -mention[1]))

    def search(self, stems: Sequence[str], allowed: Callable[[str], bool] | None = None) -> list[Hit]:
        """The things that share words with these stems, best first."""
        wanted = self.telling(stems)
        if not wanted or not self._rows:
            return []
        scores: dict[int, float] = defaultdict(float)
        total = 0.0
        for stem in wanted:
            weight, found = self._postings(stem)
            total += weight
            for number, share in found.items():
                scores[number] += weight * share
        best = self._best(scores, allowed)
        hits = [self._hit(number, scores[number] / total, wanted) for number in best]
        return sorted(hits, key=lambda hit: (-hit.said, not hit.whole, -hit.named))

    def _best(self, scores: dict[int, float], allowed: Callable[[str], bool] | None) -> list[int]:
        """The things with the highest scores: enough to choose from and to offer."""
        if allowed is not None:
            scores = {number: score for number, score in scores.items() if allowed(self._rows[number].entity.id)}
        if len(scores) <= _MOST_HITS:
            return list(scores)
        return nlargest(_MOST_HITS, scores, key=lambda number: (scores[number], -len(self._rows[number].stems)))

    def telling(self, stems: Sequence[str]) -> tuple[str, ...]:
        """The stems that tell something: no articles and the like, unless there is nothing else."""
        return tuple(dict.fromkeys(s for s in stems if s not in self._little)) or tuple(dict.fromkeys(stems))

    def _hit(self, number: int, said: float, wanted: tuple[str, ...]) -> Hit:
        row = self._rows[number]
        telling = self.telling(row.stems)
        named = sum(1 for stem in telling if stem in wanted) / len(telling) if telling else 0.0
        return Hit(row.entity.id, said, named, named == 1.0 and said > 0.999)

    def _postings(self, stem: str) -> tuple[float, dict[int, float]]:
        """How much a word tells, and whom it fits by how much."""
        found: dict[int, float] = {}
        for number in self._aside.get(stem, ()):
            found[number] = _ASIDE
        for number in self._names.get(stem, ()):
            found[number] = 1.0
        if not found:
            for known, slips in self._suggest(stem)[:2]:
                for number in self._names.get(known, ()):
                    found.setdefault(number, _SLIP if slips == 1 else _SLIP * 0.85)
        rows = len(self._rows)
        weight = math.log(1 + rows / len(found)) if found else math.log(1 + rows)
        return max(weight, 0.3), found

    def _suggest(self, stem: str) -> tuple[tuple[str, int], ...]:
        if len(stem) < 4:
            return ()
        if self._slips is None:
            self._slips = Slips(self._names)
        return self._slips.suggest(stem)
