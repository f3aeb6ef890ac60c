"""Splits a text into sentences and clauses of words."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

Clause = tuple[str, ...]

_PIECES = re.compile(r"[^\W_]+|\n|\s+[-–—]+\s+|[^\w\s]")
_BREAKS = frozenset(",;:()[]{}|/…–—")
_ENDS = frozenset(".!?\n¿¡")


class Sentence(NamedTuple):
    clauses: tuple[Clause, ...]
    is_question: bool


def words(text: str) -> Clause:
    """The words of a text; an apostrophe parts them, a picture is one."""
    return tuple(piece.casefold() for piece in _PIECES.findall(text) if _is_word(piece))


def sentences(text: str) -> list[Sentence]:
    found: list[Sentence] = []
    clauses: list[Clause] = []
    clause: list[str] = []
    for piece in (*_PIECES.findall(text), "\n"):
        if _is_word(piece):
            clause.append(piece.casefold())
            continue
        if piece not in _ENDS and piece not in _BREAKS and not piece[0].isspace():
            continue
        if clause:
            clauses.append(tuple(clause))
            clause = []
        if piece in _ENDS and clauses:
            found.append(Sentence(tuple(clauses), piece == "?"))
            clauses = []
    return found


def _is_word(piece: str) -> bool:
    return piece[0].isalnum() or unicodedata.category(piece[0]) == "So"
