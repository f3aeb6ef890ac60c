"""The letter runs of a word, by which the reader knows words that it never saw: "dentist" has most of "dentista"."""

from __future__ import annotations

from zlib import crc32

_SHORTEST, _LONGEST = 2, 5


def runs_of(word: str, rows: int) -> list[int]:
    """The rows of a table with that many rows (a power of two): the word's own first, then those of its letter runs."""
    edged = f"^{word}$"
    found = [f"w{word}"]
    for size in range(_SHORTEST, _LONGEST + 1):
        found.extend(f"c{edged[at : at + size]}" for at in range(len(edged) - size + 1))
    return [crc32(run.encode("utf-8", "surrogatepass")) & (rows - 1) for run in found]
