"""Whether a text looks random, as keys and tokens do.

Random texts mix small letters, capitals and digits, and change between them at almost every character. Names, paths,
dates and identifiers do that rarely. Hexadecimal digests and UUIDs are not secret in themselves: commits, checksums and
ids look like that.
"""

from __future__ import annotations

import re
from itertools import pairwise
from math import log2

_LEAST_CHANGES = 0.4  # of the pairs of neighbours; 0.62 in random letters and digits
_LEAST_BITS = 0.8  # of the most that a text of this length can have
_HEX = re.compile(r"[0-9a-f-]+|[0-9A-F-]+", re.ASCII)


def looks_random(token: str) -> bool:
    """Whether a token of at least twenty characters looks random."""
    letters = [letter for letter in token if letter.isalnum()]
    kinds = [_kind(letter) for letter in letters]
    if len(letters) < 20 or len(set(kinds)) < 3 or _HEX.fullmatch(token):
        return False
    changes = sum(one != other for one, other in pairwise(kinds)) / (len(kinds) - 1)
    return changes >= _LEAST_CHANGES and _bits(letters) >= _LEAST_BITS * log2(min(len(letters), 62))


def _kind(letter: str) -> str:
    return "digit" if letter.isdigit() else "capital" if letter.isupper() else "small"


def _bits(letters: list[str]) -> float:
    """Shannon entropy per character."""
    counts = [letters.count(letter) / len(letters) for letter in set(letters)]
    return -sum(each * log2(each) for each in counts)
