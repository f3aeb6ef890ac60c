"""Normalise: words, marks and quotations, each with its place in the message as it was typed."""

from __future__ import annotations

import re
import time
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.engine.text.tokens import LONGEST_READ, MOST_TOKENS, bare, fold, normalise, plain_words, shown

# Letters, marks, spaces and everything that makes offsets hard.
ODD = "aZé9 .,'\"“”«»‘’#-\n\t\u200b\u200d\u0301\u202e\ufe0f\u00a0ﬁＡ①½ß👩👍🇮שםعا한"
messages = st.text(st.sampled_from(ODD) | st.characters(exclude_categories=["Cs"]), max_size=60)


def low(message):
    return [token.low for token in normalise(message).tokens]


def places(message):
    return [message[token.start : token.end] for token in normalise(message).tokens]


def quoted(message):
    return [token.text for token in normalise(message).tokens if token.kind == "quote"]


@given(messages)
def test_places_are_in_order_and_inside_the_message(message):
    start = end = 0
    for token in normalise(message).tokens:
        assert start <= token.start < token.end <= len(message)
        assert end <= token.end
        start, end = token.start, token.end


@given(messages)
def test_places_never_overlap_where_each_character_is_one(message):
    message = "".join(c for c in message if len(unicodedata.normalize("NFKC", c)) == 1 and not unicodedata.combining(c))
    at = 0
    for token in normalise(message).tokens:
        assert at <= token.start
        at = token.end


@pytest.mark.parametrize("message", ["add ½ cup", "1¼x", "⒜ first"])
def test_places_never_overlap_even_where_one_character_is_several(message):
    tokens = normalise(message).tokens
    assert all(one.end <= other.start for one, other in pairwise(tokens))


@given(st.lists(st.from_regex(r"[A-Za-z0-9]{1,12}", fullmatch=True), max_size=12), st.sampled_from([" ", "  ", "\n"]))
def test_the_place_of_an_ascii_word_is_that_word(words, between):
    message = between.join(words)
    tokens = normalise(message).tokens
    assert [token.text for token in tokens] == words
    assert [message[token.start : token.end] for token in tokens] == words
    assert all(token.kind == "word" and token.low == token.text.lower() for token in tokens)


@given(messages)
def test_every_ascii_word_of_any_message_is_where_its_token_says(message):
    for token in normalise(message).tokens:
        if token.kind == "word" and message[token.start : token.end].isascii():
            assert message[token.start : token.end].replace("`", "'") == token.text.replace("`", "'")


@pytest.mark.parametrize(
    ("message", "words", "typed"),
    [
        ("ａｄｄ milk", ["add", "milk"], ["ａｄｄ", "milk"]),
        ("ﬁnish it", ["finish", "it"], ["ﬁnish", "it"]),
        ("de\u200blete it", ["delete", "it"], ["de\u200blete", "it"]),
        ("\ufeffadd milk", ["add", "milk"], ["add", "milk"]),
        ("\u202eadd\u202c milk", ["add", "milk"], ["add", "milk"]),
        ("lunedi\u0300 sera", ["lunedì", "sera"], ["i\u0300", "sera"]),
        ("perche\u0301, poi", ["perché", ",", "poi"], ["e\u0301", ",", "poi"]),
        ("call 👩‍👧 now", ["call", "👩", "\u200d", "👧", "now"], ["call", "👩", "\u200d", "👧", "now"]),
        ("👍🏽 ok", ["👍", "🏽", "ok"], ["👍", "🏽", "ok"]),
        ("שלום add milk", ["שלום", "add", "milk"], ["שלום", "add", "milk"]),
        ("كتاب، milk", ["كتاب", "،", "milk"], ["كتاب", "،", "milk"]),
        ("ADD Straße", ["add", "strasse"], ["ADD", "Straße"]),
        ("at 9:30, 3/4 or 1,500", ["at", "9:30", ",", "3/4", "or", "1,500"], ["at", "9:30", ",", "3/4", "or", "1,500"]),
        ("mail a.b@c.org!", ["mail", "a.b@c.org", "!"], ["mail", "a.b@c.org", "!"]),
    ],
)
def test_words_are_read_as_seen_and_placed_as_typed(message, words, typed):
    assert low(message) == words
    assert all(wanted in place for wanted, place in zip(typed, places(message), strict=True))


@pytest.mark.parametrize(("message", "first"), [("e\u0300 fatto", "e\u0300"), ("u\u0308ber alles", "u\u0308ber")])
def test_an_accent_typed_apart_belongs_to_the_place_of_its_letter(message, first):
    assert places(message)[0] == first


@pytest.mark.parametrize(
    ("message", "inside"),
    [
        ('add "Buy Milk"', "Buy Milk"),
        ("add 'Buy Milk'", "Buy Milk"),
        ("add “Buy Milk”", "Buy Milk"),
        ("add „Buy Milk“", "Buy Milk"),
        ("add «Buy Milk»", "Buy Milk"),
        ("add ‹Buy Milk›", "Buy Milk"),
        ("add ‘Buy Milk’", "Buy Milk"),
        ("add 「Buy Milk」", "Buy Milk"),
        ('add " Buy Milk "', "Buy Milk"),
        ("add 'Anna's cake'", "Anna's cake"),
        ("add ‘don’t panic’", "don't panic"),
        ("add \"an 'inner' quote\"", "an 'inner' quote"),
        ('add "one, two; three"', "one, two; three"),
    ],
)
def test_a_quotation_of_any_kind_is_one_token_that_keeps_its_case(message, inside):
    assert quoted(message) == [inside]
    token = normalise(message).tokens[-1]
    assert message[token.start : token.end] == message[4:]
    assert token.low == inside.lower()


