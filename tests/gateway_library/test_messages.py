"""What the gateway says, in each of its languages."""

from __future__ import annotations

import string

from sayso.gateway.messages import _texts


def test_every_language_says_everything_with_the_same_values():
    english, italian = _texts()["en"], _texts()["it"]
    assert english.keys() == italian.keys()
    for name in english:
        parts = [string.Formatter().parse(said[name]) for said in (english, italian)]
        values = [{field for _, field, _, _ in each if field} for each in parts]
        assert values[0] == values[1], name
