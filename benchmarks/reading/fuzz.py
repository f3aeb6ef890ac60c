"""Hostile messages, made from a seed: what no person types, and what a person types a thousand times over."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

from benchmarks import ROOT
from sayso.evals.dataset import files_in, read_bytes

LONGEST = 10_000
CASES = ROOT / "benchmarks" / "decisions"


def _sentences() -> list[str]:
    lines = [line for file in files_in(CASES) for line in read_bytes(file).split(b"\n") if line]
    return [json.loads(line)["message"] for line in lines]


# The words that make a decider work come from the benchmark's own messages, in every language it has.
SENTENCES = _sentences()
WORDS = sorted({word for sentence in SENTENCES for word in sentence.split()})
QUOTES = "\"'“”‘’«»„‟`´‹›「」"
EMOJI = ["😀", "👩‍👩‍👧‍👦", "👍🏽", "🇮🇹", "❤️", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "1️⃣", "🧑🏿‍🚒", "\u200d", "\ufe0f"]
RTL = "שלוםעולםمرحبابالعالم\u202e\u202d\u2066\u2069\u200f\u061c "
INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f\u180e\U000e0041\U000e007f"
SPACES = " \t\n\r\u00a0\u2003\u2028\u2029\u3000"


def planes(dice: random.Random, length: int) -> str:
    return "".join(chr(_code_point(dice)) for _ in range(length))


def surrogates(dice: random.Random, length: int) -> str:
    """Lone halves of pairs among words: no JSON carries them, but a caller of the library can."""
    return _fill(length, lambda: dice.choice([chr(dice.randrange(0xD800, 0xE000)), dice.choice(WORDS), " "]))


def words(dice: random.Random, length: int) -> str:
    return _fill(length, lambda: dice.choice(WORDS) + dice.choice([" ", " ", " ", ", ", ". ", "; ", "\n"]))


def sentences(dice: random.Random, length: int) -> str:
    return _fill(length, lambda: dice.choice(SENTENCES) + dice.choice([" ", ". ", ", ", "\n", " and ", " e "]))


def mutated(dice: random.Random, length: int) -> str:
    """Real sentences with letters dropped, doubled and swapped for anything at all."""
    letters = list(sentences(dice, length))
    for _ in range(1 + length // 10):
        place = dice.randrange(len(letters)) if letters else 0
        letters[place : place + 1] = dice.choice([[], letters[place : place + 1] * 2, [chr(_code_point(dice))]])
    return "".join(letters)[:length]


def repeated(dice: random.Random, length: int) -> str:
    token = dice.choice([dice.choice(WORDS) + " ", dice.choice(WORDS), dice.choice(SENTENCES) + " ", planes(dice, 1)])
    return (token * (length // max(len(token), 1) + 1))[:length]


def quotes(dice: random.Random, length: int) -> str:
    return _fill(length, lambda: dice.choice([dice.choice(QUOTES), dice.choice(WORDS), " ", "\\", "(", ")"]))


def nested(dice: random.Random, length: int) -> str:
    """Quotes opened and opened, and closed at the very end."""
    opening, closing = dice.choice(["“”", "«»", '""', "''", "()", "[]"])
    return (opening * (length // 2) + dice.choice(WORDS) + closing * length)[:length]


def digits(dice: random.Random, length: int) -> str:
    marks = ["/", "-", ":", ".", ",", " ", "th ", " pm ", "h", "%", "٣", "५", "Ⅷ", "½", "²"]
    return _fill(length, lambda: dice.choice([str(dice.randrange(10 ** dice.randrange(1, 30))), *marks]))


def emoji(dice: random.Random, length: int) -> str:
    return _fill(length, lambda: dice.choice([*EMOJI, dice.choice(WORDS) + " "]))


def combining(dice: random.Random, length: int) -> str:
    return _fill(length, lambda: dice.choice("aeiou ") + planes_of(dice, 0x300, 0x370, dice.randrange(12)))


def rtl(dice: random.Random, length: int) -> str:
    return _fill(length, lambda: dice.choice([dice.choice(RTL), dice.choice(WORDS) + " "]))


def invisible(dice: random.Random, length: int) -> str:
    return _fill(length, lambda: dice.choice([dice.choice(INVISIBLE), dice.choice(SPACES), dice.choice(WORDS)]))


def planes_of(dice: random.Random, first: int, after: int, length: int) -> str:
    return "".join(chr(dice.randrange(first, after)) for _ in range(length))


KINDS: tuple[Callable[[random.Random, int], str], ...] = (
    planes, surrogates, words, sentences, mutated, repeated, quotes, nested, digits, emoji, combining, rtl, invisible,
)  # fmt: skip


def message(dice: random.Random) -> str:
    """One hostile message; one in ten has the full length."""
    length = LONGEST if dice.random() < 0.1 else int(LONGEST ** dice.random())
    return dice.choice(KINDS)(dice, length)


def _fill(length: int, piece: Callable[[], str]) -> str:
    pieces: list[str] = []
    have = 0
    while have < length:
        pieces.append(piece())
        have += max(len(pieces[-1]), 1)
    return "".join(pieces)[:length]


def _code_point(dice: random.Random) -> int:
    code = dice.randrange(0x110000) if dice.random() < 0.5 else dice.randrange(0x3000)
    return code if not 0xD800 <= code < 0xE000 else 0xFFFD
