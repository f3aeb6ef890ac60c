"""The gateway's messages; the texts are in messages.yaml, those of the inbox in inbox/messages.yaml."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sayso.files.datafile import read

DEFAULT = "en"


@cache
def _texts() -> dict[str, dict[str, str]]:
    here = Path(__file__).parent
    ours, inbox = (
        read(file, dict[str, dict[str, str]]) for file in (here / "messages.yaml", here / "inbox" / "messages.yaml")
    )
    return {lang: texts | inbox[lang] for lang, texts in ours.items()}


def say(lang: str | None, name: str, **values: str) -> str:
    """The message of this name in that language, or in English."""
    return (_texts().get(lang or DEFAULT) or _texts()[DEFAULT])[name].format(**values)
