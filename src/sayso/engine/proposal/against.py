"""Finds values of a call that were said, or need not be, and that the words still contradict.

"rename a.txt to b.txt" contradicts b.txt as the source, "the open issues" contradicts CLOSED, "private" contradicts a
flag that is false, and "tell them that we are late" contradicts a text that says something else.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import cached_property
from itertools import islice
from math import isclose
from typing import Any, NamedTuple

from sayso.engine.grammar.catalogue import VERB, Catalogue, Profile, Role
from sayso.engine.grammar.grammar import Grammar
from sayso.engine.grammar.pack import Param
from sayso.engine.lexicon.lexicon import Edges
from sayso.engine.text.tokens import bare, normalise

_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_PARTS = re.compile(r"[^\w]+|_+")
_TOKENS = re.compile(r"[^\s,;!?()\"“”«»]+")
_SENTENCE = re.compile(r"[.!?…](?:\s|$)|\n")
_DEEPEST = 6
_MOST = 100  # values of a call that are compared
_FEW = 3  # words between a mark and the value that it is about
_SAME = 4  # letters by which two words are one: "reproduce", "reproducing"
_ENOUGH = 0.5  # the share of dictated words that a text must exceed
_MOSTLY = 0.7  # the same, if the text has other words instead
_HARDLY = 0.4  # the same of all words, if nothing marks the dictated text
_BRIEF = 15  # words of a message that asks for one thing
_NOTE = 400  # characters of a text that people may dictate
_UNTOLD = frozenset({"id", "ids", "number", "numbers", "name", "names", "key", "no", "num", "value", "values"})
_FIGURES = re.compile(r"(?<![\w.,:/#-])\d{1,12}(?:[.,]\d{1,6})?(?![\w:/-]|[.,]\w)")
_LEVELS = 2.55  # of a lamp, per percent
_SCALES = (1, 60, 3_600, 1_000, 100, 0.01, _LEVELS)
_NAMES = re.compile(r"(?<=[a-zà-ú,] )([A-ZÀ-Ú][a-zà-ú]{2,})\b")
_ARROWS = (" ->", " →", " =>")
_BETWEEN = frozenset({"#", "no", "number", "=", ":", "nr", "n", "id", "is"})


class Leaf(NamedTuple):
    """A plain value of a call, with the parameter and the key that it belongs to."""

    param: str
    key: str
    value: Any


class Against:
    """A message that can be compared with the values of calls, to find those that it contradicts."""

    def __init__(self, grammar: Grammar, catalogue: Catalogue, texts: Sequence[str], now: datetime) -> None:
        self._grammar, self._catalogue, self._now = grammar, catalogue, now
        self._low = f" {texts[-1] if texts else ''}".casefold()
        self._all = " ".join(texts).casefold()

    def of(self, arguments: Mapping[str, Any], profile: Profile, params: Mapping[str, Param]) -> frozenset[str]:
        """The parameters whose values the message contradicts."""
        roles = profile.roles
        leaves = list(islice((leaf for name in arguments for leaf in _leaves(name, name, arguments[name])), _MOST))
        told = [leaf for leaf in leaves if roles.get(leaf.param) != "technical"]
        found = {*self._turned_round(arguments, profile), *self._mislabelled(told), *self._used_twice(told)}
        found.update(self._other_numbers(leaves, roles))
        found.update(self.other_options(arguments, profile, params))
        found.update(leaf.param for leaf in leaves if isinstance(leaf.value, bool) and self._is_other_flag(leaf))
        found.update(self._other_texts(leaves, profile))
        found.update(name for name, value in arguments.items() if self._is_boundless(value, roles.get(name)))
        return frozenset(found)

    def other_options(
        self, arguments: Mapping[str, Any], profile: Profile, params: Mapping[str, Param]
    ) -> Iterator[str]:
        """The parameters for which the message names another option."""
        for name, param in params.items():
            if self._is_other_option(arguments.get(name), param.schema.get("enum") or (), profile):
                yield name

    def _is_boundless(self, value: Any, role: Role | None) -> bool:
        """Whether a record that selects something is empty, so that it selects everything."""
        return role == "record" and value in ({}, []) and not self._has_all

    # from where to where

    def _turned_round(self, arguments: Mapping[str, Any], profile: Profile) -> Iterator[str]:
        """The parameters with swapped values: the source is the destination, or the other way round."""
        for name, fields in _records(arguments):
            origins, goals = (
                {key: value for key, value in fields.items() if _plain(key) in keys}
                for keys in (self._catalogue.origins, self._catalogue.goals)
            )
            goes = bool(origins) or not self._catalogue.goes.isdisjoint(profile.purposes)
            others = {key: one for key, one in fields.items() if key not in origins} if goes else goals
            wrong = [key for key, value in origins.items() if any(self._is_goal(one) for one in _texts(value))]
            wrong += [key for key, value in others.items() if any(self._is_origin(one) for one in _texts(value))]
            if len(origins) == len(goals) == 1 and {*origins, *goals} == {"from", "to"}:
                wrong += ["from"] if self._is_reversed(*origins.values(), *goals.values()) else []
            yield from (name or key for key in wrong)

    def _is_goal(self, text: str) -> bool:
        return self._has_mark(text, "to_where") and not self._has_mark(text, "from_where")

    def _is_origin(self, text: str) -> bool:
        return self._has_mark(text, "from_where") and not self._has_mark(text, "to_where")

    def _is_reversed(self, first: Any, last: Any) -> bool:
        """Whether two names come in the other order, and no word says which is which."""
        if not isinstance(first, str) or not isinstance(last, str):
            return False
        places = [next(self._places(one), -1) for one in (first, last)]
        marked = any(self._has_mark(one, "from_where", "to_where") for one in (first, last))
        return min(places) >= 0 and places[0] > places[1] and not marked

    def _has_mark(self, text: str, *names: str) -> bool:
        """Whether words of these classes come before every occurrence of a text, apart from little words."""
        phrases = tuple(f" {phrase}" for name in names for phrase in self._grammar.book.classes.get(name, ()))
        phrases += _ARROWS if "to_where" in names else ()
        folder = text.rstrip("/").rpartition("/")[0]
        found = (list(self._places(one)) for one in (text, folder, folder.rpartition("/")[2]))
        places = next(filter(None, found), [])
        return bool(places) and all(self._is_after(at, phrases) for at in places)

    def _is_after(self, at: int, phrases: tuple[str, ...]) -> bool:
        before = self._low[:at].rstrip(" '\"“«`")
        for _ in range(_FEW):
            if before.endswith(phrases):
                return True
            before, _, last = before.rpartition(" ")
            if last not in self._catalogue.generic and self._grammar.stems.stem(last) not in self._grammar.little:
                return False
        return False

    def _places(self, text: str) -> Iterator[int]:
        """Where a text occurs in the message as separate words."""
        if text:
            edges = (r"(?<![\w./-])" if text[0].isalnum() else "", r"(?![\w/-])(?!\.\w)" if text[-1].isalnum() else "")
            pattern = f"{edges[0]}{re.escape(text.casefold())}{edges[1]}"
            yield from (found.start() for found in re.finditer(pattern, self._low))

    # the noun beside a value

    def _mislabelled(self, leaves: Sequence[Leaf]) -> Iterator[str]:
        """The parameters whose name comes before the value of another parameter: "item 12" with 40 as the item."""
        labels = {leaf.key: self._label(leaf.key) for leaf in leaves}
        values = {_shown(leaf.value): labels[leaf.key] for leaf in leaves}
        for leaf in leaves:
            label = labels[leaf.key]
            said = self._labelled(label)
            if said and _shown(leaf.value) not in said and any(values.get(one, label) != label for one in said):
                yield leaf.param

    def _label(self, key: str) -> str:
        words = [word for word in _words(key) if word not in _UNTOLD]
        return self._grammar.stems.stem(words[-1]) if words else ""

    def _labelled(self, label: str) -> frozenset[str]:
        """The words after a parameter's name in the message."""
        stem = self._grammar.stems.stem
        at = [place for place, token in enumerate(self._tokens) if label and stem(token) == label]
        return frozenset(token for place in at for token in self._next(place))

    def _next(self, place: int) -> Iterator[str]:
        for token in self._tokens[place + 1 : place + 1 + _FEW]:
            if token not in _BETWEEN:
                yield token.lstrip("#")
                return

    @cached_property
    def _is_brief(self) -> bool:
        """Whether a message is so short that it hardly requests several things."""
        return len(self._tokens) <= _BRIEF

    @cached_property
    def _tokens(self) -> list[str]:
        found = (token.strip("'.:`") for token in _TOKENS.findall(self._low))
        return [token for token in found if token]

    def _used_twice(self, leaves: Sequence[Leaf]) -> Iterator[str]:
        """The parameters that share a number which was said fewer times."""
        numbers = {(leaf.key, leaf.value): leaf.param for leaf in leaves if _is_number(leaf.value)}
        often = Counter(value for _, value in numbers)
        for (_, value), param in numbers.items():
            said = len(re.findall(rf"(?<![\d.,]){re.escape(_shown(value))}(?![\d]|[.,]\d)", self._all))
            if 0 < said < often[value]:
                yield param

    def _other_numbers(self, leaves: Sequence[Leaf], roles: Mapping[str, Role]) -> Iterator[str]:
        """The parameters with a number that was not said, or with conditions, while a said number is unused."""
        used = " ".join(_shown(leaf.value) for leaf in leaves)
        left = [one for one in _FIGURES.findall(self._low) if not self._is_used(one, used, leaves)]
        if not left or not self._is_brief:
            return
        for leaf in leaves:
            role = self._catalogue.keys.get(_plain(leaf.key), roles.get(leaf.param, "target"))
            counts = _is_number(leaf.value) and role not in ("technical", "when")
            unsaid = counts and not (self._is_said(float(leaf.value)) and self._is_meant(_shown(leaf.value), left))
            if unsaid or leaf.param in self._catalogue.picking:
                yield leaf.param

    def _is_used(self, figure: str, used: str, leaves: Sequence[Leaf]) -> bool:
        """Whether a said figure is part of a value, or a value comes from it."""
        number = float(figure.replace(",", "."))
        numbers = [float(leaf.value) for leaf in leaves if _is_number(leaf.value)]
        return figure in used or any(_is_scaled(one, number) for one in numbers)

    def _is_meant(self, number: str, left: Sequence[str]) -> bool:
        """Whether a number is in the message, or no unused number of its length is, which would make it outdated."""
        here = number in _FIGURES.findall(self._low)
        return here or len(number) == 1 or all(len(one) != len(number) for one in left)

    def _is_said(self, value: float) -> bool:
        said = (float(one.replace(",", ".")) for one in _FIGURES.findall(self._all))
        return any(_is_scaled(value, one) for one in said)

    # one of several options

    def _is_other_option(self, value: Any, options: Sequence[Any], profile: Profile) -> bool:
        """Whether the message names another option of a parameter, and not the one of the call."""
        if not isinstance(value, str) or value.casefold() in self._catalogue.neutral:
            return False
        own = set(_words(value))
        others = [set(_words(one)) for one in options if isinstance(one, str) and one.casefold() != value.casefold()]
        telling = [one for one in others if one and not one <= own and not self._is_usual(one, profile)]
        if self._says(own):
            return False
        return any(self._says(one) for one in telling) or self._asks_for_other(own, others)

    def _asks_for_other(self, own: set[str], others: Iterable[set[str]]) -> bool:
        """Whether a verb asks for another option, and none for this one: "say yes", but the option is "tentative"."""
        ours = self._purposes_of(own)
        theirs = {one for words in others for one in self._purposes_of(words)} - ours - self._catalogue.looks
        return bool(ours) and self._has_verb(theirs) and not self._has_verb(ours - theirs)

    def _purposes_of(self, words: set[str]) -> set[str]:
        """The purposes that mean only an option: those of a single word, without purposes of reading or creating."""
        word = next(iter(words)) if len(words) == 1 else ""
        return set(self._catalogue.named.get(word, ())) - self._catalogue.looks - {"create"}

    def _has_verb(self, purposes: set[str]) -> bool:
        wanted = self._grammar.together(tuple(sorted(f"{VERB}{one}" for one in purposes)))
        return any(not wanted.isdisjoint(edge) for edge in self._edges)

    def _is_usual(self, words: set[str], profile: Profile) -> bool:
        """Whether the words of an option ask for the tool, or only for a read, whatever the option."""
        stems = {self._catalogue.stem(word) for word in words}
        purposes = (self._catalogue.named.get(word, ()) for word in words)
        return bool(stems & profile.words) or any(one and {*one} <= self._catalogue.looks for one in purposes)

    def _says(self, words: Iterable[str]) -> bool:
        """Whether all of these words are in the message, in any form, and none of them is denied."""
        return all(any(not self._is_denied(at) for at in self._stem_places(word)) for word in words)

    def _stem_places(self, word: str) -> list[int]:
        wanted = {self._grammar.stems.stem(word), self._catalogue.stem(word)}
        return [at for at, stem in enumerate(self._stems) if stem in wanted]

    def _is_denied(self, at: int) -> bool:
        denials = self._catalogue.denials
        return any(token in denials or token.endswith("n't") for token in self._tokens[max(0, at - 2) : at])

    @cached_property
    def _has_all(self) -> bool:
        return any(not self._grammar.together(("all",)).isdisjoint(one) for one in self._edges)

    @cached_property
    def _edges(self) -> list[Edges]:
        return self._grammar.look_at(normalise(self._low))[1]

    @cached_property
    def _stems(self) -> list[str]:
        return [self._grammar.stems.stem(bare(token)) for token in self._tokens]

    def _is_other_flag(self, leaf: Leaf) -> bool:
        """Whether a flag is false although its name was said, or true although its opposite was."""
        words = [word for word in _words(leaf.key) if word not in ("is", "include", "as")]
        if not words:
            return False
        if not leaf.value:
            return self._says(words)
        opposite = self._catalogue.opposites.get(words[-1])
        return opposite is not None and self._says([opposite]) and not self._says(words)

    # dictated text

    def _other_texts(self, leaves: Sequence[Leaf], profile: Profile) -> Iterator[str]:
        """The parameters whose text differs from the dictated one, or names other days."""
        composed = [leaf for leaf in leaves if self._is_text(leaf, profile.roles) and not self._is_quoted(leaf.value)]
        whole = " ".join(leaf.value for leaf in composed)
        if " " in whole.strip() and len(whole) <= _NOTE:
            rest = " ".join(_shown(leaf.value)[:_NOTE] for leaf in leaves if leaf not in composed)
            if self._is_missed(whole, set(self._telling(rest)), profile):
                yield max(composed, key=lambda leaf: len(leaf.value)).param
        short = [leaf for leaf in composed if len(leaf.value) <= _NOTE]
        yield from (leaf.param for leaf in short if self._has_other_day(leaf.value) or self._has_other_name(leaf.value))

    def _is_quoted(self, text: Any) -> bool:
        """Whether a text is an exact quotation in the message."""
        return isinstance(text, str) and any(f"{mark}{text.casefold()}" in self._low for mark in '"“«')

    def _is_text(self, leaf: Leaf, roles: Mapping[str, Role]) -> bool:
        role = self._catalogue.keys.get(_plain(leaf.key), roles.get(leaf.param, "target"))
        return role == "content" and isinstance(leaf.value, str)

    def _is_missed(self, text: str, others: set[str], profile: Profile) -> bool:
        """Whether a text has hardly any of the dictated words, or of all words if nothing marks the dictated text;
        `others` are words of other values."""
        given = self._telling(text)
        spans = [[stem for stem in span if stem not in others] for span in self._dictated]
        if any(len(span) > 1 for span in spans):
            known = {*self._stems, *others}
            other = [stem for stem in given if stem not in known and not _share([stem], list(known))]
            return max(_share(span, given) for span in spans if len(span) > 1) <= (_MOSTLY if other else _ENOUGH)
        if self._catalogue.tells.isdisjoint(profile.purposes) or not self._is_brief:
            return False
        rest = [stem for stem in self._telling(self._low, profile.purposes) if stem not in profile.told | others]
        return bool(rest) and _share(rest, given) <= _HARDLY

    @cached_property
    def _dictated(self) -> list[list[str]]:
        """The stems of the words after each word that dictates, to the end of its sentence."""
        phrases = self._grammar.book.classes.get("dictating", ())
        told = "|".join((r"\w:", *(rf" {re.escape(phrase)}" for phrase in phrases)))
        ends = [found.end() for found in re.finditer(rf"(?:{told})(?= )", self._low)]
        spans = [_SENTENCE.split(self._low[end:], maxsplit=1)[0] for end in ends]
        return [self._telling(one) for span in spans for one in (span, span.partition(",")[0])]

    def _telling(self, text: str, purposes: Sequence[str] = ()) -> list[str]:
        """The stems of the telling words, without the verbs of these purposes."""
        words, edges, stems = self._grammar.look_at(normalise(_PARTS.sub(" ", _HUMPS.sub(" ", text))))
        verbs = self._grammar.together(tuple(f"{VERB}{one}" for one in purposes))
        return [
            stem
            for word, edge, stem in zip(words, edges, stems, strict=True)
            if word.kind != "mark" and stem not in self._grammar.little and verbs.isdisjoint(edge)
        ]

    def _has_other_name(self, text: str) -> bool:
        """Whether a text has a name that was not said: an unknown word with a capital letter inside a sentence."""
        names = (found[1].casefold() for found in _NAMES.finditer(text))
        return any(name not in self._all and not self._grammar.lexicon.knows(name) for name in names)

    def _has_other_day(self, text: str) -> bool:
        """Whether a text names a day that the user did not name."""
        return not all(self.has_day(first) or self.has_day(last) for first, last in self._periods(text))

    def has_day(self, day: date) -> bool:
        """Whether a day was said, or is in a period that was said."""
        return any(first <= day <= last for first, last in self._said)

    def speaks_against(self, first: date, last: date) -> bool:
        """Whether the message names days, and none of them is between these two."""
        return bool(self._here) and not any(one <= last and first <= other for one, other in self._here)

    @cached_property
    def _here(self) -> list[tuple[date, date]]:
        return list(self._periods(self._low))

    @cached_property
    def _said(self) -> list[tuple[date, date]]:
        return list(self._periods(self._all))

    def _periods(self, text: str) -> Iterator[tuple[date, date]]:
        """The days and the spans of days that a text names."""
        for span in self._grammar.dates.find([token.low for token in normalise(text).tokens], self._now):
            if span.when.period is not None:
                yield span.when.period
            elif span.when.day is not None:
                yield span.when.day, span.when.day


