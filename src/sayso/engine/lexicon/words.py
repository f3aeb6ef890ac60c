"""Defines a language, splits tokens that it writes together, and reduces words to stems.

"don't" → do | not, "what's" → what | 's, "toglila" → togli | la. Each part keeps its place in the message.
"vaccinated" and "Vaccinate" have one stem. Nothing here knows a word of any language; `languages/load.py` fills it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from sayso.engine.text.tokens import MARK, WORD, Kind, Text, Token, bare, is_address, normalise, plain_words
from sayso.engine.values.specs import DateSpec, NumberSpec, RepeatSpec

_REMEMBERED = 20_000
_LONGEST = 40  # characters; nobody repeats a longer word
_TAIL = 3  # the most characters after an apostrophe that do not form a word
_SHORTEST = 3  # characters on either side of a full stop without a space
_DRAWN_OUT = re.compile(r"([^\W\d_])\1{2,}")  # "soooo": no word of ours has a letter three times
_PUNCTUATION = frozenset(".,;:!?…-–—¡¿·")  # marks around words; brackets and signs belong to words


class Word(NamedTuple):
    """The unit that all later steps read."""

    low: str
    bare: str
    text: str
    start: int
    end: int
    kind: Kind
    broken: bool


def words_of(
    text: Text,
    language: LanguageSpec,
    known: Callable[[str], bool],
    common: Callable[[str], bool],
    undivided: set[str],
) -> tuple[Word, ...]:
    """The words of a message. `known` says whether a word is in the lexicon, which clitics require. `common` says
    whether it is a common word, which has no clitics.

    Words that turn out to be undivided are kept in `undivided`, for the next time.
    """
    found: list[Word] = []
    for written in (part for whole in _rejoined(text, language) for part in _at_full_stop(whole, language, known)):
        token = _not_drawn_out(written, language, known)
        low, bare = token.low, token.bare
        if token.kind == WORD and (low not in undivided or len(bare) != len(low)) and not is_address(token):
            parts = list(_parts(token, language, known, common))
            if len(parts) == 1 and parts[0].low == low and len(low) <= _LONGEST:
                if len(undivided) >= _REMEMBERED:
                    undivided.clear()
                undivided.add(low)
            found.extend(parts)
        else:
            found.append(Word(low, bare, token.text, token.start, token.end, token.kind, token.broken))
    return tuple(found)


def _rejoined(text: Text, language: LanguageSpec) -> Iterator[Token]:
    """The tokens. Parts that lost their apostrophe are joined again if they form a word: "what s", Italian "c è"."""
    tokens, at = text.tokens, 0
    while at < len(tokens):
        token, at = tokens[at], at + 1
        after = tokens[at] if at < len(tokens) else token
        if len(after.low) <= _TAIL and after.start == token.end + 1 and token.kind == after.kind == WORD:
            low = f"{token.low}'{after.low}"
            if low in language.contractions:
                bare, text_ = f"{token.bare}'{after.bare}", f"{token.text}'{after.text}"
                token, at = Token(text_, low, bare, token.start, after.end, WORD, token.broken), at + 1
        yield token


def _not_drawn_out(token: Token, language: LanguageSpec, known: Callable[[str], bool]) -> Token:
    """ "pleaseee", "domaniii": replaced by the word that is meant, if there is one. Its place and its text stay."""
    if token.kind != WORD or len(token.low) > _LONGEST or not _DRAWN_OUT.search(token.low) or known(token.low):
        return token
    for letters in (r"\1", r"\1\1"):
        low = _DRAWN_OUT.sub(letters, token.low)
        if len(low) > 1 and (known(low) or low in language.contractions):
            return token._replace(low=low, bare=_DRAWN_OUT.sub(letters, token.bare))
    return token


def _at_full_stop(token: Token, language: LanguageSpec, known: Callable[[str], bool]) -> tuple[Token, ...]:
    """ "it's done.what's left": two words and the full stop between them, without a space; "site.com" is one word."""
    left, stop, right = token.low.partition(".")
    if not stop or not left.isalpha() or "_" in right or min(len(left), len(right)) < _SHORTEST:
        return (token,)
    exact = len(token.low) == len(token.bare) == len(token.text) == token.end - token.start
    if not exact or not (right in language.contractions or known(right)):
        return (token,)
    cut, end = len(left), len(token.low)
    places: tuple[tuple[int, int, Kind], ...] = ((0, cut, WORD), (cut, cut + 1, MARK), (cut + 1, end, WORD))
    return tuple(
        Token(
            token.text[a:b],
            token.low[a:b],
            token.bare[a:b],
            token.start + a,
            token.start + b,
            kind,
            not a and token.broken,
        )
        for a, b, kind in places
    )


def _parts(
    token: Token, language: LanguageSpec, known: Callable[[str], bool], common: Callable[[str], bool]
) -> Iterator[Word]:
    low = token.low
    whole = language.contractions.get(low)
    if whole is not None:
        for part in whole:
            yield Word(part, part, part, token.start, token.end, WORD, token.broken)
        return
    for prefix in language.prefixes:
        if low.startswith(prefix) and len(low) > len(prefix):
            cut = len(prefix)
            yield _piece(token, 0, cut)
            yield from _ending(token, cut, len(low), language, known, lambda _: True)  # "l'anello": no verb, no clitic
            return
    yield from _ending(token, 0, len(low), language, known, common)


def _ending(
    token: Token,
    start: int,
    end: int,
    language: LanguageSpec,
    known: Callable[[str], bool],
    common: Callable[[str], bool],
) -> Iterator[Word]:
    low = token.low[start:end]
    sign, point, figure = low.partition(".")
    if point and figure.isdecimal() and sign in language.classes["abbreviation"]:  # "no.4"
        yield _piece(token, start, start + len(sign))
        yield _piece(token, start + len(sign) + 1, end)
        return
    for suffix in language.suffixes:
        if low.endswith(suffix) and len(low) > len(suffix):
            yield _piece(token, start, end - len(suffix))
            yield _piece(token, end - len(suffix), end)
            return
    if "-" in low and not known(low) and low.replace("-", "").isalpha():
        yield from _hyphenated(token, start, end)
        return
    clitic = _clitic(low, language, known) if not known(low) and not common(low) else ""
    yield _piece(token, start, end - len(clitic))
    if clitic:
        pronoun = language.clitics[clitic]
        yield _piece(token, end - len(clitic), end)._replace(low=pronoun, bare=pronoun)


def _clitic(low: str, language: LanguageSpec, known: Callable[[str], bool]) -> str:
    """The pronoun that is attached to a known word, or an empty string."""
    return next((one for one in language.clitics if low.endswith(one) and known(low[: -len(one)])), "")


def _hyphenated(token: Token, start: int, end: int) -> Iterator[Word]:
    """ "high-priority" → high | priority."""
    at = start
    for part in token.low[start:end].split("-"):
        if part:
            yield _piece(token, at, at + len(part))
        at += len(part) + 1


def _piece(token: Token, start: int, end: int) -> Word:
    """A part of the token. If case folding changed its length, the part keeps the whole token's place."""
    low, text = token.low[start:end], token.text[start:end]
    exact = len(token.low) == len(token.text) == token.end - token.start
    bare = token.bare[start:end] if len(token.bare) == len(token.low) else low
    if not exact:
        if start == 0 and end == len(token.low):
            return Word(low, token.bare, token.text, token.start, token.end, WORD, token.broken)
        return Word(low, bare, low, token.start, token.end, WORD, token.broken)
    return Word(low, bare, text, token.start + start, token.start + end, WORD, token.broken and start == 0)


