"""Hostile input: does any message crash the decider, take long, or take more than its share when it gets longer?

    python -m benchmarks hostile          600 messages
    python -m benchmarks hostile-long     100,000 messages
    python -m benchmarks hostile-million  1,000,000 messages in two processes; stopped, it goes on from where it was

Every answer must hold a decision, keep its spans inside the message, be JSON, and never run what destroys. Times are of
the processor, and of the slowest messages the best of several: on a shared machine even the processor's time of the
same work doubles now and then, and that is not the decider's. So what seems too slow is timed again at the end. Exits
with 1 after a crash, a message over 50 ms, more than 300 MB, or more than 2.2 times the time for twice the length; ten
faults end the run. A long run that ends with slow messages keeps its state: run again, it times just those once more.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from contextlib import nullcontext
from datetime import UTC, datetime
from functools import cache
from multiprocessing import Pool
from pathlib import Path
from resource import RUSAGE_SELF, getrusage

import msgspec
from msgspec import UNSET
from rich.console import Console
from rich.progress import track

from benchmarks.reading.fuzz import KINDS, LONGEST, message
from sayso.case import Case, case_from_json, to_json
from sayso.decider import Decider
from sayso.decision import Answer, Call, Confirm
from sayso.record import Entity

SLOWEST = 0.050
GROWTH = 2.2
MEMORY = 300  # megabytes
SHOWN = 10  # faults; after so many it stops
AGAIN = 4  # more tries for a slow message
AT_LAST = 25  # for one that seems too slow, at the end
PART = 500  # messages that are done in one go
LENGTHS = (1_250, 2_500, 5_000, 10_000)
LANGUAGES = ("en", "it")
NOW = datetime(2026, 3, 10, 9, 0, tzinfo=UTC)
TITLES = (
    "Buy milk",
    "Buy milk for Anna",
    "Finish the report",
    "Call the bank",
    "Pagare la bolletta",
    "Water the plants",
)
ENTITIES = tuple(
    Entity({"kind": "task", "id": f"t{number}", "title": title, "status": "pending", "priority": "medium", "due": None})
    for number, title in enumerate(TITLES, 1)
)


class Found(msgspec.Struct):
    """What came of the messages so far; this is what a long run writes down to go on from."""

    seed: int
    messages: int = 0
    count: int = 0  # of faults
    faults: list[str] = []
    slowest: float = 0.0
    slowest_at: int = -1
    slow: list[int] = []  # messages that seemed too slow, to be timed again at the end
    languages: dict[str, int] = {}
    memory: float = 0.0  # megabytes, of one process

    def add(self, other: Found) -> None:
        self.messages += other.messages
        self.count += other.count
        self.faults = (self.faults + other.faults)[:SHOWN]
        if other.slowest > self.slowest:
            self.slowest, self.slowest_at = other.slowest, other.slowest_at
        self.slow = self.slow + other.slow
        for lang, number in other.languages.items():
            self.languages[lang] = self.languages.get(lang, 0) + number
        self.memory = max(self.memory, other.memory)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=3_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--state", type=Path, help="write here how far it came, and go on from there the next time")
    options = parser.parse_args()
    found = fuzz(options.messages, options.seed, options.processes, options.state)
    growth = grow(ready(), options.seed, found)
    for fault in found.faults:
        print(f"fault: {fault}")
    read = ", ".join(f"{number:,} {lang}" for lang, number in sorted(found.languages.items()))
    print(f"{found.messages:,} messages (seed {options.seed}, up to {LONGEST:,} characters): {found.count} faults")
    print(f"read as {read}; {found.memory:.0f} MB at most (limit {MEMORY})")
    print(f"slowest within {SLOWEST * 1000:.0f} ms: {found.slowest * 1000:.1f} ms, message {found.slowest_at}")
    if found.slow:
        print(f"over the limit: messages {', '.join(map(str, found.slow))}")
    print(f"twice the length takes {growth:.2f} times the time at most (limit {GROWTH})")
    over = bool(found.slow) or growth > GROWTH or found.memory > MEMORY
    return int(bool(found.count) or over)


@cache
def ready() -> Decider:
    """A decider that has all it works out once for all messages: that is no message's own time."""
    decider = Decider.installed()
    decider.warm()
    for number in range(200):
        decider.decide(case_of(message(random.Random(f"warm/{number}")), number))
    decider.warm()
    return decider


def fuzz(count: int, seed: int, processes: int, state: Path | None) -> Found:
    """Decide so many messages; what came of them."""
    found = Found(seed)
    if state is not None and state.exists():
        found = msgspec.json.decode(state.read_bytes(), type=Found)
        if found.seed != seed:
            sys.exit(f"{state} is of seed {found.seed}: delete it to start again")
    parts = [(first, min(first + PART, count), seed) for first in range(found.messages, count, PART)]
    with Pool(processes) if processes > 1 else nullcontext() as pool:
        results = pool.imap(fuzz_part, parts) if pool is not None else map(fuzz_part, parts)
        for part in track(results, "fuzzing", total=len(parts), console=Console(stderr=True), transient=True):
            found.add(part)
            if state is not None:
                state.write_bytes(msgspec.json.encode(found))
            if found.count >= SHOWN:
                break
    time_again(found)
    if state is not None and found.slow:
        state.write_bytes(msgspec.json.encode(found))
    elif state is not None:
        state.unlink(missing_ok=True)
    return found


