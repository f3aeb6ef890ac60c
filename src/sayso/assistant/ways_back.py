"""Undo: takes back what was done, a group of calls at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from sayso.assistant.values import Json, State

_GROUP = "group"
_PLACES = "places"  # the indexes of a group's calls, among all calls of the turn


class PutsBack(Protocol):
    """An object that can undo a call."""

    async def put_back(self, back: Json) -> Json: ...


def as_one(groups: Sequence[str | None], backs: Sequence[Json | None]) -> tuple[Json | None, ...]:
    """The undo steps of these calls. The calls of a group get one step, because one yes confirmed them all."""
    kept = list(backs)
    for group in dict.fromkeys(name for name in groups if name is not None):
        places = [at for at, name in enumerate(groups) if name == group and backs[at] is not None]
        if len(places) > 1:
            kept[places[-1]] = {_GROUP: [backs[at] for at in places], _PLACES: places}
            for at in places[:-1]:
                kept[at] = None
    return tuple(kept)


def places_of(back: Json) -> list[int]:
    """The places in the turn of the calls that an undo step takes back together; empty if it is for one call."""
    return list(back.get(_PLACES, ()))


async def put_back(hands: PutsBack, back: Json) -> Json:
    """Undo a call, or the calls of a group from last to first. A group succeeds if all of its calls do."""
    if _GROUP not in back:
        return await hands.put_back(back)
    results = [await hands.put_back(each) for each in reversed(back[_GROUP])]
    failed = [result for result in results if result.get("status") != "success"]
    return failed[0] if failed else {"status": "success"}


def was_just_made(state: State) -> bool:
    """Whether the last call created exactly the items that the last turn showed."""
    if state.last is None or not state.history:
        return False
    backs = [each.get("back", each) for each in state.last.back.get(_GROUP, [state.last.back])]
    made = {each.get("id") for each in backs if "before" in each and each["before"] is None}
    return len(made) == len(backs) and made == set(state.history[-1].shown or ())
