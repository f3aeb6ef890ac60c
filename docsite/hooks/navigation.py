"""A pattern in the navigation stands for the pages of a folder that are not named there, in the order of their names.

So a page has its place once it lies in a folder, and a folder that is not there yet is left out.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig

MADE = "project/"  # these pages are made by outside.py


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """The navigation with its patterns replaced by the pages that are there."""
    sections: list[dict[str, list[str]]] = config.nav or []
    config.nav = expanded(sections, Path(config.docs_dir))
    return config


def expanded(sections: list[dict[str, list[str]]], docs: Path) -> list[dict[str, list[str]]]:
    """Each section with its pages; one without any is left out."""
    named = {page for section in sections for pages in section.values() for page in pages if "*" not in page}
    full: list[dict[str, list[str]]] = []
    for section in sections:
        for title, entries in section.items():
            pages = [page for entry in entries for page in _pages(entry, named, docs)]
            if pages:
                full.append({title: pages})
    return full


def _pages(entry: str, named: set[str], docs: Path) -> list[Any]:
    if "*" not in entry:
        return [entry] if entry.startswith(MADE) or (docs / entry).exists() else []
    found = sorted(page.relative_to(docs).as_posix() for page in docs.glob(entry))
    return [page for page in found if page not in named]
