"""The texts that are to be spelled right, each with its place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "sayso"
LANGUAGES = ("en", "it")
# Files with the words of every language, under its tag.
MESSAGES = ("cli/assistant/chat.yaml", "chat/guards/problems.yaml", "*/messages.yaml")
NAMES = ("THIRD-PARTY.md",)  # a list of packages: none of its words is ours
# Under these keys stands what people say, or the name of a field: not what is said to them.
NOT_SAID = {
    "ask_help",
    "sentences",
    "around",
    "asked",
    "cleared",
    "usual",
    "where",
    "field",
    "sought",
    "moments",
    "once",
    "never_empty",
    "language",
}
_NOT_PROSE = (
    re.compile(r"^( *`{3,}).*?^\1 *$", re.MULTILINE | re.DOTALL),  # a fence
    re.compile(r"<!--.*?-->", re.DOTALL),
    re.compile(r"`[^`\n]+`"),
    re.compile(r"(?<=\])\([^)]+\)"),  # where a link leads
    re.compile(r"https?://\S+"),
    re.compile(r"<[^>\n]+>"),
    re.compile(r"[\w./-]+\.(?:md|py|yaml|json|txt|svg|toml)\b|\w+/[\w./-]+"),  # a file, a folder
)
_FILLED_IN = re.compile(r"\{[^}]*\}|\$\w+|[\w./-]*_[\w./-]+|https?://\S+|`[^`]+`")


class Text(NamedTuple):
    """Something to be read, and where it stands."""

    place: str
    text: str


def texts(language: str) -> Iterator[Text]:
    """All texts of a language, without the places that are filled in."""
    if language == "en":
        yield from _documentation()
    for one in messages(language):
        yield Text(one.place, _FILLED_IN.sub(" ", one.text))


def messages(language: str) -> Iterator[Text]:
    """What the page, the terminal and the services say to users, as it stands in the files."""
    yield from _leaves(ROOT / "web" / "src" / "words" / f"{language}.json", ())
    for pattern in MESSAGES:
        for file in sorted(SOURCE.glob(pattern)):
            yield from _leaves(file, (language,))
    for file in sorted(SOURCE.glob(f"packs/*/answers/{language}.yaml")):
        yield from _leaves(file, ())
    for pattern in (f"packs/*/{language}.yaml", f"packs/*/{language}/say.yaml"):
        for file in sorted(SOURCE.glob(pattern)):
            yield from _leaves(file, ("say",))


def prose(markdown: str) -> str:
    """The words of a page: no code, no addresses. Lines stay where they are."""
    for part in _NOT_PROSE:
        markdown = part.sub(lambda found: "\n" * found[0].count("\n") or " ", markdown)
    return markdown


def _documentation() -> Iterator[Text]:
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    for page in sorted(page for page in pages if page.name not in NAMES):
        for number, line in enumerate(prose(page.read_text("utf-8")).split("\n"), start=1):
            yield Text(f"{page.relative_to(ROOT)}:{number}", line)


def _leaves(file: Path, keys: tuple[str, ...]) -> Iterator[Text]:
    text = file.read_text("utf-8")
    value: Any = json.loads(text) if file.suffix == ".json" else yaml.safe_load(text)
    for key in keys:
        value = value.get(key, {})
    yield from _inside(value, f"{file.relative_to(ROOT)}: {'.'.join(keys)}".rstrip(": "))


def _inside(value: Any, place: str) -> Iterator[Text]:
    match value:
        case dict():
            for key, inner in value.items():
                if key not in NOT_SAID:
                    yield from _inside(inner, f"{place}.{key}")
        case list():
            for inner in value:
                yield from _inside(inner, place)
        case str():
            yield Text(place, value)
        case _:
            pass
