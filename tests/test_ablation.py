"""`sayso eval --ablate` switches off each rule in turn and decides the cases again in which it was true."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sayso.cli.measure.eval import app
from sayso.decider import Decider
from sayso.engine.grammar.pack import Pack
from sayso.engine.grammar.sheet import Sheet
from sayso.engine.slots.reading import Reading
from sayso.evals.ablation import ENOUGH, Switches, ablate, trials_of_cases
from sayso.evals.dataset import load, read_bytes
from sayso.evals.facts import facts_of_all
from sayso.files.datafile import read
from sayso.packs.load import installed_packs, pack_folder

ROUND = Path(__file__).parents[1] / "benchmarks/decisions/round-53-en-typing.jsonl.xz"


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    few = tmp_path_factory.mktemp("ablation") / "few.jsonl"
    few.write_bytes(b"\n".join(read_bytes(ROUND).splitlines()[:6]) + b"\n")
    return few


def test_the_rules_are_back_in_place_afterwards():
    before = Sheet.commands
    with Switches() as switches:
        assert Sheet.commands is not before
        assert "grammar.sheet.Sheet.commands" in switches.names
    assert Sheet.commands is before


@pytest.fixture(scope="module")
def worths(file):
    """What each rule is worth on the cases of `file`, by its name."""
    out = file.parent / "worth.json"
    result = CliRunner().invoke(app, [str(file), "--ablate", "--json", str(out)])
    assert result.exit_code == 0, result.output
    return {one["rule"]: one for one in json.loads(out.read_text())}


def test_a_rule_that_decisions_rest_on_is_worth_something(worths):
    assert max(one["lost"] for one in worths.values()) > 0


def test_only_the_cases_in_which_a_rule_was_true_are_tried_without_it(worths):
    usual = [one for one in worths.values() if not one["remembered"]]
    assert all(one["tried"] == one["cases"] for one in usual if one["lost"] < ENOUGH)
    assert any(0 < one["tried"] < 6 for one in usual)


def test_a_rule_whose_results_are_remembered_is_tried_on_all_cases(worths):
    remembered = [one for one in worths.values() if one["remembered"]]
    assert remembered
    assert all(one["tried"] == 6 for one in remembered if one["lost"] < ENOUGH)


def test_a_rule_that_has_lost_enough_is_not_tried_on(file):
    cases = load([file])
    tools = facts_of_all([read(pack_folder(name) / "pack.yaml", Pack) for name in installed_packs()])
    with Switches() as switches:
        found = list(ablate(lambda: trials_of_cases(cases, Decider.installed().decide, tools), switches, enough=1))
    assert max(one.lost - one.gained for one in found) == 1
    assert any(one.tried < one.cases for one in found)


def test_a_property_is_a_rule_and_is_back_in_place_afterwards():
    before = vars(Reading)["lacks_part"]
    with Switches() as switches:
        assert "slots.reading.Reading.lacks_part" in switches.names
        assert vars(Reading)["lacks_part"] is not before
    assert vars(Reading)["lacks_part"] is before


def test_sessions_are_played_again_without_each_rule(tmp_path):
    session = {
        "id": "shed",
        "now": "2026-05-12T09:00:00+00:00",
        "start": [{"title": "Broken clamp"}],
        "turns": [
            {"say": "delete broken clamp", "want": [{"delete": "Broken clamp"}], "ask": "must"},
            {"say": "the radio is too loud"},
        ],
    }
    file, out = tmp_path / "sessions.jsonl", tmp_path / "worth.json"
    file.write_text(json.dumps(session) + "\n")
    result = CliRunner().invoke(app, ["--sessions", str(file), "--ablate", "--json", str(out)])
    assert result.exit_code == 0, result.output
    found = json.loads(out.read_text())
    assert max(one["lost"] for one in found) > 0
    assert max(one["tried"] for one in found) == 1
