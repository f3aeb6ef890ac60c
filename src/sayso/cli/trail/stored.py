"""A user's trail in the database, for `sayso trail`."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from sayso.database.pool import Database
from sayso.ledger.chain import Entry, Verified
from sayso.ledger.trail import PAGE, read, verify
from sayso.settings import database_url, read_settings


def entries(user: str, after: int) -> Iterator[Entry]:
    """All entries after a number, page by page."""
    while page := asyncio.run(_page(user, after)):
        yield from page
        after = page[-1].number


async def _page(user: str, after: int) -> list[Entry]:
    async with Database(database_url(read_settings()), connections=1) as database, database.transaction(user) as on:
        return await read(on, user, after, PAGE)


async def verified(user: str) -> Verified:
    async with Database(database_url(read_settings()), connections=1) as database, database.transaction(user) as on:
        return await verify(on, user)
