"""`sayso examples`: lists the example files that come with Sayso, and copies them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import typer

from sayso.errors import SaysoError

app = typer.Typer(name="examples", rich_markup_mode="rich", add_completion=False, no_args_is_help=True)

_PACKAGE = Path(__file__).parents[1]
# In a wheel they lie inside the package, in a checkout beside `src`.
_PLACES = (_PACKAGE / "examples", _PACKAGE.parents[1] / "examples")


class NoExamples(SaysoError):
    """The examples are not part of this installation, or cannot be copied."""


@app.callback()
def examples() -> None:
    """List and copy example packs, servers and cases."""


@app.command(name="list")
def list_examples() -> None:
    """List the examples."""
    for one in _examples():
        typer.echo(one.name + ("/" if one.is_dir() else ""))


@app.command()
def copy(
    folder: Annotated[Path, typer.Argument(help="The folder to copy them to. It is created.", metavar="FOLDER")],
) -> None:
    """Copy the examples to a folder."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise NoExamples(f"{folder} is not an empty folder: name another one")
    folder.mkdir(parents=True, exist_ok=True)
    for one in _examples():
        if one.is_dir():
            shutil.copytree(one, folder / one.name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(one, folder / one.name)
    typer.echo(f"Copied to {folder}.")


def _examples() -> list[Path]:
    place = next((one for one in _PLACES if one.is_dir()), None)
    if place is None:
        raise NoExamples("this installation has no examples: install Sayso from its wheel")
    return sorted(one for one in place.iterdir() if not one.name.startswith((".", "__")))
