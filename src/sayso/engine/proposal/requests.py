"""Finds the requests of a message, clause by clause: their verbs, their things, and whether they request anything.

"commit, but don't push yet" asks to commit and denies a push. "if the tests pass, merge it" asks for nothing now.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

from sayso.engine.grammar.catalogue import LIGHT, OTHERS, VERB, Catalogue, Vocabulary
from sayso.engine.grammar.moods import opening
from sayso.engine.grammar.sheet import TYPOS, Sheet, Stretch
from sayso.engine.lexicon.lexicon import Edges

Mood = Literal["request", "fragment", "question", "denied", "put off", "told"]

_STOPS = frozenset(".!?;…\n")
_PAUSES = frozenset(",:()–—-|")
_OTHERS_SAY = ("reported", "quoting", "tells", "unreal", "others_word", "relayed")
_EMPTY = frozenset({LIGHT.removeprefix(VERB), OTHERS.removeprefix(VERB)})
_LATE = 3  # words within which a clause names its subject: "yesterday I …"
_SLIP = 0.5  # the most that a typo in a verb may cost


class Verb(NamedTuple):
    """A verb of a clause."""

    at: int
    end: int
    purposes: frozenset[str]
    head: bool  # it opens the clause
    value: bool = False  # it is part of a text of the call
    form: Literal["base", "gerund", "past"] = "base"


class Clause(NamedTuple):
    """A clause of a message, with its request."""

    start: int
    end: int
    mood: Mood
    verbs: tuple[Verb, ...]
    things: frozenset[str]
    stems: frozenset[str]  # in the language that tools are named in, and in that of the message
    polite: bool = False  # it says please


def clauses(
    sheet: Sheet, catalogue: Catalogue, known: Vocabulary, values: frozenset[int] = frozenset()
) -> list[Clause]:
    """The clauses of a message, in order; `values` are the places of words that texts of the call repeat."""
    found: list[Clause] = []
    for first, last in _sentences(sheet):
        asks = last < len(sheet.words) and sheet.words[last].low == "?"
        pieces = list(_pieces(sheet, first, last, known))
        put_off = any(_is_put_off(sheet, first, at) for at in range(first, last))
        denied = False
        for start, end, joined in pieces:
            clause = _clause(sheet, start, end, catalogue, known, values)
            mood = _mood(sheet, clause, asks=asks)
            if joined and denied and mood in ("request", "fragment"):
                mood = "denied"
            if put_off and mood in ("request", "fragment"):
                mood = "put off"
            denied = mood == "denied"
            found.append(clause._replace(mood=mood))
    return _attached(found)


def _attached(found: list[Clause]) -> list[Clause]:
    """Clauses without a verb as parts of the clause before them, or else of the one after: "in docs, please"."""
    joined: list[Clause] = []
    for clause in found:
        if joined and "fragment" in (clause.mood, joined[-1].mood):
            joined[-1] = _joined(joined[-1], clause)
        else:
            joined.append(clause)
    return joined


def _joined(one: Clause, other: Clause) -> Clause:
    mood = other.mood if one.mood == "fragment" else one.mood
    verbs = (*one.verbs, *other.verbs)
    polite = one.polite or other.polite
    return Clause(one.start, other.end, mood, verbs, one.things | other.things, one.stems | other.stems, polite)


def _sentences(sheet: Sheet) -> Iterator[tuple[int, int]]:
    first = 0
    for at in range(len(sheet.words)):
        if _is_mark(sheet, at, _STOPS):
            if at > first:
                yield first, at
            first = at + 1
    if first < len(sheet.words):
        yield first, len(sheet.words)


def _is_mark(sheet: Sheet, at: int, marks: frozenset[str]) -> bool:
    """Whether one of these marks is between two words."""
    word = sheet.words[at]
    return word.kind == "mark" and word.low in marks and not _is_inside(sheet, at)


def _is_inside(sheet: Sheet, at: int) -> bool:
    """Whether a mark is inside a word, as in a file's name."""
    words = sheet.words
    return 0 < at < len(words) - 1 and words[at - 1].end == words[at].start and words[at].end == words[at + 1].start


def _pieces(sheet: Sheet, first: int, last: int, known: Vocabulary) -> Iterator[tuple[int, int, bool]]:
    """The parts of a sentence between pauses and linking words that a verb follows; the last value says whether only a
    linking word precedes it."""
    start, joined = first, False
    at = first
    while at < last:
        if _is_mark(sheet, at, _PAUSES):
            if at > start:
                yield start, at, joined
            start, joined = at + 1, False
        elif at > start and (after := sheet.has(at, "link")) and after < last and _opens(sheet, after, known):
            yield start, at, joined
            start, joined = after, True
            at = after - 1
        at += 1
    if last > start:
        yield start, last, joined


def _opens(sheet: Sheet, at: int, known: Vocabulary) -> bool:
    """Whether a separate clause may begin here."""
    return (
        not known.verbs.keys().isdisjoint(sheet.edges[at])
        or not known.pasts.keys().isdisjoint(sheet.edges[at])
        or bool(
            sheet.has(at, "mood:request", "negation", "first", "third", "wanted", "mine", "no", "retract", "polite")
        )
    )


