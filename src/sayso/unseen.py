"""Finds characters that are invisible, reverse the text or look like a space.

A user who confirms a text must see what is stored, so these characters are spelled out. Characters that scripts and
emoji need for drawing stay.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

_HIDDEN = frozenset(("Cc", "Cs", "Co", "Cf", "Zl", "Zp"))  # categories
_BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")  # letters and marks without a visible shape
_JOINERS = frozenset("\u200c\u200d\ufe0f")  # between the letters of some scripts, and within emoji
_PICTURE, _KEYCAPS = "\ufe0f", "#*0123456789"
_SELECTORS = ((0x180B, 0x180F), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF))


def spelled(text: str, spell: Callable[[str], str]) -> str:
    """The text with every character that cannot be seen spelled out."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(spell(letter) if _is_unseen(text, at) else letter for at, letter in enumerate(text))


def _is_unseen(text: str, at: int) -> bool:
    letter = text[at]
    if letter in _JOINERS:
        return not _joins(letter, text[at - 1 : at] if at else "", text[at + 1 : at + 2])
    number = ord(letter)
    return (
        letter in _BLANKS
        or unicodedata.category(letter) in _HIDDEN
        or any(first <= number <= last for first, last in _SELECTORS)
        or number & 0xFFFE == 0xFFFE
    )


def _joins(letter: str, before: str, after: str) -> bool:
    """Whether the joiner is needed: after a character that it modifies, or between two letters that it joins."""
    if letter == _PICTURE:
        return bool(before) and (not before.isascii() or before in _KEYCAPS)
    return bool(before) and bool(after) and not before.isascii() and not after.isascii()
