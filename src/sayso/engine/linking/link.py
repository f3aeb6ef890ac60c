"""Links the user's words to one of their things.

"the mac backup" → "Back up the Mac"; "that one" → the thing in focus; "the last two" → two of the list shown last.
Six ways, best first: id, quotation, position in a list, pronoun, whole name, part of a name.
"""

from __future__ import annotations

from collections.abc import Sequence

from sayso.engine.grammar.sheet import TYPOS, Allowed, Stretch, Target
from sayso.engine.linking.focus import Scene
from sayso.engine.linking.index import EntityIndex, Hit
from sayso.engine.linking.positions import by_other, by_pronoun, only, places
from sayso.engine.linking.trim import trim
from sayso.engine.text.tokens import fold
from sayso.engine.values.when import When

_MOST_PARTS = 6
_LONGEST = 30  # words in which people name a thing
_ENOUGH = 0.62  # the share of the words that a name must contain
_NEAR = 0.3  # enough to be offered
_ANSWERS = ("yes", "no", "cancel", "hold", "correction", "greeting")
_SURE = 0.8  # with this certainty, found things count although another name is not found
_FEW = 3  # words that name one of several things
_MARGIN = 0.12  # closer than this, two things are equally likely


def link(stretch: Stretch, scene: Scene, allowed: Allowed | None) -> Target:
    """The target of words[start:end], among the allowed ids (`None`: all). Cached, as several readings ask for it."""
    sheet, start, end = stretch
    key = (start, end, allowed, scene.things, *scene[1:4], scene.made, scene.past)
    if (known := sheet.linked.get(key)) is None:
        known = sheet.linked[key] = _link(stretch, scene, allowed)
    return known


def _link(stretch: Stretch, scene: Scene, allowed: Allowed | None) -> Target:
    stretch = trim(stretch)
    sheet, start, end = stretch
    if start >= end:
        return Target(problem="missing")
    if end - start > _LONGEST:
        return Target(problem="not_found", certainty=0.0, said=sheet.words[start].text)
    return _found(stretch, scene, allowed)._replace(span=stretch.span, said=_without_article(stretch).text)


def _found(stretch: Stretch, scene: Scene, allowed: Allowed | None) -> Target:
    """The result of the first way that finds something."""
    return (
        _by_id(stretch, scene.things)
        or _by_quote(stretch, scene.things, allowed)
        or _by_made(stretch, scene)
        or _by_whole_name(stretch, scene.things, allowed)
        or _by_position(stretch, scene)
        or by_other(stretch, scene)
        or by_pronoun(stretch, scene, allowed)
        or _by_each(stretch, scene, allowed)
        or _by_all(stretch)
        or _by_parts(stretch, scene, allowed)
        or _by_name(stretch, scene.things, allowed)
    )


def is_value(stretch: Stretch) -> bool:
    """Whether the words are only a value such as a status, and small words around it: "the done ones"."""
    sheet, at, end = stretch
    slots, valued = sheet.grammar.pack.slots, False
    while at < end:
        values = [one.end for one in sheet.chunks.get(at, ()) if slots[one.slot].type == "value" and one.end <= end]
        small = sheet.has(at, "article", "dummy", "possessive", "wh", "be", *sheet.grammar.nouns)
        if not values and not small:
            return False
        valued, at = valued or bool(values), max(values, default=small)
    return valued


def _without_article(stretch: Stretch) -> Stretch:
    core = stretch.sheet.has(stretch.start, "article")
    return stretch.narrowed(core) if stretch.start < core < stretch.end else stretch


def as_said(target: Target) -> Target:
    """A target with the said id although no known thing has it: "INV-42" is an id, "the big one" is not."""
    said = target.said.removeprefix("#").strip()
    whole = len(said.split()) == 1 and any(character.isdigit() for character in said)
    if target.problem not in ("not_found", "missing") or not whole:
        return target
    return Target(ids=(said,), span=target.span, said=target.said)


def _by_id(stretch: Stretch, index: EntityIndex) -> Target | None:
    sheet, start, end = stretch
    for at in stretch.places:
        word = sheet.words[at]
        if word.kind == "mark":
            continue
        identifier = index.by_id(word.text)
        if identifier is None or (word.text.isdigit() and end - start > 1 and sheet.words[at - 1].low != "#"):
            continue
        if len(word.text) > 1 or end - start == 1 or sheet.words[at - 1].low == "#":
            return Target(ids=(identifier,))
    return None


def _by_quote(stretch: Stretch, index: EntityIndex, allowed: Allowed | None) -> Target | None:
    quotes = [stretch.sheet.words[at] for at in stretch.places if stretch.sheet.words[at].kind == "quote"]
    if len(quotes) != 1:
        return None
    wanted = fold(quotes[0].text).strip(" .,;:!?")
    stems = index.stems_of(wanted)
    whole = [hit for hit in index.search(stems) if hit.whole]
    if len(whole) == 1:
        return Target(ids=(whole[0].id,))
    return _choose(index.search(stems, allowed), index)


