"""Exactly-once calls: a call's effect and its answer are committed together under an idempotency key.

The first call claims the key. A second call with the same key waits for it and gets the stored answer. The key comes
from the caller (for a retry after a lost answer) or from the confirmation (for a yes that is sent twice).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import msgspec

from sayso.confirmation import digest
from sayso.database.pool import Transaction
from sayso.database.queries import statement

_SQL = Path(__file__).parent / "sql"
_JSON = msgspec.json.Encoder()


@dataclass(frozen=True, kw_only=True)
class Used:
    """A key that was used before, by the same call or by another one."""

    answer: bytes
    same: bool


def fingerprint(tool: str, arguments: msgspec.Struct) -> bytes:
    """A digest of a call: its tool and its arguments with defaults. The order of the arguments does not matter."""
    return digest("call 1", [tool, arguments])


async def claim_key(on: Transaction, user_id: str, key: str, body: bytes) -> Used | None:
    """Claim the key. Returns None if this call must answer it, otherwise the earlier answer."""
    if await on.row(statement(_SQL, "answer_claim"), user_id=user_id, key=key, body=body):
        return None
    return _used(await on.row(statement(_SQL, "answer_find"), user_id=user_id, key=key), body)


def keep_answer(on: Transaction, user_id: str, key: str, answer: object) -> None:
    """Store the answer under the key, in the same transaction as the effect of the call."""
    on.later(statement(_SQL, "answer_keep"), user_id=user_id, key=key, answer=_JSON.encode(answer).decode())


async def find_answer(on: Transaction, user_id: str, key: str, body: bytes) -> Used | None:
    """The earlier answer under this key, if any. Does not claim the key."""
    found = await on.row(statement(_SQL, "answer_find"), user_id=user_id, key=key)
    return _used(found, body) if found else None


async def claim_confirmation(on: Transaction, user_id: str, confirmation: UUID, digest: bytes) -> Used | None:
    """Consume the confirmation. Returns None if this call consumed it, otherwise its earlier result."""
    if await on.row(statement(_SQL, "confirmation_claim"), user_id=user_id, id=confirmation, digest=digest):
        return None
    return _used(await on.row(statement(_SQL, "confirmation_find"), user_id=user_id, id=confirmation), digest)


def keep_outcome(on: Transaction, user_id: str, confirmation: UUID, answer: object) -> None:
    """Store the result of the confirmation, in the transaction that consumes it."""
    on.later(
        statement(_SQL, "confirmation_keep"), user_id=user_id, id=confirmation, answer=_JSON.encode(answer).decode()
    )


def _used(found: tuple[bytes, str | None] | None, body: bytes) -> Used:
    if found is None or found[1] is None:
        raise AssertionError("a key that was claimed and committed has an answer")
    return Used(answer=found[1].encode(), same=found[0] == body)
