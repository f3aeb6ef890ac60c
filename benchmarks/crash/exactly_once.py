"""One key, many senders, two replicas: one effect, and the same answer for all.

    python -m benchmarks exactly-once

2,000 keys, each sent by 16 senders at once, half of them to each of two server processes. A sender that gets no answer
sends the same key again, as a client does. Then each key is sent with another body, and must be refused.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from typing import Any

import httpx2
import psycopg

from benchmarks.harness.services import Progress, Sender, free_port, new_database, serve, settings_for
from sayso.identity.development import issue

USERS = 20
AT_ONCE = 4
MOST_TRIES = 5


async def send(url: str, ports: list[int], keys: int, senders: int) -> tuple[list[str], int]:
    """What went wrong, key by key, and how often a request got no answer and was sent again."""
    tokens = [issue(settings_for(url), f"user {number}") for number in range(USERS)]
    progress = Progress("keys", keys)
    wrong: list[str] = []
    sent_again = 0
    gate = asyncio.Semaphore(AT_ONCE)
    # The server closes idle connections after 5 seconds: a request on one that closes would get no answer.
    limits = httpx2.Limits(max_connections=AT_ONCE * senders, keepalive_expiry=2)
    async with httpx2.AsyncClient(timeout=60, limits=limits) as http:

        async def ask(sender: Sender, given: dict[str, Any], key: str) -> dict[str, Any]:
            nonlocal sent_again
            for _ in range(MOST_TRIES - 1):
                try:
                    return await sender.call("add_task", given, key)
                except httpx2.TransportError:
                    sent_again += 1
            return await sender.call("add_task", given, key)

        async def one_key(number: int) -> None:
            async with gate:
                token = tokens[number % USERS]
                to = [Sender(http, ports[each % len(ports)], token) for each in range(senders)]
                given, key = {"title": f"task {number}", "priority": "high"}, f"key {number}"
                answers = await asyncio.gather(*(ask(sender, given, key) for sender in to))
                if len({json.dumps(answer, sort_keys=True) for answer in answers}) != 1:
                    wrong.append(f"{key}: answers differ")
                if answers[0]["status"] != "success":
                    wrong.append(f"{key}: {answers[0]}")
                changed = await ask(to[number % senders], given | {"priority": "low"}, key)
                if changed.get("reason") != "key_reused":
                    wrong.append(f"{key}: a changed body was taken")
                progress.step()

        await asyncio.gather(*(one_key(number) for number in range(keys)))
    return wrong, sent_again


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keys", type=int, default=2000)
    parser.add_argument("--senders", type=int, default=16)
    options = parser.parse_args()
    with new_database() as url:
        ports = [free_port(), free_port()]
        replicas = [serve(url, port) for port in ports]
        try:
            wrong, sent_again = asyncio.run(send(url, ports, options.keys, options.senders))
        finally:
            for replica in replicas:
                replica.terminate()
                replica.wait(20)
        with psycopg.connect(url) as connection:
            effects = connection.execute("SELECT title, count(*) FROM sayso.tasks GROUP BY 1").fetchall()
    doubled = [title for title, count in effects if count != 1]
    print(
        f"{options.keys:,} keys x {options.senders} senders over 2 replicas: {len(effects):,} effects, "
        f"{len(doubled)} doubled, {options.keys - len(effects)} lost, {len(wrong)} wrong answers {wrong[:3] or ''}; "
        f"{sent_again} requests got no answer and were sent again"
    )
    return int(bool(wrong or doubled) or len(effects) != options.keys)


if __name__ == "__main__":
    sys.exit(main())
