"""Phrases for titles, as people type them: "clal the dentist", "universita", "dentist the call", "call dentist"."""

from __future__ import annotations

import random
import unicodedata
from itertools import product
from typing import NamedTuple

KINDS = ("typo", "typo", "typo", "accents", "accents", "order", "part")
LETTERS = "abcdefghilmnoprstuvz"


class Query(NamedTuple):
    """What is said, and which title is meant."""

    said: str
    number: int
    kind: str


def all_titles(words: dict[str, list[list[str]]]) -> dict[str, list[str]]:
    """Distinct titles, in an order of no meaning; the list of a language holds its own and then the other's."""
    dice = random.Random(11)
    own = {lang: [" ".join(each) for each in product(*rows)] for lang, rows in words.items()}
    for each in own.values():
        dice.shuffle(each)
    return {"en": own["en"] + own["it"], "it": own["it"] + own["en"]}


def queries(names: list[str], count: int) -> list[Query]:
    """So many phrases, the same for every run."""
    dice = random.Random(13)
    return [one(dice, dice.randrange(len(names)), names) for _ in range(count)]


def one(dice: random.Random, number: int, names: list[str]) -> Query:
    name, kind = names[number].lower(), dice.choice(KINDS)
    if kind == "accents" and bare(name) == name:
        kind = "typo"
    words = name.split()
    if kind == "accents":
        return Query(bare(name), number, kind)
    if kind == "order":
        return Query(" ".join([*words[-2:], *words[:-2]]), number, kind)
    if kind == "part":
        little = [place for place, word in enumerate(words) if len(word) <= 3]
        dropped = dice.choice(little or range(len(words)))
        return Query(" ".join(word for place, word in enumerate(words) if place != dropped), number, kind)
    place = dice.choice([place for place, word in enumerate(words) if len(word) >= 4])
    words[place] = slip(dice, words[place])
    return Query(" ".join(words), number, kind)


def slip(dice: random.Random, word: str) -> str:
    """One letter swapped, dropped, added or wrong."""
    at = dice.randrange(1, len(word) - 1)
    match dice.randrange(4):
        case 0:
            return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        case 1:
            return word[:at] + word[at + 1 :]
        case 2:
            return word[:at] + dice.choice(LETTERS) + word[at:]
        case _:
            return word[:at] + dice.choice(LETTERS) + word[at + 1 :]


def bare(text: str) -> str:
    """Without accents."""
    return "".join(letter for letter in unicodedata.normalize("NFD", text) if not unicodedata.combining(letter))
