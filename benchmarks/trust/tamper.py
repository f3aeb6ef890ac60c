"""Is every tampering with a trail found, and nothing else?

    python -m benchmarks tamper

A user with a trail of 500 entries and more over several conversations, some of them erased, and another one with one
of their own. 1,000 tamperings of every kind, each of them undone; `verify` must find every one of them. The same
entries in a gateway's file are tampered with as often. For every entry, every other way to divide its bytes between
salt and body is tried as well, in memory. Then 50 things that are no tampering: further turns, some while the trail is
verified, an undo, entries that are erased with a receipt, and what is done to somebody else's trail. None of them may
raise an alarm.

Not counted, since the database alone cannot tell it from the truth: somebody who rewrites the chain from some entry
on, with its end in `trails` and what the turns tell of it; who cuts off both the end and the turns that tell of it, or
an undo at the very end, of which no turn tells; who adds an entry at the end and moves `trails` along, as the
application does, a receipt of an erasure among them. Against these an auditor keeps the head elsewhere.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import Counter
from datetime import UTC, datetime
from random import Random

import msgspec

from benchmarks.harness.services import Progress, new_database
from benchmarks.harness.talks import LANGUAGES, Replicas, Talk, Words, replicas
from benchmarks.trust.tamper_file import FILE_TAMPERINGS, tamper_file
from benchmarks.trust.tamper_kinds import TAMPERINGS, Tampering, Trail, splits, write
from sayso.database.pool import Database, Transaction
from sayso.ledger.chain import Entry, Head, Verified, wrong
from sayso.ledger.erasure import erase_entries
from sayso.ledger.trail import read, verify

ABOVE_ALL = b"SELECT set_config('role', 'none', true)"
AS_USUAL = b"SELECT set_config('role', 'sayso_app', true)"


async def say_much(on: Replicas, rng: Random, entries: int) -> Talk:
    """A person with a trail of so many entries, over several conversations in both languages."""
    talks = [await Talk.begin(on)]
    talks += [await Talk.begin(on, talks[0].who) for _ in range(4)]
    while (await on.one.verify(talks[0].who)).entries < entries:
        for talk, lang in zip(talks, LANGUAGES * 3, strict=False):
            await say_little(talk, Words(lang, rng))
    return talks[0]


async def say_little(talk: Talk, words: Words) -> None:
    """A few turns: something is added, looked at, deleted after a question, or not."""
    title = words.titles(1)[0]
    await talk.say(words.for_("add", title))
    await talk.say(words.for_("delete", title))
    await talk.say(words.for_(words.choose("yes", "no")))


async def after(database: Database, tampering: Tampering, trail: Trail) -> Verified:
    """What is found after a tampering, which is then undone."""
    async with database.transaction(trail.user) as on:
        on.later(b"SAVEPOINT untouched")
        await on.rows(ABOVE_ALL)
        if not await tampering(on, trail):
            raise SystemExit("nothing could be tampered with")
        await on.rows(AS_USUAL)
        found = await verify(on, trail.user)
        on.later(b"ROLLBACK TO SAVEPOINT untouched")
    return found


async def entries_of(database: Database, user: str) -> list[Entry]:
    async with database.transaction(user) as on:
        return await read(on, user, 0, 1_000_000)


async def tamper(database: Database, trail: Trail, times: int) -> list[str]:
    """Which tamperings were not found."""
    progress, missed = Progress("tamperings", times), []
    for number in range(times):
        name = list(TAMPERINGS)[number % len(TAMPERINGS)]
        if (await after(database, TAMPERINGS[name], trail)).intact:
            missed.append(name)
        progress.step()
    return missed


def missed_splits(trail: Trail) -> tuple[int, int]:
    """How many ways to divide bytes between salt and body were tried, over all entries, and how many were not found."""
    tried = missed = 0
    for entry in trail.entries:
        if entry.body is None:
            continue
        before = Head(entry.number - 1, trail.hash_before(entry.number))
        for salt, body in splits(entry):
            tried += 1
            missed += wrong(msgspec.structs.replace(entry, salt=salt, body=body), before) is None
    return tried, missed


async def erase(database: Database, talk: Talk, rng: Random) -> int:
    """Erase what some entries say, with the receipt; how many."""
    entries = await entries_of(database, talk.who.id)
    numbers = [entry.number for entry in rng.sample(entries, 5)]
    receipt = await erase_entries(database, talk.who.id, numbers, datetime.now(UTC))
    return len(receipt.numbers) if receipt else 0


async def elsewhere(on: Transaction, trail: Trail) -> int:
    """Somebody else's trail loses its end."""
    return await write(on, "DELETE FROM trail WHERE user_id = %(user)s AND number > 3", user=trail.other)


async def leave_alone(database: Database, talk: Talk, trail: Trail, times: int) -> list[str]:
    """Which harmless things raised an alarm."""
    progress, alarms = Progress("harmless things", times), []
    words = Words("en", trail.rng)
    for number in range(times):
        match name := ("turns", "turns meanwhile", "undo", "erasing", "another's trail")[number % 5]:
            case "turns":
                await say_little(talk, words)
                found = await talk.on.two.verify(talk.who)
            case "turns meanwhile":
                found, _ = await asyncio.gather(talk.on.two.verify(talk.who), say_little(talk, words))
            case "undo":
                await talk.on.one.undo(talk.who)
                found = await talk.on.two.verify(talk.who)
            case "erasing":
                await erase(database, talk, trail.rng)
                found = await talk.on.two.verify(talk.who)
            case _:
                found = await after(database, elsewhere, trail)
        alarms += [] if found.intact else [f"{name}: {found.problem}"]
        progress.step()
    return alarms


async def prove(url: str, options: argparse.Namespace) -> int:
    rng = Random(8)
    async with replicas(url) as on, Database(url, prepare=False) as database:
        talk, other = await say_much(on, rng, options.entries), await say_much(on, rng, options.entries // 2)
        erased = await erase(database, talk, rng)
        own, others = await entries_of(database, talk.who.id), await entries_of(database, other.who.id)
        trail = Trail(talk.who.id, own, other.who.id, others, rng)
        missed = await tamper(database, trail, options.tamperings)
        missed_in_file = await tamper_file(own, rng, options.tamperings)
        tried, not_found = missed_splits(trail)
        alarms = await leave_alone(database, talk, trail, options.harmless)
    for problem in (*Counter(missed).items(), *Counter(missed_in_file).items(), *alarms):
        print(f"  {problem}")
    print(
        f"{options.tamperings} tamperings of {len(TAMPERINGS)} kinds with a trail of {len(own)} entries "
        f"({erased} of them erased): "
        f"{options.tamperings - len(missed)} found; {options.harmless} harmless things: {len(alarms)} alarms"
    )
    print(
        f"{options.tamperings} tamperings of {len(FILE_TAMPERINGS)} kinds with a gateway's file of the same entries: "
        f"{options.tamperings - len(missed_in_file)} found"
    )
    print(f"{tried} splits of salt and body: {tried - not_found} found")
    return int(bool(missed or missed_in_file or alarms or not_found))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--entries", type=int, default=500)
    parser.add_argument("--tamperings", type=int, default=1000)
    parser.add_argument("--harmless", type=int, default=50)
    options = parser.parse_args()
    with new_database(durable=False) as url:
        return asyncio.run(prove(url, options))


if __name__ == "__main__":
    sys.exit(main())
