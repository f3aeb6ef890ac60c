"""Decides whether the words ask for another tool than the proposed one.

"did I add the note?" asks whether it was done, "I added the note" tells that it was, "delete the note" wants another
deed than adding one. Where the verbs of a tool's purpose are known, what is proposed against such words is confirmed
first. Words within the values ask for nothing: "add a note: delete the old ones" adds one.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Any

from sayso.engine.decide.decide import Room
from sayso.engine.grammar.moods import moods
from sayso.engine.grammar.pack import Tool
from sayso.engine.grammar.sheet import TYPOS, Stretch

_OTHERS = ("third", "unreal", "reported")  # what others do or say, and what is not so
_WISHES = ("request", "plan")


def asks_otherwise(room: Room, tool: Tool, told: Container[str], values: Iterable[Any]) -> bool:
    """Whether the words ask a question, tell of what is done, or ask for another deed, and none asks for this one.

    `told` are the stems of what the tool says of itself: a verb among them is no other's.
    """
    free = _free(room, values)
    if not any(free):
        return True  # all that was said is the value: nothing asks for anything
    own, other = _verbs(room, tool)
    heads = list(_heads(room, free))
    if any(free[head] and _has(room, head, own) for _, head in heads):
        return False
    if any(room.sheet.stems[head] not in told and _has(room, head, other) for _, head in heads):
        return True
    names = {name for name, _ in heads}
    if "question" in names and not names & {*_WISHES}:
        return True
    return _tells_of_deeds(room, [at for at, is_free in enumerate(free) if is_free], own)


def _tells_of_deeds(room: Room, said: Sequence[int], own: frozenset[str]) -> bool:
    """Whether somebody else's deed is told, or that something was done, and no verb asks for this one."""
    if any(_has(room, at, _OTHERS) for at in said):
        return True
    return not any(_has(room, at, own) for at in said) and any(_is_done(room, at, own) for at in said)


def _verbs(room: Room, tool: Tool) -> tuple[frozenset[str], frozenset[str]]:
    """The classes of verbs that ask for the tool, and those that ask for others; none where its own are not known."""
    own, known = frozenset(tool.verbs), frozenset(room.grammar.book.verbs)
    return own & known, known - own if own else frozenset()


def _has(room: Room, at: int, classes: Iterable[str]) -> bool:
    return bool(room.sheet.has(at, *classes))


def _is_done(room: Room, at: int, classes: Iterable[str]) -> bool:
    """Whether a verb of these stands here in a form that tells what was done."""
    grammar, word = room.grammar, room.sheet.words[at].low
    lemmas = (lemma.partition(" ")[0] for name in classes for lemma in grammar.book.verbs[name])
    return grammar.is_past(word) and any(grammar.stems.stem(lemma) == room.sheet.stems[at] for lemma in lemmas)


def _heads(room: Room, free: list[bool]) -> Iterator[tuple[str, int]]:
    """How each clause may begin in earnest, and where: its mood, and the word after what opens it. One that is all
    value begins nothing; one that is so in part does, or a value could be chosen to hide what it begins with."""
    words, first = room.sheet.words, 0
    for at in range(len(words) + 1):
        if at == len(words) or words[at].kind == "mark" or (at > first and room.sheet.has(at, "link", slips=TYPOS)):
            found = moods(Stretch(room.sheet, first, min(at + 1, len(words)))) if any(free[first:at]) else []
            yield from ((mood.name, mood.start) for mood in found if mood.start < len(words))
            first = at + 1


def _free(room: Room, values: Iterable[Any]) -> list[bool]:
    """For each word, whether it is a telling one that stands outside of the values."""
    stems, little = room.sheet.stems, room.grammar.little
    free = [word.kind == "word" for word in room.sheet.words]
    for text in _texts(values):
        said = room.grammar.stems.of(text)
        for at in range(len(stems) - len(said) + 1 if said else 0):
            if list(stems[at : at + len(said)]) == list(said):
                free[at : at + len(said)] = [False] * len(said)
    return free if any(one and stem not in little for one, stem in zip(free, stems, strict=True)) else []


def _texts(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict | list | tuple):
            yield from _texts(value.values() if isinstance(value, dict) else value)
