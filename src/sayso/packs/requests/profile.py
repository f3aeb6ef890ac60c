"""Works out what a tool does and what its parameters are for, from its name, its description and its schema."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from sayso.engine.grammar.catalogue import Catalogue, Profile, Role
from sayso.engine.grammar.facts import FUNCTION, POINTING, SMALL
from sayso.engine.lexicon.words import Stems
from sayso.languages.load import installed_language, installed_tags
from sayso.packs.draft.catalogue import Listed, ListedTool
from sayso.packs.draft.words import naming_talk, singular, words_in
from sayso.packs.requests.tables import Phrases, names, talk

NAMING = "en"  # the language of tool names
_SHORT = 2  # words of so few letters are ignored
_PARTICLES = ("on", "off", "up", "down", "out", "in", "back")


def catalogue(listed: Sequence[ListedTool]) -> Catalogue:
    """The catalogue of these tools."""
    known = names()
    return Catalogue(
        tools={tool.name: _profile(tool) for tool in listed},
        looks=frozenset(known.looks),
        implies=known.implies,
        named=known.named,
        statements=known.statements,
        keys=_keys(),
        generic=_generic(),
        neutral=frozenset(known.neutral),
        current=frozenset(known.current),
        everything=frozenset(known.everything),
        constants=known.constants,
        sensitive=frozenset(known.sensitive),
        system=frozenset(known.system),
        origins=frozenset(known.origins),
        goals=frozenset(known.goals),
        picking=frozenset(known.picking),
        denials=tuple(phrase for tag in installed_tags() for phrase in talk(tag).classes["instead"]),
        goes=frozenset(known.goes),
        desired=frozenset(known.desired),
        kinds=_kinds(),
        tells=frozenset(known.tells),
        opposites=known.opposites,
        stem=_stems().stem,
    )


def _profile(tool: ListedTool) -> Profile:
    words = _compounds(words_in(tool.name))
    verbs = _naming_verbs(words)
    things = frozenset(_things([word for word in words if word not in verbs or word in names().also_things]))
    purposes = _purposes(words, verbs, things)
    if "update" in purposes and any(param.name in ("name", "title") for param in tool.params):
        purposes = (*purposes, "rename")
    said = words_in(tool.description)
    related = {*_things(said), *(thing for param in tool.params for thing in _things(words_in(param.name)))}
    return Profile(
        purposes=purposes,
        described=frozenset(purpose for word in said for purpose in _verbs().get(word, ())[:3]) - {*purposes},
        things=things,
        related=frozenset(related) - things,
        words=frozenset(_stems().stem(word) for word in words),
        told=_told(tool),
        roles={param.name: role(param) for param in tool.params},
    )


def _told(tool: ListedTool) -> frozenset[str]:
    """The stems of the significant words in the tool's name, its first sentence and its parameter names."""
    told = (tool.name, tool.description.partition(". ")[0], *(param.name for param in tool.params))
    stems = (_stems().stem(word) for text in told for word in words_in(text) if len(word) > _SHORT)
    return frozenset(stems) - _little()


@cache
def _little() -> frozenset[str]:
    """The stems of function words, such as articles."""
    classes = installed_language(NAMING).words.classes
    return frozenset(
        _stems().stem(word)
        for name in (*FUNCTION, *POINTING, *SMALL, "negation")
        for word in classes[name]
        if word.isalpha()
    )


def _compounds(words: Sequence[str]) -> list[str]:
    """ "turn" and "on" as one word."""
    found: list[str] = []
    for word in words:
        if found and word in _PARTICLES and f"{found[-1]}_{word}" in names().named:
            found[-1] = f"{found[-1]}_{word}"
        else:
            found.append(word)
    return found


def _naming_verbs(words: Sequence[str]) -> list[str]:
    """The words of a name that are verbs. A word that is as often a noun counts only if there is no other verb."""
    verbs = [word for word in words if word in names().named]
    return [word for word in verbs if word not in names().also_things] or verbs


def _purposes(words: Sequence[str], verbs: Sequence[str], things: frozenset[str]) -> Phrases:
    """The purposes of a name. Purposes that a thing adds come last."""
    own = [purpose for word in verbs for purpose in names().named[word]]
    more = [
        purpose
        for thing in (*things.intersection(_certain(words)), *words)
        for one in (*own, *verbs)
        for purpose in names().about.get(thing, {}).get(one, ())
    ]
    return tuple(dict.fromkeys((*own, *more)))


def _certain(words: Sequence[str]) -> Iterator[str]:
    """The things that a name mentions by their own names."""
    table, mapped = talk(NAMING).nouns, names().things
    for at, word in enumerate(words):
        one = singular(word, naming_talk())
        yield mapped.get("_".join(words[at : at + 2])) or mapped.get(word) or (one if one in table else "")


def _things(words: Sequence[str]) -> Iterator[str]:
    nouns = _nouns()
    for at, word in enumerate(words):
        pair = "_".join(words[at : at + 2])
        found = names().things.get(pair) or names().things.get(word)
        if found is not None:
            yield found
        else:
            yield from nouns.get(word) or nouns.get(singular(word, naming_talk()), ())


@cache
def _nouns() -> dict[str, Phrases]:
    """The things that a word of the naming language may mean: the thing of that name, or else all candidates."""
    found: dict[str, list[str]] = {}
    table = talk(NAMING).nouns
    for thing, words in table.items():
        for word in words:
            found.setdefault(word, []).append(thing)
    return {word: (word,) if word in table else tuple(things) for word, things in found.items()}


@cache
def _kinds() -> dict[str, str]:
    return {**{thing: thing for thing in talk(NAMING).nouns}, **names().things}


@cache
def _verbs() -> dict[str, Phrases]:
    found: dict[str, list[str]] = {}
    for purpose, verbs in talk(NAMING).verbs.items():
        for verb in verbs:
            found.setdefault(verb, []).append(purpose)
    return {verb: tuple(purposes) for verb, purposes in found.items()}


@cache
def _stems() -> Stems:
    words = installed_language(NAMING).words
    return Stems(words.stems, words.synonyms)


@cache
def _keys() -> dict[str, Role]:
    return {name: role for role, names_of in names().params.items() for name in names_of}


@cache
def _generic() -> frozenset[str]:
    """The words for kinds of things, in all languages."""
    tables = (talk(tag).nouns for tag in installed_tags())
    return frozenset(
        word for table in tables for thing, words in table.items() if thing not in names().which for word in words
    )


def role(param: Listed) -> Role:
    """The role of a parameter: by its name, or else by its type."""
    words = words_in(param.name)
    for name in ("_".join(words), words[-1] if words else ""):
        if name in _keys():
            return _keys()[name]
    if param.types == {"boolean"}:
        return "flag"
    return "target"
