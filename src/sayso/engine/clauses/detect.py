"""Finds the readings of one clause, best first.

The beginning of a clause tells its mood ("could you" a command, "did I" a question, "if I" neither), the frames
of that mood tell the act, and what its object points at tells how far to believe it.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from itertools import islice
from math import inf

from sayso.engine.clauses.clause import Sense
from sayso.engine.grammar.frames import Chunk, Match
from sayso.engine.grammar.grammar import Grammar
from sayso.engine.grammar.moods import Mood, moods
from sayso.engine.grammar.pack import Act
from sayso.engine.grammar.sheet import EXACT, TYPOS, Sheet, Stretch, Target
from sayso.engine.linking.focus import Scene
from sayso.engine.linking.link import is_value
from sayso.engine.slots.bounds import is_order, is_text, swallows_order, well_cut
from sayso.engine.slots.extract import extract
from sayso.engine.slots.reading import Before, Reading
from sayso.engine.slots.several import things_in
from sayso.engine.values.when import When

_BEST = 8  # readings that are followed up
_LEAST = 0.75  # a frame that fits less than this is chance
_TARGET = 0.8  # added if the object certainly points at something
_FEW_WORDS = 8  # in which people add to what was just done
_FEW_NAMED = 6  # most words of a text that is a name and not a sentence
_FEW_OWNED = 4  # the same for a text with a possessive: "my piano lesson"
_TELLING = ("first", "third", "be", "wh", "negation", "it", "them", "reported", "condition", "because", "unreal", "all")
_ORDER = 4.0  # subtracted from a fragment whose text is a command, however well the fragment fits
_WORTH: dict[str | None, float] = {
    "bulk": 0.5,
    "ambiguous": 0.5,
    "not_found": -0.8,
}  # the same, by the problem of the target
_GROUP = 1.0  # subtracted if the reading ignores an existing group that is named with its noun
_WHOLE = 4.0  # the same for an act on all items, and for a date: "complete everything due today" names some items
_ALL = 2.0  # subtracted from an add without a title if "everything" is said: it means existing items
_READ_OUT = 0.4  # added for each value that was read out of a text


def detect(
    stretch: Stretch,
    scene: Scene,
    previous: Before | None = None,
) -> list[Sense]:
    """The senses of words[start:end], best first. There are no senses if no frame fits."""
    senses = list(_senses(stretch, scene, previous, inf))
    senses.sort(key=lambda sense: _rank(stretch.sheet.grammar, sense))
    return senses


def best(stretch: Stretch, scene: Scene, previous: Before | None = None) -> Sense | None:
    """The first of the senses, without following up readings that cannot come first."""
    slots = len({chunk.slot for chunks in stretch.sheet.chunks.values() for chunk in chunks})
    found = None
    for sense in _senses(stretch, scene, previous, _TARGET + _READ_OUT * slots + 0.01):
        if found is None or _rank(stretch.sheet.grammar, sense) < _rank(stretch.sheet.grammar, found):
            found = sense
    return found


def _rank(grammar: Grammar, sense: Sense) -> tuple[float, bool, bool]:
    """The sort key of a sense: the highest score first. On a tie, acts without a tool come first, and acts that must
    find their item come last."""
    act = grammar.pack.acts[sense.reading.act]
    return -sense.score, act.tool is not None, act.must_link


def _senses(stretch: Stretch, scene: Scene, previous: Before | None, more: float) -> Iterator[Sense]:
    """Senses as they are found, without the matches that even with `more` score lower than one found before."""
    sheet, end = stretch.sheet, stretch.end
    high = -inf
    for mood in moods(stretch):
        for match in _matches(sheet, mood, end):
            if _as_matched(match, mood) + more < high:
                break
            fitted = well_cut(sheet, scene, _FRAMES[mood.name], match)
            if fitted is None:
                continue
            reading = extract(sheet, scene, fitted, end, previous, mood.lead)
            if reading is not None and _means_something(sheet, scene, reading, mood):
                sense = Sense(reading, _weigh(sheet, reading, mood), mood)
                high = max(high, sense.score)
                yield sense
        if sheet.grammar.acts_on_parts:
            from sayso.engine.machines.deeds import deeds  # noqa: PLC0415  only packs whose things have parts wait for it

            for reading in deeds(Stretch(sheet, mood.start, end), scene, _FRAMES[mood.name], mood.asks):
                yield Sense(reading, _as_matched(reading.match, mood), mood)


_SUBJECTS = ("first", "third", "possessive", "article", "be")
_FRAMES = {
    "open": ("command", "statement"),
    "request": ("command", "question"),
    "plan": ("plan",),
    "question": ("question",),
    "hypothetical": (),
}


def _matches(sheet: Sheet, mood: Mood, end: int) -> Iterator[Match]:
    found = sheet.grammar.frames.match(_FRAMES[mood.name], mood.start, end, sheet.view)
    good = (
        match
        for match in found
        if (match.score + match.slips >= _LEAST or _bare(match)) and match.skipped <= 0.15 + 0.25 * match.literal
    )
    return islice(good, _BEST)


def _bare(match: Match) -> bool:
    """A frame that consists only of a name, such as a task's title."""
    return match.literal == 0 and bool(match.slots)


