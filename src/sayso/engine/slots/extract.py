"""Fills the slots of a sentence that matches.

"push the vet call to friday" matches a frame of the act `reschedule`: the thing is the vet call, the value is a date.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sayso.engine.grammar.frames import Chunk, Match
from sayso.engine.grammar.pack import Act
from sayso.engine.grammar.sheet import TYPOS, Sheet, Stretch, Target
from sayso.engine.linking.focus import UNKNOWN, Scene
from sayso.engine.linking.link import as_said, link
from sayso.engine.linking.trim import trim
from sayso.engine.slots.reading import Before, Reading
from sayso.engine.slots.single import one_of_each
from sayso.engine.slots.texts import Piece, after_plan, edge_chunks, is_closed_quote, read_text
from sayso.engine.values.when import When


def extract(
    sheet: Sheet, scene: Scene, match: Match, end: int, previous: Before | None, lead: Chunk | None
) -> Reading | None:
    """The reading of a match, or `None` if it has no meaning after all."""
    draft = _Draft(sheet, scene, match)
    draft.take_chunks(lead)
    if not draft.take_previous(previous) or not all(draft.take_slot(*slot) for slot in match.slots):
        return None
    draft.take_groups(end)
    if draft.target is None and draft.act.inferred and draft.says(range(match.start, end), "ought"):
        return None  # it ought to be done, or was so in the past
    target_param = sheet.grammar.pack.target_param(draft.act.tool)
    target = draft.target
    if target is None and (target_param is not None or (draft.act.must_link and draft.act.tool)):
        target = _unsaid(scene, draft.act)
    kept = tuple(one_of_each(sheet, draft.chunks))
    return Reading(match.act, match, target, target_param, kept, draft.texts, match.start, end)


class _Draft:
    """A reading under construction: the contents of the slots of a match."""

    def __init__(self, sheet: Sheet, scene: Scene, match: Match) -> None:
        grammar = sheet.grammar
        self.grammar, self.sheet, self.scene, self.match = grammar, sheet, scene, match
        self.act = grammar.pack.acts[match.act]
        self.params = grammar.pack.tools[self.act.tool].params if self.act.tool else {}
        self.typed = frozenset(param.slot for param in self.params.values() if param.slot in grammar.typed)
        self.chunks: list[Chunk] = []
        self.texts: dict[str, Piece] = {}
        self.target: Target | None = None

    def take_chunks(self, lead: Chunk | None) -> None:
        """Takes the values in the frame, or in front of it."""
        words = self.sheet.words
        for chunk in (*self.match.chunks, *([lead] if lead else [])):
            slot = self.grammar.pack.slots[chunk.slot]
            if slot.type == "quote":
                span = (words[chunk.core].start, words[chunk.core].end)
                self.texts[slot.of] = Piece(str(chunk.value), span, (), True, chunk.core, chunk.end)
            elif chunk.slot in self.typed:
                self.chunks.append(chunk)

    def take_groups(self, end: int) -> None:
        """Takes groups that are named by literal words of the frame, outside its slots: "…on my shopping list"."""
        wanted = self._groups_left()
        if not wanted:
            return
        held = {at for _, first, last in self.match.slots for at in range(first, last)}
        stretch = Stretch(self.sheet, self.match.start, end)
        groups = (one for one in stretch.chunks if one.slot in wanted and one.end <= end)
        self.chunks += [one for one in groups if self._is_sure(one) and held.isdisjoint(range(one.core, one.end))]

    def _groups_left(self) -> list[str]:
        """The slots for groups that the tool takes and that are still empty."""
        told = {chunk.slot for chunk in self.chunks}
        return [slot for slot in self.grammar.shared if slot in self.typed and slot not in told]

    def _is_sure(self, group: Chunk) -> bool:
        """Whether a group is named by its noun. Beside a thing, "… on the work list" says which thing."""
        surely = self.grammar.pack.target_param(self.act.tool) is not None
        return not group.cost and (group.strong or not surely)

    def take_previous(self, previous: Before | None) -> bool:
        """Takes the words of the clause before, if the act refers to them."""
        slot = self.act.previous
        if slot is None:
            return True
        if previous is None:
            return False
        if previous.reading is not None and slot in previous.reading.texts:
            self.texts[slot] = previous.reading.texts[slot]
            self.chunks.extend(previous.reading.chunks)
            return True
        said = self.grammar.pack.acts[previous.reading.act] if previous.reading is not None else self.act
        if said is not self.act and (said.mood == ("command",) or said.past or said.tool != self.act.tool):
            return False  # a separate command, or a finished action: nothing to write down
        start = _after_prefix(self.sheet.over(previous))
        return self._take_text(slot, start, previous.end)

    def take_slot(self, slot: str, first: int, last: int) -> bool:
        """Takes the content of a slot; False if the slot does not allow it."""
        kind = self.grammar.pack.slots[slot].type
        if kind == "entity":
            return self._take_entity(slot, first, last)
        if kind == "one_of":
            return self._take_one_of(slot, first, last)
        return self._take_text(slot, first, last)

    def _take_entity(self, slot: str, first: int, last: int) -> bool:
        strip = frozenset({*self.typed, *self.grammar.date_slots, *self.grammar.shared})
        stretch, found = _strip_chunks(Stretch(self.sheet, first, last), strip, self.scene, self.act)
        self.chunks.extend(chunk for chunk in found if chunk.slot in self.typed)
        if self._names_nothing(stretch) or self._is_not_asked(stretch):
            return False
        stretch = _without_past(stretch) if self.act.past == "any" else stretch
        self.target = self._link(slot, stretch)
        return self.target is not None and self._may_be(self.target, stretch)

    def _may_be(self, target: Target, stretch: Stretch) -> bool:
        """Whether the act may be about the thing that a name means."""
        if self.act.past and target.pronoun:
            return False
        if target.problem == "not_found" and _is_date(stretch):
            return False  # "make it urgent for the 10th" names nothing
        return self.act.past != "named" or _did(stretch, self.scene, target)

    def _names_nothing(self, stretch: Stretch) -> bool:
        """ "how long till christmas" names no thing; nor do words with a negation outside a name."""
        reads = self.grammar.pack.reads(self.act.tool)
        if reads and _is_date(stretch.narrowed(end=trim(stretch).end), surely=False):
            return True
        return _denied(stretch, self.scene)

    def _is_not_asked(self, stretch: Stretch) -> bool:
        """Whether somebody else or nobody did it, or it only ought to be so."""
        before, clause = range(self.match.start, stretch.start), range(self.match.start, stretch.end)
        if self.act.past and self.says(clause, "third", "unreal", "ought"):
            return True
        return self.act.inferred and (stretch.holds("ought") or self._is_no_wish(before))

    def _link(self, slot: str, stretch: Stretch) -> Target | None:
        """The target of the words, among the things that the act may be about."""
        if stretch.start >= stretch.end or self._is_somebody(stretch.start, stretch.end):
            return None
        held = bool(self.act.among) and not self.scene.past
        target = link(stretch, self.scene, self.scene.things.among(self.act.among) if held else None)
        return as_said(target) if self.grammar.pack.slots[slot].open else target

    def _is_somebody(self, first: int, last: int) -> bool:
        """ "I should go", "they agreed": the words mention a person, not a thing."""
        if self.scene.focus:
            return False
        return all(self.sheet.has(at, "first", "third") for at in range(first, last))

    def _is_no_wish(self, before: range) -> bool:
        """Acts of others, past states and acts not done: "she moves it to friday", "it was for friday", "I should have
        finished it"."""
        told = self.act.mood == ("statement",) and not self.act.set
        if told and (self.says(before, "unreal") or (self.act.among and self.says(before, "intends"))):
            return True
        once = range(self.match.start, min(self.match.last + 1, len(self.sheet.words))) if self.act.needs else ()
        return self.says(before, "third") or self.says(once, "formerly")

    def says(self, places: Iterable[int], *classes: str) -> bool:
        """Whether one of these words is of one of these classes."""
        return self.sheet.first(places, *classes) is not None

    def _from_first_word(self, first: int) -> int:
        """Where a text begins that is kept as it is: "write in its note: done by half" does not set a status."""
        while values := [chunk for chunk in self.match.chunks if chunk.end == first]:
            self.chunks = [chunk for chunk in self.chunks if chunk not in values]
            first = min(chunk.start for chunk in values)
        return first

    def _take_one_of(self, slot: str, first: int, last: int) -> bool:
        """Takes the first choice that matches all words, else the text among the choices."""
        stretch = trim(Stretch(self.sheet, first, last))
        choices = self.grammar.pack.slots[slot].choices
        chunk = self._choice_of(stretch, choices)
        if chunk is not None:
            self.chunks.append(chunk)
            return True
        texts = [choice for choice in choices if self.grammar.pack.slots[choice].type == "text"]
        return bool(texts) and self._take_text(texts[0], stretch.start, stretch.end)

    def _choice_of(self, stretch: Stretch, choices: Sequence[str]) -> Chunk | None:
        """The value of all words, from the first of the choices that has one; a quotation is a text."""
        sheet, first, last = stretch
        if last - first == 1 and sheet.words[first].kind == "quote":
            return None
        whole = {chunk.slot: chunk for chunk in reversed(sheet.chunks.get(first, [])) if chunk.end == last}
        return next((whole[choice] for choice in choices if choice in self.typed and choice in whole), None)

    def _is_small(self, at: int, *more: str) -> bool:
        return self.sheet.has(at, "article", *more) == at + 1

    def _take_text(self, slot: str, first: int, last: int) -> bool:
        verbatim = self.grammar.pack.slots[slot].verbatim and not is_closed_quote(Stretch(self.sheet, first, last))
        first = self._from_first_word(first) if verbatim else first
        if self.grammar.pack.slots[slot].longest:  # a search is a word or two, not "the …"
            few = last - first <= self.grammar.pack.slots[slot].longest
            while first < last - 1 and self._is_small(first, "function" if few else "article"):
                first += 1
        elif not verbatim:
            first = after_plan(Stretch(self.sheet, first, last))
        piece = read_text(Stretch(self.sheet, first, last), frozenset() if verbatim else self.typed)
        if piece is None:
            return False
        self.texts[slot] = piece
        self.chunks.extend(piece.chunks)
        return True


