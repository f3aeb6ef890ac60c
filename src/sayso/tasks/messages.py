"""What the tools say, in the user's language where we have it. The words themselves are in messages.yaml."""

from __future__ import annotations

import unicodedata
from functools import cache
from pathlib import Path

from sayso.datafile import read

DEFAULT = "en"
# Letters that show nothing or turn the line around: spelled out, so that a question shows what is stored.
_UNSEEN = frozenset("\u061c\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff")


@cache
def _texts() -> dict[str, dict[str, str]]:
    return read(Path(__file__).with_name("messages.yaml"), dict[str, dict[str, str]])


def language(wanted: str | None) -> str:
    """That language if we have it, else the default."""
    return wanted if wanted in _texts() else DEFAULT


def say(spoken: str | None, name: str, **values: str) -> str:
    """The message of this name in that language."""
    text = _texts()[language(spoken)][name]
    return text.format(**{key: visible(value) for key, value in values.items()})


def visible(text: str) -> str:
    """With nothing in it that cannot be seen: "a\\u202eb" becomes "a<U+202E>b"."""
    return "".join(f"<U+{ord(letter):04X}>" if _is_unseen(letter) else letter for letter in text)


def _is_unseen(letter: str) -> bool:
    return letter in _UNSEEN or unicodedata.category(letter) in ("Cc", "Cs", "Co") or 0xE0000 <= ord(letter) <= 0xE007F
