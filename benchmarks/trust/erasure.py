"""Is a person gone once they are erased?

    python -m benchmarks erasure

Two people say 1,000 messages each, every one with a word that occurs nowhere else; some delete a task again and are
asked. Before the erasure every word must be in a dump of the database, or looking for it would show nothing. Then one
person is erased: a dump must have none of their words nor their id, and all words of the other; the other's trail and
that of erasures must verify.
"""

from __future__ import annotations

import argparse
import asyncio
import secrets
import subprocess
import sys
from datetime import UTC, datetime

from benchmarks.harness.services import Progress, new_database
from benchmarks.harness.talks import Talk, replicas
from sayso.database.pool import Database
from sayso.ledger.erasure import ERASURES, erase
from sayso.ledger.trail import verify


async def say(talk: Talk, words: list[str], progress: Progress) -> None:
    """Each word in a task of its own; every tenth is deleted again, after the question."""
    for number, word in enumerate(words):
        await talk.say(f"add call {word}")
        if number % 10 == 0:
            await talk.answer(await talk.ask(f"delete call {word}"), yes=number % 20 == 0)
        progress.step()


def dump(url: str) -> str:
    """All that the database keeps, as text."""
    done = subprocess.run(["pg_dump", "--dbname", url], capture_output=True, encoding="utf-8", check=True)
    return done.stdout


async def prove(url: str, canaries: int) -> int:
    erased, kept = ([f"q{secrets.token_hex(6)}" for _ in range(canaries)] for _ in range(2))
    progress = Progress("messages", 2 * canaries)
    async with replicas(url) as on:
        one, other = await Talk.begin(on), await Talk.begin(on)
        await asyncio.gather(say(one, erased, progress), say(other, kept, progress))
    before = dump(url)
    unseen = sum(word not in before for word in erased + kept)
    async with Database(url, connections=1) as database:
        done = await erase(database, one.who.id, datetime.now(UTC))
        async with database.transaction(ERASURES) as on_erasures:
            noted = await verify(on_erasures, ERASURES)
        async with database.transaction(other.who.id) as on_other:
            others = await verify(on_other, other.who.id)
    after = dump(url)
    hits = sum(word in after for word in erased) + (one.who.id in after)
    lost = sum(word not in after for word in kept)
    print(
        f"{canaries} canaries, {sum(done.rows.values())} rows in {len(done.rows)} tables erased: "
        f"{hits} hits in a dump, where {unseen} were missing before; "
        f"{lost} of {canaries} canaries of somebody else lost; "
        f"trails {'intact' if noted.intact and others.intact else 'NOT intact'}"
    )
    return int(bool(hits or unseen or lost) or not noted.intact or not others.intact)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--canaries", type=int, default=1000)
    options = parser.parse_args()
    with new_database(durable=False) as url:
        return asyncio.run(prove(url, options.canaries))


if __name__ == "__main__":
    sys.exit(main())