def is_punctuation(word: Word) -> bool:
    """A comma or the like; an emoji may belong to a name."""
    return word.kind == "mark" and word.low in _PUNCTUATION


_REMEMBERED_STEMS = 50_000
_LONGEST_STEMS = 400  # characters of a text that are looked at
_PLAIN = 200  # characters of a text so short that none of its words is beyond the limits
_PARTS = re.compile(r"[\s'-]+")


class Stems:
    """A stemmer made from a language's rules."""

    def __init__(self, rules: Stemming, synonyms: Mapping[str, Sequence[str]] | None = None) -> None:
        self._endings = tuple(sorted(rules.endings, key=lambda pair: -len(pair[0])))
        self._shortest = rules.shortest
        self._vowels = frozenset(rules.vowels)
        self._irregular = {bare(word): bare(stem) for word, stem in rules.irregular.items()}
        for same, words in (synonyms or {}).items():
            self._irregular.update((bare(word), bare(same)) for word in words)
        self._remembered: dict[str, str] = {}
        self._texts: dict[str, tuple[str, ...]] = {}

    def stem(self, word: str) -> str:
        found = self._remembered.get(word)
        if found is None:
            found = self._cut(bare(word))
            if len(word) <= _PLAIN:
                if len(self._remembered) >= _REMEMBERED_STEMS:
                    self._remembered.clear()
                self._remembered[word] = found
        return found

    def of(self, text: str) -> tuple[str, ...]:
        """The stems of a text's words, such as a title's."""
        text = text[:_LONGEST_STEMS]
        found = self._texts.get(text)
        if found is None:
            if len(self._texts) >= _REMEMBERED_STEMS:
                self._texts.clear()
            known = self._remembered
            found = self._texts[text] = tuple([known.get(word) or self.stem(word) for word in _words(text)])
        return found

    def _cut(self, word: str) -> str:
        own = self._irregular.get(word)
        if own is not None:
            word = own
        for ending, replacement in self._endings:
            left = word[: len(word) - len(ending)]
            if word.endswith(ending) and len(left) >= self._shortest and not self._vowels.isdisjoint(left):
                word = word[: len(word) - len(ending)] + replacement
                break
        if len(word) > self._shortest and word[-1] == word[-2] and (len(word) > 5 or word[-1] not in "sl"):
            word = word[:-1]  # "dropp" from "dropped"; but not "call"
        return word


