"""Finds how a clause begins, which decides the sentences that may match it.

"could you" opens a command, "did I" a question, "I must" a plan; greetings, fillers and names come before it.
"""

from __future__ import annotations

from typing import NamedTuple

from sayso.engine.grammar.frames import Chunk
from sayso.engine.grammar.grammar import Grammar, Sheet


class Mood(NamedTuple):
    """How a clause begins: which frames may read it, from where."""

    name: str  # "open", "request", "plan", "question", "hypothetical"
    start: int
    asks: bool  # it ends with a question mark
    lead: Chunk | None = None  # a date said first: "tomorrow I need to …"
    own: bool = False  # what is asked for is what the speaker would do: "I want to …"


def moods(grammar: Grammar, sheet: Sheet, start: int, end: int) -> list[Mood]:
    """The moods a clause may have, by how it begins; a linking word may be part of a frame or not."""
    asks = end > start and sheet.words[end - 1].low == "?"
    at = opening(grammar, sheet, start, end)
    found = _moods_at(grammar, sheet, at, end, asks, None)
    linked = opening(grammar, sheet, start, end, linked=True) if at > start else at
    if linked < at:
        found += [
            mood for mood in _moods_at(grammar, sheet, linked, end, asks, None) if mood.name in ("open", "question")
        ]
    called = opening(grammar, sheet, start, end, named=True) if at > start else at
    if called < at and called != linked:  # "stairs set to high": what looks like a call may name a thing
        found += [mood for mood in _moods_at(grammar, sheet, called, end, asks, None) if mood.name == "open"]
    first = next((place for place in range(start, at) if sheet.words[place].kind != "mark"), at)
    if first < min(at, linked, called) and at < end and grammar.narrows(sheet, first):  # "just the urgent ones"
        found.append(Mood("open", first, asks))
    leads = [chunk for chunk in sheet.chunks.get(at, ()) if chunk.floats and chunk.end < end]
    if leads:
        lead = max(leads, key=lambda chunk: (chunk.strong, chunk.end))
        told = opening(grammar, sheet, lead.end, end)
        ordered = lead.strong and told < end and grammar.commands(sheet, told)  # "with all urgency add …"
        paused = ordered or sheet.words[lead.end].kind == "mark"  # "urgent! add …"
        strong = ("plan", "request", "open") if paused else ("plan", "request")
        names = strong if lead.strong or paused else ("plan",)  # "saturday" alone may be anything
        found += [mood for mood in _moods_at(grammar, sheet, lead.end, end, asks, lead) if mood.name in names]
    return found


def _moods_at(grammar: Grammar, sheet: Sheet, at: int, end: int, asks: bool, lead: Chunk | None) -> list[Mood]:
    found: list[Mood] = []
    if at >= end:
        return [Mood("open", at, asks, lead)]
    if grammar.has(sheet, at, "mood:hypothetical"):
        return [Mood("hypothetical", at, asks, lead)]
    request, question = grammar.has(sheet, at, "mood:request"), grammar.has(sheet, at, "mood:question")
    if request and request <= end and request >= question:  # "do call her" asks for it, "do I call her" does not
        again = opening(grammar, sheet, request, end)
        more = grammar.has(sheet, again, "mood:request", slips=0.0) if again < end else 0
        if again + 1 < more < end:  # "could you please be so kind as to …"
            again = opening(grammar, sheet, more, end)
        own = grammar.has(sheet, at, "intends", slips=0.0) >= request
        found.append(Mood("request", again, asks, lead, own))
        found += _indirect(grammar, sheet, again, end, lead)
    found += _indirect(grammar, sheet, at, end, lead)
    plan = grammar.has(sheet, at, "mood:plan")
    remark = grammar.has(sheet, at, "mood:comment") > plan  # "I have to admit" plans nothing, nor "I should have …"
    remark = remark or any(grammar.has(sheet, said, "unreal", slips=0.0) > plan for said in range(at, plan))
    if plan and plan < end and not remark:
        found.append(Mood("plan", plan, asks, lead))
    name = "question" if question else "open"
    found.append(Mood(name, at, asks, lead))
    return found


