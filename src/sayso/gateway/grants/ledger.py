"""Stores grants in the ledger, among the user's own rows, for any number of gateways.

A row holds a sealed grant, so that someone who can write rows but does not have the key cannot make one. Replicas share
the key by SAYSO_STATE_KEYS; a gateway with another key sees no grant.
"""

from __future__ import annotations

from pathlib import Path

from sayso.database.pool import Database, Transaction
from sayso.database.queries import statement
from sayso.gateway.grants.grant import Grant
from sayso.gateway.grants.store import sealed, unsealed
from sayso.gateway.seals.key import Key
from sayso.gateway.trail.ledger import with_retries

_SQL = Path(__file__).parent / "sql"


class LedgerGrants:
    """Grants in the database."""

    def __init__(self, database: Database, key: Key) -> None:
        self._database, self._key = database, key

    async def of(self, user: str) -> list[Grant]:
        """Read the user's grants. Skips rows that this gateway did not seal for this user."""

        async def read(on: Transaction) -> list[tuple[str, bytes]]:
            return [(row[0], row[1]) for row in await on.rows(statement(_SQL, "grants_read"), user_id=user)]

        found = [unsealed(self._key, wrapped, name) for name, wrapped in await with_retries(self._database, user, read)]
        return [grant for grant in found if grant is not None and grant.user == user]

    async def keep(self, grant: Grant) -> None:
        """Keep a new one."""

        async def write(on: Transaction) -> None:
            keep, wrapped = statement(_SQL, "grant_keep"), sealed(self._key, grant)
            on.later(keep, user_id=grant.user, id=grant.id, until=grant.until, sealed=wrapped)
            on.later(statement(_SQL, "grants_tidy"), user_id=grant.user)

        await with_retries(self._database, grant.user, write)

    async def revoke(self, grant: Grant) -> None:
        """It counts no more: its row stays, so that it cannot be added again."""
        await self._do("grant_revoke", grant)

    async def count(self, grant: Grant) -> None:
        """It was used once more."""
        await self._do("grant_use", grant)

    async def uses(self, grant: Grant) -> int:
        """How often it was used."""

        async def read(on: Transaction) -> int:
            row = await on.row(statement(_SQL, "grant_uses"), user_id=grant.user, id=grant.id)
            return int(row[0]) if row else 0

        return await with_retries(self._database, grant.user, read)

    async def _do(self, name: str, grant: Grant) -> None:
        async def write(on: Transaction) -> None:
            on.later(statement(_SQL, name), user_id=grant.user, id=grant.id)

        await with_retries(self._database, grant.user, write)
