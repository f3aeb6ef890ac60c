"""Collects the word classes of a grammar, verbs in all their forms, and the singular forms of words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from sayso.engine.grammar.pack import Phrasebook
from sayso.engine.lexicon.language import Inflection, Language
from sayso.engine.text.patterns import literals

_CLASS = re.compile(r"<([\w:.]+)>")


def classes_of(book: Phrasebook, language: Language) -> Iterator[tuple[str, Iterable[str]]]:
    """Every class of the lexicon by name, with its patterns."""
    yield from language.words.classes.items()
    for name, patterns in language.words.moods.items():
        yield f"mood:{name}", patterns
    yield from in_order(book.classes).items()
    for name, values in book.values.items():
        for value, patterns in values.items():
            yield f"value:{name}={value}", patterns
    for name, patterns in book.leads.items():
        yield f"lead:{name}", patterns
    for name, patterns in book.concepts.items():
        yield f"concept:{name}", patterns
    for name, lemmas in book.verbs.items():
        yield from _verb(name, lemmas, language.words.forms)
    for word in sorted(literals(pattern for patterns in book.acts.values() for pattern in patterns)):
        yield f"={word}", [word]


def in_order(classes: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
    """The classes, each after the classes that its patterns name; else as they are. Of a circle one comes first."""
    ordered: dict[str, Sequence[str]] = {}
    begun: set[str] = set()

    def put(name: str) -> None:
        if name in begun:
            return
        begun.add(name)
        for pattern in classes[name]:
            if "<" in pattern:
                for inner in sorted(_CLASS.findall(pattern)):
                    if inner in classes:
                        put(inner)
        ordered[name] = classes[name]

    for name in classes:
        put(name)
    return ordered


def _verb(name: str, lemmas: Iterable[str], forms: dict[str, Inflection]) -> Iterator[tuple[str, Iterable[str]]]:
    base = forms.get("base")
    yield name, _inflect(lemmas, base) if base else lemmas
    for form, rules in forms.items():
        if form != "base":
            yield f"{name}:{form}", _inflect(lemmas, rules)


def _inflect(lemmas: Iterable[str], rules: Inflection) -> Iterator[str]:
    """The form of each lemma; in "tick off" the first word changes."""
    for lemma in lemmas:
        first, _, rest = lemma.partition(" ")
        own = rules.irregular.get(first)
        if own is not None:
            yield from (f"{form} {rest}".rstrip() for form in own)
            continue
        for ending, replacements in rules.endings:
            if first.endswith(ending):
                stem = first[: len(first) - len(ending)]
                yield from (f"{stem}{replacement} {rest}".rstrip() for replacement in replacements)
                break


_REMEMBERED = 20_000


class Plurals:
    """The singular forms of a language's words, for the concepts of a pack."""

    def __init__(
        self,
        endings: Sequence[tuple[str, str]],
        concepts: Mapping[str, Sequence[str]],
        known: Callable[[str], bool],
    ) -> None:
        self._endings, self._concepts, self._known = endings, concepts, known
        self._remembered: dict[str, frozenset[str]] = {}

    def ones(self, phrase: str, keys: Iterable[str]) -> frozenset[str]:
        """What one is called of those that a phrase speaks of; of a concept's phrase, only words that are known."""
        found = self._remembered.get(phrase)
        if found is None:
            found = self._remember(phrase)
        named = [self._concepts.get(key[2:], ()) for key in keys if key.startswith("c:")] if found else []
        if not named:
            return found
        own = frozenset(form for form in found if any(form in names for names in named))
        return own or frozenset(filter(self._known, found))

    def _remember(self, phrase: str) -> frozenset[str]:
        if len(self._remembered) >= _REMEMBERED:
            self._remembered.clear()
        found = self._remembered[phrase] = frozenset(self._forms(phrase))
        return found

    def _forms(self, phrase: str) -> Iterator[str]:
        """With its first or its last word for one: "garage doors", "porte scorrevoli"."""
        head, _, last = phrase.rpartition(" ")
        first, _, tail = phrase.partition(" ")
        yield from (f"{head} {form}".strip() for form in self._singular(last))
        yield from (f"{form} {tail}" for form in self._singular(first) if tail)

    def _singular(self, word: str) -> Iterator[str]:
        for ending, one in self._endings:
            if word.endswith(ending) and len(word) > len(ending) + 1:
                yield word[: len(word) - len(ending)] + one
