"""Hostile input: does any message crash the decider, take long, or take more than its share when it gets longer?

    make hostile         3,000 messages
    make hostile-long    100,000 messages

Every answer must hold a decision, keep its spans inside the message, be JSON, and never run what destroys. A message
over the time limit is tried twice more and its best time counts: on a shared machine a pause is not the decider's.
Exits with 1 after a crash, a message over 50 ms, or more than 2.2 times the time for twice the length.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from datetime import UTC, datetime

from msgspec import UNSET
from rich.console import Console
from rich.progress import track

from fuzz import KINDS, LONGEST, message
from sayso.case import Case, case_from_json, to_json
from sayso.decider import Decider
from sayso.decision import Answer, Call, Confirm
from sayso.record import Entity

SLOWEST = 0.050
GROWTH = 2.2
LENGTHS = (1_250, 2_500, 5_000, 10_000)
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--messages", type=int, default=3_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    decider = Decider.installed()
    decider.warm()
    for number in range(200):  # what is worked out once for all messages is no message's own time
        decider.decide(case_of(message(random.Random(f"warm/{number}"))))
    decider.warm()
    faults, slowest = fuzz(decider, options.messages, options.seed)
    growth = grow(decider, options.seed, faults)
    for fault in faults[:10]:
        print(f"fault: {fault}")
    print(f"{options.messages} messages (seed {options.seed}, up to {LONGEST:,} characters): {len(faults)} faults")
    print(f"slowest {slowest * 1000:.1f} ms (limit {SLOWEST * 1000:.0f} ms)")
    print(f"twice the length takes {growth:.2f} times the time at most (limit {GROWTH})")
    return int(bool(faults) or slowest > SLOWEST or growth > GROWTH)


def fuzz(decider: Decider, count: int, seed: int) -> tuple[list[str], float]:
    """Decide so many messages; return what went wrong, and the slowest time."""
    faults: list[str] = []
    slowest = 0.0
    for number in track(range(count), "fuzzing", console=Console(stderr=True), transient=True):
        text = message(random.Random(f"{seed}/{number}"))
        try:
            answer, seconds = timed(decider, text)
            if seconds > SLOWEST:
                seconds = min(seconds, timed(decider, text)[1], timed(decider, text)[1])
            fault = wrong(text, answer)
        except Exception as problem:  # noqa: BLE001  a crash of any kind is what we look for
            fault, seconds = f"{type(problem).__name__}: {problem}", 0.0
        slowest = max(slowest, seconds)
        if fault:
            faults.append(f"message {number}: {fault}: {text[:80]!r}")
    return faults, slowest


def timed(decider: Decider, text: str) -> tuple[Answer, float]:
    """The answer and its time. What JSON can carry comes in as JSON, the rest as a value."""
    case = case_of(text)
    if carried(text):
        case = case_from_json(to_json(case))
    start = time.perf_counter()
    answer = decider.decide(case)
    return answer, time.perf_counter() - start


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


def grow(decider: Decider, seed: int, faults: list[str]) -> float:
    """The worst, over the doublings, of the median over kinds of text of the ratio of times."""
    times = {}
    for kind in track(KINDS, "growing", console=Console(stderr=True), transient=True):
        texts = [kind(random.Random(seed), length) for length in LENGTHS]
        try:
            times[kind.__name__] = [min(timed(decider, text)[1] for _ in range(7)) for text in texts]
        except Exception as problem:  # noqa: BLE001  the same
            faults.append(f"growing {kind.__name__}: {type(problem).__name__}: {problem}")
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


def case_of(text: str) -> Case:
    return Case(id="hostile", message=text, now=NOW, entities=ENTITIES)


if __name__ == "__main__":
    sys.exit(main())
