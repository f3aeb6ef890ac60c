"""The pages of the reference, and what writes each: a whole page, or the part of one between two marks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from docsite.reference import commands, decisions, gateway, http, packs, settings, tools

DOCS = Path(__file__).parents[2] / "docs"
FOLDER = DOCS / "reference"
BEGIN = "<!-- Written by `make reference` from the code: change it there. -->"
END = "<!-- End of the written part. -->"
# Pages that people write, with a part that is written from the code.
PARTS: dict[str, tuple[Path, Callable[[], str]]] = {
    "decisions": (DOCS / "explain" / "decisions.md", decisions.markdown),
    "packs": (DOCS / "packs.md", packs.markdown),
    "gateway": (FOLDER / "gateway.md", gateway.markdown),
}
WHOLE: dict[str, Callable[[], str]] = {
    "commands": commands.markdown,
    "settings": settings.markdown,
    "http": http.markdown,
    "tools": tools.markdown,
}
OPENAPI = FOLDER / "openapi.json"


def file(name: str) -> Path:
    return PARTS[name][0] if name in PARTS else FOLDER / f"{name}.md"


def part(name: str) -> str:
    """What the code writes of a page, as the file has it."""
    text = file(name).read_text("utf-8")
    return text if name in WHOLE else text.partition(BEGIN)[2].partition(END)[0]


def text_of(name: str) -> str:
    """A page as it should be."""
    if name in WHOLE:
        return WHOLE[name]()
    before, mark, rest = file(name).read_text("utf-8").partition(BEGIN)
    if not mark or END not in rest:
        raise ValueError(f"{file(name)} has no part to write: add the lines {BEGIN} and {END}")
    return f"{before}{BEGIN}\n\n{PARTS[name][1]().strip()}\n\n{END}{rest.partition(END)[2]}"


PAGES = (*WHOLE, *PARTS)
