"""Words against hunspell's dictionaries and a list of our own."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

from docsite.spelling.texts import Text

DICTIONARIES = {"en": "en_GB", "it": "it_IT"}
# Italian elides before an apostrophe, and dictionaries know the parts; an English word keeps its own.
WORDS = {"en": re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*"), "it": re.compile(r"[^\W\d_]+")}
NAME = re.compile(r"[a-z][A-Z]")  # PostgreSQL, TrailEntry: no word of a language
ENDING = re.compile(r"'s?$")  # Ada's


def own_words(language: str) -> Path:
    """The file with the words that are right here and in no dictionary, one a line."""
    return Path(__file__).with_name(f"{language}.txt")


def words(language: str, texts: Iterable[Text]) -> dict[str, str]:
    """Each word of the texts, with the first place where it stands."""
    first: dict[str, str] = {}
    for text in texts:
        for found in WORDS[language].findall(text.text.replace("’", "'")):
            if not NAME.search(found):
                first.setdefault(ENDING.sub("", found), text.place)
    return first


def unknown(language: str, read: Mapping[str, str]) -> dict[str, str]:
    """Those that neither a dictionary nor our own list knows, large or small."""
    ours = set(own_words(language).read_text("utf-8").casefold().split())
    asked = [word for word in read if word.casefold() not in ours]
    command = ["hunspell", "-l", "-i", "utf-8", "-d", DICTIONARIES[language]]
    answer = subprocess.run(command, input="\n".join(asked), capture_output=True, encoding="utf-8", check=True)
    refused = set(answer.stdout.split())
    # Where a dictionary parts a word at its apostrophe, what it refuses is a part.
    return {word: read[word] for word in asked if refused & {word, *word.split("'")}}
