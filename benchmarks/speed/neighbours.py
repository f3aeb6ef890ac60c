"""One person sends the heaviest cases that `/v1/decide` takes: how much slower are the others?

    python -m benchmarks neighbours

Four people each say something every 0.6 seconds to one process of the chat service. In every other round one more
person sends cases of 5,000 things as fast as the service lets them. Rounds alternate, so that whatever else the machine
does falls on both kinds. The others' p95 may be at most doubled.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from statistics import median, quantiles
from uuid import uuid4

import httpx2

from benchmarks.harness.services import REDIS, environment_for, free_port, new_database, settings_for, wait_until_ready
from sayso.identity.development import issue

PEOPLE, PACE = 4, 0.6
MOST = 2.0  # times the p95 in quiet
# An interpreter gives way to another thread after this many seconds; Python's own value is 0.005.
START = "import sys; sys.setswitchinterval(float(sys.argv[1])); from sayso.cli.main import app; app(sys.argv[2:])"


def heaviest() -> bytes:
    things = [
        {"kind": "task", "id": str(number), "title": f"Task {number}", "notes": "x" * 150} for number in range(5000)
    ]
    return json.dumps({"message": "complete task 7", "entities": things}).encode()


async def talk(http: httpx2.AsyncClient, token: str, until: float, times: list[float]) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    opened = (await http.post("/v1/conversations", headers=headers)).json()["id"]
    while time.monotonic() < until:
        body = {"client_message_id": str(uuid4()), "content": "show my tasks"}
        began = time.monotonic()
        answer = await http.post(f"/v1/conversations/{opened}/messages", json=body, headers=headers)
        times.append(time.monotonic() - began)
        answer.raise_for_status()
        await asyncio.sleep(PACE)


async def attack(http: httpx2.AsyncClient, token: str, body: bytes, came: Counter[int]) -> None:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    while True:
        answer = await http.post("/v1/decide", content=body, headers=headers)
        came[answer.status_code] += 1
        if answer.status_code != 200:
            await asyncio.sleep(0.5)


async def measure(url: str, port: int, seconds: float, pairs: int) -> tuple[list[float], list[float], Counter[int]]:
    """The others' times in quiet and beside the heaviest cases, and what became of these."""
    settings, body = settings_for(url), heaviest()
    quiet, loud, came = list[float](), list[float](), Counter[int]()
    async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as http:
        for number in range(2 * pairs + 1):
            times: list[float] = [] if number == 0 else loud if number % 2 else quiet  # the first round warms up
            attacking = None
            if times is loud:
                # somebody new each time: a limit that is spent would leave the next rounds quiet
                attacking = asyncio.create_task(attack(http, issue(settings, f"heavy {number}"), body, came))
            until = time.monotonic() + seconds
            await asyncio.gather(*(talk(http, issue(settings, f"user {n}"), until, times) for n in range(PEOPLE)))
            if attacking is not None:
                attacking.cancel()
                with suppress(asyncio.CancelledError):
                    await attacking
    return quiet, loud, came


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=15, help="of a round")
    parser.add_argument("--pairs", type=int, default=3, help="of rounds")
    parser.add_argument("--switch", help="an interval for the interpreter, to compare; by default that of the service")
    given = parser.parse_args()
    port = free_port()
    serve = ["serve", "--port", str(port)]
    own: list[str | Path] = [sys.executable, "-m", "sayso.cli", *serve]
    command = own if given.switch is None else [sys.executable, "-c", START, given.switch, *serve]
    with new_database(durable=False) as url:
        environment = environment_for(url, SAYSO_REDIS_URL=REDIS, SAYSO_RATE_LIMIT="100000/minute")
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_until_ready(port, process)
            quiet, loud, came = asyncio.run(measure(url, port, given.seconds, given.pairs))
        finally:
            process.terminate()
            process.wait(30)
    p95 = [quantiles(times, n=20)[-1] for times in (quiet, loud)]
    ratio = p95[1] / p95[0]
    print(
        f"others' p50 {median(quiet) * 1000:.0f} ms quiet, {median(loud) * 1000:.0f} ms beside the heaviest cases; "
        f"p95 {p95[0] * 1000:.0f} and {p95[1] * 1000:.0f} ms: {ratio:.2f} times "
        f"({len(quiet)} and {len(loud)} turns, cases {dict(came)})"
    )
    return int(ratio > MOST)


if __name__ == "__main__":
    sys.exit(main())
