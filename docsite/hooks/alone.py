"""The site stands alone: a page that would load anything from another host stops the build. Links may lead anywhere."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError

ELSEWHERE = re.compile(r"^\s*(https?:)?//", re.IGNORECASE)
_IN_STYLE = re.compile(r"(?:url\(|@import)\s*[\"']?\s*((?:https?:)?//[^\"')\s]+)", re.IGNORECASE)
_LOADING = {"stylesheet", "preload", "preconnect", "dns-prefetch", "prefetch", "modulepreload", "icon", "manifest"}


def on_post_build(config: MkDocsConfig) -> None:
    """Looks at every page and style of the site as it was built."""
    site = Path(config.site_dir)
    found = [f"{page.relative_to(site)}: {what}" for page in site.rglob("*.html") for what in loaded(page.read_text())]
    found += [
        f"{style.relative_to(site)}: {what}"
        for style in site.rglob("*.css")
        for what in _IN_STYLE.findall(style.read_text())
    ]
    if found:
        raise PluginError("loaded from elsewhere, bring it along instead:\n" + "\n".join(found))


def loaded(page: str) -> list[str]:
    """What a page would load from other hosts."""
    parser = _Loads()
    parser.feed(page)
    return parser.found + _IN_STYLE.findall(page)


class _Loads(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        loads = [given.get("src", ""), given.get("srcset", ""), given.get("poster", ""), given.get("data", "")]
        if tag == "link" and _LOADING & set(given.get("rel", "").lower().split()):
            loads.append(given.get("href", ""))
        self.found += [address for address in loads if ELSEWHERE.match(address)]
