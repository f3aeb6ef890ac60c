"""A pattern in the navigation stands for the pages of a folder that are not named there, in the order of their names.

So a page has its place once it lies in a folder, and a folder that is not there yet is left out.
"""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.pages import Page

Part: TypeAlias = list[str] | str
MADE = "project/"  # these pages are made by outside.py


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """The navigation with its patterns replaced by the pages that are there."""
    config.nav = expanded(config.nav or [], Path(config.docs_dir))
    return config


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """The front page has the whole width: it stands alone in its part, and is short."""
    if page.is_homepage:
        page.meta["hide"] = ["navigation", "toc"]
    return markdown


def expanded(parts: list[dict[str, Part]], docs: Path) -> list[dict[str, Part]]:
    """Each part with its pages; one without any is left out."""
    named = {page for part in parts for pages in part.values() for page in pages if "*" not in page}
    full: list[dict[str, Part]] = []
    for part in parts:
        for title, entries in part.items():
            if isinstance(entries, str):
                full.append({title: entries})
            elif pages := [page for entry in entries for page in _pages(entry, named, docs)]:
                full.append({title: pages})
    return full


def _pages(entry: str, named: set[str], docs: Path) -> list[str]:
    if "*" not in entry:
        return [entry] if entry.startswith(MADE) or (docs / entry).exists() else []
    found = sorted(page.relative_to(docs).as_posix() for page in docs.glob(entry))
    return [page for page in found if page not in named]
