"""Normalises names for comparison: "Frigo CUCINA!" equals "frigo cucina"."""

from __future__ import annotations

import re
from unicodedata import normalize

_WORD = re.compile(r"[^\W_]+")


def words(text: str) -> list[str]:
    return _WORD.findall(normalize("NFKC", text).casefold())