def _after_prefix(stretch: Stretch) -> int:
    """Past "I need to" and "I've got" at the beginning of the clause before."""
    sheet, end, start = stretch.sheet, stretch.end, trim(stretch).start
    after = sheet.has(start, "mood:plan", "mood:own", slips=TYPOS) if start < end else 0
    if not 0 < after < end or sheet.grammar.is_past(sheet.words[after].low):  # "I've promised …" is done
        return start
    return after


def _strip_chunks(
    stretch: Stretch, typed: frozenset[str | None], scene: Scene, act: Act
) -> tuple[Stretch, list[Chunk]]:
    """A name without the values said after it, unless they are part of a complete name."""
    sheet, first, last = stretch
    found: list[Chunk] = []
    whole = {(a + first, b + first) for a, b, _ in scene.things.mentions(sheet.stems[first:last])}
    while first < stretch.end:
        edges = edge_chunks(stretch, typed)
        chunk = next((one for one in edges if _is_beside_name(stretch, one, whole, act)), None)
        if chunk is None:
            break
        found.append(chunk)
        stretch = stretch.narrowed(end=chunk.start)
    return stretch, found


def _is_beside_name(stretch: Stretch, chunk: Chunk, names: set[tuple[int, int]], act: Act) -> bool:
    """Whether a value ends the words and does not belong to one of the names."""
    if chunk.end != stretch.end or chunk.start <= stretch.start or isinstance(chunk.value, (int, float)):
        return False
    inside = any(a < chunk.end and chunk.core < b for a, b in names)
    return not inside and (chunk.strong or chunk.start < chunk.core or not act.must_link)


