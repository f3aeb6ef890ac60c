"""Runs the proofs of docs/operate/proofs.md with the number of trials that the page aims for.

    python -m benchmarks proofs                    all of them, some hours on two cores
    python -m benchmarks proofs erasure tamper     only these

The proofs run one after the other. Each writes benchmarks/results/proofs/NAME.json: the command, when it ran, how long,
its exit code and what it printed. Exits with 1 if one of them failed.
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

RESULTS = ROOT / "benchmarks" / "results" / "proofs"
LINES = 80  # of the output, at most: the last ones

# The cheap ones first.
PROOFS: dict[str, str] = {
    "erasure": "erasure --canaries 1000",
    "gateway-injections": "gateway-injections --injections 3000",
    "database-kills": "crash --at-point 0 --kills 0 --database-kills 50",
    "chat-crash": "chat-crash --turns 1000 --kills 200",
    "attacks": "attacks --attacks 3000",
    "tamper": "tamper --tamperings 1000",
    "same-key": "exactly-once --keys 10000 --senders 32",
    "card-fields": "cards --mutations 1000 --cards 0 --lives 0",
    "card-replays": "cards --mutations 0 --cards 10000 --senders 32 --lives 0",
}


def run(name: str, folder: Path) -> int:
    command = PROOFS[name]
    started, clock = datetime.now(UTC), time.monotonic()
    program = [sys.executable, "-m", "benchmarks", *command.split()]
    done = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=False)
    result = {
        "command": f"python -m benchmarks {command}",
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
    parser.add_argument("names", nargs="*", choices=[*PROOFS, []], help="the proofs to run; by default all")
    parser.add_argument("--folder", type=Path, default=RESULTS, help="where the results go")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    codes = [run(name, given.folder) for name in given.names or PROOFS]
    return int(any(codes))


if __name__ == "__main__":
    sys.exit(main())