def time_again(found: Found) -> None:
    """The messages that seemed too slow, once more; those that are remain as slow."""
    slow, found.slow = found.slow, []
    for number in track(slow, "timing again", console=Console(stderr=True), transient=True):
        text = message(random.Random(f"{found.seed}/{number}"))
        seconds = best(ready(), text, number, timed(ready(), text, number)[1], AT_LAST)
        if seconds > SLOWEST:
            found.slow.append(number)
        elif seconds > found.slowest:
            found.slowest, found.slowest_at = seconds, number


def fuzz_part(part: tuple[int, int, int]) -> Found:
    """The messages of these numbers."""
    first, after, seed = part
    decider, found = ready(), Found(seed, after - first)
    for number in range(first, after):
        text = message(random.Random(f"{seed}/{number}"))
        try:
            answer, seconds = timed(decider, text, number)
            if seconds > max(found.slowest, SLOWEST / 4):
                seconds = best(decider, text, number, seconds, AGAIN)
            fault = wrong(text, answer)
            found.languages[answer.lang] = found.languages.get(answer.lang, 0) + 1
        except Exception as problem:  # noqa: BLE001  a crash of any kind is what we look for
            fault, seconds = f"{type(problem).__name__}: {problem}", 0.0
        if seconds > SLOWEST:
            found.slow.append(number)
        elif seconds > found.slowest:
            found.slowest, found.slowest_at = seconds, number
        if fault:
            found.count += 1
            found.faults.append(f"message {number}: {fault}: {text[:80]!r}")
    found.memory = getrusage(RUSAGE_SELF).ru_maxrss / 1024
    return found


def best(decider: Decider, text: str, number: int, seconds: float, tries: int) -> float:
    """The time that the message itself takes: a few tries, and so many where it is too slow."""
    for attempt in range(tries):
        if attempt >= AGAIN and seconds <= SLOWEST:
            break
        seconds = min(seconds, timed(decider, text, number)[1])
    return seconds


def timed(decider: Decider, text: str, number: int = 0) -> tuple[Answer, float]:
    """The answer and its time. What JSON can carry comes in as JSON, the rest as a value."""
    case = case_of(text, number)
    if carried(text):
        case = case_from_json(to_json(case))
    start = time.thread_time()
    answer = decider.decide(case)
    return answer, time.thread_time() - start


def wrong(text: str, answer: Answer) -> str:
    """What is wrong with the answer; empty if nothing is."""
    if not answer.decisions:
        return "no decision"
    if carried(text) and not to_json(answer):
        return "no JSON"
    for decision in answer.decisions:
        if isinstance(decision, Call) and decision.tool == "delete_task":
            return "a delete that nobody confirmed"
        for evidence in decision.evidence.values() if isinstance(decision, Call | Confirm) else ():
            if evidence.span is not UNSET and not 0 <= evidence.span[0] <= evidence.span[1] <= len(text):
                return f"a span outside the message: {evidence.span}"
    return ""


def grow(decider: Decider, seed: int, found: Found) -> float:
    """The worst, over the doublings, of the median over kinds of text of the ratio of times."""
    times = {}
    for kind in track(KINDS, "growing", console=Console(stderr=True), transient=True):
        texts = [kind(random.Random(seed), length) for length in LENGTHS]
        try:
            times[kind.__name__] = [min(timed(decider, text)[1] for _ in range(7)) for text in texts]
        except Exception as problem:  # noqa: BLE001  the same
            found.count += 1
            found.faults.append(f"growing {kind.__name__}: {type(problem).__name__}: {problem}")
    if not times:
        return 0.0
    doublings = [
        statistics.median(each[step + 1] / each[step] for each in times.values()) for step in range(len(LENGTHS) - 1)
    ]
    print("milliseconds at " + ", ".join(f"{length:,}" for length in LENGTHS) + " characters")
    for name, each in times.items():
        print(f"  {name:11}" + "".join(f"{seconds * 1000:8.2f}" for seconds in each))
    return max(doublings)


def carried(text: str) -> bool:
    """True if JSON can carry it: no lone halves of surrogate pairs."""
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


def case_of(text: str, number: int = 0) -> Case:
    """The languages take turns where the words of a message leave open which it is in."""
    return Case(id="hostile", message=text, now=NOW, lang=LANGUAGES[number % len(LANGUAGES)], entities=ENTITIES)


if __name__ == "__main__":
    sys.exit(main())
