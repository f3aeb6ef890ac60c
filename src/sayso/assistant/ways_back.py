"""Undo: takes back what was done, a group of calls at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from sayso.assistant.values import Json, State

_GROUP = "group"
_PLACES = "places"  # of the deeds of a group, among all deeds of the turn


class PutsBack(Protocol):
    """What can take a deed back."""

    async def put_back(self, back: Json) -> Json: ...


def as_one(groups: Sequence[str | None], backs: Sequence[Json | None]) -> tuple[Json | None, ...]:
    """The ways back of some deeds, with those of each group as one: what one yes did is taken back at once."""
    kept = list(backs)
    for group in dict.fromkeys(name for name in groups if name is not None):
        places = [at for at, name in enumerate(groups) if name == group and backs[at] is not None]
        if len(places) > 1:
            kept[places[-1]] = {_GROUP: [backs[at] for at in places], _PLACES: places}
            for at in places[:-1]:
                kept[at] = None
    return tuple(kept)


def places_of(back: Json) -> list[int]:
    """Which deeds of its turn a way back takes back together; none where it is that of one deed."""
    return list(back.get(_PLACES, ()))


async def put_back(hands: PutsBack, back: Json) -> Json:
    """Take back a deed, or a group of them, the last one first; for a group, the result of all of it."""
    if _GROUP not in back:
        return await hands.put_back(back)
    results = [await hands.put_back(each) for each in reversed(back[_GROUP])]
    failed = [result for result in results if result.get("status") != "success"]
    return failed[0] if failed else {"status": "success"}


def was_just_made(state: State) -> bool:
    """Whether what the last turn spoke of was made by the last deed."""
    if state.last is None or not state.history:
        return False
    backs = [each.get("back", each) for each in state.last.back.get(_GROUP, [state.last.back])]
    made = {each.get("id") for each in backs if "before" in each and each["before"] is None}
    return len(made) == len(backs) and made == set(state.history[-1].shown or ())