def _means_something(sheet: Sheet, scene: Scene, reading: Reading, mood: Mood) -> bool:
    act = sheet.grammar.pack.acts[reading.act]
    return (
        _suits_scene(scene, act, reading)
        and _suits_mood(act, reading, mood)
        and _texts_fit(sheet, reading, mood)
        and (not act.must_link or _is_linked(sheet, scene, act, reading))
        and not _late(sheet, reading, mood, act)
        and not (act.mood == ("command",) and swallows_order(sheet, reading))
        and all(any(map(reading.filled, need.split("|"))) for need in act.needs)
        and not _is_question_about(sheet, act, mood)
        and not _skips_order(sheet, reading, mood, act)
    )


def _skips_order(sheet: Sheet, reading: Reading, mood: Mood, act: Act) -> bool:
    """Whether a read skips the command that the clause begins with: "move everything on the garden list to monday"."""
    reads = sheet.grammar.pack.reads(act.tool)
    return reads and mood.name == "open" and reading.match.first > mood.start and sheet.commands(mood.start)


def _suits_scene(scene: Scene, act: Act, reading: Reading) -> bool:
    """Whether a list was shown whose pages can be turned, and the turn before is one that the act may follow."""
    if act.mentions and not (scene.mentioned is not None and scene.mentioned(frozenset(act.mentions))):
        return False
    return bool(scene.listed or not act.pages) and (not act.after or _follows(scene, act, reading))


def _suits_mood(act: Act, reading: Reading, mood: Mood) -> bool:
    """Whether the act may be said in this mood: "and the other one?" asks for the state of the other thing."""
    asked = act.again == "further" and mood.asks and mood.name == "open"
    unread = mood.lead is not None and mood.name == "open" and not reading.filled(mood.lead.slot)
    return not asked and not unread and not (act.by_us and mood.own)


def _is_question_about(sheet: Sheet, act: Act, mood: Mood) -> bool:
    """Whether a change, said as a statement, ends with a question mark."""
    if act.tool is None or not mood.asks or mood.name not in ("open", "plan"):
        return False
    return not sheet.grammar.pack.reads(act.tool) and "command" not in act.mood


def _follows(scene: Scene, act: Act, reading: Reading) -> bool:
    """Whether the clause has few words, and the turn before called a tool that this act may follow."""
    brief = "command" in act.mood or reading.end - reading.start <= _FEW_WORDS
    return brief and scene.lately is not None and scene.lately() in act.after


def _texts_fit(sheet: Sheet, reading: Reading, mood: Mood) -> bool:
    """Whether the words in the text slots are allowed there."""
    act, texts = sheet.grammar.pack.acts[reading.act], reading.texts.values()
    if not _are_texts(sheet, reading, act):
        return False
    if _is_statement(act) and sheet.first((one.first for one in texts if one.text), "negation") is not None:
        return False  # "and not a dry sock left" does not name anything to buy
    if act.headed and not any(sheet.has(one.first, *sheet.grammar.book.heads, slips=TYPOS) for one in texts):
        return False
    if act.brief and not all(map(_names, _named(sheet, reading))):
        return False
    grouped = act.brief and reading.has_value_of(sheet.grammar.shared)
    if grouped and any(sheet.commands(one.first, EXACT) for one in texts):
        return False  # "complete the milk on the shopping list"
    return mood.name != "open" or not _inside_beginning(sheet, reading, mood)


