"""Classes: every class of words that a grammar knows, a pack's verbs in all their forms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from sayso.engine.language import Inflection, Language
from sayso.engine.pack import Phrasebook
from sayso.engine.pattern import literals


def classes_of(book: Phrasebook, language: Language) -> Iterator[tuple[str, Iterable[str]]]:
    """Every class of the lexicon by name, with its patterns."""
    yield from msgspec.structs.asdict(language.words.classes).items()
    for name, patterns in msgspec.structs.asdict(language.words.moods).items():
        yield f"mood:{name}", patterns
    yield from book.classes.items()
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
