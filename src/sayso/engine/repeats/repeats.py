"""Finds the repeats and lead times of a message.

"water the ferns every other monday at 9" → one RepeatSpan over "every other monday at 9", with the rule
FREQ=WEEKLY;INTERVAL=2;BYDAY=MO and the time 09:00; "warn me half an hour before" → one LeadSpan, PT30M.
All words come from languages/*/repeats.yaml and dates.yaml; the meanings of the rules are in `cycles.py`. A message
that contains none of the language's signs is not parsed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import cached_property
from types import FunctionType
from typing import Any, NamedTuple

from msgspec.structs import replace

from sayso.engine.dates.dates import Dates
from sayso.engine.repeats import cycles
from sayso.engine.repeats.recurrence import Lead, LeadSpan, Repeat, RepeatSpan
from sayso.engine.text.tokens import bare
from sayso.engine.values.atoms import Lexer
from sayso.engine.values.ladder import Found, Ladder, Meaning, RuleReader, keys_of
from sayso.engine.values.numbers import Numbers
from sayso.engine.values.specs import DateSpec, RepeatSpec
from sayso.engine.values.when import Context

_MOST_HITS = 40  # words of a message that are looked up in the rules
_BUDGET = 1_500  # steps through the grammar; a repeat takes about a hundred


class _Page(NamedTuple):
    """A message split into the words of the rules, with the index of the original word for each, and its reading."""

    words: Sequence[str]
    origin: Sequence[int]
    reading: RuleReader


class _Rules:
    """The rules of one language on top of its date rules, compiled on first use."""

    def __init__(self, spec: RepeatSpec, date_spec: DateSpec, dates: Dates, numbers: Numbers) -> None:
        self._spec, self._date_spec, self._dates, self._numbers = spec, date_spec, dates, numbers
        self._follows = _written([*date_spec.follows, *spec.follows])

    @cached_property
    def _ladder(self) -> Ladder:
        return Ladder(self._spec.rules, _meanings(), cycles.sign, self._dates.ladder)

    @cached_property
    def _lexer(self) -> Lexer:
        spec, dates = self._spec, self._date_spec
        groups = (*zip(dates.weekday_plurals or ((),) * 7, spec.weekday_plurals or ((),) * 7, strict=True),)
        whole = replace(
            dates, words={**dates.words, **spec.words}, weekday_plurals=tuple((*one, *more) for one, more in groups)
        )
        further: list[tuple[str, list[tuple[str, Any]]]] = [
            ("{frequency}", list(spec.frequencies.items())),
            ("{adjective}", list(spec.adjectives.items())),
            ("{part_frequency}", [(word, part) for part, words in spec.part_frequencies.items() for word in words]),
            ("{day_set}", list(spec.day_sets.items())),
            ("{plural_day_set}", list(spec.plural_day_sets.items())),
        ]
        keys = keys_of(dates.rules) | keys_of(spec.rules)
        return Lexer(whole, keys, self._numbers, self._dates.habits.month_first, further)

    def page(self, words: Sequence[str], now: datetime) -> _Page:
        parts, origin = self._lexer.split(words)
        known = self._lexer.words
        hits = [at for at, word in enumerate(parts) if word in known or word[:1].isdecimal()][:_MOST_HITS]
        context = Context(now, now.date(), self._dates.habits)
        table = self._lexer.table(parts, hits or [0], now.year) if parts else []
        return _Page(parts, origin, RuleReader(self._ladder, table, context, _BUDGET))

    def spans(self, page: _Page, name: str) -> Iterator[tuple[int, int, Any]]:
        """The longest readings of a rung, from left to right, as indexes of words of the message."""
        kind, at, free = self._ladder.kinds[name], 0, 0
        while at < len(page.words) and page.reading.budget > 0:
            found = page.reading.at(kind, at) if page.reading.atoms[at] else ()
            fitting = (one for one in found if not one.rule.closing or self.closes(page.words, one.end))
            best = max(fitting, key=lambda one: one.end, default=None)
            if best is None or page.origin[at] < free:
                at += 1
                continue
            free = page.origin[best.end - 1] + 1
            yield page.origin[at], free, best.value
            at = best.end

    def exactly(self, words: Sequence[str], name: str, now: datetime) -> object:
        """The reading of a rung that covers all of these words, or None."""
        if not words:
            return None
        page = self.page(words, now)
        found = page.reading.at(self._ladder.kinds[name], 0)
        return next((one.value for one in found if one.end == len(page.words)), None)

    def is_date(self, page: _Page, start: int, end: int) -> bool:
        """Whether a date starts at `start` and extends beyond `end`: "an hour before | noon"."""
        found = page.reading.at(self._ladder.kinds["when"], page.origin.index(start))
        return any(_dated(one) and page.origin[one.end - 1] + 1 > end for one in found)

    def closes(self, words: Sequence[str], end: int) -> bool:
        """Whether the clause ends here or continues with a word that starts something new."""
        return end >= len(words) or not words[end][:1].isalnum() or words[end] in self._follows


class Repeats:
    """Reads repeats in one language; `leads` reads lead times."""

    def __init__(self, spec: RepeatSpec, date_spec: DateSpec, dates: Dates, numbers: Numbers) -> None:
        self._rules = _Rules(spec, date_spec, dates, numbers)
        plurals = [word for group in (*date_spec.weekday_plurals, *spec.weekday_plurals) for word in group]
        phrases = (*spec.plural_day_sets, *spec.frequencies, *spec.adjectives)
        self._signs = _written([*spec.signs, *plurals, *(phrase for phrase in phrases if " " not in phrase)])
        self._weekdays = _written([word for group in date_spec.weekdays for word in group])
        self._attributive = _written(spec.attributive)
        self.leads = Leads(spec, self._rules)

    def find(self, words: Sequence[str], now: datetime) -> tuple[RepeatSpan, ...]:
        """All repeats, longest first from the left, without overlaps."""
        if not self._may_repeat(words):
            return ()
        return tuple(RepeatSpan(*span) for span in self._found(words, self._rules.page(words, now)))

    def read(self, words: Sequence[str], start: int, end: int, now: datetime) -> Repeat | None:
        """The repeat that words[start:end] express, or None. Accepts more than `find`: "monday and thursday"."""
        found = self._rules.exactly(words[start:end], "exact", now)
        return found if isinstance(found, Repeat) else None

    def hints(self, words: Sequence[str], now: datetime) -> tuple[tuple[int, int], ...]:
        """Spans of words about a repeat that `find` cannot read: "every time it rains", "twice a week"."""
        if not self._may_repeat(words):
            return ()
        page = self._rules.page(words, now)
        known = [span[:2] for span in self._found(words, page)]
        told = [span[:2] for span in self._rules.spans(page, "hint")]
        return tuple((a, b) for a, b in told if not any(start < b and a < end for start, end in known))

    def _may_repeat(self, words: Sequence[str]) -> bool:
        if not self._signs.isdisjoint(words):
            return True
        return not self._weekdays.isdisjoint(words) and sum(word in self._weekdays for word in words) > 1

    def _found(self, words: Sequence[str], page: _Page) -> Iterator[tuple[int, int, Any]]:
        """Repeats without adjectives of a following noun: "the weekly report" is not a repeat."""
        for start, end, value in self._rules.spans(page, "repeat"):
            if words[end - 1] not in self._attributive or self._rules.closes(words, end):
                yield start, end, value


class Leads:
    """Reads lead times in one language."""

    def __init__(self, spec: RepeatSpec, rules: _Rules) -> None:
        self._rules, self._signs = rules, _written(spec.lead_signs)

    def find(self, words: Sequence[str], now: datetime) -> tuple[LeadSpan, ...]:
        """All lead times. "two days before christmas" is a date and not a lead time."""
        if self._signs.isdisjoint(words):
            return ()
        page = self._rules.page(words, now)
        found = self._rules.spans(page, "lead")
        return tuple(LeadSpan(*span) for span in found if not self._rules.is_date(page, *span[:2]))

    def read(self, words: Sequence[str], start: int, end: int, now: datetime) -> Lead | None:
        """The lead time that words[start:end] express, or None. Accepts more than `find`: "15 min"."""
        found = self._rules.exactly(words[start:end], "exact_lead", now)
        return found if isinstance(found, Lead) else None


def _dated(found: Found) -> bool:
    return found.value.when is not None


def _written(words: Sequence[str]) -> frozenset[str]:
    """The words, with and without accents."""
    return frozenset(word for one in words for word in (one, bare(one)))


def _meanings() -> dict[str, Meaning]:
    return {
        name: value
        for name, value in vars(cycles).items()
        if isinstance(value, FunctionType) and value.__module__ == cycles.__name__ and not name.startswith("_")
    }
