"""Collects the things that "it", "the second one" and "the other one" may refer to, from the history.

After "You put off "Finish the report" and "Renew passport"." two things are in focus, and "that" is a question.
Words that are part of a thing's name are not read as values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from sayso.case import Case, Turn
from sayso.decision import Source, Span
from sayso.engine.grammar.frames import Chunk
from sayso.engine.grammar.sheet import Sheet
from sayso.engine.linking.index import EntityIndex
from sayso.engine.linking.inventory import EMPTY, Inventory
from sayso.engine.values.when import When

UNKNOWN = ""  # used like an id: the user mentioned something that is not known

_TURNS = 12  # how far back people remember


class Made(NamedTuple):
    """A thing that does not exist yet: it has no id, only its future name, and the place where that was said."""

    name: str
    source: Source = "message"
    span: Span | None = None


class Scene(NamedTuple):
    """The user's things, and the things that the conversation showed or mentioned."""

    things: EntityIndex
    focus: tuple[str, ...] = ()  # one: clear; several: equally recent, most recent first
    listed: tuple[str, ...] = ()  # the last list of two or more, as numbered then
    earlier: tuple[str, ...] = ()  # mentioned earlier in this message
    inventory: Inventory = EMPTY  # the things with their parts
    made: tuple[Made, ...] = ()  # the things that this message creates, by name
    past: bool = False  # an old message is read again, and things that were open then may be done by now
    lately: Callable[[], str | None] | None = None  # the tool of the turn before, if that was about one thing
    mentioned: Callable[[frozenset[str]], bool] | None = None  # whether the last turns have a word of these classes

    @property
    def names(self) -> Inventory | EntityIndex:
        """The index that compares words with names: by concepts if things have parts, else by stems."""
        return self.inventory or self.things

    @property
    def two(self) -> tuple[str, ...]:
        """The things that "both" means: the two that were shown, or are equally recent."""
        return self.listed if len(self.listed) == 2 else self.focus if len(self.focus) == 2 else ()

    def mention(self, ids: Sequence[str]) -> Scene:
        return self._replace(earlier=(*(one for one in self.earlier if one not in ids), *ids))

    def without_closed(self, fields: Mapping[str, str]) -> Scene:
        """The scene with only the things whose fields have these values, and nothing in focus."""
        return self._replace(things=self.things.narrowed(fields), focus=())

    def make(self, made: Made) -> Scene:
        return self.mention((made.name,))._replace(made=(*self.made, made))

    def knows(self, ids: Sequence[str]) -> bool:
        """Whether one of these exists already."""
        return any(self.things.get(identifier) is not None for identifier in ids)

    def made_as(self, name: str) -> Made | None:
        return next((made for made in self.made if made.name == name), None)


def scene_of(case: Case, index: EntityIndex) -> Scene:
    turns = case.history[-_TURNS:]
    return Scene(index, _focus(turns, index), _listed(turns, index))


def shown(turn: Turn, index: EntityIndex) -> tuple[str, ...]:
    """The ids that a turn showed to the user; searched in its text if it does not list them."""
    if turn.shown is not None:
        return turn.shown
    found: list[str] = []
    end = 0
    for start, stop, identifier in index.mentions(index.stems_of(turn.content)):
        if start >= end:
            found.append(identifier)
            end = stop
    return tuple(dict.fromkeys(found))


def is_about_one(case: Case, index: EntityIndex) -> bool:
    """Whether the assistant's last turn showed exactly one thing."""
    last = case.history[-1] if case.history else None
    return last is not None and last.role == "assistant" and len(shown(last, index)) == 1


def _focus(turns: Sequence[Turn], index: EntityIndex) -> tuple[str, ...]:
    """The things that the last turn with any showed to the user, as far as they still exist."""
    for number in range(len(turns) - 1, -1, -1):
        before = shown(turns[number], index)
        if not before:
            continue
        ids = tuple(one for one in before if index.get(one) is not None) if len(index) else before
        if len(ids) < 2:
            return ids
        question = turns[number - 1] if number else None
        if question is not None and question.role == "user" and turns[number].role == "assistant":
            asked = _asked_about(question, ids, index)
            if asked is not None:
                return (asked,)
        return tuple(reversed(ids))
    return ()


def _asked_about(turn: Turn, ids: tuple[str, ...], index: EntityIndex) -> str | None:
    """The one thing that the user mentioned, if the reply names more."""
    hits = [hit for hit in index.search(index.stems_of(turn.content), index.only(ids)) if hit.named >= 0.5]
    if len(hits) == 1 or (len(hits) > 1 and hits[0].named > hits[1].named + 0.25):
        return hits[0].id
    return None


def _listed(turns: Sequence[Turn], index: EntityIndex) -> tuple[str, ...]:
    for turn in reversed(turns):
        if turn.role == "assistant":
            ids = shown(turn, index)
            if len(ids) >= 2:
                return ids
    return ()


def without_names(sheet: Sheet, index: EntityIndex) -> Sheet:
    """The sheet without the values that are part of a complete name."""
    if not sheet.chunks:
        return sheet
    names = [(start, end) for start, end, _ in index.mentions(sheet.stems) if end - start > 1]
    if not names:
        return sheet
    return _without(sheet, lambda chunk: any(a <= chunk.core and chunk.end <= b for a, b in names))


def _without(sheet: Sheet, is_none: Callable[[Chunk], bool]) -> Sheet:
    """The sheet without the chunks that are not values after all."""
    beside = {at: [chunk for chunk in here if not is_none(chunk)] for at, here in sheet.chunks.items()}
    kept = {at: here for at, here in beside.items() if here}
    return sheet._replace(chunks=kept, view=sheet.view._replace(chunks=kept), linked={})


def with_groups(sheet: Sheet, index: EntityIndex) -> Sheet:
    """Add the names of existing groups: "move it to work", if there is a list of that name."""
    grammar = sheet.grammar
    for slot, field in grammar.shared.items():
        if grammar.may_name_group(sheet, slot) and (names := index.shared(field)):
            sheet = grammar.with_groups(sheet, slot, names)
    return sheet


def without_places(sheet: Sheet, scene: Scene) -> Sheet:
    """The sheet without days that are places in the list shown last: "il primo e il terzo" are not dates then."""
    if not scene.listed or not any(_is_place(sheet, one) for here in sheet.chunks.values() for one in here):
        return sheet
    return _without(sheet, lambda chunk: _is_place(sheet, chunk))


def _is_place(sheet: Sheet, chunk: Chunk) -> bool:
    """An ordinal with only its article, at the beginning of a clause."""
    if not isinstance(chunk.value, When):
        return False
    start = chunk.start
    opens = start == 0 or sheet.words[start - 1].kind == "mark" or sheet.has(start - 1, "link")
    at = sheet.has(start, "article") or start
    ordinal = sheet.grammar.numbers.read_ordinal(sheet.lows, at) if opens and at < chunk.end else None
    return ordinal is not None and ordinal[1] == chunk.end
