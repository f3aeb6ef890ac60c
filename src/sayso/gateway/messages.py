"""The gateway's messages; the texts are in messages.yaml."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sayso.files.datafile import read

DEFAULT = "en"


@cache
def _texts() -> dict[str, dict[str, str]]:
    return read(Path(__file__).with_name("messages.yaml"), dict[str, dict[str, str]])


def say(lang: str | None, name: str, **values: str) -> str:
    """The message of this name in that language, or in English."""
    return (_texts().get(lang or DEFAULT) or _texts()[DEFAULT])[name].format(**values)
