"""Resolves positions in a list and pronouns: "the second one", "it".

"the first two", "number 3", "no. 4", "the last of those", "the one at the bottom", "the second and the fourth".
"""

from __future__ import annotations

from sayso.engine.grammar.sheet import TYPOS, Allowed, Sheet, Stretch, Target
from sayso.engine.linking.focus import Scene
from sayso.engine.linking.trim import SMALL

_MOST = 5  # of "the first five"
_STANDS_FOR_NOUN = ("emphasis", "dummy", "of", "them", "it", "article", "filler", "polite", "possessive", "emphasis")


def places(stretch: Stretch, listed: bool, before: tuple[str, ...] = ("article",)) -> tuple[int, ...]:
    """The places that words[start:end] name, 1 the first, -1 the last; a bare number is one where a list was shown.

    `before` are the classes that may come before a place: in an answer to "which one?" that may be "the one" and the
    like, elsewhere not ("finish it first")."""
    sheet, start, end = stretch
    if sheet.has(start, "each", slips=TYPOS):  # "the two" are both, not the second
        return ()
    at = _after(stretch, before)
    noun = sheet.has(at, *sheet.grammar.nouns)
    named = 0 < noun < end  # "task 2", "task number 2"
    at = noun if named else at
    ranks = _by_number(Stretch(sheet, at, end), listed or named) or _by_ordinal(Stretch(sheet, at, end))
    if ranks or not listed:
        return ranks
    return _by_end(Stretch(sheet, _after(stretch, (*before, "dummy"), numbers=False), end))


def only(stretch: Stretch) -> bool:
    """Nothing but words that stand for a noun from here on."""
    sheet, start, end = stretch
    at = start
    while at < end:
        after = sheet.has(at, *_STANDS_FOR_NOUN, *sheet.grammar.nouns, slips=0.1)
        if sheet.words[at].kind == "mark":
            after = at + 1
        if not after:
            return False
        at = after
    return True


def signed(stretch: Stretch) -> int:
    """Where the number after a sign begins ("no. 4", "#4"), or 0."""
    sheet, at, end = stretch
    after = sheet.has(at, "number_sign", slips=TYPOS) or (at + 1 if sheet.lows[at] == "#" else 0)
    while 0 < after < end and sheet.lows[after] in (".", ":", "#"):
        after += 1
    return after if after < end and sheet.grammar.numbers.read(sheet.lows, after) is not None else 0


def _after(stretch: Stretch, classes: tuple[str, ...], *, numbers: bool = True) -> int:
    """Past the words of these classes; `numbers`: as far as no number begins ("one" may be either)."""
    sheet, start, end = stretch
    at = start
    while at < end:
        after = sheet.has(at, *classes, slips=0.1)
        counts = numbers and (sheet.grammar.numbers.read(sheet.lows, at) or signed(Stretch(sheet, at, end)))
        if not after or after >= end or counts:
            return at
        at = after
    return at


def _by_number(stretch: Stretch, listed: bool) -> tuple[int, ...]:
    sheet, at, end = stretch
    begin = signed(stretch) or (at if listed else end)
    number = sheet.grammar.numbers.read(sheet.lows, begin) if begin < end else None
    if number is not None and isinstance(number[0], int) and only(Stretch(sheet, number[1], end)):
        return (number[0],)
    return ()


def _by_ordinal(stretch: Stretch) -> tuple[int, ...]:
    """ "the third", "the last two", "the first and the fourth"."""
    sheet, at, _ = stretch
    ordinal = sheet.grammar.numbers.read_ordinal(sheet.lows, at)
    if ordinal is None:
        return ()
    rank = ordinal[0]
    count = _count(stretch.narrowed(ordinal[1]))
    if count:
        return tuple(range(1, count + 1) if rank == 1 else range(-count, 0) if rank == -1 else ())
    more, rest = _further_ordinals(stretch.narrowed(ordinal[1]))
    if only(rest):
        return (rank, *more)
    end_of_list = _by_end(rest.narrowed(_after(rest, ("article", "it", "dummy"), numbers=False)))
    if end_of_list and not more:  # "the second from the bottom", "the last one at the bottom"
        return (rank,) if end_of_list == (1,) or rank < 0 else (-rank,)
    return ()