def _clause(
    sheet: Sheet, start: int, end: int, catalogue: Catalogue, known: Vocabulary, values: frozenset[int]
) -> Clause:
    head = _head(Stretch(sheet, start, end))
    verbs = tuple(_verbs(sheet, start, end, head, known, values, catalogue.looks))
    verbs = _desired(sheet, start, end, verbs, catalogue) or verbs
    acts = {verb.at for verb in verbs if verb.head}
    places = [at for at in range(start, end) if at not in acts]
    things = {known.things[cls] for at in places for cls in known.things.keys() & sheet.edges[at].keys()}
    words = [sheet.words[at] for at in range(start, end) if sheet.words[at].kind == "word"]
    stems = {*sheet.stems[start:end], *(catalogue.stem(word.low) for word in words)}
    polite = Stretch(sheet, start, end).holds("polite")
    return Clause(start, end, "request", verbs, frozenset(things), frozenset(stems), polite)


def _desired(sheet: Sheet, start: int, end: int, verbs: tuple[Verb, ...], catalogue: Catalogue) -> tuple[Verb, ...]:
    """The verbs of a clause that says how something should be: "the port should be 8081", "it belongs in docs"."""
    at = next((place for place in range(start + 1, end) if sheet.has(place, "desired", slips=TYPOS)), None)
    if at is None or any(verb.head and verb.form == "base" for verb in verbs):
        return ()
    after = sheet.has(at, "desired", slips=TYPOS)
    wish = Verb(at, after, catalogue.desired, True)
    return (wish, *(verb._replace(head=verb.head or (verb.at == after and verb.form == "base")) for verb in verbs))


def _head(stretch: Stretch) -> int:
    """Where the request begins, after greetings and polite words."""
    sheet, at, end = stretch.sheet, opening(stretch), stretch.end
    while at < end:
        after = max(sheet.has(at, "mood:request"), sheet.has(at, "wanted"))
        if not after or after >= end:
            if at + 1 < end and sheet.has(at, "it", "them") and _acts(sheet, at + 1):
                return at + 1
            return _after_place(sheet, at, end) or at
        at = opening(stretch.narrowed(after))
    return at


def _after_place(sheet: Sheet, start: int, end: int) -> int | None:
    """The place of the verb that follows a place or a thing said first: "on issue 12 write that …"."""
    if not sheet.has(start, "placing"):
        return None
    for at in range(start + 1, end):
        if sheet.has(at, "be", "first", "third", "negation", "mine"):
            return None
        if _acts(sheet, at) and (at + 1 == end or sheet.has(at + 1, "after_verb")):
            return at
    return None


def _acts(sheet: Sheet, at: int) -> bool:
    known = sheet.grammar.vocabulary
    return known is not None and not known.verbs.keys().isdisjoint(sheet.edges[at])


def _verbs(
    sheet: Sheet, start: int, end: int, head: int, known: Vocabulary, values: frozenset[int], looks: frozenset[str]
) -> Iterator[Verb]:
    for at in range(start, end):
        for table, form in _forms(known):
            ends = _ends(sheet.edges[at], table)
            if ends:
                yield Verb(at, max(ends.values()), _purposes(ends, table, looks), at == head, at in values, form)
    later = sheet.lows[head + 2 : end] if head < end else []
    apart = [known.apart[sheet.lows[head], low] for low in later if (sheet.lows[head], low) in known.apart]
    if apart:
        yield Verb(head, head + 1, frozenset().union(*apart), True)


def _forms(known: Vocabulary) -> Iterator[tuple[Mapping[int, str], Literal["base", "gerund", "past"]]]:
    yield known.verbs, "base"
    yield known.gerunds, "gerund"
    yield known.pasts, "past"


def _ends(edges: Edges, table: Mapping[int, str]) -> dict[int, int]:
    """The classes of a table that a word is in, with the end of the word or its phrase."""
    return {cls: edges[cls][0][0] for cls in table.keys() & edges.keys() if edges[cls][0][1] < _SLIP}


def _purposes(ends: Mapping[int, int], table: Mapping[int, str], looks: frozenset[str]) -> frozenset[str]:
    """The purposes of a verb; only those of the longest phrase if that only reads."""
    last = max(ends.values())
    longest = frozenset(table[cls] for cls, end in ends.items() if end == last)
    return longest if longest <= looks else frozenset(table[cls] for cls in ends)


def _is_put_off(sheet: Sheet, first: int, at: int) -> bool:
    """Whether words here make the sentence depend on something: not "if you can", nor "check if …"."""
    found = sheet.has(at, "postponed")
    if not found or sheet.has(at, "polite", "filler", "anyway") > found:
        return False
    if found < len(sheet.words) and sheet.words[found].low[:1].isdecimal():  # "until 8"
        return False
    if at == first or not sheet.has(at, "condition"):
        return True
    told = (place for place in range(max(first, at - 2), at) if sheet.has(place, "asking") == at)
    return not (sheet.has(at - 1, "mood:indirect", "do_get", "do_search") or any(told))


