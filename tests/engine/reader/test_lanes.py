"""Packed vectors compute what plain lists of numbers would."""

import struct

from hypothesis import given
from hypothesis import strategies as st

from sayso.engine.reader.network import Lanes, Matrix, pack, pack_rows

SMALL = st.integers(-511, 511)
LANES = st.lists(st.integers(-(2**30), 2**30), min_size=1, max_size=70)


def stored(values):
    return struct.pack(f"<{len(values)}i", *values)


@given(LANES)
def test_what_is_packed_is_read_back(values):
    assert list(Lanes(len(values)).signed(pack(values))) == values


@given(LANES)
def test_stored_numbers_are_packed_like_the_numbers_themselves(values):
    assert pack_rows(stored(values), len(values)) == [pack(values)]


@given(st.data())
def test_a_matrix_multiplies_and_adds_its_bias(data):
    width = data.draw(st.integers(1, 20))
    vector = data.draw(st.lists(st.integers(0, 4095), min_size=1, max_size=30))
    row = st.lists(SMALL, min_size=width, max_size=width)
    rows = data.draw(st.lists(row, min_size=len(vector), max_size=len(vector)))
    bias = data.draw(row)
    expected = [bias[lane] + sum(x * rows[at][lane] for at, x in enumerate(vector)) for lane in range(width)]
    assert list(Lanes(width).signed(Matrix(b"".join(map(stored, rows)), stored(bias))(vector))) == expected


@given(LANES, st.integers(0, 12))
def test_negative_lanes_become_zero_and_large_ones_are_capped(values, shift):
    found = Lanes(len(values)).positive(pack(values), shift, 4095)
    assert found == [min(max(value, 0) >> shift, 4095) for value in values]
