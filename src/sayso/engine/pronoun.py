"""Pronoun: words that point instead of naming, and what they point at.

"it" is what is in focus, "them" the two that were shown, "the other one" what is left of them.
"""

from __future__ import annotations

from sayso.engine.focus import Scene
from sayso.engine.grammar import Grammar, Sheet
from sayso.engine.target import Allowed, Target
from sayso.engine.trim import SMALL


def by_pronoun(
    grammar: Grammar, sheet: Sheet, scene: Scene, start: int, end: int, allowed: Allowed | None
) -> Target | None:
    at, one, several, every, each = start, False, False, False, False
    while at < end:
        pointing, them = grammar.has(sheet, at, "it"), grammar.has(sheet, at, "them", "each")
        each = each or bool(grammar.has(sheet, at, "each", slips=0.0))
        all_of = grammar.has(sheet, at, "all")
        empty = grammar.has(sheet, at, "dummy", "article", "possessive", *SMALL, *grammar.nouns, slips=0.1)
        if sheet.words[at].kind == "mark":
            empty = at + 1
        after = max(pointing, them, all_of, empty)
        if not after:
            return None
        one, several, every = one or bool(pointing), several or bool(them), every or all_of == after
        at = after
    if every:
        return Target(problem="bulk")
    if several and (each or not one):  # a word for one may also stand for several: "spostale entrambe"
        return _those(scene)
    return _that(scene, allowed) if one else Target(problem="missing")


def _those(scene: Scene) -> Target:
    """ "them", "both": two things that were named or shown; more is more than one may take."""
    both = scene.earlier or scene.listed
    if len(both) == 2 or (len(both) == 1 and scene.earlier):  # "the visa photos, … them"
        return Target(ids=both, source="history", pronoun=len(both) == 1)
    return Target(problem="bulk" if both else "missing", pronoun=True)


def _that(scene: Scene, allowed: Allowed | None) -> Target:
    """ "it": what this message named, else what is in focus."""
    if scene.earlier:
        return Target(ids=scene.earlier[-1:], source="message", pronoun=True)
    alive = tuple(i for i in scene.focus if scene.things.get(i) is not None)
    fitting = tuple(i for i in alive if allowed is None or allowed(i))
    if alive and not fitting:
        return Target(problem="not_found", source="history", pronoun=True)
    if len(alive) > 1:
        return Target(options=fitting, problem="ambiguous", source="history", pronoun=True, certainty=0.5)
    if len(alive) == 1:
        return Target(ids=alive, source="history", pronoun=True)
    return Target(problem="missing", pronoun=True)


def by_other(grammar: Grammar, sheet: Sheet, scene: Scene, start: int, end: int) -> Target | None:
    """ "the other one": of the two that were shown, the one that is not in focus."""
    at, there = start, False
    while at < end:
        other = grammar.has(sheet, at, "other", slips=0.0)
        after = max(other, grammar.has(sheet, at, "article", "dummy", *grammar.nouns, slips=0.0))
        if not after:
            return None
        there, at = there or bool(other), after
    if not there:
        return None
    known = scene.earlier[-1:] or scene.focus
    others = tuple(one for one in scene.listed if one not in known and scene.things.get(one) is not None)
    if len(others) == 1 and len(known) == 1:
        return Target(ids=others, source="history")
    return Target(options=others, problem="ambiguous" if others else "missing", source="history", certainty=0.5)
