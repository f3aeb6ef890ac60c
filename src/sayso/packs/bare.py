"""A pack that is built only from a server's tool list, without sentences.

A message alone does not lead to a call. The pack sanitises a call that a model proposes, checks the values against the
message, and asks for required parameters that are missing. `sayso pack draft` writes a pack that also understands
messages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from msgspec import UNSET

from sayso.engine.grammar.catalogue import LIGHT, OTHERS, VERB, Catalogue
from sayso.engine.grammar.grammar import Grammar, Table
from sayso.engine.grammar.pack import Pack, Param, Phrasebook, Risk, Say, Tool
from sayso.engine.pack_languages import PackLanguage, PackLanguages
from sayso.languages.load import installed_language, telling_words
from sayso.packs.draft.catalogue import Listed, ListedTool
from sayso.packs.draft.naming import Named, understand
from sayso.packs.draft.risk import judge, reads_by_name, statement_of
from sayso.packs.draft.words import Talk, talks
from sayso.packs.load import LoadedPack
from sayso.packs.requests.profile import catalogue
from sayso.packs.requests.tables import talk as asking


def bare_pack(
    name: str, listed: Sequence[ListedTool], risks: Mapping[str, Risk], *, trusted: bool = False
) -> LoadedPack:
    """A pack of this name with the listed tools. `trusted`: the operator vouches for the server's descriptions. `risks`
    holds the risks that the operator has set."""
    called = understand([tool.name for tool in listed])
    tools = {
        tool.name: Tool(
            risk=risks.get(tool.name) or _risk(tool, called[tool.name], trusted=trusted),
            description=tool.description,
            params={param.name: _param(param) for param in tool.params},
            statement=statement_of(tool) if trusted and tool.name not in risks else "",
        )
        for tool in listed
    }
    pack = _pack(name, tools)
    known = catalogue(listed)
    return LoadedPack(pack, PackLanguages({talk.language: _language(pack, talk, known) for talk in talks()}))


def _risk(tool: ListedTool, named: Named, *, trusted: bool) -> Risk:
    return "read" if trusted and reads_by_name(tool, named) else judge(tool, named, trusted=trusted).risk


def _pack(name: str, tools: dict[str, Tool]) -> Pack:
    return Pack(pack=name, entities={}, tools=tools, slots={}, acts={})


def _param(listed: Listed) -> Param:
    return Param(schema=listed.schema, default=UNSET if listed.required else listed.default)


def _language(pack: Pack, talk: Talk, known: Catalogue) -> PackLanguage:
    tag = talk.language
    make = lambda: Grammar(pack, _book(talk), installed_language(tag), _table(tag), known)  # noqa: E731
    return PackLanguage(telling_words(tag), make)


@cache
def _table(tag: str) -> Table:
    """The word table of a language. It is computed once, because it is the same for every server."""
    talk = next(talk for talk in talks() if talk.language == tag)
    return Grammar(_pack("", {}), _book(talk), installed_language(tag)).table()


def _book(talk: Talk) -> Phrasebook:
    """The phrasebook of a language: how people ask for tools, and the texts that every draft uses for answers."""
    say, asks = talk.say, asking(talk.language)
    texts = Say(
        confirm={"*": say["confirm_bare"]},
        ask={"*": say["ask_any"]},
        which=say["which"],
        not_found=say["not_found"],
        near=say["near"],
        low_confidence=say["low_confidence"],
        invalid={"*": say["invalid"]},
        more=say["more"],
        reply={},
    )
    verbs = {f"{VERB}{purpose}": phrases for purpose, phrases in asks.verbs.items()}
    return Phrasebook(
        language=talk.language,
        verbs={**verbs, OTHERS: asks.others, LIGHT: asks.light},
        concepts=asks.nouns,
        classes=asks.classes,
        say=texts,
    )
