"""Runs the proofs of docs/operate/proofs.md with the number of trials that the page aims for.

    python -m benchmarks proofs                    all of them, some hours on two cores
    python -m benchmarks proofs erasure tamper     only these
    python -m benchmarks proofs --short            those that need the database, with fewer trials, about half an hour

The proofs run one after the other. Each writes benchmarks/results/proofs/NAME.json, or proofs/short/NAME.json:
the command, the newest migration of the schema, when it ran, how long, its exit code and what it printed. Exits with 1
if one of them failed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from benchmarks import ROOT
from sayso.database import migrations

RESULTS = ROOT / "benchmarks" / "results" / "proofs"
LINES = 80  # of the output, at most: the last ones

# The cheap ones first.
PROOFS: dict[str, str] = {
    "erasure": "erasure --canaries 1000",
    "gateway-injections": "gateway-injections --injections 3000",
    "database-kills": "crash --at-point 0 --kills 0 --database-kills 50",
    "crash": "crash --database-kills 0",
    "chat-crash": "chat-crash --turns 1000 --kills 200",
    "attacks": "attacks --attacks 3000",
    "tamper": "tamper --tamperings 1000",
    "isolation": "isolation",
    "same-key": "exactly-once --keys 10000 --senders 32",
    "card-fields": "cards --mutations 1000 --cards 0 --lives 0",
    "card-replays": "cards --mutations 0 --cards 10000 --senders 32 --lives 0",
}
# After a change of the schema: every promise that rests on it, each within eight minutes.
SHORT: dict[str, str] = {
    "isolation": "isolation --users 100 --least 300000",
    "same-key": "exactly-once --keys 1000 --senders 32",
    "chat-crash": "chat-crash --turns 500 --kills 100",
    "crash": "crash --database-kills 0",
    "database-kills": "crash --calls 300 --kills 0 --at-point 0 --database-kills 10",
    "tamper": "tamper --tamperings 1000",
    "card-fields": "cards --mutations 300 --cards 0 --lives 0",
    "card-replays": "cards --mutations 0 --cards 1000 --senders 32 --lives 20",
}


def newest_migration() -> str:
    return max(file.stem for file in (Path(migrations.__path__[0]) / "versions").glob("[0-9]*.py"))


def run(name: str, command: str, folder: Path) -> int:
    started, clock = datetime.now(UTC), time.monotonic()
    program = [sys.executable, "-m", "benchmarks", *command.split()]
    done = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=False)
    result = {
        "command": f"python -m benchmarks {command}",
        "migration": newest_migration(),
        "started": started.isoformat(timespec="seconds"),
        "seconds": round(time.monotonic() - clock),
        "exit": done.returncode,
        "output": done.stdout.splitlines()[-LINES:],
        "errors": done.stderr.splitlines()[-5:] if done.returncode else [],
    }
    (folder / f"{name}.json").write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    last = " | ".join(done.stdout.splitlines()[-2:])
    print(f"{name}: exit {done.returncode} after {result['seconds']} s: {last}", flush=True)
    return done.returncode


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(PROOFS)}; by default all")
    parser.add_argument("--short", action="store_true", help="the proofs that need the database, with fewer trials")
    parser.add_argument("--folder", type=Path, help="where the results go")
    given = parser.parse_args()
    proofs, folder = (SHORT, RESULTS / "short") if given.short else (PROOFS, RESULTS)
    folder = given.folder or folder
    if unknown := set(given.names) - set(proofs):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(proofs)}")
    folder.mkdir(parents=True, exist_ok=True)
    codes = [run(name, proofs[name], folder) for name in given.names or proofs]
    return int(any(codes))


if __name__ == "__main__":
    sys.exit(main())