def _mood(sheet: Sheet, clause: Clause, *, asks: bool) -> Mood:
    stretch = Stretch(sheet, clause.start, clause.end)
    at = opening(stretch)
    if at >= clause.end:
        return "fragment"
    if _is_denied(sheet, clause, _head(stretch)):
        return "denied"
    ordered = _is_ordered(clause)
    wished = any(sheet.has(verb.at, "desired", slips=TYPOS) for verb in clause.verbs)
    if (not ordered or wished) and _is_others(stretch):
        return "told"
    if wished and asks:
        return "question"
    opened = _opened(sheet, clause, at, asks=asks)
    if opened is not None:
        return opened
    questions = bool(sheet.has(at, "mood:question", "wh"))
    if not ordered:
        return "question" if asks or questions else _stated(stretch, clause)
    return "question" if asks and questions else "request"


def _opened(sheet: Sheet, clause: Clause, at: int, *, asks: bool) -> Mood | None:
    """The mood that the first words of a clause give it: a wish, a thought, or a remark about the speaker."""
    start = clause.start
    wanted = _wanted(sheet, start, at)
    first = next((verb.at for verb in clause.verbs if verb.head and verb.form == "base"), len(sheet.words))
    early = range(start, min(start + _LATE, first + 1, len(sheet.words)))
    mine = max(
        *(sheet.has(place, "mine") for place in (at, *early)), sheet.has(start, "sources"), sheet.has(at, "sources")
    )
    considered = max(sheet.has(place, "considered") for place in (start, at))
    if considered and considered >= max(wanted, mine):
        return "question" if asks else "told"
    if mine > wanted:
        return "told"
    return "request" if wanted else None


def _wanted(sheet: Sheet, start: int, at: int) -> int:
    """Where the words of a wish end; 0 if a question follows them, or if they begin one: "do you know who …"."""
    found = max(sheet.has(place, "wanted", "mood:request") for place in (start, at))
    if not found or found <= sheet.has(at, "mood:question") or found <= sheet.has(at, "considered"):
        return 0
    return 0 if found < len(sheet.words) and sheet.has(found, "wh", "mood:question") else found


def _stated(stretch: Stretch, clause: Clause) -> Mood:
    """A statement, a request whose verb comes late, or words that are not a sentence."""
    sheet, past = stretch.sheet, any(verb.form == "past" for verb in clause.verbs)
    is_so = any(sheet.has(at, "be") and sheet.words[at].low[0].isalpha() for at in stretch.places)
    if past or is_so or stretch.holds("third", "first", "formerly", "negation"):
        return "told"
    return "request" if any(verb.form == "base" and verb.purposes - _EMPTY for verb in clause.verbs) else "fragment"


def _is_denied(sheet: Sheet, clause: Clause, head: int) -> bool:
    """Whether a negation precedes the verb, or the clause takes something back."""
    first = next((verb.at for verb in clause.verbs if verb.at >= head and not _is_little(sheet, verb)), clause.start)
    before = range(clause.start, min(first, clause.end))
    return any(sheet.has(at, "negation") for at in before) or any(sheet.has(at, "retract") == first for at in before)


def _is_ordered(clause: Clause) -> bool:
    """Whether a clause opens with a verb in the form of a command."""
    return any(verb.head and verb.form == "base" for verb in clause.verbs)


def _is_others(stretch: Stretch) -> bool:
    """Whether a clause repeats somebody else's words."""
    return stretch.holds(*_OTHERS_SAY) or _quotes(stretch)


def _quotes(stretch: Stretch) -> bool:
    """Whether somebody's words are quoted, after a word for saying."""
    said = stretch.first("says")
    return said is not None and any(word.kind == "quote" for word in stretch.sheet.words[said : stretch.end])


def _is_little(sheet: Sheet, verb: Verb) -> bool:
    """A verb that says little, or that has none of our purposes: "do not", "please hold"."""
    return (
        verb.purposes <= {LIGHT.removeprefix(VERB), OTHERS.removeprefix(VERB)}
        and sheet.stems[verb.at] in sheet.grammar.little
    )


def places_of(sheet: Sheet, texts: Iterable[str]) -> frozenset[int]:
    """The places of the words that texts of a call repeat, each of at least two words."""
    stems, found = list(sheet.stems), set[int]()
    for text in texts:
        said = list(sheet.grammar.stems.of(text))
        if len(said) > 1:
            for at in range(len(stems) - len(said) + 1):
                if stems[at : at + len(said)] == said:
                    found.update(range(at, at + len(said)))
    return frozenset(found)


def asked(found: Iterable[Clause], *, reads: bool) -> list[Clause]:
    """The clauses that request something. A question requests a read."""
    moods = ("request", "fragment", "question") if reads else ("request", "fragment")
    return [clause for clause in found if clause.mood in moods]
