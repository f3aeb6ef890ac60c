"""Checks whether one text may be a typo of another: "by mlik" for "Buy milk"."""

from __future__ import annotations

from rapidfuzz import fuzz

ALIKE = 80.0  # out of 100, by edit distance: one typo in five letters
SHORTEST_SLIP = 4  # in a shorter word, a changed letter makes another word


def is_slip(said: str, title: str) -> bool:
    """Whether `said` may be a typo of `title`: as a whole, or each of its words for a word of the title.

    "Invoice 1042" is not a typo of "Invoice 1043": another number means another task.
    """
    if any(word not in title.split() for word in said.split() if any(map(str.isdigit, word))):
        return False
    if fuzz.ratio(said, title) >= ALIKE:
        return True
    return all(any(_word_slip(word, other) for other in title.split()) for word in said.split())


def _word_slip(said: str, word: str) -> bool:
    if len(said) < SHORTEST_SLIP:
        return said == word
    # two swapped letters count as two edits; a swap in a longer word is still one typo
    return fuzz.ratio(said, word) >= ALIKE or (sorted(said) == sorted(word) and said[0] == word[0])
