"""A pack built from a server's tool list alone, without sentences.

Words alone decide nothing with it. A proposed call is sanitised, its values are checked against what was said, and what
the schema requires and nobody gave is asked for. `sayso pack draft` writes a pack that understands words as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import UNSET

from sayso.engine.grammar.grammar import Grammar
from sayso.engine.grammar.pack import Pack, Param, Phrasebook, Risk, Say, Tool
from sayso.engine.tongues import Tongue, Tongues
from sayso.languages.load import installed_language, telling_words
from sayso.packs.draft.book import UNSERVED
from sayso.packs.draft.catalogue import Listed, ListedTool
from sayso.packs.draft.naming import Named, understand
from sayso.packs.draft.risk import judge
from sayso.packs.draft.words import Talk, names, naming_talk, talks
from sayso.packs.load import LoadedPack


def bare_pack(
    name: str, listed: Sequence[ListedTool], risks: Mapping[str, Risk], *, trusted: bool = False
) -> LoadedPack:
    """The listed tools as a pack of this name; `trusted`: the operator vouches for what the server says of them, and
    `risks` are what they say themselves."""
    called = understand([tool.name for tool in listed])
    tools = {
        tool.name: Tool(
            risk=risks.get(tool.name) or judge(tool, called[tool.name], trusted=trusted).risk,
            description=tool.description,
            params={param.name: _param(param) for param in tool.params},
            verbs=_verbs(called[tool.name]),
        )
        for tool in listed
    }
    pack = Pack(pack=name, entities={}, tools=tools, slots={}, acts={})
    return LoadedPack(pack, Tongues({talk.language: _tongue(pack, talk) for talk in talks()}))


def _verbs(named: Named) -> tuple[str, ...]:
    """The purposes whose verbs may ask for a tool: its own and those like it; of an unknown one all that destroy
    nothing."""
    purposes = names().purposes
    if not named.known:
        return tuple(name for name, purpose in purposes.items() if purpose.risk != "destructive")
    own = (named.purpose, *names().borrows.get(named.purpose, ()))
    called = (name for name, verbs in naming_talk().verbs.items() if named.verb.replace("_", " ") in verbs)
    return tuple(dict.fromkeys((*own, *called)))


def _param(listed: Listed) -> Param:
    return Param(schema=listed.schema, default=UNSET if listed.required else listed.default)


def _tongue(pack: Pack, talk: Talk) -> Tongue:
    tag = talk.language
    return Tongue(telling_words(tag), lambda: Grammar(pack, _book(talk), installed_language(tag)))


def _book(talk: Talk) -> Phrasebook:
    """What is said back, in the words that any draft has."""
    say = talk.say
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
    return Phrasebook(language=talk.language, verbs={**talk.verbs, UNSERVED: talk.unserved}, say=texts)
