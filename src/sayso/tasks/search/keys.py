"""Normalises titles for comparison: "Buy MILK!" and "buy milk" have the same key."""

from __future__ import annotations

import re
from unicodedata import normalize

LONGEST_KEY = 200  # characters: an index entry must stay under a third of a page
LONGEST_WORD = 50
_WORD = re.compile(r"\w+")


def fold(text: str) -> str:
    """The text in NFKC form without case, so that letters which look alike compare equal."""
    return normalize("NFKC", text).casefold()


def words(text: str) -> list[str]:
    return _WORD.findall(fold(text))


def key(text: str) -> str:
    """The words with single spaces between them. A text without words, such as an emoji, is its own key."""
    return (" ".join(words(text)) or fold(text).strip())[:LONGEST_KEY]


def distinct_words(*texts: str) -> list[str]:
    """Each word once, cut to the length that the index stores."""
    return sorted({word[:LONGEST_WORD] for text in texts for word in words(text) or [fold(text).strip()] if word})


def beginnings(word: str) -> tuple[str, str]:
    """The bounds of an index range: the word itself, and a text that sorts after every text with this prefix."""
    return word[:LONGEST_WORD], f"{word[:LONGEST_WORD]}\U0010ffff"


def body_key(text: str) -> str:
    """The same for a description, which is searched but never compared as a whole."""
    return " ".join(words(text)) or fold(text).strip()


def contains(text: str) -> str:
    """A LIKE pattern for texts that contain this one."""
    escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"
