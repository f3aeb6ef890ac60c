"""The answers that a question offers beside "once", and the grant that a chosen one gives.

`offers` and `chosen` are all that a form, a page or an inbox needs:

    for offer in offers(question, most, risk, lang): show offer.value and offer.title
    offer = chosen(value, offers(…))
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec

from sayso.decision import Confirm
from sayso.engine.grammar.pack import Risk
from sayso.gateway.config import Most
from sayso.gateway.grants.grant import Grant, Scope, digest, is_in, looks_like_a_path, parent
from sayso.gateway.messages import say
from sayso.gateway.values import Arguments, Question, Words
from sayso.unseen import spelled

ONCE = "once"
TASK_MINUTES = 10  # without the user's own words, nothing shows when the task ends
HOUR_MINUTES = 60
_LEVELS: tuple[Most, ...] = ("once", "task", "hour", "always")
_LEVEL_OF: dict[Scope, Most] = {"task": "task", "hour": "hour"}
_MOST_VALUES = 2  # offers for the value of one argument
_LONGEST_VALUE = 60
_BYTES = 6  # of an id


class Offer(msgspec.Struct, frozen=True):
    """An answer: the value that comes back if the user chooses it, and the text that the user reads."""

    value: str
    title: str
    scope: Scope | None = None  # None: this call only
    same: dict[str, Any] = {}
    folder: str = ""
    paths: tuple[str, ...] = ()


def offers(question: Question, most: Most, risk: Risk, lang: str | None) -> tuple[Offer, ...]:
    """The answers that the user can give instead of a plain yes; empty if the yes can only be for this call."""
    asks, level = question.asks, _LEVELS.index(most)
    if risk != "write" or not isinstance(asks, Confirm) or asks.reason != "uncertain" or not level:
        return ()
    found = [Offer(ONCE, say(lang, "grant_once"))]
    name = f"{question.wanted.server}.{asks.tool}"
    found.append(Offer("task", say(lang, "grant_task", tool=name), "task"))
    if level >= _LEVELS.index("hour"):
        found.append(Offer("hour", say(lang, "grant_hour", tool=name), "hour"))
    if level >= _LEVELS.index("always"):
        found += _always(asks.arguments, lang)
    return tuple(found)


def chosen(value: object, offered: Sequence[Offer]) -> Offer | None:
    """The offer with this value; `None` for a value that was not offered, which grants nothing."""
    return next((offer for offer in offered if offer.value == value), None)


def allows(most: Most, scope: Scope) -> bool:
    """Whether the operator allows grants of this scope."""
    return _LEVELS.index(most) >= _LEVELS.index(_LEVEL_OF.get(scope, "always"))


def make_grant(offer: Offer, user: str, question: Question, now: datetime) -> Grant | None:
    """The grant that this answer gives; None for "once"."""
    if offer.scope is None:
        return None
    words = words_of(question.wanted.words) if offer.scope == "task" else ""
    minutes = {"task": HOUR_MINUTES if words else TASK_MINUTES, "hour": HOUR_MINUTES}.get(offer.scope)
    arguments = question.asks.arguments
    return Grant(
        id=secrets.token_hex(_BYTES),
        user=user,
        server=question.wanted.server,
        tool=question.wanted.tool,
        definition=question.definition,
        scope=offer.scope,
        names=tuple(arguments) if minutes is None else (),
        same=offer.same,
        folder=offer.folder,
        paths=offer.paths,
        words=words,
        made=now,
        until=now + timedelta(minutes=minutes) if minutes is not None else None,
    )


def words_of(words: Words) -> str:
    """The digest of the user's own message. A model can repeat a message, so words that it relays do not count."""
    return digest(words.message) if words.trusted and words.message else ""


def _always(arguments: Arguments, lang: str | None) -> list[Offer]:
    """The offers "always": in the folder of the paths, or with the same value of one argument. Arguments that are
    neither a path nor a text, such as an amount or a switch, must stay the same."""
    fixed = {name: value for name, value in arguments.items() if not isinstance(value, str)}
    found = []
    paths = {name: value for name, value in arguments.items() if isinstance(value, str) and looks_like_a_path(value)}
    folder = parent(next(iter(paths.values()), None))
    if folder is not None and all(is_in(folder, path) for path in paths.values()):
        title = say(lang, "grant_folder", folder=_quoted(folder), more=_more(fixed))
        found.append(Offer("folder", title, "folder", fixed, folder, tuple(paths)))
    short = [name for name, value in arguments.items() if isinstance(value, str) and _is_short(value)]
    for name in [name for name in short if name not in paths][:_MOST_VALUES]:
        same = {name: arguments[name], **fixed}
        title = say(lang, "grant_value", argument=_quoted(name), value=_quoted(arguments[name]), more=_more(fixed))
        found.append(Offer(f"value:{name}", title, "value", same))
    return found


def _is_short(value: str) -> bool:
    return 0 < len(value) <= _LONGEST_VALUE and spelled(value, lambda _: "") == value


def _more(fixed: dict[str, Any]) -> str:
    return "".join(f", {_quoted(name)}: {_quoted(value)}" for name, value in fixed.items())


def _quoted(value: object) -> str:
    """A name as it is, anything else as JSON. Invisible characters are spelled out."""
    plain = isinstance(value, str) and value.replace("_", "a").replace("-", "a").isalnum()
    text = str(value) if plain else msgspec.json.encode(value).decode()
    return spelled(text, lambda letter: f"<U+{ord(letter):04X}>")
