"""What the tools say, in the user's language where we have it. The words themselves are in messages.yaml."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sayso.datafile import read
from sayso.unseen import spelled

DEFAULT = "en"


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
    """With nothing in it that cannot be seen ("a\\u202eb" becomes "a<U+202E>b"), and no quotation mark that could pass
    for the end of what we quote."""
    return spelled(text, lambda letter: f"<U+{ord(letter):04X}>").replace('"', '\\"')
