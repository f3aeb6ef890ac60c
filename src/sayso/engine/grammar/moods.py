"""Finds how a clause begins, which decides the sentences that may match it.

"could you" opens a command, "did I" a question, "I must" a plan; greetings, fillers and names come before it.
"""

from __future__ import annotations

from operator import attrgetter
from typing import NamedTuple

from sayso.engine.grammar.frames import Chunk
from sayso.engine.grammar.sheet import EXACT, TYPOS, Sheet, Stretch

_SMALL = ("hesitation", "filler", "polite", "greeting")
_SMALL_OR_LINK = (*_SMALL, "link")


class Mood(NamedTuple):
    """How a clause begins: which frames may read it, from where."""

    name: str  # "open", "request", "plan", "question", "hypothetical"
    start: int
    asks: bool  # it ends with a question mark
    lead: Chunk | None = None  # a date said first: "tomorrow I need to …"
    own: bool = False  # what is asked for is what the speaker would do: "I want to …"


def moods(stretch: Stretch) -> list[Mood]:
    """The moods a clause may have, by how it begins; a linking word may be part of a frame or not."""
    sheet, start, end = stretch
    asks = end > start and sheet.words[end - 1].low == "?"
    at = opening(stretch)
    found = _moods_at(stretch.narrowed(at), asks, None)
    linked = opening(stretch, linked=True) if at > start else at
    if linked < at:
        found += _only(("open", "question"), _moods_at(stretch.narrowed(linked), asks, None))
    called = opening(stretch, named=True) if at > start else at
    if called < at and called != linked:  # "stairs set to high": what looks like a call may name a thing
        found += _only(("open",), _moods_at(stretch.narrowed(called), asks, None))
    first = _first_word(stretch.narrowed(end=at))
    if first < min(at, linked, called) and at < end and sheet.narrows(first):  # "just the late ones"
        found.append(Mood("open", first, asks))
    return found + _moods_after_value(stretch.narrowed(at), asks)


def _first_word(stretch: Stretch) -> int:
    """The first place that has no mark, or the end."""
    return next((at for at in stretch.places if stretch.sheet.words[at].kind != "mark"), stretch.end)


def _only(names: tuple[str, ...], found: list[Mood]) -> list[Mood]:
    return [mood for mood in found if mood.name in names]


def _moods_after_value(stretch: Stretch, asks: bool) -> list[Mood]:
    """The moods of what follows a date or another value said first: "tomorrow I need to …"."""
    sheet, at, end = stretch
    leads = [chunk for chunk in sheet.chunks.get(at, ()) if chunk.floats and chunk.end < end]
    if not leads:
        return []
    lead = max(leads, key=attrgetter("strong", "end"))
    rest = stretch.narrowed(lead.end)
    told = opening(rest)
    ordered = lead.strong and told < end and sheet.commands(told)  # "with all urgency add …"
    paused = ordered or sheet.words[lead.end].kind == "mark"  # "urgent! add …"
    strong = ("plan", "request", "open") if paused else ("plan", "request")
    names = strong if lead.strong or paused else ("plan",)  # "saturday" alone may be anything
    return _only(names, _moods_at(rest, asks, lead))


def _moods_at(stretch: Stretch, asks: bool, lead: Chunk | None) -> list[Mood]:
    sheet, at, end = stretch
    if at >= end:
        return [Mood("open", at, asks, lead)]
    if sheet.has(at, "mood:hypothetical", slips=TYPOS):
        return [Mood("hypothetical", at, asks, lead)]
    request, question = sheet.has(at, "mood:request", slips=TYPOS), sheet.has(at, "mood:question", slips=TYPOS)
    found: list[Mood] = []
    if request and request <= end and request >= question:  # "do call her" asks for it, "do I call her" does not
        found += _requested(stretch, request, asks, lead)
    found += _indirect(stretch, lead)
    plan = _plan_at(sheet, at)
    if 0 < plan < end:
        found.append(Mood("plan", plan, asks, lead))
    found.append(Mood("question" if question else "open", at, asks, lead))
    return found


def _requested(stretch: Stretch, request: int, asks: bool, lead: Chunk | None) -> list[Mood]:
    """What is asked for after the words of a request, which may be two: "could you please be so kind as to …"."""
    sheet, at, end = stretch
    again = opening(stretch.narrowed(request))
    more = sheet.has(again, "mood:request") if again < end else 0
    if again + 1 < more < end:
        again = opening(stretch.narrowed(more))
    own = sheet.has(at, "intends") >= request
    return [Mood("request", again, asks, lead, own), *_indirect(stretch.narrowed(again), lead)]


