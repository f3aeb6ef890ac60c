"""Decides which machine an operation is for, by the words around it.

"the lobby is freezing, turn the AC up" means the one of the lobby; "turn that off" means no known thing.
"""

from __future__ import annotations

from collections.abc import Sequence

from sayso.decision import Source, Span
from sayso.engine.grammar.sheet import Problem, Sheet, Stretch, Target
from sayso.engine.linking.deed import Deed
from sayso.engine.linking.inventory import thing_fit
from sayso.engine.linking.units import Unit, said

_PROBLEMS: dict[str, Problem] = {"ambiguous": "ambiguous", "no_thing": "not_found"}


def target_of(sheet: Sheet, found: Deed) -> Target:
    """The thing of an operation as a target, like that of every act. It is settled even if its part is missing."""
    best, ids = found.best, tuple(dict.fromkeys(pair.thing.id for pair in found.pairs))
    source: Source = "message" if best.by_thing else "history" if found.from_focus else "entity"
    span, pronoun = _name_span(sheet, found), found.from_focus and not best.by_thing
    if found.problem is None or (found.problem not in _PROBLEMS and len(ids) == 1):
        return Target(ids=ids[:1], source=source, span=span, pronoun=pronoun)
    problem = _PROBLEMS.get(found.problem, "ambiguous")
    return Target(options=ids, problem=problem, source=source, span=span, pronoun=pronoun)


def _name_span(sheet: Sheet, found: Deed) -> Span | None:
    """Where the name of the thing is, without the words for its part."""
    apart = [at for at in found.best.by_thing if at not in found.best.by_part]
    named = [found.units[at] for at in apart or found.best.by_thing]
    if not named:
        return None
    words = sheet.words
    return min(words[one.start].start for one in named), max(words[one.end - 1].end for one in named)


def looked_at(stretch: Stretch, found: Deed, spoken: Sequence[Unit], actions: frozenset[str], *, writes: bool) -> Deed:
    """The operation after a look at the words around it, which may pick one of several things, or none."""
    sheet = stretch.sheet
    if found.problem == "ambiguous" and not found.group:
        found = _by_the_rest(stretch, found, actions)
        if found.problem is None:  # "the basil looks sad, water it"
            return found
    if _points_nowhere(stretch, found, spoken):
        return found._replace(problem="ambiguous")
    if writes and (_names_another(sheet, found, actions) or _called_otherwise(sheet, found, actions)):
        return found._replace(problem="no_thing")
    return found


def _points_nowhere(stretch: Stretch, found: Deed, spoken: Sequence[Unit]) -> bool:
    """ "turn that off", if no thing is in focus; "that alarm" is different."""
    if found.problem is not None or found.best.by_thing or found.from_focus:
        return False
    begins = {unit.start for unit in spoken}
    return any(_points(stretch.sheet, at) and at + 1 not in begins for at in stretch.places)


def _names_another(sheet: Sheet, found: Deed, actions: frozenset[str]) -> bool:
    """ "set the zorb to 10", and no thing has that name: then the thing in focus is not meant."""
    if not found.from_focus or found.problem is not None or found.best.by_thing:
        return False
    first = next((at for at, unit in enumerate(found.units) if not unit.light and not unit.keys & actions), None)
    if first is None or first not in found.best.left:
        return False
    return _has_article(sheet, found.units[first].start)


def _has_article(sheet: Sheet, at: int) -> bool:
    """Whether an article precedes a word that is not a pronoun."""
    stands_for_noun = sheet.has(at, "other", "it", "them", "dummy", "each")
    return not stands_for_noun and at > 0 and sheet.has(at - 1, "article") == at


def _called_otherwise(sheet: Sheet, found: Deed, actions: frozenset[str]) -> bool:
    """ "the lights of the attic", if only the yard has lights: half a name, and a word that is not in it. A full name
    may have more words beside it."""
    best, units = found.best, found.units
    if found.problem is not None or not best.by_thing or not best.left or found.from_focus:
        return False
    if _is_named_whole(found):
        return False
    names = [units[at] for at in best.by_thing if at not in best.by_part]
    others = [units[at] for at in best.left if not units[at].keys & actions]
    return any(_is_beside(sheet, name, other) for name in names for other in others)


def _is_named_whole(found: Deed) -> bool:
    named = [unit for unit in found.best.thing.fields[0][1] if not unit.light]
    return all(any(found.units[at].fits(unit) for at in found.best.by_thing) for unit in named)


def _is_beside(sheet: Sheet, name: Unit, other: Unit) -> bool:
    """Whether a word belongs to the name: "barn ladder", "lights of the attic", "the porch fan"."""
    if other.end == name.start:
        return other.start > 0 and sheet.has(other.start - 1, "article") == other.start
    if other.start == name.end:
        return True
    linked = other.start > name.end and sheet.has(name.end, "of")
    small = (sheet.has(at, "of", "article") for at in range(name.end, other.start))
    return bool(linked) and all(small)


def _by_the_rest(stretch: Stretch, found: Deed, actions: frozenset[str]) -> Deed:
    """ "the lobby is freezing, turn the AC up": of several that may be meant, the one that the words beside mention."""
    sheet, start, end = stretch
    beside = [*said(Stretch(sheet, 0, start)), *said(sheet.since(end))]
    if any(unit.keys & actions for unit in beside):  # another command is about its own thing
        return found
    telling = [unit for unit in beside if not unit.light]
    scores = [sum(thing_fit(unit, pair.thing) > 0 for unit in telling) for pair in found.pairs]
    most = max(scores)
    best = [pair for pair, score in zip(found.pairs, scores, strict=True) if score == most]
    if not most or len({pair.thing.id for pair in best}) > 1:
        return found
    return found._replace(pairs=tuple(best), problem="ambiguous" if len(best) > 1 else None)


def _points(sheet: Sheet, at: int) -> bool:
    return bool(sheet.has(at, "it", "them")) and not sheet.has(at, "article")
