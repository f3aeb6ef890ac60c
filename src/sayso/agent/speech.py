"""Finds what a text says was done, is being done or will be done.

The words are in `claims/<language>.yaml` of the pack: phrases that claim each kind of call, and phrases that cancel a
claim, such as "not", "shall I" or "if you like". Every step takes linear time, because a model may write anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from operator import or_
from typing import Literal, NamedTuple

import msgspec

from sayso.agent.sentences import Clause, Sentence, sentences, words

FAR = 12  # words between what excuses a claim and the claim; who says more in between has said something else

Phrase = tuple[str, ...]
Form = Literal["did", "doing", "do", "vows"]
FORMS: tuple[Form, ...] = ("did", "doing", "do", "vows")


class Group(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words that claim one kind of call: one of `tools` must have run. With `mine` they count only in the first person.
    They do not count in front of `unless` ("I have no idea"). With `state` they may also describe a thing ("your
    completed tasks"), which is not a claim."""

    tools: tuple[str, ...]
    did: tuple[str, ...] = ()  # it happened
    doing: tuple[str, ...] = ()  # it is happening, after `busy` or at the start
    do: tuple[str, ...] = ()  # it will happen, after a promise
    vows: tuple[str, ...] = ()  # it will happen, without a promise in front
    unless: tuple[str, ...] = ()
    mine: bool = False
    state: bool = False


class Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file of a language."""

    claims: tuple[Group, ...]
    negations: tuple[str, ...]
    excuses: tuple[str, ...]
    glue: tuple[str, ...]
    selves: tuple[str, ...]
    busy: tuple[str, ...]
    promises: tuple[str, ...]
    fillers: tuple[str, ...]
    asks: tuple[str, ...]
    joins: tuple[str, ...]
    alternatives: tuple[str, ...]
    if_before: tuple[str, ...]
    if_after: tuple[str, ...]
    determiners: tuple[str, ...]
    things: tuple[str, ...]
    things_first: bool = False


class More(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What another pack adds to the file of a language: its own claims, and in `also`, for a tool of the first pack,
    the tools that support the same claims."""

    claims: tuple[Group, ...]
    also: dict[str, tuple[str, ...]] = {}