def _is_statement(act: Act) -> bool:
    return "command" not in act.mood and "plan" not in act.mood


def _are_texts(sheet: Sheet, reading: Reading, act: Act) -> bool:
    """Whether all can be texts. A text that the act asks for may be a value: "rename it to Friday"."""
    params = sheet.grammar.pack.params_of(act.tool)
    alone = not reading.chunks
    asked = {params[name].slot for name in act.asks if name in params and alone}
    return all(is_text(sheet, slot, piece, slot in asked) for slot, piece in reading.texts.items())


def _named(sheet: Sheet, reading: Reading) -> Iterator[Stretch]:
    """The things that the texts name. A text for a group may name several."""
    grouped = reading.has_value_of(sheet.grammar.shared)
    for piece in reading.texts.values():
        yield from things_in(Stretch(sheet, piece.first, piece.last), grouped=grouped)


def _names(stretch: Stretch) -> bool:
    """Whether a short text names something to do or to attend, and is not a sentence like "we sing every sunday"."""
    sheet, first, last = stretch
    if not 0 < last - first <= _FEW_NAMED or stretch.holds(*_TELLING):
        return False
    owned = stretch.first("possessive")  # "my neighbour mows his lawn"
    if owned is not None and (owned > first or last - first > _FEW_OWNED):
        return False
    return not sheet.has(first, "mood:plan", slips=TYPOS)


def _are_described(sheet: Sheet, scene: Scene, target: Target) -> bool:
    """Whether no thing has such a name, but a description may mean things: "clear out the completed ones"."""
    if target.problem not in ("missing", "not_found") or target.options or target.span is None or not len(scene.things):
        return False
    return is_value(sheet.within(target.span))


def _is_linked(sheet: Sheet, scene: Scene, act: Act, reading: Reading) -> bool:
    """Whether the thing was found, or may be asked for, if the act requires a thing."""
    target = reading.target
    if target is None:
        return False
    if not (target.ids or target.pronoun):
        if _are_described(sheet, scene, target):
            return reading.target_param is not None
        wide = ("ambiguous", "bulk") if reading.target_param is not None else ("ambiguous",)  # one thing is read about
        return target.problem in wide and (reading.match.literal > 0 or act.past != "")
    if target.span is None:
        unused = any(not reading.filled(chunk.slot) for chunk in reading.match.chunks)
        return not unused and reading.match.skipped <= 0.25
    return True


def _late(sheet: Sheet, reading: Reading, mood: Mood, act: Act) -> bool:
    """Whether a subject precedes the verb, so that it is not a command: "today I had a record …". The same for a
    statement after "be": "that is one more thing to …"."""
    match, told = reading.match, act.mood == ("statement",) and act.tool is not None and not reading.target_param
    if act.mood != ("command",) and not told:
        return False
    if match.first < 0 or any(first < match.first for _, first, _ in match.slots):
        return False
    before = _outside_values(match.chunks, range(mood.start, match.first))
    return sheet.first(before, *(("be",) if told else _SUBJECTS)) is not None


def _outside_values(chunks: Iterable[Chunk], places: range) -> Iterator[int]:
    """The places that no value covers. The value "every day" covers the word "every"."""
    covered = {at for chunk in chunks for at in range(chunk.start, chunk.end)}
    return (at for at in places if at not in covered)


def _inside_beginning(sheet: Sheet, reading: Reading, mood: Mood) -> bool:
    """A text that starts inside the words that give the mood: "I need | to know what's on my list"."""
    if mood.start >= reading.end:
        return False
    begun = sheet.has(mood.start, "mood:plan", "mood:request")
    return any(mood.start < piece.first < begun for piece in reading.texts.values())


def _is_fragment_of_order(sheet: Sheet, reading: Reading) -> bool:
    """ "urgent: note buy bread" is a command, not a fragment whose text happens to begin with one."""
    act = sheet.grammar.pack.acts[reading.act]
    if "command" in act.mood:
        return False
    return any(is_order(sheet, act.tool, piece) for piece in reading.texts.values())


