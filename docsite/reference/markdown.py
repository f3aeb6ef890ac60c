"""Markdown of the kind that is the same on a code host and in the site."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; a cell may hold anything but a line of its own."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"|{'|'.join(_cell(cell) for cell in line)}|" for line in lines) + "\n"


def code(text: object) -> str:
    return f"`{text}`"


def codes(texts: Iterable[object]) -> str:
    return ", ".join(code(text) for text in texts)


def anchor(heading: str) -> str:
    """Where a heading is found: the letters, figures and strokes of it, as code hosts and MkDocs agree on."""
    return re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower())


def link(heading: str, text: str | None = None, page: str = "") -> str:
    return f"[{text or heading}]({page}#{anchor(heading)})"


def page(title: str, about: str, *parts: str) -> str:
    """A whole page, which says where it comes from."""
    made = "<!-- Written by `make reference` from the code: change it there. -->"
    return "\n\n".join(part.strip() for part in (f"# {title}", made, about, *parts) if part.strip()) + "\n"


def sentence(text: str) -> str:
    """A comment or a docstring as a sentence of a page: on one line, beginning large, ending in a full stop."""
    whole = " ".join(text.split())
    whole = whole[:1].upper() + whole[1:]
    return whole if not whole or whole[-1] in ".!?:…" else f"{whole}."


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
