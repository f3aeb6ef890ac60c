"""`sayso eval --ablate` switches off each rule in turn and decides the cases again in which it was true."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sayso.cli.measure.eval import app
from sayso.engine.grammar.sheet import Sheet
from sayso.evals.ablation import Switches
from sayso.evals.dataset import read_bytes

ROUND = Path(__file__).parents[1] / "benchmarks/decisions/round-53-en-typing.jsonl.gz"


@pytest.fixture
def file(tmp_path):
    few = tmp_path / "few.jsonl"
    few.write_bytes(b"\n".join(read_bytes(ROUND).splitlines()[:6]) + b"\n")
    return few


def test_the_rules_are_back_in_place_afterwards():
    before = Sheet.commands
    with Switches() as switches:
        assert Sheet.commands is not before
        assert "grammar.sheet.Sheet.commands" in switches.names
    assert Sheet.commands is before


def test_a_rule_that_decisions_rest_on_is_worth_something(file):
    result = CliRunner().invoke(app, [str(file), "--ablate", "--json", str(file.parent / "worth.json")])
    assert result.exit_code == 0, result.output
    found = {one["rule"]: one for one in json.loads((file.parent / "worth.json").read_text())}
    assert max(one["lost"] for one in found.values()) > 0
    assert all(one["lost"] == one["gained"] == 0 for one in found.values() if one["cases"] == 0)
