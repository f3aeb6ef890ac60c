"""What it costs that a gateway's trail waits for the disk: adding an entry with the sync, against the same without.

    python -m benchmarks trail-sync

Rounds of both, one after the other in the same run, by one call at a time and by several at once, which share a sync;
and for reads, which do not wait. The ratio is the median of the rounds. It depends on the disk; run it where the
gateway runs.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

from sayso.gateway.trail.record import FileTrail
from sayso.ledger.chain import Event

BODY = {"wanted": {"server": "notes", "tool": "add_note", "arguments": {"text": "x" * 300}}, "failed": False}


async def added(trail: FileTrail, calls: int, at_once: int, *, wait: bool = True) -> float:
    """Seconds that so many calls take."""
    numbers = iter(range(calls))

    async def go_on() -> None:
        for _ in numbers:
            await trail.add("local", [Event("call", BODY)], wait=wait)

    began = time.perf_counter()
    await asyncio.gather(*(go_on() for _ in range(at_once)))
    return time.perf_counter() - began


async def _at_once(*_: object) -> None:
    """Wait for nothing."""


async def measure(folder: Path, calls: int, at_once: int, rounds: int, *, wait: bool) -> None:
    synced, bare = FileTrail(folder / "synced.jsonl"), FileTrail(folder / "bare.jsonl")
    for trail in (synced, bare):
        await added(trail, 10, 1)
    sync, syncs, taken, plain = os.fsync, 0, [], []

    def counted(handle: int) -> None:
        nonlocal syncs
        syncs += 1
        sync(handle)

    for _ in range(rounds):
        with mock.patch("os.fsync", counted):
            taken.append(await added(synced, calls, at_once, wait=wait))
        with mock.patch("sayso.gateway.trail.record.GroupSync.wait", _at_once):
            plain.append(await added(bare, calls, at_once))
    for trail in (synced, bare):
        trail.close()
    ratio = statistics.median(one / other for one, other in zip(taken, plain, strict=True))
    each = statistics.median(taken) / calls * 1000
    print(
        f"{'writes' if wait else 'reads'}, {at_once} at once: {ratio:.2f} times as long as without the sync, "
        f"{each:.3f} ms an entry, "
        f"{rounds * calls / max(1, syncs / 2):.1f} entries a sync"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=500, help="in a round")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--folder", type=Path, help="on the disk to be measured")
    options = parser.parse_args()
    for wait, at_once in ((True, 1), (True, 8), (True, 32), (False, 1)):
        with TemporaryDirectory(dir=options.folder) as folder:
            asyncio.run(measure(Path(folder), options.calls, at_once, options.rounds, wait=wait))
    return 0


if __name__ == "__main__":
    sys.exit(main())
