"""`sayso pack train`: trains, shows the results on held-out sentences and writes the weights."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import typer
from rich.console import Console
from rich.progress import track

from sayso.evals.dataset import files_in, load
from sayso.evals.training.confidence import read
from sayso.evals.training.train import train, write
from sayso.packs.load import TRAINED, pack_folder


def run(name: str, data: Path, cases: Sequence[Path], titles: Path, first: Path | None, out: Path | None) -> None:
    """Train, print, write."""
    folder = pack_folder(name)
    files = [file for path in cases for file in (files_in(path) if path.is_dir() else [path])]
    known = {file.stem: file.read_text("utf-8").splitlines() for file in sorted(titles.glob("*.txt"))}
    trained = train(name, data, load(files), known, read(first) if first else [], _watch)
    typer.echo(f"{trained.examples:,} sentences, {trained.ours:,} of them for {name}")
    typer.echo("the gate on held-out sentences:")
    typer.echo(f"{'score':>7}{'recall':>9}{'precision':>11}")
    for point in trained.curve:
        typer.echo(f"{point.score:>7}{point.recall:>9.1%}{point.precision:>11.1%}")
    if trained.training.confidence:
        typer.echo(f"confidence: expected calibration error {trained.error:.3f} on held-out calls")
    file = out or folder / TRAINED
    write(trained, file)
    typer.echo(f"written: {file.name}, {file.stat().st_size // 1024} kB")


def _watch(rounds: Iterable[int], what: str) -> Iterable[int]:
    return track(list(rounds), what, console=Console(stderr=True), transient=True)