def _count(stretch: Stretch) -> int:
    """The count that a number at the end of the words gives: the two of "the last two"; 0 if there is no number."""
    sheet, at, end = stretch
    count = sheet.grammar.numbers.read(sheet.lows, at) if at < end else None
    if count is None or not isinstance(count[0], int) or not 1 < count[0] <= _MOST:
        return 0
    return count[0] if only(stretch.narrowed(count[1])) else 0


def _further_ordinals(stretch: Stretch) -> tuple[list[int], Stretch]:
    """The ordinals that follow, as in "and the fourth", and what is left after them."""
    sheet, at, end = stretch
    more: list[int] = []
    while at < end and (after := sheet.has(at, "link", "article", slips=TYPOS)):
        at = after
        another = sheet.grammar.numbers.read_ordinal(sheet.lows, at) if at < end else None
        if another is not None:
            more.append(another[0])
            at = another[1]
    return more, stretch.narrowed(at)


def _by_end(stretch: Stretch) -> tuple[int, ...]:
    """ "the top one", "at the bottom"."""
    sheet, at, end = stretch
    for name, rank in (("top", 1), ("bottom", -1)):
        after = sheet.has(at, name)
        if after and only(Stretch(sheet, after, end)):
            return (rank,)
    return ()


def by_pronoun(stretch: Stretch, scene: Scene, allowed: Allowed | None) -> Target | None:
    sheet, start, end = stretch
    at, one, several, every, each = start, False, False, False, False
    while at < end:
        pointing, them = sheet.has(at, "it", slips=TYPOS), sheet.has(at, "them", "each", slips=TYPOS)
        each = each or bool(sheet.has(at, "each"))
        all_of = sheet.has(at, "all", slips=TYPOS)
        after = max(pointing, them, all_of, _empty_at(sheet, at))
        if not after:
            return None
        one, several, every = one or bool(pointing), several or bool(them), every or all_of == after
        at = after
    if every:
        return Target(problem="bulk")
    if several and (each or not one):  # a word for one may also stand for several: "spostale entrambe"
        return _those(scene, two=each)
    return _that(scene, allowed) if one else Target(problem="missing")


def _empty_at(sheet: Sheet, at: int) -> int:
    """The end of a filler word or a mark that starts here; 0 if none does."""
    if sheet.words[at].kind == "mark":
        return at + 1
    return sheet.has(at, "dummy", "article", "possessive", *SMALL, *sheet.grammar.nouns, slips=0.1)


def _those(scene: Scene, *, two: bool) -> Target:
    """ "them", "both": two things that were named or shown; more is more than one may take, and "both" are two."""
    both = scene.earlier or scene.listed
    if len(both) == 2 or (len(both) == 1 and scene.earlier and not two):  # "the visa photos, … them"
        return Target(ids=both, source="history", pronoun=len(both) == 1)
    return Target(problem="bulk" if both else "missing", pronoun=True)


def _that(scene: Scene, allowed: Allowed | None) -> Target:
    """ "it": what this message named, else what is in focus."""
    if scene.earlier:
        return Target(ids=scene.earlier[-1:], source="message", pronoun=True)
    alive = tuple(i for i in scene.focus if scene.things.get(i) is not None)
    if not alive:
        return Target(problem="missing", pronoun=True)
    fitting = alive if allowed is None else tuple(filter(allowed, alive))
    if not fitting:
        return Target(problem="not_found", source="history", pronoun=True)
    if len(alive) > 1:
        return Target(options=fitting, problem="ambiguous", source="history", pronoun=True, certainty=0.5)
    return Target(ids=alive, source="history", pronoun=True)


def by_other(stretch: Stretch, scene: Scene) -> Target | None:
    """ "the other one": of the two that were shown, the one that is not in focus."""
    if not _says_other(stretch):
        return None
    known = scene.earlier[-1:] or scene.focus
    others = tuple(one for one in scene.listed if one not in known and scene.things.get(one) is not None)
    if len(others) == 1 and len(known) == 1:
        return Target(ids=others, source="history")
    return Target(options=others, problem="ambiguous" if others else "missing", source="history", certainty=0.5)


def _says_other(stretch: Stretch) -> bool:
    """Whether the words are only "the other one"."""
    sheet, at, end = stretch
    there = False
    while at < end:
        other = sheet.has(at, "other")
        after = max(other, sheet.has(at, "article", "dummy", *sheet.grammar.nouns))
        if not after:
            return False
        there, at = there or bool(other), after
    return there
