"""What names are compared by: their words, folded. "Frigo CUCINA!" and "frigo cucina" are the same."""

from __future__ import annotations

import re
from unicodedata import normalize

_WORD = re.compile(r"[^\W_]+")


def words(text: str) -> list[str]:
    return _WORD.findall(normalize("NFKC", text).casefold())
