"""Ten times the load that one user may send, against the chat service: that user is told to wait, the others go on.

    python -m benchmarks overload

Quiet and flooded rounds take turns, so that whatever else the machine does falls on both alike. In each, a few others
send a message or list their tasks at a steady pace; in a flooded one, somebody sends ten times what the rate limit
allows besides. The others' p95 may be at most doubled. The last round floods without any pause, as fast as one client
can: it is reported, and promises nothing.

It needs a machine with a core to spare. Where everything waits for the CPU, more requests mean longer waits whatever
the service does; the load is printed, so that one can tell.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from os import cpu_count, getloadavg
from statistics import median, quantiles
from uuid import uuid4

import httpx2

from benchmarks.harness.services import Progress, free_port, new_database, serve_chat, settings_for
from sayso.identity.development import issue

ALLOWED = 120  # requests a minute: the default
OTHERS = 8
PACE = 0.6  # seconds between two requests of one of the others: five sixths of what they may send
TIMES = 10
STARTING = 2.0  # seconds that the process of the flood takes to begin

Flooder = tuple[str, str, str]  # the address, a token, where to send messages


@dataclass
class Round:
    """What was seen in one round."""

    seconds: list[float] = field(default_factory=list)
    others: Counter[int] = field(default_factory=Counter)
    flood: Counter[int] = field(default_factory=Counter)
    waits: set[int] = field(default_factory=set)

    @property
    def p95(self) -> float:
        return quantiles(self.seconds, n=20)[-1] * 1000

    @property
    def p50(self) -> float:
        return median(self.seconds) * 1000


class Person:
    """Somebody with a token and a conversation, over a connection of their own."""

    def __init__(self, address: str, token: str) -> None:
        headers = {"Authorization": f"Bearer {token}"}
        self.http = httpx2.AsyncClient(base_url=address, headers=headers, timeout=30)
        self.messages = ""

    async def begin(self) -> None:
        conversation = (await self.http.post("/v1/conversations")).json()["id"]
        self.messages = f"/v1/conversations/{conversation}/messages"

    async def ask(self, number: int) -> httpx2.Response:
        """A message, or a look at the list, in turns."""
        if number % 2:
            return await self.http.get("/v1/tasks")
        content = "show my tasks" if number % 4 else "add a task to buy milk tomorrow"
        return await self.http.post(self.messages, json={"client_message_id": uuid4().hex, "content": content})


async def steadily(person: Person, seen: Round, until: float, first: float) -> None:
    """Send at one's pace, whatever the answers take, and note how long each took."""
    due, number = first, 0
    while due < until:
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        start = time.perf_counter()
        answer = await person.ask(number)
        seen.seconds.append(time.perf_counter() - start)
        seen.others[answer.status_code] += 1
        due, number = due + PACE, number + 1


async def flood(address: str, token: str, messages: str, seconds: float, pause: float) -> None:
    """Send a message every so often without waiting for the answers; with no pause, on 16 connections at once. Run as a
    process of its own, so that the one that measures is not held up by it."""
    person, answers, waits = Person(address, token), Counter[int](), Counter[int]()
    person.messages = messages
    until = time.perf_counter() + seconds

    async def send() -> None:
        answer = await person.ask(0)
        answers[answer.status_code] += 1
        if answer.status_code == 429:
            waits[int(answer.headers["retry-after"])] += 1

    async def endlessly() -> None:
        while time.perf_counter() < until:
            await send()

    if not pause:
        await asyncio.gather(*(endlessly() for _ in range(16)))
    else:
        sent, due = [], time.perf_counter()
        while due < until:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            sent.append(asyncio.create_task(send()))
            due += pause
        await asyncio.gather(*sent)
    print(json.dumps({"answers": answers, "waits": waits}))


async def flooding(flooder: Flooder, seconds: float, pause: float, seen: Round) -> None:
    """The same, in a process of its own."""
    more = ["--flood", *flooder, str(seconds), str(pause)]
    process = await asyncio.create_subprocess_exec(sys.executable, __file__, *more, stdout=asyncio.subprocess.PIPE)
    said, _ = await process.communicate()
    told = json.loads(said)
    seen.flood = Counter({int(status): count for status, count in told["answers"].items()})
    seen.waits = {int(wait) for wait in told["waits"]}


