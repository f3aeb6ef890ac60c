"""One key, many senders, two replicas: one effect, and the same answer for all.

    make exactly-once

2,000 keys, each sent by 16 senders at once, half of them to each of two server processes. Then each key is sent with
another body, and must be refused.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys

import httpx2
import psycopg

from sayso.identity.development import issue
from services import Progress, Sender, free_port, new_database, serve, settings_for

USERS = 20
AT_ONCE = 4


async def send(url: str, ports: list[int], keys: int, senders: int) -> list[str]:
    """What went wrong, key by key."""
    tokens = [issue(settings_for(url), f"user {number}") for number in range(USERS)]
    progress = Progress("keys", keys)
    wrong: list[str] = []
    gate = asyncio.Semaphore(AT_ONCE)
    limits = httpx2.Limits(max_connections=AT_ONCE * senders)
    async with httpx2.AsyncClient(timeout=60, limits=limits) as http:

        async def one_key(number: int) -> None:
            async with gate:
                token = tokens[number % USERS]
                to = [Sender(http, ports[each % len(ports)], token) for each in range(senders)]
                given, key = {"title": f"task {number}", "priority": "high"}, f"key {number}"
                answers = await asyncio.gather(*(sender.call("add_task", given, key) for sender in to))
                if len({json.dumps(answer, sort_keys=True) for answer in answers}) != 1:
                    wrong.append(f"{key}: answers differ")
                if answers[0]["status"] != "success":
                    wrong.append(f"{key}: {answers[0]}")
                changed = await to[number % senders].call("add_task", given | {"priority": "low"}, key)
                if changed.get("reason") != "key_reused":
                    wrong.append(f"{key}: a changed body was taken")
                progress.step()

        await asyncio.gather(*(one_key(number) for number in range(keys)))
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keys", type=int, default=2000)
    parser.add_argument("--senders", type=int, default=16)
    options = parser.parse_args()
    with new_database() as url:
        ports = [free_port(), free_port()]
        replicas = [serve(url, port) for port in ports]
        try:
            wrong = asyncio.run(send(url, ports, options.keys, options.senders))
        finally:
            for replica in replicas:
                replica.terminate()
                replica.wait(20)
        with psycopg.connect(url) as connection:
            effects = connection.execute("SELECT title, count(*) FROM sayso.tasks GROUP BY 1").fetchall()
    doubled = [title for title, count in effects if count != 1]
    print(
        f"{options.keys:,} keys x {options.senders} senders over 2 replicas: {len(effects):,} effects, "
        f"{len(doubled)} doubled, {options.keys - len(effects)} lost, {len(wrong)} wrong answers {wrong[:3] or ''}"
    )
    return int(bool(wrong or doubled) or len(effects) != options.keys)


if __name__ == "__main__":
    sys.exit(main())
