"""What two parts of our own cost beside the libraries that could take their place.

    python -m benchmarks own-parts

The seal of cookies and addresses (AES-GCM, bound to its purpose) against cryptography's MultiFernet, and a transaction
of four statements over our connection against psycopg's pipeline mode. The processor time of this process counts, which
is where they differ; both wait for the same database.
"""

from __future__ import annotations

import asyncio
import base64
import os
from collections.abc import Awaitable, Callable
from hashlib import sha256
from random import Random
from statistics import median
from time import process_time_ns
from typing import Any

import psycopg
from cryptography.fernet import Fernet, MultiFernet

from benchmarks.harness.services import new_database, settings_for
from sayso.chat.signin.session import Seal
from sayso.database.pool import Database

ROUNDS, TIMES = 15, 200
WHO = "ada"
QUERY = b"SELECT id, title FROM sayso.tasks WHERE user_id = %(user_id)s AND title_key = %(key)s"
BECOME = "SELECT set_config('role', 'sayso_app', true), set_config('app.user_id', %s, true)"


def show(name: str, ours: list[float], theirs: list[float], beside: str) -> None:
    ratio = median(each / other for each, other in zip(ours, theirs, strict=True))
    print(
        f"{name}: {median(ours):.1f} µs, {beside} {median(theirs):.1f} µs; "
        f"ratio {ratio:.2f}, the median of {len(ours)} rounds"
    )


def seals(url: str) -> None:
    settings, content = settings_for(url), b'{"id":"ada","name":"Ada Lovelace","email":"ada@example.com","epoch":1}'
    seal = Seal(settings, "sayso-session")
    if not seal.usable:
        raise SystemExit("the settings have no SAYSO_STATE_KEYS")
    keys = [base64.urlsafe_b64encode(sha256(key.encode()).digest()) for key in settings.state_keys]
    fernet = MultiFernet([Fernet(key) for key in keys])
    print(f"a sealed session: {len(seal.seal(content))} letters, MultiFernet {len(fernet.encrypt(content))}")

    def timed(do: Callable[[], object]) -> float:
        began = process_time_ns()
        for _ in range(TIMES):
            do()
        return (process_time_ns() - began) / TIMES / 1000

    def mine() -> None:
        assert seal.open(seal.seal(content)) == content  # noqa: S101

    def other() -> None:
        assert fernet.decrypt(fernet.encrypt(content)) == content  # noqa: S101

    pairs = [(timed(mine), timed(other)) for _ in range(ROUNDS)]
    show("sealed and opened", [one for one, _ in pairs], [two for _, two in pairs], "MultiFernet")


async def transactions(url: str) -> None:
    async with Database(url, connections=1) as database, await psycopg.AsyncConnection.connect(url) as plain:

        async def mine() -> Any:
            async with database.transaction(WHO) as on:
                return await on.several(
                    (QUERY, {"user_id": WHO, "key": "milk"}), (QUERY, {"user_id": WHO, "key": "bread"})
                )

        async def other() -> Any:
            text = QUERY.decode()
            async with plain.transaction(), plain.pipeline():
                await plain.execute(BECOME, (WHO,), prepare=True)
                milk = await plain.execute(text, {"user_id": WHO, "key": "milk"}, prepare=True)
                bread = await plain.execute(text, {"user_id": WHO, "key": "bread"}, prepare=True)
                return [await milk.fetchall(), await bread.fetchall()]

        async def timed(do: Callable[[], Awaitable[Any]]) -> float:
            began = process_time_ns()
            for _ in range(TIMES):
                await do()
            return (process_time_ns() - began) / TIMES / 1000

        assert await mine() == await other()  # noqa: S101
        dice, pairs = Random(7), []
        for _ in range(ROUNDS):
            order = [mine, other]
            dice.shuffle(order)
            took = {do: await timed(do) for do in order}
            pairs.append((took[mine], took[other]))
    show("a transaction of four statements", [one for one, _ in pairs], [two for _, two in pairs], "psycopg's pipeline")


def main() -> None:
    os.environ.setdefault("SAYSO_STATE_KEYS", "0" * 64)
    with new_database() as url:
        seals(url)
        asyncio.run(transactions(url))


if __name__ == "__main__":
    main()
