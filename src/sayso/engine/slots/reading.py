"""What a clause may mean: an act, with the texts, values and things that fill it."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING, NamedTuple

from sayso.engine.grammar.frames import Chunk, Match
from sayso.engine.grammar.sheet import Target
from sayso.engine.slots.texts import Piece

if TYPE_CHECKING:
    from sayso.engine.linking.deed import Deed


class Reading(NamedTuple):
    """One way to understand a clause."""

    act: str
    match: Match
    target: Target | None  # the thing of the act, if it takes an entity
    target_param: str | None
    chunks: tuple[Chunk, ...]
    texts: dict[str, Piece]  # what was said in each text slot
    start: int
    end: int
    deed: Deed | None = None  # what is done with which part of which thing, where the pack's things have parts

    @property
    def about(self) -> tuple[str, ...]:
        """The ids of what it is about, as far as that is settled."""
        return self.target.ids if self.target is not None else ()

    @property
    def parts(self) -> tuple[str, ...]:
        """The ids of the parts of the thing that it is about."""
        return tuple([part.id for part in self.deed.best.parts]) if self.deed is not None else ()

    @property
    def lacks_part(self) -> bool:
        """Whether a thing with parts is named, and nothing that could be done with it."""
        return self.deed is not None and self.deed.problem == "no_part"

    def has_value_of(self, slots: Container[str]) -> bool:
        """Whether a value of one of these slots was said."""
        return any(chunk.slot in slots for chunk in self.chunks)

    def filled(self, slot: str) -> bool:
        return slot in self.texts or any(chunk.slot == slot for chunk in self.chunks)


class Before(NamedTuple):
    """What was said just before, for "…, add that"."""

    start: int
    end: int
    reading: Reading | None