def _plan_at(sheet: Sheet, at: int) -> int:
    """Where the words of a plan end; 0 for "I have to admit", which plans nothing, and for "I should have …"."""
    plan = sheet.has(at, "mood:plan", slips=TYPOS)
    remark = sheet.has(at, "mood:comment", slips=TYPOS) > plan
    return 0 if remark or any(sheet.has(said, "unreal") > plan for said in range(at, plan)) else plan


def _indirect(stretch: Stretch, lead: Chunk | None) -> list[Mood]:
    """ "tell me if the oven is on": the question within a request."""
    sheet, at, end = stretch
    after = sheet.has(at, "mood:indirect") if at < end else 0
    if not 0 < after < end or not sheet.has(after, "wh"):
        return []
    return [Mood("question", after, True, lead)]


def opening(stretch: Stretch, *, linked: bool = False, named: bool = False, exactly: bool = False) -> int:
    """Where a clause begins in earnest, after greetings, fillers and marks; `linked` keeps its linking word, `named` a
    word that nobody knows. Fillers may be misspelt, unless `exactly`."""
    sheet, at, end = stretch
    small = _SMALL if linked else _SMALL_OR_LINK
    slips = EXACT if exactly else TYPOS
    while at < end:
        if sheet.words[at].kind == "mark":
            at += 1
            continue
        after = sheet.has(at, *small, slips=slips)
        if not after and at + 2 < end and _takes_back(sheet, at):
            after = at + 1
        if (not after or after > end) and not named:
            after = _calls_somebody(stretch.narrowed(at), at == stretch.start)
        if not 0 < after <= end or sheet.has(at, "mood:request", "mood:plan", slips=TYPOS) >= after:
            return at
        at = after
    return at


def _takes_back(sheet: Sheet, at: int) -> bool:
    """ "nah move it to sunday": a no, and at once what is wanted instead; "no change needed" wants nothing."""
    if sheet.has(at, "repair_weak") != at + 1 or not sheet.commands(at + 1):
        return False
    if sheet.has(at + 1, "negation"):  # "no not that, the other one"
        return False
    return bool(sheet.has(at + 2, "it", "them", "article", "possessive"))


def for_another(stretch: Stretch) -> bool:
    """Whether a clause is said to another machine by its name, or told in somebody else's words: "hey siri, add milk",
    "the recipe says: add milk"."""
    return _is_quoted(stretch) or _names_assistant(stretch)


def _is_quoted(stretch: Stretch) -> bool:
    """Whether somebody else's words follow, and the user's own request does not come first."""
    sheet, at = stretch.sheet, opening(stretch)
    if not stretch.narrowed(at).holds("quoting"):
        return False
    asked = sheet.has(at, "mood:request", slips=TYPOS) if at < stretch.end else 0
    return not (asked or sheet.commands(at)) or sheet.has(at, "quoting") > asked


def _names_assistant(stretch: Stretch) -> bool:
    """Whether the name of another assistant comes first, and then what it is to do."""
    sheet, at, end = stretch
    while at < end:
        after = sheet.has(at, "assistant")
        if after:
            told = after >= end or sheet.words[after].kind == "mark" or sheet.commands(after)
            return told or sheet.has(after, "mood:request", "mood:question", slips=TYPOS) > 0
        mark = sheet.words[at].kind == "mark"
        at = at + 1 if mark else sheet.has(at, "greeting", "hesitation", "filler", slips=TYPOS)
        if not at:
            return False
    return False


def _calls_somebody(stretch: Stretch, first: bool) -> int:
    """Where a command begins after the one it is said to ("mate, add …"), after "first" or "I meant", or after a first
    word that nobody knows: a name, or an interjection of some dialect ("abeg add …")."""
    sheet, at, end = stretch
    address = sheet.has(at, "address", "foremost", "repair")
    after = address or (at + 1 if first and _is_unknown(sheet, at) else 0)
    if not after or after + 1 >= end:
        return 0
    asks = bool(address) and sheet.has(after, "mood:request") > 0  # "first could you …"
    return after if asks or sheet.commands(after) else _calls_somebody(stretch.narrowed(after), False)


def _is_unknown(sheet: Sheet, at: int) -> bool:
    word = sheet.words[at]
    lettered = word.kind == "word" and word.low.isalpha()
    return lettered and not sheet.edges[at] and not sheet.grammar.lexicon.is_common(word.low)
