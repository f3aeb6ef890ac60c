"""Every string that users see, in English and Italian: `python -m docsite.strings` prints a table to read aloud.

web/src/words/LANGUAGE.json.menu.open|Settings|Impostazioni
"""

# ruff: noqa: T201  a command prints

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from docsite.reference.markdown import table
from docsite.spelling.texts import LANGUAGES, messages


class Said(NamedTuple):
    """A place in the files, and what it says in each language."""

    place: str
    texts: dict[str, list[str]]


def strings() -> Iterator[Said]:
    """Every place once, in the order of the files."""
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for language in LANGUAGES:
        for one in messages(language):
            found[place_of(one.place, language)][language].append(one.text)
    yield from (Said(place, dict(texts)) for place, texts in found.items())


def place_of(place: str, language: str) -> str:
    """The place without its language: the same for all of them."""
    return re.sub(rf"(?<=[/ ]){language}(?=[./]|$)", "LANGUAGE", place, count=1)


def markdown() -> str:
    rows = [(one.place, *(" / ".join(one.texts.get(language, ["–"])) for language in LANGUAGES)) for one in strings()]
    return table(("place", *LANGUAGES), rows)


if __name__ == "__main__":
    print(markdown())
