"""Finds how a clause begins, which decides the sentences that may match it.

"could you" opens a command, "did I" a question, "I must" a plan; greetings, fillers and names come before it.
"""

from __future__ import annotations

from typing import NamedTuple

from sayso.engine.grammar.frames import Chunk
from sayso.engine.grammar.sheet import EXACT, TYPOS, Sheet, Stretch


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
    found = _moods_at(Stretch(sheet, at, end), asks, None)
    linked = opening(stretch, linked=True) if at > start else at
    if linked < at:
        found += [
            mood for mood in _moods_at(Stretch(sheet, linked, end), asks, None) if mood.name in ("open", "question")
        ]
    called = opening(stretch, named=True) if at > start else at
    if called < at and called != linked:  # "stairs set to high": what looks like a call may name a thing
        found += [mood for mood in _moods_at(Stretch(sheet, called, end), asks, None) if mood.name == "open"]
    first = next((place for place in range(start, at) if sheet.words[place].kind != "mark"), at)
    if first < min(at, linked, called) and at < end and sheet.narrows(first):  # "just the urgent ones"
        found.append(Mood("open", first, asks))
    leads = [chunk for chunk in sheet.chunks.get(at, ()) if chunk.floats and chunk.end < end]
    if leads:
        lead = max(leads, key=lambda chunk: (chunk.strong, chunk.end))
        told = opening(Stretch(sheet, lead.end, end))
        ordered = lead.strong and told < end and sheet.commands(told)  # "with all urgency add …"
        paused = ordered or sheet.words[lead.end].kind == "mark"  # "urgent! add …"
        strong = ("plan", "request", "open") if paused else ("plan", "request")
        names = strong if lead.strong or paused else ("plan",)  # "saturday" alone may be anything
        found += [mood for mood in _moods_at(Stretch(sheet, lead.end, end), asks, lead) if mood.name in names]
    return found


def _moods_at(stretch: Stretch, asks: bool, lead: Chunk | None) -> list[Mood]:
    sheet, at, end = stretch
    found: list[Mood] = []
    if at >= end:
        return [Mood("open", at, asks, lead)]
    if sheet.has(at, "mood:hypothetical", slips=TYPOS):
        return [Mood("hypothetical", at, asks, lead)]
    request, question = sheet.has(at, "mood:request", slips=TYPOS), sheet.has(at, "mood:question", slips=TYPOS)
    if request and request <= end and request >= question:  # "do call her" asks for it, "do I call her" does not
        again = opening(Stretch(sheet, request, end))
        more = sheet.has(again, "mood:request") if again < end else 0
        if again + 1 < more < end:  # "could you please be so kind as to …"
            again = opening(Stretch(sheet, more, end))
        own = sheet.has(at, "intends") >= request
        found.append(Mood("request", again, asks, lead, own))
        found += _indirect(Stretch(sheet, again, end), lead)
    found += _indirect(stretch, lead)
    plan = sheet.has(at, "mood:plan", slips=TYPOS)
    remark = sheet.has(at, "mood:comment", slips=TYPOS) > plan  # "I have to admit" plans nothing, nor "I should have …"
    remark = remark or any(sheet.has(said, "unreal") > plan for said in range(at, plan))
    if plan and plan < end and not remark:
        found.append(Mood("plan", plan, asks, lead))
    name = "question" if question else "open"
    found.append(Mood(name, at, asks, lead))
    return found


def _indirect(stretch: Stretch, lead: Chunk | None) -> list[Mood]:
    """ "tell me if the oven is on": the question within a request."""
    sheet, at, end = stretch
    after = sheet.has(at, "mood:indirect") if at < end else 0
    if not 0 < after < end or not sheet.has(after, "wh"):
        return []
    return [Mood("question", after, True, lead)]


def opening(
    stretch: Stretch,
    *,
    linked: bool = False,
    named: bool = False,
    exactly: bool = False,
) -> int:
    """Where a clause begins in earnest, after greetings, fillers and marks; `linked` keeps its linking word, `named` a
    word that nobody knows. Fillers may be misspelt, unless `exactly`."""
    sheet, start, end = stretch
    at, slips = start, EXACT if exactly else TYPOS
    small = (
        ("hesitation", "filler", "polite", "greeting")
        if linked
        else ("hesitation", "filler", "polite", "greeting", "link")
    )
    while at < end:
        if sheet.words[at].kind == "mark":
            at += 1
            continue
        after = sheet.has(at, *small, slips=slips)
        if not after and at + 2 < end and _takes_back(sheet, at):
            after = at + 1
        if (not after or after > end) and not named:
            after = _calls_somebody(Stretch(sheet, at, end), at == start)
        if not after or after > end:
            return at
        if sheet.has(at, "mood:request", "mood:plan", slips=TYPOS) >= after:
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
    sheet, start, end = stretch
    at = opening(stretch)
    quotes = sheet.first(range(at, end), "quoting") is not None
    asked = sheet.has(at, "mood:request", slips=TYPOS) if at < end else 0
    if quotes and (not (asked or sheet.commands(at)) or sheet.has(at, "quoting") > asked):
        return True
    at = start
    while at < end:
        after = sheet.has(at, "assistant")
        if after:
            if after >= end or sheet.words[after].kind == "mark" or sheet.commands(after):
                return True
            return sheet.has(after, "mood:request", "mood:question", slips=TYPOS) > 0
        at = (
            at + 1 if sheet.words[at].kind == "mark" else sheet.has(at, "greeting", "hesitation", "filler", slips=TYPOS)
        )
        if not at:
            return False
    return False


def _calls_somebody(stretch: Stretch, first: bool) -> int:
    """Where a command begins after the one it is said to ("mate, add …"), after "first" or "I meant", or after a first
    word that nobody knows: a name, or an interjection of some dialect ("abeg add …")."""
    sheet, at, end = stretch
    word = sheet.words[at]
    address = sheet.has(at, "address", "foremost", "repair")
    unknown = (
        word.kind == "word"
        and word.low.isalpha()
        and not sheet.edges[at]
        and not sheet.grammar.lexicon.is_common(word.low)
    )
    after = address or (at + 1 if first and unknown else 0)
    if not after or after + 1 >= end:
        return 0
    asks = bool(address) and sheet.has(after, "mood:request") > 0  # "first could you …"
    return after if asks or sheet.commands(after) else _calls_somebody(Stretch(sheet, after, end), False)
