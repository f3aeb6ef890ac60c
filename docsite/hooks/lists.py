"""What belongs to an item of a list stands under its first letter, as code hosts read it; here it is set in by four.

1. so
   this is part of the item, as it lies, and would end the list in the site.
"""

from __future__ import annotations

import re

DEPTH = 4
_ITEM = re.compile(r"(?P<marker>[-*] +|\d+\. +)\S")


def on_page_markdown(markdown: str, **_: object) -> str:
    """The page with what belongs to an item set in as deep as is needed."""
    lines: list[str] = []
    width = 0  # how wide the marker of the open item is; 0: no item is open
    fence = False  # in one that belongs to no item
    for line in markdown.split("\n"):
        if line.startswith("```"):
            fence, width = not fence, 0
        item = None if fence else _ITEM.match(line)
        if item:
            width = len(item["marker"])
        elif line and not line[0].isspace():
            width = 0
        inside = width and not item and line[:width].isspace() and line.strip()
        lines.append(" " * (DEPTH - width) + line if inside and width < DEPTH else line)
    return "\n".join(lines)
