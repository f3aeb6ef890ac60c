"""The text of a question: readable in a plain terminal, and nothing hides in it."""

from __future__ import annotations

import random
import re
from datetime import UTC, datetime
from hashlib import sha256

import msgspec
import pytest

from sayso.decision import Clarify, Confirm
from sayso.gateway.messages import say
from sayso.gateway.questions.shown import shown_call
from sayso.gateway.questions.text import LONGEST_LINE, MOST_LINES, question_text
from sayso.gateway.values import Question, Wanted, Words

SHOWN = """\
Run files.write_file?

  path: "/srv/notes/a.txt"
  content: 3 lines, 20 characters
    | Buy milk
    |   Call mom
    |

You said: "save this to a.txt"
Asked through "Claude Code".
Answer by 14:32 UTC."""


def question(arguments, *, text=None, **more):
    words = more.pop("words", Words())
    wanted = Wanted(server="files", tool="write_file", arguments=arguments, words=words)
    text = text or say("en", "agree", call=shown_call("files", "write_file", arguments))
    asks = Confirm(tool="write_file", arguments=arguments, confidence=1, question=text, reason="destructive")
    return Question(id="q", wanted=wanted, asks=asks, definition="f", **more)


def shown(value, **more):
    return question_text(question({"content": value}, **more), "en")


def test_a_question_reads_well():
    asked = question(
        {"path": "/srv/notes/a.txt", "content": "Buy milk\n  Call mom\n"},
        words=Words(message="save this to a.txt", trusted=True),
        client="Claude Code",
        until=datetime(2026, 11, 16, 14, 32, tzinfo=UTC),
    )
    assert question_text(asked, "en") == SHOWN
    assert "Hai detto" in question_text(asked, "it")


def test_words_that_a_model_relays_are_called_so():
    assert 'The model says that you said: "do it"' in shown("x", words=Words(message="do it", trusted=False))


def test_a_question_in_the_words_of_a_pack_still_shows_the_call():
    text = question_text(question({"id": "t1"}, text="Delete the task Buy milk?"), "en")
    assert text.split("\n") == ["Delete the task Buy milk?", "", '  id: "t1"']


def test_a_question_for_a_value_stays_as_it_is():
    asks = Clarify(tool="write_file", confidence=1, question="Which file?", reason="missing")
    assert question_text(msgspec.structs.replace(question({}), asks=asks), "en") == "Which file?"


@pytest.mark.parametrize(
    "value",
    [
        'one\n\nYou said: "delete everything"\nAnswer by 23:59.',
        'one\n  path: "/harmless"',
        "one\n… 3 lines, 20 characters not shown …\ntwo",
        "one\r\nAsked through Claude.",
        "one\u2028two\nYou said: x",
        "one\x1b[2K\x1b[1Atwo\nthree",
    ],
)
def test_no_value_looks_like_a_line_of_ours(value):
    lines = shown(value).split("\n")
    assert lines[:2] == ["Run files.write_file?", ""]
    assert lines[2].startswith("  content: ")
    assert all(line.startswith("    |") for line in lines[3:])
    assert len(lines) == 4 + value.count("\n")
    assert not set("\r\u2028\x1b") & set("".join(lines))


@pytest.mark.parametrize("name", ['a\n\nYou said: "yes"', 'a: "b"\n  path', "\u202epath"])
def test_a_name_cannot_add_a_line(name):
    assert len(question_text(question({name: "x"}), "en").split("\n")) == 3


def test_what_is_folded_is_said_with_its_length_and_digest():
    value = "\n".join(f"line {number}" for number in range(500))
    text = shown(value)
    assert f"content: 500 lines, {len(value):,} characters, not all of it shown" in text
    assert f"SHA-256 {sha256(value.encode()).hexdigest()[:16]}…" in text
    hidden, letters = re.search(r"\n    … (\d+) lines, ([\d,]+) characters not shown …\n", text).groups()
    kept = [line for line in text.split("\n") if line.startswith("    | ")]
    assert len(kept) + int(hidden) == 500
    assert sum(len(line) - 6 for line in kept) + len(kept) - 1 + int(letters.replace(",", "")) == len(value)
    assert (kept[0], kept[-1]) == ("    | line 0", "    | line 499")


@pytest.mark.parametrize("value", ["x" * 5_000, {"deep": ["x" * 5_000]}, ["x"] * 2_000, "a" + " " * 4_000 + "b"])
def test_one_long_value_is_short_on_the_screen_and_named(value):
    text = shown(value)
    assert len(text) < 4_000
    assert "SHA-256 " in text or "<U+0020 × 4000>" in text


def test_many_arguments_are_counted_and_named():
    text = question_text(question({f"name{number}": "x" * 200 for number in range(500)}), "en")
    assert re.search(r"\n  … 440 more arguments not shown; SHA-256 [0-9a-f]{16}… …", text)
    assert len(text) < 40_000


def test_a_change_anywhere_changes_what_is_shown():
    """Folding hides no difference: the text differs for any two values that differ."""
    random.seed(7)
    letters = 'ab \n\t\u200b\u202e|…<>"\\xé'
    seen = {}
    for _ in range(60):
        value = "".join(random.choice(letters) for _ in range(random.choice((3, 40, 400, 2_000))))
        text = shown(value)
        assert seen.setdefault(text, value) == value
        changed = value[: (at := random.randrange(len(value)))] + "z" + value[at + 1 :]
        assert shown(changed) != text


def test_limits_hold_for_random_texts():
    random.seed(11)
    for _ in range(60):
        value = "".join(random.choice("ab \n\t\u200b") for _ in range(random.randrange(4_000)))
        lines = shown(value).split("\n")
        assert len(lines) <= MOST_LINES + 6
        assert all(len(line) <= LONGEST_LINE + 60 for line in lines)


def test_a_long_value_on_one_line_says_length_and_digest():
    call = shown_call("files", "write_file", {"content": "x" * 9_000})
    assert f"<… 5000, SHA-256 {sha256(b'x' * 9_000).hexdigest()[:16]}… …>" in call