class Phrases:
    """Phrases, found by the word that they end with."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._known: dict[str, list[Phrase]] = {}
        for text in texts:
            for spelling in spellings(text):
                phrase = words(spelling)
                self._known.setdefault(phrase[-1], []).append(phrase)

    def start(self, clause: Clause, end: int) -> int:
        """Where the shortest of them starts that ends here; -1 where none does."""
        known = self._known.get(clause[end - 1], ()) if end > 0 else ()
        return max((end - len(one) for one in known if clause[max(end - len(one), 0) : end] == one), default=-1)

    def starts(self, clause: Clause) -> list[int]:
        return [self.start(clause, end) for end in range(len(clause) + 1)]


class _Word(NamedTuple):
    phrase: Phrase
    form: Form
    group: Group
    unless: tuple[Phrase, ...]


class _Clause(NamedTuple):
    """A clause, and for each place in it the words before and after."""

    words: Clause
    asked: bool  # it is a question
    vowed: bool  # an earlier clause of the sentence promises something
    promised: list[int]  # where the last promise before here ends, or -1
    excused: list[int]  # where the last excuse before here starts, or -1
    waits: list[bool]  # whether a condition comes before here, in this clause or the one before
    depends: list[bool]  # whether a condition stands after here


class Claims:
    """What may be claimed in one language."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._words: dict[str, list[_Word]] = {}
        for group in sheet.claims:
            unless = tuple(words(text) for text in group.unless)
            for form in FORMS:
                for phrase in (words(one) for text in getattr(group, form) for one in spellings(text)):
                    self._words.setdefault(phrase[0], []).append(_Word(phrase, form, group, unless))
        self._negations, self._excuses = Phrases(sheet.negations), Phrases(sheet.excuses)
        self._either = Phrases((*sheet.negations, *sheet.excuses))
        self._promises, self._busy = Phrases(sheet.promises), Phrases(sheet.busy)
        self._before, self._after = Phrases(sheet.if_before), Phrases(sheet.if_after)
        single = [word for known in self._words.values() for word in known if len(word.phrase) == 1]
        self._did = {word.phrase[0] for word in single if word.form == "did"}
        self._glue = {*sheet.glue, *sheet.things, *sheet.joins}

    def claimed(self, text: str) -> Iterator[Group]:
        """What the text says was done, is being done or will be."""
        for sentence in sentences(text):
            for clause in self._read(sentence):
                for at, first in enumerate(clause.words):
                    for word in self._words.get(first, ()):
                        stands = clause.words[at : at + len(word.phrase)] == word.phrase
                        if stands and self._is_claim(word, clause, at, is_question=sentence.is_question):
                            yield word.group

    def _read(self, sentence: Sentence) -> Iterator[_Clause]:
        asked = vowed = waited = False
        for said in sentence.clauses:
            asked = sentence.is_question and (self._asks(said) or (asked and said[0] in self._sheet.alternatives))
            conditions = _seen(start >= 0 for start in self._before.starts(said))
            later = _seen(start >= 0 for start in reversed(self._after.starts(said)))
            promised = _last(end if start >= 0 else -1 for end, start in enumerate(self._promises.starts(said)))
            excused = _last(self._either.starts(said))
            waits = [waited or one for one in conditions]
            yield _Clause(said, asked, vowed, promised, excused, waits, later[::-1][1:])
            vowed, waited = vowed or promised[-1] >= 0, conditions[-1]

    def _is_claim(self, word: _Word, clause: _Clause, at: int, *, is_question: bool) -> bool:
        if word.form == "did":
            return not clause.asked and not self._is_excused(clause.words, at) and self._fits(word, clause.words, at)
        if word.form == "doing":
            busy = self._busy.start(clause.words, at) >= 0
            return (busy or at == self._start(clause.words)) and not clause.asked
        if clause.waits[at] or clause.depends[at]:
            return False
        if word.form == "vows":
            return not is_question and not self._is_excused(clause.words, at)
        return not clause.asked and self._is_promised(clause, at)

    def _fits(self, word: _Word, clause: Clause, at: int) -> bool:
        """Whether it is the first person if it must be, continues like a claim, and does more than describe a thing."""
        end = at + len(word.phrase)
        if any(clause[end : end + len(phrase)] == phrase for phrase in word.unless):
            return False
        if word.group.mine and not any(one in self._sheet.selves for one in self._run_up(clause, at)):
            return False
        return not (word.group.state and self._is_told_of_a_thing(clause, at, end))

    def _run_up(self, clause: Clause, at: int) -> Clause:
        """The words right before, back to the first word that is not glue."""
        start = at
        while start > max(at - FAR, 0) and self._is_glue(clause, start - 1):
            start -= 1
        return clause[max(start - 1, 0) : at]

    def _is_excused(self, clause: Clause, at: int) -> bool:
        """Whether something before it makes it no claim; what the first person did only a negation excuses."""
        own = False
        for end in range(at, max(at - FAR, 0), -1):
            if self._negations.start(clause, end) >= 0 or (not own and self._excuses.start(clause, end) >= 0):
                return True
            if not self._is_glue(clause, end - 1):
                return False
            own = own or clause[end - 1] in self._sheet.selves
        return False

    def _is_glue(self, clause: Clause, at: int) -> bool:
        """Whether the words before it also apply to the words after it: "can be (changed and) deleted"."""
        joined = clause[at] in self._did and clause[at + 1 : at + 2] != () and clause[at + 1] in self._sheet.joins
        return joined or clause[at] in self._glue

    def _is_told_of_a_thing(self, clause: Clause, start: int, end: int) -> bool:
        """ "your completed tasks", or "le tue attività completate"."""
        if self._sheet.things_first:
            return start > 2 and clause[start - 1] in self._sheet.things and self._determines(clause[start - 2])
        told = start > 0 and self._determines(clause[start - 1])
        return told and clause[end : end + 1] != () and clause[end] in self._sheet.things

    def _determines(self, word: str) -> bool:
        return word in self._sheet.determiners or word.isdecimal()

    def _asks(self, clause: Clause) -> bool:
        first, *after = clause[self._start(clause) :]
        return first in self._sheet.asks and after != [] and after[0] not in self._did

    def _start(self, clause: Clause) -> int:
        start = 0
        while start < len(clause) - 1 and clause[start] in self._sheet.fillers:
            start += 1
        return start

    def _is_promised(self, clause: _Clause, at: int) -> bool:
        """Whether a promise comes before it in the sentence, and nothing in between cancels it."""
        since = clause.promised[at]
        if since < 0 and not clause.vowed:
            return False
        if at > max(since, 0) and clause.words[at - 1] in self._sheet.determiners:
            return False
        return clause.excused[at] < max(since, 0)


def spellings(text: str) -> Iterator[str]:
    """ "eliminat/o/a come" → eliminato come, eliminata come."""
    stem, *endings = text.split("/")
    if not endings:
        yield text
        return
    last, _, rest = endings.pop().partition(" ")
    for ending in (*endings, last):
        yield f"{stem}{ending} {rest}".strip()


def _last(places: Iterable[int]) -> list[int]:
    """For each place the greatest up to there."""
    return list(accumulate(places, max))


def _seen(held: Iterable[bool]) -> list[bool]:
    """For each place whether it held somewhere up to there."""
    return list(accumulate(held, or_))
