"""Decides where a name ends and a text begins, when the word between them is in both.

"rename the thesis to take the thesis to Rome" has two words "to"; what follows the first is the new name. A name said
whole is never cut through: "delete the no-plan day" speaks of the task "no-plan day" and takes no day from anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sayso.engine.grammar.frames import Match
from sayso.engine.grammar.sheet import Sheet, Stretch
from sayso.engine.linking.focus import Scene
from sayso.engine.linking.link import link

_MOST = 6  # places that are tried
_LONGEST = 30  # words that anybody needs to name a thing


def well_cut(sheet: Sheet, scene: Scene, moods: tuple[str, ...], match: Match) -> Match | None:
    """The match with its name and its text parted where they fit best; None where it cuts through a name."""
    slots = sheet.grammar.pack.slots
    place = next((at for at, (name, _, _) in enumerate(match.slots) if slots[name].type == "entity"), None)
    if place is None:
        return match
    _, first, last = match.slots[place]
    whole = _whole_until(sheet, scene, first, max(match.last, match.slots[-1][2]))
    through = whole > last and any(at < whole for at in _read_after(match, last))
    texts = match.slots[place + 1 :]
    if len(texts) != 1 or slots[texts[0][0]].type == "entity":
        return None if through else match
    if last - first > _LONGEST:
        return match
    if through:
        return _cut_at(sheet, moods, match, place, whole)
    cuts = [whole] if first < whole < last else _places(Stretch(sheet, first, last))
    return _best_cut(sheet, scene, moods, match, place, cuts)


def _best_cut(
    sheet: Sheet, scene: Scene, moods: tuple[str, ...], match: Match, place: int, cuts: Sequence[int]
) -> Match:
    """The match, or one of those with another end of the name, by how surely something has that name."""
    tried = (_cut_at(sheet, moods, match, place, cut) for cut in cuts)
    found = (match, *(one for one in tried if one is not None))
    return max(found, key=lambda one: (_named(sheet, scene, one.slots[place]), -one.slots[place][2]))


def _whole_until(sheet: Sheet, scene: Scene, first: int, end: int) -> int:
    """Where the longest name ends that is said whole from here on, but for an article."""
    return max((first + b for a, b, _ in scene.things.mentions(sheet.stems[first:end]) if a <= 1), default=first)


def _read_after(match: Match, last: int) -> Iterator[int]:
    """Where the frame goes on after its name: words of its own up to its next slot, or that slot."""
    if match.last > last:
        yield last
    yield from (start for _, start, _ in match.slots if start > last)


def _places(stretch: Stretch) -> list[int]:
    """Little words amid the name, at which it may end."""
    little = (at for at in range(stretch.start + 1, stretch.end) if stretch.sheet.has(at, "function"))
    return list(little)[:_MOST]


def _cut_at(sheet: Sheet, moods: tuple[str, ...], match: Match, place: int, cut: int) -> Match | None:
    """The same frame with its name ending at `cut`, if it can be read so."""
    text, _, end = match.slots[-1]
    wanted = [name for name, _, _ in match.slots]
    first = match.slots[place][1]
    edges = [{} if first <= at < cut else here for at, here in enumerate(sheet.edges[: cut + 2])]  # a name, all of it
    for one in sheet.grammar.frames.match(moods, match.start, min(cut + 2, end), sheet.view._replace(edges=edges)):
        same = one.act == match.act and [name for name, _, _ in one.slots] == wanted
        if same and one.slots[place][2] == cut:
            return match._replace(slots=(*one.slots[:-1], (text, one.slots[-1][1], end)), last=one.last)
    return None


def _named(sheet: Sheet, scene: Scene, slot: tuple[str, int, int]) -> tuple[bool, int]:
    """How well words name one thing: whether they do, saying nothing twice, and how much of its name they say."""
    _, first, last = slot
    telling = [stem for stem in sheet.stems[first:last] if stem not in sheet.grammar.little]
    ids = link(Stretch(sheet, first, last), scene, None).ids
    if len(ids) != 1 or len(set(telling)) < len(telling):
        return False, 0
    return True, len(set(telling).intersection(scene.things.label_stems(ids[0])))
