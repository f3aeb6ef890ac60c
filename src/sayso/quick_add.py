"""Quick add: reads any text as a new task with its values.

"call mum tomorrow at 5pm" → title "call mum", due tomorrow at 17:00, span of `due` (9, 24).
The engine reads the text first. Where its decision is not one new task, the engine's own readers cut dates, repeats,
priorities, lists and lead times out of the text, and the rest is the title. No text is refused.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from datetime import datetime
from itertools import cycle, groupby, islice
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import msgspec
from msgspec import UNSET

from sayso.case import Case
from sayso.decider import Decider
from sayso.decision import Call, Confirm, Span
from sayso.engine.grammar.frames import Chunk
from sayso.engine.grammar.grammar import Grammar
from sayso.engine.grammar.sheet import TYPOS, Sheet, Stretch
from sayso.engine.pipeline import Run
from sayso.engine.slots.arguments import values_for
from sayso.engine.slots.texts import after_plan, read_text
from sayso.engine.text.tokens import normalise
from sayso.record import Entity

Field: TypeAlias = Literal["due", "repeat", "priority", "list", "remind"]
FIELDS: tuple[Field, ...] = get_args(Field)

_TOOL = "add_task"
_SURE = 0.9  # from here on, words that the engine takes for the command leave the title
_ROUNDS = 8  # readings at most until every field to keep is back in the title
_FILLING = "qz"  # replaces text that must not be read: not a word of any language, no letter twice in a row
_TELLING = 0.6  # what it costs the engine to pass over a word that says something
_CLOSING, _EDGES, _SIGNS = (",", ";", "."), " ,;:-–—", "!#@"
_FIRST_SYMBOL = "\u2000"
_JOINS = frozenset("\u200d\ufe0e\ufe0f\u20e3")  # the parts that emoji are joined with

# What stays in the title as it is typed: addresses, phone numbers, amounts.
_VERBATIM = re.compile(
    r"""
      (?:https?://|www\.)[^\s<>"]+(?<![.,;:!?)\]])            # https://example.com/2026-03-12
    | [\w.+-]+@[\w-]+(?:\.[\w-]+)+                            # ann@example.com
    | \b[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/[^\s<>"]*(?<![.,;:!?)\]])  # example.com/friday
    | \+\d[\d\ ()/.-]{4,}\d                                   # +39 055 123456
    | \(\d{2,5}\)\ ?\d[\d\ -]{3,}\d                           # (055) 123456
    | \b0\d{1,4}[\ -]?\d{5,8}\b                               # 055 123456
    | \b0\d{1,3}(?:[\ -]\d{3,4}){2,3}\b                       # 020 7946 0958
    | \b\d{3}[\ .-]\d{3}[\ .-]\d{3,4}\b                       # 333 123 4567
    | \b\d{9,}\b                                              # 3331234567
    | [€$£¥]\ ?\d[\d.,]*(?<![.,])                             # $20
    | \b\d[\d.,]*\ ?(?:[€$£¥%](?!\d)|(?:EUR|USD|GBP|CHF)\b)   # 1.250,00 €
    """,
    re.VERBOSE | re.IGNORECASE,
)


class QuickAdd(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A new task as it was read. `spans` are the characters of the text that each value came from; they are not in
    the title. A repeat also gives `due`, its first date, with the same span unless another date was named."""

    title: str
    due: str | None = None
    repeat: str | None = None
    priority: str | None = None
    list: str | None = None
    remind: str | None = None
    lang: str
    spans: dict[str, Span] = {}

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments of the tool `add_task`: the title, and the values that were read."""
        named = {name: getattr(self, name) for name in FIELDS}
        return {"title": self.title} | {name: value for name, value in named.items() if value is not None}


class _Reading(NamedTuple):
    """Which characters are the title's, and which values the others hold."""

    lang: str
    title: Span
    dropped: tuple[Span, ...]  # what was taken back within the text
    values: dict[str, Any]
    spans: dict[str, Span]
    more: tuple[Span, ...] = ()  # what else is the title's: words that the engine made no use of


def read_quick_add(
    decider: Decider,
    text: str,
    now: datetime,
    *,
    lang: str | None = None,
    lists: Iterable[str] = (),
    keep: Collection[Field | Span] = (),
) -> QuickAdd:
    """Read a text as a new task.

    `lists` are the names of the lists that exist. `keep` puts values back into the title: a field by its name, or the
    words at a span. A text of which nothing would be left is the title as a whole, and no value is read.
    """
    kept = [(max(one[0], 0), min(one[1], len(text))) for one in keep if not isinstance(one, str)]
    kept = [(start, end) for start, end in kept if start < end]
    names = {name for name in keep if isinstance(name, str)}
    case = Case(message=text, now=now, lang=lang, entities=_carriers(lists))
    found = _read(decider, case, kept)
    for _ in range(_ROUNDS):
        again = [span for name, span in found.spans.items() if name in names]
        if not again:
            return found
        kept += again
        found = _read(decider, case, kept)
    return QuickAdd(title=_tidy(text), lang=found.lang)


def _carriers(lists: Iterable[str]) -> tuple[Entity, ...]:
    """The lists as the engine knows them: by the things that are on them."""
    return tuple(Entity({"kind": "task", "id": f"list {at}", "list": name}) for at, name in enumerate(lists))


def _read(decider: Decider, case: Case, kept: Iterable[Span]) -> QuickAdd:
    text = case.message
    fixed = [*(match.span() for match in _VERBATIM.finditer(text)), *kept]
    run = decider.run(msgspec.structs.replace(case, message=_covered(text, fixed)))
    reading = _decided(run, fixed) or _cut_out(run, decider, fixed)
    title = _title(text, reading, fixed) if reading is not None else ""
    if reading is None or not any(map(str.isalnum, title)):
        return QuickAdd(title=_tidy(text), lang=run.answer.lang)
    spans: dict[str, Span] = {name: reading.spans[name] for name in FIELDS if name in reading.spans}
    return QuickAdd(title=title, lang=reading.lang, spans=spans, **reading.values)


def _covered(text: str, spans: Iterable[Span]) -> str:
    """The text with each of these stretches as one word that says nothing."""
    signs = list(text)
    for start, end in spans:
        signs[start:end] = islice(cycle(_FILLING), end - start)
    return "".join(signs)


def _decided(run: Run, fixed: list[Span]) -> _Reading | None:
    """What the engine decided, where that is one new task and no word of the person's is lost."""
    first, *others = run.answer.decisions
    if others or not isinstance(first, Call | Confirm) or first.tool != _TOOL:
        return None
    spans = {name: one.span for name, one in first.evidence.items() if one.span is not UNSET}
    values = {name: value for name, value in first.arguments.items() if value is not None}
    title = spans.pop("title", None)
    if title is None or not values.keys() <= {"title", *FIELDS} or not spans.keys() <= {*FIELDS}:
        return None
    if any(_overlap(span, one) for span in spans.values() for one in fixed):
        return None
    cuts = {name: _with_lead(run.sheet, span) for name, span in spans.items()}
    if not isinstance(first, Call) and first.confidence < _SURE and not _is_framed(run, title, cuts.values()):
        return None
    found = {name: values[name] for name in cuts}
    inner = _values_in(run.sheet, title, run.case.now, {*found}, fixed)
    more = _rest(run, max(end for _, end in (title, *cuts.values())))
    return _Reading(run.answer.lang, title, run.sheet.text.dropped, found | inner[0], cuts | inner[1], more)


def _rest(run: Run, after: int) -> tuple[Span, ...]:
    """What follows all that the engine made use of, and says something: "… because she is ill", "…, room 5"."""
    sheet = run.sheet
    named = (clause.sense.reading.match.last for clause in run.clauses if clause.sense is not None)
    first = max(named, default=0)
    left = [at for at, word in enumerate(sheet.words) if at >= first and word.start >= after]
    nouns = run.grammar.nouns
    if not any(sheet.skips[at] >= _TELLING and not (nouns and sheet.has(at, *nouns, slips=TYPOS)) for at in left):
        return ()
    return ((sheet.words[left[0]].start, sheet.words[-1].end),)


def _values_in(
    sheet: Sheet, title: Span, now: datetime, taken: set[str], fixed: list[Span]
) -> tuple[dict[str, Any], dict[str, Span]]:
    """The values that the engine left in a title: "email Ann | on friday | about the budget"."""
    inside = [at for at, word in enumerate(sheet.words) if title[0] <= word.start and word.end <= title[1]]
    wanted = _typed(sheet.grammar, taken)
    if not inside or not wanted:
        return {}, {}
    piece = read_text(Stretch(_readable(sheet, fixed), inside[0], inside[-1] + 1), wanted)
    if piece is None or not piece.text or piece.quoted:
        return {}, {}
    return _values(sheet, piece.chunks, now, taken)


def _is_framed(run: Run, title: Span, cuts: Collection[Span]) -> bool:
    """Whether a sentence surrounds the title: it continues after it ("park … on my list"), a value comes before it
    ("add to the work list: …"), or no word is left out. In "put the bins out" the verb is not the command."""
    accounted = [title, *cuts]
    others = [word for word in run.sheet.words if word.kind != "mark"]
    left = [word for word in others if not any(_overlap((word.start, word.end), one) for one in accounted)]
    return not left or any(word.start > title[0] for word in left) or any(end <= title[0] for _, end in cuts)


def _cut_out(run: Run, decider: Decider, fixed: list[Span]) -> _Reading | None:
    """What the readers find, in the language that the text seems to be in, else in another."""
    found = _found_in(run.answer.lang, run.sheet, run.case.now, fixed)
    if found is not None and found.values:
        return found
    languages = decider.pack(run.case.pack).languages
    text = normalise(run.case.message)
    for tag in languages.tags:
        if tag != run.answer.lang:
            grammar = languages.grammar(tag)
            other = _found_in(tag, grammar.read(text, run.case.now), run.case.now, fixed)
            if other is not None and other.values and languages.tells(tag, text):
                return other
    return found


def _found_in(lang: str, sheet: Sheet, now: datetime, fixed: list[Span]) -> _Reading | None:
    sheet = _readable(sheet, fixed)
    if not sheet.words:
        return None
    first = after_plan(sheet.whole)
    piece = read_text(sheet.since(first), _typed(sheet.grammar, set()))
    if piece is None or not piece.text:
        return None
    values, spans = _values(sheet, piece.chunks, now, set())
    words = sheet.words
    whole = (words[piece.first].start, words[piece.last - 1].end)
    return _Reading(lang, whole, sheet.text.dropped, values, spans)


def _typed(grammar: Grammar, taken: set[str]) -> frozenset[str | None]:
    """The slots of the fields that are still to be read."""
    params = grammar.pack.tools[_TOOL].params
    return frozenset(params[name].slot for name in FIELDS if name not in taken)


def _values(
    sheet: Sheet, chunks: tuple[Chunk, ...], now: datetime, taken: set[str]
) -> tuple[dict[str, Any], dict[str, Span]]:
    values, evidence = values_for(sheet, _TOOL, chunks, now)
    found: dict[str, Any] = {name: value for name, value in values.items() if name in {*FIELDS} - taken}
    spans = {name: one.span for name, one in evidence.items() if name in found and one.span is not UNSET}
    return found, {name: _with_lead(sheet, span) for name, span in spans.items()}


def _with_lead(sheet: Sheet, span: Span) -> Span:
    """The words of a value with those that announce it, "by friday", and with a sign before it, "!high"."""
    words = sheet.words
    starts = [
        chunk.start
        for here in sheet.chunks.values()
        for chunk in here
        if (words[chunk.core].start, words[chunk.end - 1].end) == span
    ]
    first = min(starts, default=-1)
    start = span[0]
    if first >= 0:
        while words[first].kind == "mark":
            first += 1
        start = min(words[first].start, start)
    attached = sheet.text.message[:start]
    return len(attached.rstrip(_SIGNS)), span[1]


def _readable(sheet: Sheet, fixed: list[Span]) -> Sheet:
    """The sheet without values that contain any of what is to stay in the title."""
    if not fixed:
        return sheet
    words = sheet.words
    kept = {
        at: [
            chunk
            for chunk in here
            if not any(_overlap((words[chunk.start].start, words[chunk.end - 1].end), one) for one in fixed)
        ]
        for at, here in sheet.chunks.items()
    }
    chunks = {at: here for at, here in kept.items() if here}
    return sheet._replace(chunks=chunks, view=sheet.view._replace(chunks=chunks), linked={})


def _title(text: str, reading: _Reading, fixed: list[Span]) -> str:
    """What of the text is the title: its span without the values in it, and what must not be lost around it."""
    cuts = [*reading.spans.values(), *reading.dropped]
    shown = [reading.title, *reading.more, *(one for one in fixed if not any(_overlap(one, cut) for cut in cuts))]
    stays = bytearray(len(text))
    for start, end in shown:
        stays[start:end] = b"\1" * (end - start)
    for start, end in cuts:
        stays[start:end] = bytes(end - start)
    for at, sign in enumerate(text):
        stays[at] |= _is_emoji(sign)
    if not cuts and all(stays[at] or not sign.isalnum() for at, sign in enumerate(text)):
        return _tidy(text)  # nothing but marks would be lost: "really?!"
    stretches = groupby(enumerate(text), key=lambda place: stays[place[0]])
    return _joined("".join(sign for _, sign in places) for shown, places in stretches if shown)


def _joined(parts: Iterable[str]) -> str:
    """The stretches of a title as one line, with one comma where a value stood between two."""
    title = ""
    for part in map(_tidy, parts):
        after = part[:1] in _CLOSING
        twice = after and title[-1:] in _CLOSING
        title += part[1:] if twice else part if after else f" {part}"
    return _tidy(title).strip(_EDGES)


def _tidy(text: str) -> str:
    return " ".join(text.split())


def _is_emoji(sign: str) -> bool:
    return sign > _FIRST_SYMBOL and (sign in _JOINS or unicodedata.category(sign) in ("So", "Sk"))


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]
