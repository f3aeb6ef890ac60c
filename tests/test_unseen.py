"""Unseen: what a person is asked about shows what is stored."""

from __future__ import annotations

import random
import unicodedata

import pytest

from sayso.tasks.messages import say
from sayso.unseen import spelled


def marked(text):
    return spelled(text, lambda letter: f"<{ord(letter):X}>")


@pytest.mark.parametrize(
    "letter",
    "\x00\n\u00ad\u034f\u061c\u115f\u1160\u17b4\u180b\u180e\u200b\u200e\u2028\u202e\u2060\u2061\u2064\u2066\u206f"
    "\u2800\u3164\ufe00\ufeff\uffa0\ufff9\ufffe\U0001d173\U000e0041\U000e0100\U000e01ef\ud800",
)
def test_what_shows_nothing_is_spelled_out(letter):
    assert marked(f"a{letter}b") == f"a<{ord(letter):X}>b"


@pytest.mark.parametrize(
    "text",
    [
        "Buy milk",
        "Caffè, più tè",
        "👩\u200d👩\u200d👧",
        "❤\ufe0f",
        "1\ufe0f⃣",
        "می\u200cخواهم",
        "क्\u200dष",
        "محمد",
        "購入",
        "🇮🇹",
    ],
)
def test_what_scripts_and_pictures_need_stays(text):
    assert marked(text) == text


@pytest.mark.parametrize("text", ["a\u200db", "\u200dx", "x\u200c", "\ufe0f", "a\ufe0f"])
def test_a_joiner_that_joins_nothing_is_spelled_out(text):
    assert "<" in marked(text)


def test_a_title_cannot_end_its_own_quotation():
    asked = say("en", "question", title='milk"? Nothing is deleted. OK "')
    assert asked == r'Delete "milk\"? Nothing is deleted. OK \""?'


HIDDEN = "\u00ad\u061c\u180e\u200b\u200e\u200f\u202a\u202d\u202e\u2060\u2066\u2067\u2068\u2069\u2800\u3164\ufeff"
TAGS = "".join(map(chr, range(0xE0020, 0xE007F)))
KEPT = ("محمد", "می\u200cخواهم", "क्\u200dष", "தமிழ்", "👩\u200d👩\u200d👧", "❤\ufe0f", "🇮🇹", "購入", "caffè")


def test_5000_titles_with_hidden_letters_lead_to_no_misleading_card():
    dice, cards = random.Random(6), {}
    for _ in range(5_000):
        plain = [dice.choice(("pay rent", "call mum", *KEPT)) for _ in range(dice.randint(1, 3))]
        hidden = "".join(dice.choices(HIDDEN + TAGS, k=dice.randint(1, 4)))
        at = dice.randrange(len(plain) + 1)
        title = " ".join([*plain[:at], f"x{hidden}y", *plain[at:]])
        for lang in ("en", "it"):
            card = say(lang, "question", title=title)
            assert not [letter for letter in card if letter in HIDDEN + TAGS]
            assert {unicodedata.bidirectional(letter) for letter in card}.isdisjoint(
                {"RLO", "LRO", "RLI", "LRI", "FSI"}
            )
            assert all(word in card for word in plain)
            assert cards.setdefault(card, title) == title  # two titles never have one card
    assert len(cards) > 9_000
