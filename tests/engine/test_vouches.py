"""Texts that vouch for themselves: what is plainly a thing to do, or to buy, is written down without asking."""

from __future__ import annotations

import pytest

from sayso.decision import Call
from talk import decide


@pytest.mark.parametrize(
    ("message", "title"),
    [
        ("add pay the dog licence", "pay the dog licence"),
        ("please add descale the kettle", "descale the kettle"),
        ("add ring the surveyor", "ring the surveyor"),
        ("add sell the canoe", "sell the canoe"),
        ("add the chickpeas", "the chickpeas"),
        ("aggiungi stirare le camicie", "stirare le camicie"),
        ("aggiungi vendere la canoa", "vendere la canoa"),
        ("aggiungi le lenticchie", "le lenticchie"),
    ],
)
def test_a_thing_to_do_is_added_without_asking(message, title):
    (decision,) = decide(message)
    assert isinstance(decision, Call)
    assert decision.tool == "add_task"
    assert decision.arguments["title"] in (title, title.split(maxsplit=1)[1])


@pytest.mark.parametrize("message", ["add my brother to the group chat", "aggiungi mio fratello al gruppo"])
def test_what_is_none_is_not_written_down_unasked(message):
    (decision,) = decide(message)
    assert not isinstance(decision, Call)