def _weigh(sheet: Sheet, reading: Reading, mood: Mood) -> float:
    """The score of the frame, plus the score of what its object points at."""
    score = _as_matched(reading.match, mood) + sheet.grammar.pack.acts[reading.act].confidence - 1
    read_out = [chunk for chunk in reading.chunks if chunk not in reading.match.chunks]
    score += _READ_OUT * len(read_out)  # values read out of a text count as much as those beside it
    for chunk in reading.match.chunks:
        if _is_useless(chunk, reading, sheet.grammar.shared):
            score -= 0.7 if isinstance(chunk.value, When) else 1.2
    says_all = sheet.first(_outside_values(reading.chunks, range(reading.start, reading.end)), "all") is not None
    if lacks_text(sheet.grammar, reading):
        score -= _ALL if says_all else 0.1
    act = sheet.grammar.pack.acts[reading.act]
    cost = _WHOLE if says_all and act.whole else _GROUP
    score -= cost * sum(1 for group in sheet.groups if _is_ignored(group, reading))
    if (
        says_all
        and (act.whole or act.clears)
        and any(isinstance(one.value, When) for one in sheet.over(reading).chunks)
    ):
        score -= _WHOLE
    if mood.name == "open" and _is_fragment_of_order(sheet, reading):
        score -= _ORDER
    return score + _worth(reading.target) if reading.target is not None else score


def _is_ignored(group: tuple[int, int], reading: Reading) -> bool:
    """Whether an existing group is named in these words, and the reading has no place for it."""
    start, end = group
    if not reading.start <= start < end <= reading.end:
        return False
    taken = (
        *((one.core, one.end) for one in reading.chunks),
        *((one.first, one.last) for one in reading.texts.values()),
    )
    return not any(first <= start and end <= last for first, last in taken)


def _is_useless(chunk: Chunk, reading: Reading, shared: Container[str]) -> bool:
    """Whether no parameter takes a value. A read about one thing takes only its name."""
    if reading.target is not None and reading.target_param is None:
        return True
    if reading.target is not None and chunk.slot in shared:
        return False  # it says where the thing is
    inside = any(piece.first <= chunk.start and chunk.end <= piece.last for piece in reading.texts.values())
    return not (inside or reading.filled(chunk.slot))


def _worth(target: Target) -> float:
    """The score for an object that points at something; negative if it points at nothing."""
    if target.ids:
        return _TARGET * target.certainty
    if target.problem == "missing":
        return 0.3 if target.pronoun else -0.2
    return _WORTH.get(target.problem, 0.0)


def _as_matched(match: Match, mood: Mood) -> float:
    """The score of the frame without its object."""
    return match.score + (0.5 if mood.name == "request" else 0.0)


def lacks_text(grammar: Grammar, reading: Reading) -> bool:
    """Whether a text that the tool requires is missing."""
    act = grammar.pack.acts[reading.act]
    params = grammar.pack.tools[act.tool].params.values() if act.tool else ()
    needed = (param.slot for param in params if param.required and param.slot)
    said = {slot for slot, piece in reading.texts.items() if piece.text}
    return any(grammar.pack.slots[slot].type == "text" and slot not in said for slot in needed)


def confidence(act: Act, sense: Sense) -> float:
    """The act's own confidence, less penalties for skipped words, typos and an object that fits loosely."""
    match = sense.reading.match
    value = act.confidence
    value -= 0.12 * max(0.0, match.skipped - 0.15)
    value -= 0.05 * match.slips
    if sense.mood.name == "plan" and act.inferred and not sense.reading.chunks:
        value -= 0.07  # a plan without a date or a priority may be mere talk, so Sayso asks first
    if act.past and not match.literal:
        value -= 0.05  # "grandma called" may be about anybody
    target = sense.reading.target
    if target is not None and target.ids:
        value -= 0.35 * (1 - target.certainty)
    if sense.mood.asks and sense.mood.name == "open":
        value -= 0.1
    return round(min(0.99, max(0.05, value)), 3)