def _words(text: str) -> list[str]:
    """The words of a text, without the characters that join them."""
    if len(text) <= _PLAIN:
        # a sign at the edge of a word joins nothing: there it leaves an empty word, and the text is not plain
        plain = plain_words(text.replace(", ", " ").replace("'", " ").replace("’", " ").replace("-", " "))
        if plain is not None:
            return plain
    tokens = normalise(text).tokens
    return [part for token in tokens if token.kind != MARK for part in _PARTS.split(token.low) if part]


Phrases = tuple[str, ...]


class Inflection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a form is made: each of the new endings replaces the first ending that matches."""

    endings: tuple[tuple[str, tuple[str, ...]], ...]
    irregular: dict[str, tuple[str, ...]] = {}


class Stemming(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How words are reduced for comparing: endings to drop, longest first, and words with irregular stems."""

    endings: tuple[tuple[str, str], ...] = ()
    shortest: int = 3
    vowels: str = "aeiouy"  # a stem contains one: "strings" is not cut to "str"
    irregular: dict[str, str] = {}


class LanguageSpec(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """words: all data of a language except numbers and dates."""

    language: str
    name: str
    contractions: dict[str, tuple[str, ...]] = {}
    suffixes: tuple[str, ...] = ()  # split off the end of a word: "'s"
    prefixes: tuple[str, ...] = ()  # split off the beginning: "l'"
    clitics: dict[str, str] = {}  # split off the end of known words only
    forms: dict[str, Inflection] = {}
    told_asks: bool = False  # a question may look like a statement, and only the tone differs: "la luce è accesa"
    plurals: tuple[tuple[str, str], ...] = ()  # endings for several, with those for one: "lights", "light"
    past: str = ""  # past forms that no rule makes: "bought"
    stems: Stemming = Stemming()
    synonyms: dict[str, Phrases] = {}  # by word, other words that count as the same in comparisons: "mom", "mum"
    # by name, each a list of patterns; languages/classes.yaml has the names and their purposes
    classes: dict[str, Phrases]
    moods: dict[str, Phrases]  # the same for the beginning of a clause, by its mood
    common: str = ""  # frequent words, which are never read as a typo of another word


class Language(msgspec.Struct, frozen=True):
    """A complete language."""

    words: LanguageSpec
    numbers: NumberSpec
    dates: DateSpec
    repeats: RepeatSpec | None = None  # without it, repeats and lead times are not read

    @property
    def tag(self) -> str:
        return self.words.language