def _indirect(grammar: Grammar, sheet: Sheet, at: int, end: int, lead: Chunk | None) -> list[Mood]:
    """ "tell me if the oven is on": the question within a request."""
    after = grammar.has(sheet, at, "mood:indirect", slips=0.0) if at < end else 0
    if not 0 < after < end or not grammar.has(sheet, after, "wh", slips=0.0):
        return []
    return [Mood("question", after, True, lead)]


def opening(
    grammar: Grammar,
    sheet: Sheet,
    start: int,
    end: int,
    *,
    linked: bool = False,
    named: bool = False,
    slips: float = 0.9,
) -> int:
    """Where a clause begins in earnest, after greetings, fillers and marks; `linked` keeps its linking word, `named` a
    word that nobody knows. Fillers may be misspelt, as far as `slips` allows."""
    at = start
    small = (
        ("hesitation", "filler", "polite", "greeting")
        if linked
        else ("hesitation", "filler", "polite", "greeting", "link")
    )
    while at < end:
        if sheet.words[at].kind == "mark":
            at += 1
            continue
        after = grammar.has(sheet, at, *small, slips=slips)
        if not after and at + 2 < end and _takes_back(grammar, sheet, at):
            after = at + 1
        if (not after or after > end) and not named:
            after = _calls_somebody(grammar, sheet, at, end, at == start)
        if not after or after > end:
            return at
        if grammar.has(sheet, at, "mood:request", "mood:plan") >= after:
            return at
        at = after
    return at


def _takes_back(grammar: Grammar, sheet: Sheet, at: int) -> bool:
    """ "nah move it to sunday": a no, and at once what is wanted instead; "no change needed" wants nothing."""
    if grammar.has(sheet, at, "repair_weak", slips=0.0) != at + 1 or not grammar.commands(sheet, at + 1):
        return False
    if grammar.has(sheet, at + 1, "negation", slips=0.0):  # "no not that, the other one"
        return False
    return bool(grammar.has(sheet, at + 2, "it", "them", "article", "possessive", slips=0.0))


def for_another(grammar: Grammar, sheet: Sheet, start: int, end: int) -> bool:
    """Whether a clause is said to another machine by its name, or told in somebody else's words: "hey siri, add milk",
    "the recipe says: add milk"."""
    at = opening(grammar, sheet, start, end)
    quotes = grammar.first(sheet, range(at, end), "quoting") is not None
    asked = grammar.has(sheet, at, "mood:request") if at < end else 0
    if quotes and (not (asked or grammar.commands(sheet, at)) or grammar.has(sheet, at, "quoting", slips=0.0) > asked):
        return True
    at = start
    while at < end:
        after = grammar.has(sheet, at, "assistant", slips=0.0)
        if after:
            if after >= end or sheet.words[after].kind == "mark" or grammar.commands(sheet, after):
                return True
            return grammar.has(sheet, after, "mood:request", "mood:question") > 0
        at = at + 1 if sheet.words[at].kind == "mark" else grammar.has(sheet, at, "greeting", "hesitation", "filler")
        if not at:
            return False
    return False


def _calls_somebody(grammar: Grammar, sheet: Sheet, at: int, end: int, first: bool) -> int:
    """Where a command begins after the one it is said to ("mate, add …"), after "first" or "I meant", or after a first
    word that nobody knows: a name, or an interjection of some dialect ("abeg add …")."""
    word = sheet.words[at]
    address = grammar.has(sheet, at, "address", "foremost", "repair", slips=0.0)
    unknown = (
        word.kind == "word" and word.low.isalpha() and not sheet.edges[at] and not grammar.lexicon.is_common(word.low)
    )
    after = address or (at + 1 if first and unknown else 0)
    if not after or after + 1 >= end:
        return 0
    asks = bool(address) and grammar.has(sheet, after, "mood:request", slips=0.0) > 0  # "first could you …"
    return after if asks or grammar.commands(sheet, after) else _calls_somebody(grammar, sheet, after, end, False)
