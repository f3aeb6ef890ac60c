"""The measuring that needs other libraries, run by compare.py in the environment that holds them.

python -m benchmarks.peers.inside --part decision --out FILE [--share 0.1] [--most 10000] [--data DIR]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import msgspec

from benchmarks.harness.figures import Part, few
from benchmarks.peers.decisions import decisions
from benchmarks.peers.linking import linking
from benchmarks.peers.public import dates, home, intents

SIZES = (10, 100, 1_000, 10_000, 100_000)
PEERS = ("hassil", "rapidfuzz", "dateparser", "scikit-learn", "psycopg")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--part", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--share", type=float, default=1, help="of the rounds")
    parser.add_argument("--most", type=int, default=100_000, help="titles on the longest list")
    parser.add_argument("--data", type=Path)
    options = parser.parse_args()
    share, most, data = options.share, options.most, options.data
    sizes = tuple(size for size in SIZES if size <= most)
    stages: dict[str, Callable[[], Part]] = {
        "decision": lambda: decisions(few(40, share), most),
        "linking": lambda: linking(sizes, few(20, share)),
        "dates": lambda: dates(data, few(12, share)),
    }
    if data:
        stages |= {"home": lambda: home(data, few(4, share)), "intents": lambda: intents(data, few(4, share))}
    parts = [stages[options.part]()] if options.part in stages else []
    told = {"parts": parts, "versions": {name: version(name) for name in PEERS}}
    options.out.write_bytes(msgspec.json.encode(told))


if __name__ == "__main__":
    main()
