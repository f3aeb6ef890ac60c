"""Everything that the inbox shows and changes, of one gateway."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from sayso.gateway.config import Config, state_folder
from sayso.gateway.grants.store import Grants
from sayso.gateway.inbox.history import History
from sayso.gateway.inbox.subscriptions import Subscriptions
from sayso.gateway.questions.browser import Trail
from sayso.gateway.questions.browsers import Browsers
from sayso.gateway.questions.pages import Pages
from sayso.gateway.seals.key import Key
from sayso.gateway.seals.pins import Pins
from sayso.gateway.trail.replay import replayed
from sayso.gateway.trail.stores import LOCAL, Keeping
from sayso.ledger.chain import Entry
from sayso.reminders.push_keys import public_key
from sayso.settings import Settings

_FORM = "inbox form"


class Desk(NamedTuple):
    """The parts of the inbox."""

    pages: Pages
    browsers: Browsers
    subscriptions: Subscriptions
    history: History
    grants: Grants | None
    trail: Trail | None  # where a revocation is recorded
    lang: str | None
    push_key: str | None  # the public key for web push
    key: Key

    def token(self, cookie: str) -> str:
        """What the forms of the inbox hold in the browser with this cookie."""
        return self.key.seal(_FORM, cookie.encode())


def open_desk(
    config: Config,
    file: Path,
    settings: Settings | None,
    sealed: tuple[Pins, Pages, Browsers, Key],
    keeping: Keeping | None,
) -> Desk:
    """The inbox of the gateway of this file."""
    pins, pages, browsers, key = sealed

    def again(entries: Iterable[Entry], user: str) -> Iterator[tuple[int, dict[str, Any], dict[str, Any]]]:
        return replayed(config, file, pins, entries, user)

    lang = config.sayso.lang
    private = settings.push_key if settings is not None else None
    return Desk(
        pages=pages,
        browsers=browsers,
        subscriptions=Subscriptions(state_folder(config, file) / "push", key),
        history=History(keeping.trail if keeping is not None else None, LOCAL, again, lang),
        grants=keeping.grants(key) if keeping is not None else None,
        trail=keeping.trail if keeping is not None else None,
        lang=lang,
        push_key=public_key(private.get_secret_value()) if private is not None else None,
        key=key,
    )
