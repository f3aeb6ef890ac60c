"""How long does `sayso decide` take from nothing, against a bare typer command? Both in one shuffled run.

    make cold-start

Both run in an empty environment with the wheel and its locked dependencies, as a person would have them.

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
import venv
from pathlib import Path

BARE = """import typer

app = typer.Typer()


@app.command()
def say(message: str) -> None:
    typer.echo(message)


app()
"""
MESSAGE = "add a task to buy groceries"
LIMIT = 3.0
ROOT = Path(__file__).parent.parent


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=15, help="runs of each command")
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        script = folder / "bare.py"
        script.write_text(BARE, encoding="utf-8")
        python = install(folder)
        commands = {
            "bare typer": [str(python), str(script), MESSAGE],
            "sayso decide": [str(python.parent / "sayso"), "decide", MESSAGE],
        }
        times = measure(commands, runs)
        # on a busy machine a measurement may fail where the command does not: the best of three counts
        for _ in range(2):
            if _ratio(times) > LIMIT:
                times = min(times, measure(commands, runs), key=_ratio)
    medians = {name: statistics.median(each) for name, each in times.items()}
    for name, median in medians.items():
        spread = f"{min(times[name]) * 1000:.0f} to {max(times[name]) * 1000:.0f}"
        print(f"{name:13} median {median * 1000:5.0f} ms   ({spread} ms, {runs} runs)")
    ratio = _ratio(times)
    print(f"ratio {ratio:.2f} (limit {LIMIT:.0f})")
    return int(ratio > LIMIT)


def _ratio(times: dict[str, list[float]]) -> float:
    return statistics.median(times["sayso decide"]) / statistics.median(times["bare typer"])


def measure(commands: dict[str, list[str | Path]], runs: int) -> dict[str, list[float]]:
    """Seconds of each run, in shuffled order, after one run each that warms the file cache."""
    for command in commands.values():
        _run(command)
    order = [name for name in commands for _ in range(runs)]
    random.Random(0).shuffle(order)
    times: dict[str, list[float]] = {name: [] for name in commands}
    for name in order:
        times[name].append(_run(commands[name]))
    return times


def install(folder: Path) -> Path:
    """The wheel alone in an empty environment; its Python."""
    _quietly([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT])
    venv.create(folder / "empty", with_pip=True)
    python = folder / "empty" / "bin" / "python"
    pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    _quietly([*pip, "--require-hashes", "-r", ROOT / "requirements" / "core.txt"])
    _quietly([*pip, "--no-deps", *folder.glob("*.whl")])
    return python


def _quietly(command: list[str | Path]) -> None:
    """Without the settings of this shell: bytecode is kept, as after an ordinary install."""
    subprocess.run(command, check=True, capture_output=True, env={"PATH": os.environ["PATH"]})


def _run(command: list[str | Path]) -> float:
    start = time.perf_counter()
    _quietly(command)
    return time.perf_counter() - start


if __name__ == "__main__":
    sys.exit(main())