async def run_round(people: list[Person], flooder: Flooder | None, seconds: float, pause: float) -> Round:
    seen = Round()
    start = time.perf_counter() + STARTING  # quiet rounds wait as well, to be like the others
    until = start + seconds
    work = [steadily(each, seen, until, start + number * PACE / OTHERS) for number, each in enumerate(people)]
    if flooder is not None:
        work.append(flooding(flooder, seconds + STARTING / 2, pause, seen))
    await asyncio.gather(*work)
    return seen


async def measure(
    address: str, tokens: list[str], pairs: int, seconds: float
) -> tuple[list[Round], list[Round], Round]:
    first, *others = people = [Person(address, token) for token in tokens]
    for each in people:
        await each.begin()
    flooder = (address, tokens[0], first.messages)
    pause = 60 / (ALLOWED * TIMES)
    progress = Progress("rounds", 2 * pairs + 2)
    quiet: list[Round] = []
    loud: list[Round] = []
    await run_round(others, None, seconds / 2, pause)  # to warm up
    progress.step()
    for number in range(pairs):
        for flooded in (False, True) if number % 2 else (True, False):
            rounds = loud if flooded else quiet
            rounds.append(await run_round(others, flooder if flooded else None, seconds, pause))
            progress.step()
    worst = await run_round(others, flooder, seconds, 0)
    progress.step()
    for each in people:
        await each.http.aclose()
    return quiet, loud, worst


def together(rounds: list[Round]) -> Round:
    return Round(
        seconds=[each for one in rounds for each in one.seconds],
        others=sum((one.others for one in rounds), Counter()),
        flood=sum((one.flood for one in rounds), Counter()),
        waits=set().union(*(one.waits for one in rounds)),
    )


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--pairs", type=int, default=6, help="quiet and flooded rounds, each")
    options.add_argument("--seconds", type=float, default=10, help="how long a round takes")
    options.add_argument("--flood", nargs=5, help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.flood:
        *flooder, seconds, pause = given.flood
        asyncio.run(flood(*flooder, float(seconds), float(pause)))
        return 0
    with new_database(durable=False) as url:
        port = free_port()
        server = serve_chat(url, port)
        try:
            tokens = [issue(settings_for(url), f"overload {uuid4()}") for _ in range(OTHERS + 1)]
            address = f"http://127.0.0.1:{port}"
            start = time.perf_counter()
            quiet, loud, worst = asyncio.run(measure(address, tokens, given.pairs, given.seconds))
            minutes = (time.perf_counter() - start) / 60
        finally:
            server.terminate()
            server.wait(40)
    return report(together(quiet), together(loud), worst, minutes)


def report(quiet: Round, loud: Round, worst: Round, minutes: float) -> int:
    ratio = loud.p95 / quiet.p95
    for name, seen in (("quiet", quiet), (f"{TIMES} times", loud), ("no pause", worst)):
        flooded = f"; the flood: {json.dumps(dict(sorted(seen.flood.items())))}" if seen.flood else ""
        print(f"{name}: others' p50 {seen.p50:.1f} ms, p95 {seen.p95:.1f} ms, {dict(seen.others)}{flooded}")
    print(f"the others' p95 with {TIMES} times the load: {ratio:.2f} of that in quiet")
    print(f"of the flood {loud.flood[429]} refused and {loud.flood[200]} taken in {minutes:.1f} minutes")
    print(f"load of the machine: {getloadavg()[0]:.1f} on {cpu_count()} cores")
    fine = ratio <= 2 and set(quiet.others) | set(loud.others) == {200} and set(loud.flood) == {200, 429}
    fine = fine and loud.flood[200] <= ALLOWED * (minutes + 1) and min(loud.waits) >= 1
    print("as promised" if fine else "NOT as promised")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