def _by_made(stretch: Stretch, scene: Scene) -> Target | None:
    """The full name of a thing that this message creates: "add wash the car, …, and tick off wash the car"."""
    if not scene.made:
        return None
    said = scene.things.telling(stretch.sheet.stems[stretch.start : stretch.end])
    names = (made.name for made in scene.made if scene.things.telling(scene.things.stems_of(made.name)) == said)
    name = next(names, "")
    return Target(ids=(name,)) if name else None


def _by_whole_name(stretch: Stretch, index: EntityIndex, allowed: Allowed | None) -> Target | None:
    """An exact full name and nothing else: "the second draft" is a task of that name before it is the second one."""
    stems = stretch.sheet.stems[stretch.start : stretch.end]
    hits = [i for a, b, i in index.mentions(stems) if b == len(stems) and a <= 1]
    hits = [i for i in hits if allowed is None or allowed(i)]
    names = tuple(dict.fromkeys(hits))
    if len(names) == 1:
        return Target(ids=names)
    if len(names) > 1:
        return Target(options=names, problem="ambiguous", certainty=0.5)
    return None


def _by_position(stretch: Stretch, scene: Scene) -> Target | None:
    """The thing at a position of the list shown last."""
    ranks = places(stretch, bool(scene.listed))
    return counted(scene, ranks) if ranks else None


def counted(scene: Scene, ranks: Sequence[int]) -> Target:
    """The things at these places of the list shown last."""
    if not scene.listed:
        return Target(problem="missing", pronoun=True)  # the words point at a list, but none was shown
    places = [rank - 1 if rank > 0 else len(scene.listed) + rank for rank in ranks]
    if any(not 0 <= place < len(scene.listed) for place in places):
        return Target(problem="not_found", options=scene.listed)
    ids = tuple(scene.listed[place] for place in places)
    if any(scene.things.get(identifier) is None for identifier in ids):
        return Target(problem="not_found", source="history")
    return Target(ids=ids, source="history")


def _by_each(stretch: Stretch, scene: Scene, allowed: Allowed | None) -> Target | None:
    sheet, start, _ = stretch
    after = sheet.has(start, "each", "both", slips=TYPOS)
    if not after:
        return None
    if sheet.has(start, "both", slips=TYPOS) and (pair := _by_parts(stretch.narrowed(after), scene, allowed, "paired")):
        return pair
    return _each_of(stretch.narrowed(after), scene, allowed) if sheet.has(start, "each", slips=TYPOS) else None


def _each_of(stretch: Stretch, scene: Scene, allowed: Allowed | None) -> Target:
    """The two things that "both of them" or "both alarms" means."""
    sheet, at, end = stretch
    while at < end and (after := sheet.has(at, "of", "article", "possessive", slips=TYPOS)):
        at = after
    rest = stretch.narrowed(at)
    if at >= end or only(rest):
        ids = scene.earlier or scene.listed
        return Target(ids=ids, source="history") if len(ids) == 2 else Target(problem="missing", options=ids)
    return _two_named(rest, scene, allowed)


def _two_named(stretch: Stretch, scene: Scene, allowed: Allowed | None) -> Target:
    """The only two things whose names match."""
    hits = scene.things.search(_name_stems(stretch), allowed)
    ids = tuple(hit.id for hit in hits if hit.said >= _ENOUGH)
    if len(ids) == 2:
        return Target(ids=tuple(sorted(ids, key=scene.things.place)))
    return Target(problem="ambiguous" if ids else "not_found", options=ids)


def _by_all(stretch: Stretch) -> Target | None:
    sheet, start, end = stretch
    at = start
    after = sheet.has(at, "article", "possessive", slips=TYPOS)
    if after and after < end:
        at = after
    return Target(problem="bulk") if sheet.has(at, "all", "rest", slips=TYPOS) else None


def _by_parts(stretch: Stretch, scene: Scene, allowed: Allowed | None, *between: str) -> Target | None:
    """ "the fence and the vet call", "milk, bread and soap": several things, if each part names one."""
    parts = [stretch.narrowed(*part) for part in _parts(stretch, *between)]
    if not 1 < len(parts) <= _MOST_PARTS:
        return None
    if _any_dated(parts[:-1], scene):
        return None  # "the report to Monday and the essay": each has its own day
    found: list[Target] = []
    lost: list[str] = []
    for part in parts:
        named = _named_part(part, scene, allowed)
        if named.ids:
            found.append(named)
        elif _is_lost(named) and _is_noun(part) and not (part is parts[-1] and _is_remark(part)):
            lost.append(part.narrowed(max(part.start, part.sheet.has(part.start, "article"))).text)
        else:
            return None
    return _together(found, lost) if not lost or all(map(_is_noun, parts)) else None


def _any_dated(parts: Sequence[Stretch], scene: Scene) -> bool:
    return any(_is_dated(part, scene) for part in parts)


