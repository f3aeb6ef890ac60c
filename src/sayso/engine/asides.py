"""Asides: where the words for a thing end, and those begin that say why, where or for how much.

"I paid the rent at the post office", "drop the gym, since I never go": the thing is the rent, the gym.
"""

from __future__ import annotations

from sayso.engine.focus import Scene
from sayso.engine.grammar import Grammar, Sheet
from sayso.engine.link import link
from sayso.engine.target import Allowed, Target

_MOST = 6  # places that are tried


def before_reason(grammar: Grammar, sheet: Sheet, scene: Scene, first: int, last: int, allowed: Allowed | None) -> int:
    """Where a name ends: before the reason that was given, where it names nothing together with it."""
    cut = grammar.first(sheet, range(first + 1, last), "reason")
    if cut is None or link(grammar, sheet, scene, first, last, allowed).ids:
        return last
    return cut if _names(link(grammar, sheet, scene, first, cut, allowed)) else last


def before_circumstance(
    grammar: Grammar, sheet: Sheet, scene: Scene, first: int, last: int, allowed: Allowed | None
) -> int:
    """Where what was done ends, and where or when it was done begins: the last place before which it names a thing."""
    done = next((at for at in range(first, last) if grammar.is_past(sheet.words[at].low)), last)
    if done == last or _names(link(grammar, sheet, scene, first, last, allowed)):
        return last
    cuts = [at for at in range(max(done, first + 1) + 1, last) if _opens(grammar, sheet, at)][-_MOST:]
    return next((at for at in reversed(cuts) if _names(link(grammar, sheet, scene, first, at, allowed))), last)


def _opens(grammar: Grammar, sheet: Sheet, at: int) -> bool:
    """Whether words of place, time or measure may begin here."""
    return bool(grammar.has(sheet, at, "function", slips=0.0)) or any(
        chunk.floats for chunk in sheet.chunks.get(at, ())
    )


def _names(target: Target) -> bool:
    return len(target.ids) == 1 or target.problem == "ambiguous"
