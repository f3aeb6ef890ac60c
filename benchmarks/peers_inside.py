"""The measuring that needs other libraries, run by suite.py in the environment that holds them.

python peers_inside.py --parts decision,linking --out FILE [--short] [--data DIR]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import msgspec

from figures import Part
from peers_decisions import decisions
from peers_linking import linking
from peers_public import dates, home, intents

PEERS = ("hassil", "rapidfuzz", "dateparser", "scikit-learn", "psycopg")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--parts", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--short", action="store_true", help="fewer rounds, and no more than 10,000 titles")
    parser.add_argument("--data", type=Path)
    options = parser.parse_args()
    wanted = options.parts.split(",")
    short, data = options.short, options.data
    stages: dict[str, Callable[[], Part]] = {
        "decision": lambda: decisions(5 if short else 40, 10_000 if short else 100_000),
        "linking": lambda: linking(
            (10, 1_000, 10_000) if short else (10, 100, 1_000, 10_000, 100_000), 3 if short else 20
        ),
        "dates": lambda: dates(data, 2 if short else 12),
    }
    if data:
        stages |= {"home": lambda: home(data, 1 if short else 4), "intents": lambda: intents(data, 1 if short else 4)}
    parts = []
    for name, stage in stages.items():
        if name in wanted:
            print(f"{name} …", flush=True)
            parts.append(stage())
    told = {"parts": parts, "versions": {name: version(name) for name in PEERS}}
    options.out.write_bytes(msgspec.json.encode(told))


if __name__ == "__main__":
    main()