@pytest.mark.parametrize(
    "message",
    [
        "don't delete Anna's cake",
        "the kids' shoes and the dogs' lead",
        "rock 'n roll",
        "l'ufficio dell'avvocato",
        "5' 10\" tall",
        'say "hello',
        "a 'quote that never ends",
        "«never closed",
        "'tis the season",
        "“wrong way round“",
        '""',
        "it's 6'2",
    ],
)
def test_an_apostrophe_or_a_quote_that_is_never_closed_quotes_nothing(message):
    assert quoted(message) == []


def test_odd_apostrophes_are_one_word_with_what_they_join():
    assert low("don’t don‘t donʼt don`t don′t") == ["don't"] * 5


def test_an_acute_accent_is_an_apostrophe_too():
    assert low("don´t") == ["don't"]


def test_a_backtick_is_an_apostrophe_wherever_it_stands():
    assert low("don`t") == ["don't"]


def test_several_quotations_are_several_tokens():
    assert quoted("rename \"Buy milk\" to 'Buy oat milk' or «Latte»") == ["Buy milk", "Buy oat milk", "Latte"]


def test_a_line_break_before_a_word_is_kept_in_mind():
    assert [token.broken for token in normalise("add milk\nadd eggs\n\nand more").tokens] == [
        False,
        False,
        True,
        False,
        True,
        False,
    ]


def test_a_message_within_the_limits_is_read_whole():
    text = normalise("a" * (LONGEST_READ - 1))
    assert not text.cut
    assert text.tokens[0].end == LONGEST_READ - 1
    assert not normalise("word " * MOST_TOKENS).cut


def test_what_goes_beyond_the_limits_is_left_unread_and_said_to_be():
    longer = normalise("a" * (LONGEST_READ + 1))
    assert longer.cut
    assert longer.tokens[-1].end == LONGEST_READ
    more = normalise("word " * (MOST_TOKENS + 1))
    assert more.cut
    assert len(more.tokens) == MOST_TOKENS
    assert more.message == "word " * (MOST_TOKENS + 1)


@pytest.mark.parametrize("piece", ["'a ", '"', "“", "'", "\u0301", "\u200b", "a'", "👩\u200d", "ﷺ"])
def test_hostile_repetition_takes_no_time(piece):
    start = time.thread_time()
    normalise(piece * (LONGEST_READ // len(piece)))
    assert time.thread_time() - start < 0.25


@pytest.mark.parametrize("message", ["", " ", "\n\t", "\u200b\u200b", "\ufeff", "\u202e \u202c"])
def test_nothing_to_see_gives_no_token(message):
    assert normalise(message).tokens == ()


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("  Buy milk ", "Buy milk"),
        ("Buy   milk\n\tnow", "Buy milk now"),
        ("Buy\u200b milk", "Buy milk"),
        ("\u202eBuy\u202c milk", "Buy milk"),
        ("Buy\u00a0milk", "Buy milk"),
        ("Call 👩‍👧", "Call 👩‍👧"),
        ("no\u200djoiner", "nojoiner"),
        ("Perché no", "Perché no"),
        ("ＦＵＬＬ", "ＦＵＬＬ"),
        ("", ""),
        ("\u200b", ""),
    ],
)
def test_what_is_shown_has_no_invisible_characters_and_single_spaces(text, seen):
    assert shown(text) == seen


@given(messages)
def test_what_is_shown_is_shown_unchanged_again(text):
    once = shown(text)
    assert shown(once) == once
    assert not re.search(r"[\n\t\u200b\u202e]|^ | $|  ", once)


def test_words_are_compared_without_case_width_and_kind_of_apostrophe():
    assert fold("ＤＯＮ’T") == fold("don't") == "don't"
    assert bare("lunedì è già là") == "lunedi e gia la"


@given(messages | st.text(st.sampled_from("abÀß 9ʼ_'"), max_size=12))
def test_the_words_of_a_plain_text_are_those_that_reading_it_sign_by_sign_gives(text):
    words = plain_words(text)
    assert words is None or words == low(text)


@pytest.mark.parametrize("text", ["Buy milk", "Pagare la città", "42 eggs", "ΣΊΣΥΦΟΣ"])
def test_a_text_of_words_and_spaces_is_plain(text):
    assert plain_words(text) == low(text)


@pytest.mark.parametrize("text", ["", "Buy  milk", "l'acqua", "e-mail", "milk.", "ﬁx", "a_b", "rock ʼn roll"])
def test_a_text_with_any_sign_is_not_plain(text):
    assert plain_words(text) is None


def test_letters_that_look_like_latin_ones_are_read_as_them_among_latin_ones():
    mixed, cyrillic = "r\u043etate", "\u0441\u043e\u043a"
    tokens = normalise(f"{mixed} {cyrillic}").tokens
    assert [token.low for token in tokens] == ["rotate", cyrillic]
    assert [token.text for token in tokens] == [mixed, cyrillic]
    assert plain_words(mixed) == ["rotate"]
