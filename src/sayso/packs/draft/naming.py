"""Naming: what a tool's name says that it does, and what with.

`create_invoice`, `invoice-create` and `createInvoice` create an invoice; `add_comment_to_issue` adds a comment.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sayso.packs.draft.words import names, naming_talk, singular, words_in


class Named(NamedTuple):
    """A tool's name, understood as far as it can be."""

    purpose: str  # a purpose of names.yaml, or the word of the name that stands for one
    known: bool  # whether it is a purpose of names.yaml
    thing: str  # what it is done with, as one word of a name: "invoice", "pull_request"; empty if nothing says so
    many: bool  # the name speaks of several
    verb: str = ""  # the word of the name that says the purpose
    joint: str = ""  # the little word right after it: "subscribe_to_alerts"


def understand(tools: Sequence[str]) -> dict[str, Named]:
    """The names of one server's tools, without what they all begin with."""
    shared = _shared(tools)
    return {tool: _named(words_in(tool)[shared:]) for tool in tools}


def thing_of(words: Sequence[str]) -> str:
    """Words for a thing as one name, in the singular."""
    return "_".join([*words[:-1], singular(words[-1], naming_talk())]) if words else ""


def _shared(tools: Sequence[str]) -> int:
    """How many words all the names begin with that are no verb: `github_`."""
    split = [words_in(tool) for tool in tools]
    if len(split) < 2:
        return 0
    count = 0
    shortest = min(len(words) for words in split) - 1
    while count < shortest and len({words[count] for words in split}) == 1:
        if names().purpose_of(split[0][count]) is not None:
            break
        count += 1
    return count


def _named(words: Sequence[str]) -> Named:
    empty = names().empty
    telling = [word for word in words if word not in empty] or list(words)
    at = _verb_at(telling)
    if at is None:
        return Named("_".join(telling), False, "", False)
    purpose = names().purpose_of(telling[at]) or telling[at]
    joint, after = split_joint(telling[at + 1 :])
    about = after if at == 0 else [*telling[:at], *after]
    thing = thing_of(about)
    return Named(purpose, True, thing, "_".join(about) != thing, telling[at], joint)


def split_joint(words: Sequence[str]) -> tuple[str, list[str]]:
    """The little word that a name's verb needs ("subscribe to"), and the words for a thing up to the next one."""
    joint = words[0] if len(words) > 1 and words[0] in names().joints else ""
    rest = words[1:] if joint else words
    end = next((at for at, word in enumerate(rest) if word in names().joints), len(rest))
    return joint, list(rest[:end])


def _verb_at(words: Sequence[str]) -> int | None:
    found = [at for at, word in enumerate(words) if names().purpose_of(word) is not None]
    if not found:
        return None
    clear = [at for at in found if words[at] not in names().also_things]
    return (clear or found)[0]
