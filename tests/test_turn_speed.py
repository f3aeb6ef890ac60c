"""`python -m benchmarks turns`: its floor is fixed, and it survives a backend of the database that ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.speed.turns import Figures, Spell, _since, _used, page, without_ends
from benchmarks.speed.turns_load import MESSAGES
from benchmarks.speed.turns_server import FLOOR, STATEMENTS

needs_proc = pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="needs the schedstat of Linux")


def test_the_floor_is_the_list_that_docs_scale_md_describes():
    assert [len(turn) for turn in FLOOR] == [10, 11, 9, 11, 9, 13]
    assert [sum(rows for _, rows in turn) for turn in FLOOR] == [45, 44, 62, 44, 42, 47]
    assert len(FLOOR) == len(MESSAGES)
    assert {kind for turn in FLOOR for kind, _ in turn} == set(STATEMENTS)


def test_the_ends_of_a_transaction_are_no_statements_of_a_turn():
    assert without_ends(["BEGIN", "-- a note\nSELECT 1", "COMMIT"]) == ["SELECT 1"]


@needs_proc
def test_a_process_that_ends_between_two_readings_does_not_count():
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        before = _used(process.pid)
        assert list(before) == [process.pid]
        process.communicate(b"\n")
    assert _used(process.pid) == {}
    assert _since(before) == 0


@needs_proc
def test_a_process_that_ends_while_it_is_read_does_not_count(monkeypatch):
    def ended(*_: object) -> str:
        raise ProcessLookupError

    monkeypatch.setattr(Path, "read_text", ended)
    assert _used(1) == {}


def test_the_page_tells_the_ratio_its_range_the_load_and_both_counts_of_statements():
    pairs = [(Spell(rate, 0.02, 0.003, 0.001), Spell(100, 0.01, 0.001, 0.001)) for rate in (30, 40, 60)]
    said = page(Figures([6, 9], 1.25, pairs, {"decide": 1}, {}), 0.7)
    assert "ratio of the rates is 0.40, the median of 3 pairs from 0.30 to 0.60" in said
    assert "average of 1.2 before" in said
    assert "It runs the 9 to 13 statements" in said
    assert "a turn has 6 to 9 now" in said