def _is_date(stretch: Stretch, *, surely: bool = True) -> bool:
    """Whether these words are a date, or the end of one whose article comes before them."""
    sheet, first, last = stretch
    return any(
        chunk.end == last and (chunk.strong or not surely) and isinstance(chunk.value, When)
        for at in range(max(0, first - 1), first + 1)
        for chunk in sheet.chunks.get(at, ())
    )


def _denied(stretch: Stretch, scene: Scene) -> bool:
    """A negation among the words for a thing, unless it is part of its name."""
    sheet, first, last = stretch
    negated = [at for at in stretch.places if sheet.has(at, "negation", slips=TYPOS)]
    if not negated:
        return False
    held = {at + first for a, b, _ in scene.things.mentions(sheet.stems[first:last]) for at in range(a, b)}
    return any(at not in held for at in negated)


def _without_past(stretch: Stretch) -> Stretch:
    """The words without the verb that says something was done ("submitted the report"); empty without such a verb."""
    stretch = trim(stretch)
    sheet, first, last = stretch
    if first + 1 < last and sheet.grammar.is_past(sheet.words[first].low):
        return stretch.narrowed(first + 1)
    if first + 1 < last and sheet.grammar.is_past(sheet.words[last - 1].low):
        return stretch.narrowed(end=last - 1)
    return stretch.narrowed(last)


def _did(stretch: Stretch, scene: Scene, target: Target) -> bool:
    """Whether the words say that the action in the name was done: "the calves are vaccinated", "bought the milk"."""
    names = [scene.things.label_stems(identifier) for identifier in (target.ids or target.options)]
    return any(
        stretch.sheet.grammar.is_past(stretch.sheet.words[at].low)
        and any(stretch.sheet.stems[at] in stems for stems in names)
        for at in stretch.places
    )


def _unsaid(scene: Scene, act: Act) -> Target:
    """The target if no words say which thing is meant. A correction means the thing in focus, and "change the date"
    means the thing that the same message mentions; any other act asks."""
    last = scene.earlier[-1:]
    named = bool(act.asks) and scene.knows(last)
    if (not act.must_link and not named) or last == (UNKNOWN,):
        return Target(problem="missing")
    if last and not act.mentions:  # an act that continues the turn before is about its thing
        return Target(ids=last, source="entity", pronoun=True)
    return _in_focus(scene, act)


def _in_focus(scene: Scene, act: Act) -> Target:
    """The thing in focus, if the act may be about it."""
    if not scene.focus:
        return Target(problem="missing")
    if len(scene.focus) > 1:
        return Target(options=scene.focus, problem="ambiguous", source="history", pronoun=True)
    if act.among and not scene.things.among(act.among)(scene.focus[0]):
        return Target(problem="not_found", source="history", pronoun=True)
    return Target(ids=scene.focus, source="history", pronoun=True)
