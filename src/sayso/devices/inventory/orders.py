"""Orders in PostgreSQL: written before they are sent, settled by the first answer.

If the sender dies before the answer arrives, the order stays `sent` until it expires and then becomes `unknown`. An
order runs at most once, and its outcome is recorded or marked as unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal, NamedTuple
from uuid import UUID

import msgspec

from sayso.database.pool import Transaction
from sayso.database.queries import statement
from sayso.devices.link.wire import Answer

GRACE = timedelta(seconds=3)  # after its expiry: the answer may arrive a little later
_SQL = Path(__file__).parent / "sql"

State = Literal["sent", "done", "delivered", "refused", "failed", "expired", "unsent", "unknown"]


class OrderRow(NamedTuple):
    """The current state of an order."""

    id: UUID
    body: bytes
    machine_id: str
    command_id: str
    value: float | None
    state: State
    answer: str | None
    created_at: datetime
    expires_at: datetime
    settled_at: datetime | None

    @property
    def answered(self) -> Answer | None:
        """The machine's answer, if there is one."""
        return msgspec.json.decode(self.answer, type=Answer) if self.answer else None

    def is_over(self, now: datetime) -> bool:
        """Whether the time for its answer is over."""
        return now > self.expires_at + GRACE


async def write(on: Transaction, user_id: str, order: OrderRow, key: str | None) -> bool:
    """Store an order before it is sent. Returns False if an order with this key already exists."""
    values: dict[str, Any] = order._asdict() | {"user_id": user_id, "key": key}
    for name in ("state", "answer", "settled_at"):
        del values[name]
    return await on.row(statement(_SQL, "order_write"), **values) is not None


async def by_key(on: Transaction, user_id: str, key: str) -> OrderRow | None:
    found = await on.row(statement(_SQL, "order_by_key"), user_id=user_id, key=key)
    return OrderRow(*found) if found else None


async def by_id(on: Transaction, user_id: str, order: UUID) -> OrderRow | None:
    found = await on.row(statement(_SQL, "order_by_id"), user_id=user_id, id=order)
    return OrderRow(*found) if found else None


async def last(on: Transaction, user_id: str, machine: str) -> OrderRow | None:
    """The last order of a machine."""
    found = await on.row(statement(_SQL, "order_last"), user_id=user_id, machine_id=machine)
    return OrderRow(*found) if found else None


async def last_of_each(on: Transaction, user_id: str, machines: Sequence[str]) -> dict[str, OrderRow]:
    """The last order of each of these machines."""
    found = await on.rows(statement(_SQL, "orders_last"), user_id=user_id, ids=list(machines))
    return {order.machine_id: order for order in (OrderRow(*row) for row in found)}


async def settle(
    on: Transaction, user_id: str, order: UUID, state: State, answer: Answer | None, now: datetime
) -> None:
    """Record the outcome of an order. The first one counts, but a later outcome replaces `unknown`."""
    told = msgspec.json.encode(answer).decode() if answer else None
    await on.row(statement(_SQL, "order_settle"), user_id=user_id, id=order, state=state, answer=told, at=now)


async def settle_late(on: Transaction, user_id: str, machine: str, answer: Answer, now: datetime) -> None:
    """The same for an answer that arrived late. It counts only if it comes from the machine of the order."""
    order = await by_id(on, user_id, answer.id)
    if order is not None and order.machine_id == machine:
        await settle(on, user_id, order.id, answer.status, answer, now)


async def settle_overdue(on: Transaction, user_id: str, now: datetime) -> list[UUID]:
    """Set orders to `unknown` that were sent and not answered in time."""
    found = await on.rows(statement(_SQL, "orders_overdue"), user_id=user_id, now=now, before=now - GRACE)
    return [row[0] for row in found]
