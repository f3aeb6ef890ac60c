"""`sayso pack draft`: the files, the list of what is left to decide, and what to do when something is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from sayso.cli.main import app

SERVERS = Path(__file__).parent / "servers"


def sayso(*arguments, given=None):
    return CliRunner().invoke(app, [str(argument) for argument in arguments], input=given)


def test_a_pack_is_written_and_what_is_left_to_decide_is_told(tmp_path):
    done = sayso("pack", "draft", SERVERS / "invoices.json", tmp_path / "invoices")
    assert done.exit_code == 0, done.output
    assert "5 tools, pack.yaml, en.yaml, it.yaml" in done.output
    assert "pack.yaml  tools.create_invoice" in done.output
    assert "destructiveHint to false" in done.output
    assert sayso("pack", "check", tmp_path / "invoices").exit_code == 0


def test_the_operator_may_vouch_for_the_server(tmp_path):
    done = sayso("pack", "draft", SERVERS / "invoices.json", tmp_path / "invoices", "--trusted")
    assert "tools.create_invoice" not in done.output
    said = sayso("decide", "create an invoice for Rossi over 250", "--pack", tmp_path / "invoices")
    assert said.output.startswith("call      create_invoice")


def test_the_catalogue_may_come_by_standard_input(tmp_path):
    tools = (SERVERS / "weather.json").read_text("utf-8")
    done = sayso("pack", "draft", "-", tmp_path / "weather", given=tools)
    assert done.exit_code == 0, done.output
    assert (tmp_path / "weather" / "en.yaml").exists()


def test_a_question_about_many_places_is_told_once(tmp_path):
    done = sayso("pack", "draft", SERVERS / "tickets.json", tmp_path / "tickets")
    assert done.output.count("write if you trust it") == 1
    assert "and 1 more" in done.output


@pytest.mark.parametrize(
    ("tools", "given", "told"),
    [
        ("nowhere.json", None, "tools/list"),
        ("-", "nonsense", "tools/list"),
        ("-", '{"tools": []}', "Run tools/list again"),
    ],
)
def test_what_cannot_be_read_is_told_with_what_to_do(tmp_path, tools, given, told):
    done = sayso("pack", "draft", tools, tmp_path / "mine", given=given)
    assert done.exit_code == 2
    assert told in done.output
    assert not (tmp_path / "mine").exists()


def test_files_that_are_there_stay_unless_forced(tmp_path):
    arguments = ("pack", "draft", SERVERS / "weather.json", tmp_path / "weather")
    assert sayso(*arguments).exit_code == 0
    again = sayso(*arguments)
    assert again.exit_code == 2
    assert "--force" in again.output
    assert sayso(*arguments, "--force").exit_code == 0
