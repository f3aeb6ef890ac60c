"""How long does `sayso decide` take from nothing, against a bare typer command? Both in one shuffled run.

    make cold-start

Prints the medians and their ratio; exits with 1 over the limit of 3.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BARE = """import typer

app = typer.Typer()


@app.command()
def say(message: str) -> None:
    typer.echo(message)


app()
"""
SAYSO = "from sayso.cli.main import app; app()"
MESSAGE = "add a task to buy groceries"
LIMIT = 3.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=15, help="runs of each command")
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "bare.py"
        script.write_text(BARE, encoding="utf-8")
        commands = {
            "bare typer": [sys.executable, str(script), MESSAGE],
            "sayso decide": [sys.executable, "-c", SAYSO, "decide", MESSAGE],
        }
        times = measure(commands, runs, _environment(folder))
    medians = {name: statistics.median(each) for name, each in times.items()}
    for name, median in medians.items():
        spread = f"{min(times[name]) * 1000:.0f} to {max(times[name]) * 1000:.0f}"
        print(f"{name:13} median {median * 1000:5.0f} ms   ({spread} ms, {runs} runs)")
    ratio = medians["sayso decide"] / medians["bare typer"]
    print(f"ratio {ratio:.2f} (limit {LIMIT:.0f})")
    return int(ratio > LIMIT)


def measure(commands: dict[str, list[str]], runs: int, environment: dict[str, str]) -> dict[str, list[float]]:
    """Seconds of each run, in shuffled order, after one run each that warms the file cache."""
    for command in commands.values():
        _run(command, environment)
    order = [name for name in commands for _ in range(runs)]
    random.Random(0).shuffle(order)
    times: dict[str, list[float]] = {name: [] for name in commands}
    for name in order:
        times[name].append(_run(commands[name], environment))
    return times


def _environment(folder: str) -> dict[str, str]:
    """Bytecode is kept, as after an ordinary install, for both commands alike."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": folder}


def _run(command: list[str], environment: dict[str, str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=environment)
    return time.perf_counter() - start


if __name__ == "__main__":
    sys.exit(main())
