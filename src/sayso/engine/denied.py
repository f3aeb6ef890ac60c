"""Denied: of two that were offered, the one that is meant because the other is not.

"not the draft, the other".
"""

from __future__ import annotations

from collections.abc import Sequence

from sayso.engine.decide import Room
from sayso.engine.focus import Scene
from sayso.engine.link import link
from sayso.engine.position import only


def not_that_one(room: Room, ids: Sequence[str], end: int) -> int | None:
    """ "not the draft, the other": of two the one that is not denied."""
    has, sheet = room.grammar.has, room.sheet
    denied = next((at for at in range(end) if has(sheet, at, "negation", slips=0.0)), end)
    parts = (at for at in range(denied, end) if sheet.words[at].kind == "mark" or has(sheet, at, "link", slips=0.0))
    pause = next(parts, end)
    if len(ids) != 2 or not denied + 1 < pause < end:
        return None
    after = next((at for at in range(pause + 1, end) if not has(sheet, at, "article", "link", slips=0.0)), end)
    rest = has(sheet, after, "other", slips=0.0) if after < end else 0
    if not rest or not only(room.grammar, sheet, rest, end):
        return None
    scene = Scene(room.scene.things, listed=tuple(ids))
    target = link(room.grammar, sheet, scene, denied + 1, pause, ids.__contains__)
    return 1 - ids.index(target.ids[0]) if len(target.ids) == 1 else None