def _leaves(param: str, key: str, value: Any, depth: int = 0) -> Iterator[Leaf]:
    if depth > _DEEPEST or value is None:
        return
    if isinstance(value, dict):
        for inner, one in value.items():
            yield from _leaves(param, inner, one, depth + 1)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _leaves(param, key, one, depth + 1)
    else:
        yield Leaf(param, key, value)


def _records(arguments: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The arguments, and every record within them with its parameter."""
    yield "", arguments
    for name, value in arguments.items():
        for one in value if isinstance(value, list) else (value,):
            if isinstance(one, dict):
                yield name, one


def _texts(value: Any) -> Iterator[str]:
    yield from (one for one in (value if isinstance(value, list) else (value,)) if isinstance(one, str))


def _plain(key: str) -> str:
    return _HUMPS.sub("_", key).casefold().replace("-", "_")


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _PARTS.split(_HUMPS.sub(" ", text)) if word]


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _shown(value: Any) -> str:
    """A value as people write it."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value).casefold()


def _is_scaled(value: float, said: float) -> bool:
    """Whether a value is the said number, in another unit."""
    return any(isclose(value, said * scale, abs_tol=0.51 if scale == _LEVELS else 1e-9) for scale in _SCALES)


def _share(wanted: Sequence[str], given: Sequence[str]) -> float:
    """The share of the wanted stems that are among the given ones, or begin like one of them."""
    starts = {stem[:_SAME] for stem in given if len(stem) >= _SAME}
    return sum(stem in given or stem[:_SAME] in starts for stem in wanted) / len(wanted)
