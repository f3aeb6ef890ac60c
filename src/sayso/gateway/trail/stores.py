"""Where a gateway stores its trail, the used answers and the counts of rate limits: beside its file, or in the ledger.

In the ledger where a database is named, unless the gateway's file says otherwise: one rule, for writing and for
reading.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from sayso.errors import MissingExtra
from sayso.gateway.config import Config, state_folder
from sayso.gateway.grants.store import FileGrants, Grants
from sayso.gateway.limits.rate import Rates
from sayso.gateway.questions.browser import Trail
from sayso.gateway.questions.once import Claims, Used
from sayso.gateway.redaction.redactor import Redactor
from sayso.gateway.seals.key import Key
from sayso.gateway.trail.record import FileTrail
from sayso.settings import Settings, database_url

LOCAL = "local"  # the user who started the gateway on this machine


class Keeping(NamedTuple):
    """The trail, the used answers, whether they can be written now (else NotReady), the grants, with the key that
    seals them, the counts of rate limits, and what removes secrets from the trail."""

    trail: Trail
    used: Claims
    ready: Callable[[], Awaitable[None]]
    grants: Callable[[Key], Grants]
    rates: Rates
    redactor: Redactor | None = None


def is_in_ledger(config: Config, settings: Settings | None) -> bool:
    """Whether it is kept in the ledger."""
    return config.sayso.trail == "ledger" or (
        config.sayso.trail is None and settings is not None and settings.database_url is not None
    )


def user_here(settings: Settings) -> str:
    """The local user: the caller without a token, and the default user of `sayso trail`."""
    return settings.stdio_user or LOCAL


def trail_of(config: Config, file: Path) -> FileTrail:
    """The trail beside the file."""
    return FileTrail(state_folder(config, file) / "trail.jsonl")


@asynccontextmanager
async def open_keeping(config: Config, file: Path, settings: Settings | None) -> AsyncIterator[Keeping]:
    """Where the gateway of this file keeps it."""
    state = state_folder(config, file)
    rates = Rates(state / "limits")
    if is_in_ledger(config, settings):
        async with _in_ledger(settings or Settings(), rates) as keeping:
            yield keeping
        return
    trail = trail_of(config, file)
    try:
        yield Keeping(trail, Used(state / "used"), _always, lambda key: _file_grants(key, state), rates)
    finally:
        trail.close()


@asynccontextmanager
async def _in_ledger(settings: Settings, rates: Rates) -> AsyncIterator[Keeping]:
    try:
        url = database_url(settings)
        from sayso.database.pool import database_from  # noqa: PLC0415  one person with a file needs no driver
        from sayso.gateway.grants.ledger import LedgerGrants  # noqa: PLC0415
        from sayso.gateway.trail.ledger import LedgerTrail, LedgerUsed  # noqa: PLC0415
    except ModuleNotFoundError as missing:
        raise MissingExtra("server", missing.name or "a package") from missing
    async with database_from(settings, url) as database:
        yield Keeping(
            LedgerTrail(database), LedgerUsed(database), database.ping, lambda key: LedgerGrants(database, key), rates
        )


def _file_grants(key: Key, state: Path) -> FileGrants:
    """Next to the key, if it is a file: a server that writes into the state folder cannot put back an old grant."""
    return FileGrants(key.file.with_suffix(".grants") if key.file is not None else state / "grants", key)


async def _always() -> None:
    """Whether there is room on a disk is seen when it is written on."""
