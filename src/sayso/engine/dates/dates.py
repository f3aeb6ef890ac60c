"""Finds the date expressions of a message, with their places and values.

"remind me at 8 tonight to bring the laundry in" → one DateSpan over "8 tonight", led in by "at": today, 20:00.
All words come from languages/*/dates.yaml: lexicon (see `atoms.py`), rules (see `ladder.py`) and habits. If people
differ in what they mean, the docstrings of the modules that `_meanings` lists record the decision, once.
A message without a digit and without any word that a rule depends on is skipped after one look.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import cached_property
from types import FunctionType

from sayso.engine.dates import clock, counted, days, expressions, periods, stretches
from sayso.engine.text.tokens import bare
from sayso.engine.values.atoms import Lexer
from sayso.engine.values.ladder import Found, Ladder, Meaning, RuleReader, keys_of, telling_keys
from sayso.engine.values.numbers import Numbers
from sayso.engine.values.specs import DateSpec
from sayso.engine.values.when import NIGHT_ENDS, Context, DateSpan, Habits, Strength, When

_MOST_HITS = 100  # words that may belong to a date; the rest of such a message is left unread
_BUDGET = 600  # steps through the grammar, of which a date takes about twenty; a request does not need more
_LONGEST_LEAD = 3
_SIGNS = frozenset("$€£¥#%°*/+")  # beside a figure, they show that it is not a time
_PATH = frozenset("/=&")
_ODD = re.compile(r"[\d'½¼¾-]")
_SPLITS = re.compile(r"['-]|\.(?: |[^\W\d_])|[^\W\d_]\d|\d[^\W\d_]")


class Dates:
    """The date grammar of one language, compiled once."""

    def __init__(self, spec: DateSpec, numbers: Numbers) -> None:
        self.habits = Habits(**{name: type(getattr(Habits(), name))(value) for name, value in spec.habits.items()})
        self._rules = spec.rules
        self._lexer = Lexer(spec, keys_of(spec.rules), numbers, self.habits.month_first)
        self._leads = frozenset(tuple(phrase.split()) for phrase in spec.leads)
        self._possessives = frozenset(spec.possessives)
        self._doubtful = frozenset(spec.doubtful)
        self._names = frozenset(spec.names)
        self._nights = frozenset(word for word, (days, part) in spec.part_words.items() if not days and part == "night")
        self._follows = frozenset(spec.follows)
        self._pointers = frozenset(spec.pointers)
        self.vocabulary = frozenset(word for word in self._lexer.words if word.isalpha() and len(word) > 1)
        little = {word for phrase in self._leads for word in phrase}
        self._ordinals = numbers.ordinal_words()
        spoken = numbers.below_sixty() | self._ordinals
        self._perhaps = (self.vocabulary - little).union(self._lexer.spellings, spoken)

    @cached_property
    def ladder(self) -> Ladder:
        """The rules, compiled when a message first may contain a date: that takes most of a short command's time."""
        return Ladder(self._rules, _meanings(), expressions.nothing)

    @cached_property
    def _when(self) -> int:
        return self.ladder.kinds["when"]

    @cached_property
    def _triggers(self) -> frozenset[str]:
        """The words of which every date contains at least one."""
        return frozenset(
            max(written.split(), key=len)
            for key in telling_keys(self.ladder, self._lexer.words_of)
            for phrase in self._lexer.words_of.get(key, ())
            for written in (phrase, bare(phrase))
        ).union(self._lexer.spellings)

    def find(self, words: Sequence[str], now: datetime) -> tuple[DateSpan, ...]:
        """All date expressions, the longest from the left, none overlapping."""
        if not self._may_hold_date(words):
            return ()
        origin: Sequence[int] = range(len(words) + 1)
        if _SPLITS.search(" ".join(words)) or not self._lexer.spellings.keys().isdisjoint(words):
            words, origin = self._lexer.split(words)
        hits = self._hits(words)
        if not hits:
            return ()
        night = now.hour < NIGHT_ENDS and not self._nights.isdisjoint(words)
        habits = self.habits._replace(afternoon_until=0) if night else self.habits  # "tonight …, at 4" before dawn
        context = Context(now, now.date(), habits)
        reading = RuleReader(self.ladder, self._lexer.table(words, hits, now.year), context, _BUDGET)
        found: list[DateSpan] = []
        for start, end, lead, when, strong in self._spans(words, hits, reading):
            free = found[-1].end if found else 0
            if origin[start] >= free:  # a word that was split may not belong to two dates
                found.append(DateSpan(origin[start], origin[end - 1] + 1, max(free, origin[lead]), when, strong))
        return tuple(found)

    def _may_hold_date(self, words: Sequence[str]) -> bool:
        """Whether a word may begin a date, or has a shape that may. Most messages are finished here."""
        if _ODD.search(" ".join(words)):
            return True
        return not self._perhaps.isdisjoint(words) and not self._triggers.isdisjoint(words)

    def _hits(self, words: Sequence[str]) -> list[int]:
        """The places where a date may begin; empty if only an apostrophe or a hyphen suggests one."""
        figures = [at for at, word in enumerate(words) if word[:1].isdecimal() or self._counts(word)]
        if not figures and self._perhaps.isdisjoint(words):
            return []
        triggers = self._triggers
        return sorted({*figures, *(at for at, word in enumerate(words) if word in triggers)})[:_MOST_HITS]

    def _counts(self, word: str) -> bool:
        """As in "twenty-first"."""
        return "-" in word and word.rpartition("-")[2] in self._ordinals

    def _spans(
        self, words: Sequence[str], hits: Sequence[int], reading: RuleReader
    ) -> Iterator[tuple[int, int, int, When, bool]]:
        at, free, last = 0, 0, hits[-1]
        while at <= last and reading.budget > 0:
            best = self._best(words, reading, at) if reading.atoms[at] else None
            if best is None:
                at += 1
                continue
            span = self._span(words, reading, at, best, free)
            if span is not None:
                yield span
            at = free = best.end

    def _best(self, words: Sequence[str], reading: RuleReader, at: int) -> Found | None:
        best = self._longest(words, reading, at)
        if best is not None and best.end < len(words) and (words[at],) in self._leads:
            # A rule that begins with a preposition must not cut short what follows: "on wednesday 4 o'clock".
            inner = self._longest(words, reading, at + 1)
            if inner is not None and inner.end > best.end:
                return None
        return best

    def _longest(self, words: Sequence[str], reading: RuleReader, at: int) -> Found | None:
        best: Found | None = None
        for found in reading.at(self._when, at):
            if (best is None or found.end > best.end) and self._fits(words, at, found):
                best = found
        return best

    def _fits(self, words: Sequence[str], at: int, found: Found) -> bool:
        """Whether the rule is allowed at that place."""
        opens = not (found.rule.opening or self._points(words, at)) or self._opens(words, at)
        return opens and (not found.rule.closing or self._closes(words, found.end))

    def _points(self, words: Sequence[str], at: int) -> bool:
        """Whether a number means a thing, in front of a preposition: "move the red one | to four"."""
        return words[at] in self._pointers and (tuple(words[at + 1 : at + 2]) in self._leads)

    def _span(
        self, words: Sequence[str], reading: RuleReader, at: int, found: Found, free: int
    ) -> tuple[int, int, int, When, bool] | None:
        when, strength = found.value
        if when is None:
            return None
        start, lead, end = self._inside(words, reading, at, found), at, found.end
        for _ in range(2):
            lead = self._lead(words, lead, free)
        led = lead < start or (words[start],) in self._leads
        alone = lead == 0 and not any(word[:1].isalnum() for word in words[end:])  # an answer to "when?"
        if not alone and self._too_little(words[start:end], strength, led):
            return None
        owned = end < len(words) and words[end] in self._possessives
        strong = not owned and self._strong(words, start, end, strength, led)
        # A figure in a path, a sum or an address is not a date: "07/-12/2021", "?d=2019-10-05".
        held = (*words[max(0, start - 1) : start], *words[max(0, lead - 1) : lead], *words[end : end + 1])
        return start, end + owned, lead, when, strong and _PATH.isdisjoint(held)

    def _inside(self, words: Sequence[str], reading: RuleReader, start: int, found: Found) -> int:
        """Past the prepositions that add nothing to the rest: "on friday", but "in three days"."""
        while start < found.end - 1 and (words[start],) in self._leads:
            rest = reading.at(self._when, start + 1)
            if not any(one.end == found.end and one.value.when == found.value.when for one in rest):
                break
            start += 1
        return start

    def _too_little(self, words: Sequence[str], strength: Strength, led: bool) -> bool:
        """Whether a part of a message is too weak a sign of time to be read as a date."""
        if led or strength in (Strength.STRONG, Strength.ALONE):
            return strength == Strength.ALONE
        return strength == Strength.HINT or self._doubtful.issuperset(words)

    def _strong(self, words: Sequence[str], start: int, end: int, strength: Strength, led: bool) -> bool:
        if strength == Strength.STRONG or strength < Strength.BARE:
            return strength == Strength.STRONG
        if strength in (Strength.WEAK, Strength.HINT):
            return led and self._names.isdisjoint(words[start:end])
        # Without a preposition a figure opens the message and something follows: "il 31 ricordami …", not "the 2nd".
        return (led or (start == 0 and end < len(words))) and self._closes(words, end)

    def _lead(self, words: Sequence[str], at: int, free: int) -> int:
        for length in range(min(_LONGEST_LEAD, at - free), 0, -1):
            if tuple(words[at - length : at]) in self._leads:
                return at - length
        return at

    def _opens(self, words: Sequence[str], at: int) -> bool:
        """A bare hour is a time only at the beginning of a clause: "8 tonight", not "table 8 tonight"."""
        before = words[at - 1] if at else "."
        if before == "-" and at > 1 and words[at - 2][:1].isdecimal():  # "2012-1400"
            return False
        return (not before.isalnum() and before not in _SIGNS) or (before,) in self._leads

    def _closes(self, words: Sequence[str], end: int) -> bool:
        after = words[end] if end < len(words) else "."
        if after == "-" and words[end + 1 : end + 2] and words[end + 1][:1].isdecimal():  # "555-1234"
            return False
        return (not after[:1].isalnum() and after not in _SIGNS) or after in self._follows


def _meanings() -> dict[str, Meaning]:
    return {
        name: value
        for module in (clock, stretches, days, counted, periods, expressions)
        for name, value in vars(module).items()
        if isinstance(value, FunctionType) and value.__module__ == module.__name__ and not name.startswith("_")
    }
