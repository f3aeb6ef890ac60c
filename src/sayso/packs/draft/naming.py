"""Parses a tool's name into its verb and its thing.

`create_invoice`, `invoice-create` and `createInvoice` create an invoice; `add_comment_to_issue` adds a comment.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from sayso.packs.draft.words import names, naming_talk, singular, words_in


class Named(NamedTuple):
    """The understood parts of a tool's name."""

    purpose: str  # a purpose of names.yaml, or the words of the name
    known: bool  # whether it is a purpose of names.yaml
    thing: str  # the object, as one name: "invoice", "pull_request"; may be empty
    many: bool  # the name has a plural
    verb: str = ""  # the word of the name that states the purpose
    joint: str = ""  # the preposition right after it: "subscribe_to_alerts"


def understand(tools: Sequence[str]) -> dict[str, Named]:
    """The parsed names of one server's tools, without their common prefix."""
    shared = _shared(tools)
    split = [words_in(tool)[shared:] for tool in tools]
    return {tool: _named(_compounds(words, split)) for tool, words in zip(tools, split, strict=True)}


def thing_of(words: Sequence[str]) -> str:
    """Words for a thing as one name, in the singular."""
    return "_".join([*words[:-1], singular(words[-1], naming_talk())]) if words else ""


def _shared(tools: Sequence[str]) -> int:
    """The number of words in the common prefix, such as `github_`; 0 if no verb comes after it."""
    split = [words_in(tool) for tool in tools]
    count = 0
    while len(split) > 1 and all(len(words) > count + 1 and words[count] == split[0][count] for words in split):
        if names().purpose_of(split[0][count]) is not None:
            break
        count += 1
    verbs = (names().purpose_of(word) for words in split for word in words[count:])
    return count if any(verb is not None for verb in verbs) else 0


def _compounds(words: Sequence[str], others: Sequence[Sequence[str]]) -> list[str]:
    """The words, with "turn" and "on" joined if that is a known verb or if another tool has "turn off"."""
    particles = names().particles
    found: list[str] = []
    for at, word in enumerate(words):
        if at and word in particles and found and found[-1] == words[at - 1]:
            pair = f"{words[at - 1]}_{word}"
            after = {more for other in others for first, more in pairwise(other) if first == words[at - 1]}
            if names().purpose_of(pair) is not None or len(after & {*particles}) > 1:
                found[-1] = pair
                continue
        found.append(word)
    return found


def _named(words: Sequence[str]) -> Named:
    empty = names().empty
    telling = [word for word in words if word not in empty] or list(words)
    at = _verb_at(telling)
    if at is None:
        return Named(" ".join(telling), False, "", False)
    purpose = names().purpose_of(telling[at]) or telling[at]
    joint, after = split_joint(telling[at + 1 :])
    about = after if at == 0 else [*telling[:at], *after]
    thing = thing_of(about)
    return Named(purpose, True, thing, "_".join(about) != thing, telling[at], joint)


def split_joint(words: Sequence[str]) -> tuple[str, list[str]]:
    """The preposition after a name's verb ("subscribe to"), and the words for the thing up to the next preposition."""
    joint = words[0] if len(words) > 1 and words[0] in names().joints else ""
    rest = words[1:] if joint else words
    end = next((at for at, word in enumerate(rest) if word in names().joints), len(rest))
    return joint, list(rest[:end])


def _verb_at(words: Sequence[str]) -> int | None:
    """The position of the verb, in front of any "to" or "as". A word that is as often a noun counts as the verb only at
    the beginning, and only if there is no other verb."""
    end = next((at for at, word in enumerate(words) if at and word in names().joints), len(words))
    found = [at for at, word in enumerate(words[:end]) if names().purpose_of(word) is not None]
    clear = [at for at in found if words[at] not in names().also_things]
    return next(iter((*clear, *(at for at in found if at == 0))), None)
