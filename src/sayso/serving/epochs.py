"""Session epochs: each user has a number, and the user's page sessions contain it. Raising it ends all of them, on
every replica.

A process reads the number again after a few seconds. Until then, another replica may still accept an ended session.
"""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from time import monotonic

from sayso.database.pool import Database, Transaction
from sayso.database.queries import statement

FRESH = 5.0  # seconds for which an epoch is cached
_MOST = 10_000
_SQL = Path(__file__).parent / "sql"


class Epochs:
    """The session epochs of the users of this process."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: OrderedDict[str, tuple[float, int]] = OrderedDict()

    async def current(self, user_id: str) -> int:
        """The epoch of a user, at most FRESH seconds old."""
        until, epoch = self._known.get(user_id, (0.0, 0))
        return epoch if monotonic() < until else await self._look_up(user_id)

    async def read(self, user_id: str) -> int:
        """The current epoch of a user who signs in. If the user is in another cell, it is the epoch at the time of the
        move; the next request goes to that cell."""
        return await self._look_up(user_id, anywhere=True)

    async def _look_up(self, user_id: str, *, anywhere: bool = False) -> int:
        async with self._database.transaction(user_id, anywhere=anywhere) as on:
            row = await on.row(statement(_SQL, "epoch_read"), user_id=user_id)
        epoch = row[0] if row else 0
        if not anywhere:
            self._keep(user_id, epoch)
        return epoch

    async def end_sessions(self, on: Transaction, user_id: str) -> None:
        """Raise the epoch of a user who has a row, and drop it from this process's cache."""
        await on.row(statement(_SQL, "epoch_raise"), user_id=user_id)
        self._known.pop(user_id, None)

    def _keep(self, user_id: str, epoch: int) -> None:
        self._known[user_id] = (monotonic() + FRESH, epoch)
        self._known.move_to_end(user_id)
        while len(self._known) > _MOST:
            self._known.popitem(last=False)