def _is_remark(last: Stretch) -> bool:
    """Whether the last part follows a comma. The last of several things follows a conjunction, as in "a, b and c"."""
    return last.sheet.words[last.start - 1].kind == "mark"


def _is_lost(target: Target) -> bool:
    return target.problem == "not_found" and not target.options


def _named_part(part: Stretch, scene: Scene, allowed: Allowed | None) -> Target:
    return (
        _by_whole_name(part, scene.things, allowed)
        or _by_position(part, scene)
        or _by_name(part, scene.things, allowed)
    )


def _together(found: Sequence[Target], lost: Sequence[str]) -> Target | None:
    """Merges several targets into one. If a name is not found, the other targets must be sure."""
    ids = tuple(dict.fromkeys(identifier for target in found for identifier in target.ids))
    sure = min((target.certainty for target in found), default=0.0)
    if lost and (not ids or sure < _SURE):
        return None
    return Target(ids=ids, certainty=sure, lost=tuple(lost)) if len(ids) + len(lost) > 1 else None


def _is_noun(stretch: Stretch) -> bool:
    """Whether the words may name a thing: they are few, and none belongs to a remark."""
    sheet = stretch.sheet
    beside = (*("it", "be", "first", "third", "wh", "negation", "doubt", "because", "mood:comment"), *_ANSWERS)
    telling = [at for at in stretch.places if not sheet.has(at, "article")]
    if not telling or sheet.stems[telling[0]] in sheet.grammar.little:
        return False
    return len(telling) <= _FEW and not any(sheet.has(at, *beside) for at in telling)


def _is_dated(stretch: Stretch, scene: Scene) -> bool:
    """Whether these words end with a date that does not belong to a name."""
    sheet, first, last = stretch
    chunks = (one for at in range(first + 1, last) for one in sheet.chunks.get(at, ()))
    dated = any(one.end == last and one.strong and isinstance(one.value, When) for one in chunks)
    return dated and not any(b == last - first for _, b, _ in scene.things.mentions(sheet.stems[first:last]))


def _parts(stretch: Stretch, *between: str) -> list[tuple[int, int]]:
    """The stretches between commas, linking words and words of other classes; empty if one of them is a remark."""
    sheet, start, end = stretch
    parts: list[tuple[int, int]] = []
    first = at = start
    while at < end:
        after = at + 1 if sheet.lows[at] == "," else sheet.has(at, "link", *between)
        if after and at > first:
            parts.append((first, at))
        if after:
            first = at = after
            if first < end and sheet.has(first, "first", "third", "mood:comment", slips=TYPOS):
                return []
        else:
            at += 1
    return [*parts, (first, end)] if first < end else parts


def _by_name(stretch: Stretch, index: EntityIndex, allowed: Allowed | None) -> Target:
    sheet, end = stretch.sheet, stretch.end
    stems = _name_stems(stretch)
    if all(stem in sheet.grammar.little for stem in stems):
        return Target(problem="missing")
    found = _choose(index.search(stems, allowed), index)
    addressed = sheet.has(end - 1, "address") == end  # "tick off the gate, boss"
    if len(found.ids) == 1 and index.differs(found.ids[0], stems[:-1] if addressed else stems):
        return Target(options=found.ids, problem="not_found", certainty=found.certainty)
    return found


def _name_stems(stretch: Stretch) -> list[str]:
    sheet, start, end = stretch
    return [
        stem
        for at, stem in enumerate(sheet.stems[start:end], start)
        if sheet.words[at].kind != "mark" and not _stands_for_noun(stretch, at)
    ]


def _stands_for_noun(stretch: Stretch, at: int) -> bool:
    """ "one" in "the dentist one", "task" in "the dentist task": not part of the name."""
    sheet, start, end = stretch
    if end - start == 1:
        return False
    return bool(sheet.has(at, "dummy", "possessive", *sheet.grammar.nouns, slips=0.1) == at + 1)


def _choose(hits: list[Hit], index: EntityIndex) -> Target:
    """The thing that matches clearly better than the rest, or the problem with the options to offer."""
    enough = [hit for hit in hits if hit.said >= _ENOUGH]
    if not enough:
        near = tuple(hit.id for hit in hits if hit.said >= _NEAR)
        return Target(options=near, problem="not_found", certainty=hits[0].said if hits else 0.0)
    rivals = _rivals(enough)
    if len(rivals) == 1:
        return Target(ids=(rivals[0].id,), certainty=min(1.0, 0.35 + 0.65 * rivals[0].said))
    rivals.sort(key=lambda hit: (-round(hit.said, 2), index.place(hit.id)))
    return Target(options=tuple(hit.id for hit in rivals), problem="ambiguous", certainty=0.5)


def _rivals(enough: Sequence[Hit]) -> list[Hit]:
    """The hits that match nearly as well as the best; only one hit if its full name was said."""
    rivals = [hit for hit in enough if hit.said > enough[0].said - _MARGIN]
    whole = [hit for hit in rivals if hit.whole]
    return whole if len(whole) == 1 else rivals
