"""Texts against the patterns of patterns.yaml, each finding with its place: "docs/http.md:12: anew → again"."""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from docsite.spelling.texts import ROOT, Text, prose, texts

FILE = Path(__file__).with_name("patterns.yaml")
CHECKED = ("README.md", "SECURITY.md", "CHANGELOG.md", "docs/**/*.md")


class Pattern(NamedTuple):
    """A phrase to avoid, and what to write instead."""

    expression: re.Pattern[str]
    write: str


class Finding(NamedTuple):
    """A phrase that was found."""

    place: str
    phrase: str
    write: str


def patterns(language: str) -> list[Pattern]:
    """The patterns of a language, in the order of the file."""
    return [Pattern(_compiled(one["pattern"]), one["write"]) for one in _file()[language]]


def readable(language: str) -> Iterator[Text]:
    """What is checked: pages, docstrings and comments in English, and messages that users see in either language."""
    skipped = tuple(_file()["not_checked"])
    messages = [text for text in texts(language) if ".md:" not in text.place]
    read = [*_pages(), *_source(), *messages] if language == "en" else messages
    yield from (text for text in read if not text.place.startswith(skipped))


def findings(language: str, read: Iterable[Text]) -> Iterator[Finding]:
    """Every match, with its line if the text has several."""
    used = patterns(language)
    for text in read:
        for pattern in used:
            for match in pattern.expression.finditer(text.text):
                line = text.text.count("\n", 0, match.start()) + 1
                place = f"{text.place}:{line}" if "\n" in text.text else text.place
                yield Finding(place, " ".join(match[0].split()), pattern.write)


def _pages() -> Iterator[Text]:
    for page in sorted(page for glob in CHECKED for page in ROOT.glob(glob)):
        yield Text(page.relative_to(ROOT).as_posix(), prose(page.read_text("utf-8")))


def _source() -> Iterator[Text]:
    """The docstrings and comments of the package, without code in backticks."""
    for file in sorted((ROOT / "src" / "sayso").rglob("*.py")):
        place = file.relative_to(ROOT).as_posix()
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                words = ast.get_docstring(node)
                if words is not None:
                    yield Text(f"{place}:{node.body[0].lineno}", _without_code(words))
        with file.open("rb") as lines:
            for token in tokenize.tokenize(lines.readline):
                if token.type == tokenize.COMMENT:
                    yield Text(f"{place}:{token.start[0]}", _without_code(token.string.lstrip("# ")))


def _without_code(words: str) -> str:
    return re.sub(r"`[^`]*`|^ *(>>>|\.\.\.) .*", "", words, flags=re.MULTILINE)


def _compiled(pattern: str) -> re.Pattern[str]:
    # Inside of a lookbehind a space has to stay one character.
    parts = re.split(r"(\(\?<[=!][^)]*\))", pattern)
    spaced = "".join(
        part.replace(" ", r"\s") if part.startswith("(?<") else part.replace(" ", r"\s+") for part in parts
    )
    return re.compile(spaced, re.IGNORECASE | re.MULTILINE)


def _file() -> Any:
    return yaml.safe_load(FILE.read_text("utf-8"))
