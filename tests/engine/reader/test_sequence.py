"""The best tags of a message, held against trying every sequence of tags."""

import math
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.engine.reader.read import decode, tags_for

SLOTS = 2
TAGS = 1 + 2 * SLOTS
ROWS = st.lists(st.lists(st.floats(-5, 5), min_size=TAGS, max_size=TAGS), min_size=1, max_size=5)


def possible(path: tuple[int, ...]) -> bool:
    """A value goes on only where it began."""
    before = (0, *path)
    return all(tag <= SLOTS or last in (tag, tag - SLOTS) for last, tag in zip(before, path, strict=False))


@given(ROWS)
def test_no_sequence_is_likelier_and_its_probability_is_right(rows):
    scores = {path: sum(row[tag] for row, tag in zip(rows, path, strict=True))
              for path in product(range(TAGS), repeat=len(rows)) if possible(path)}  # fmt: skip
    path, chance, weight = decode(rows, SLOTS)
    total = sum(math.exp(score) for score in scores.values())
    assert possible(tuple(path))
    assert scores[tuple(path)] == pytest.approx(max(scores.values()))
    assert weight == pytest.approx(math.log(total))
    assert chance == pytest.approx(math.exp(scores[tuple(path)]) / total, rel=1e-6)


def test_tags_are_outside_then_beginning_then_going_on():
    assert tags_for(("title", "due")) == ("O", "B-title", "B-due", "I-title", "I-due")
