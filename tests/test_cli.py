"""The `sayso` command: what it prints, what it refuses, and what it does not load."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sayso.case import case_from_object
from sayso.cli.context import case_for
from sayso.cli.main import app
from sayso.cli.show import show, visible
from sayso.decision import Answer, Call, Clarify, Confirm, Evidence, FollowUp, Nothing, Option

RUNNER = CliRunner()
CASE = case_from_object(
    {
        "message": "mark it as done",
        "now": "2026-03-10T09:00:00+01:00",
        "entities": [{"kind": "task", "id": "t1", "title": "Water the plants"}],
    }
)


def shown(capsys, *decisions, **more):
    show(CASE, Answer(id="", lang="en", decisions=decisions, **more))
    return capsys.readouterr().out


def test_help_names_every_command_and_gives_examples():
    outcome = RUNNER.invoke(app, ["--help"])
    assert outcome.exit_code == 0
    for expected in ("decide", "eval", "pack", "Examples", "--version"):
        assert expected in outcome.stdout
    assert len(outcome.stdout.splitlines()) <= 40


@pytest.mark.parametrize("command", [["decide"], ["eval"], ["pack"], ["pack", "check"]])
def test_every_command_explains_itself(command):
    outcome = RUNNER.invoke(app, [*command, "--help"])
    assert outcome.exit_code == 0
    assert "Usage" in outcome.stdout


def test_the_version_is_the_package_s():
    assert RUNNER.invoke(app, ["--version"]).stdout.startswith("sayso 0.")


def test_decide_prints_one_answer_as_json():
    outcome = RUNNER.invoke(app, ["decide", "show my tasks", "--json"])
    answer = json.loads(outcome.stdout)
    assert outcome.exit_code == 0
    assert answer["decisions"][0]["kind"] in ("call", "confirm", "clarify", "none")


def test_decide_prints_a_headline_for_a_person():
    outcome = RUNNER.invoke(app, ["decide", "show my tasks"])
    assert outcome.exit_code == 0
    assert outcome.stdout.split()[0] in ("call", "confirm", "clarify", "none")


def test_a_case_file_gives_the_context(root):
    file = str(root / "examples" / "mark-it-done.json")
    assert json.loads(RUNNER.invoke(app, ["decide", "--case", file, "--json"]).stdout)["id"] == "example-1"


def test_options_stand_over_the_case_file(root):
    file = root / "examples" / "mark-it-done.json"
    case = case_for("delete it", file, "devices", "it", "2027-01-01T00:00+02:00")
    assert (case.message, case.pack, case.lang) == ("delete it", "devices", "it")
    assert case.now.isoformat() == "2027-01-01T00:00:00+02:00"
    assert [entity.id for entity in case.entities] == ["t1", "t2"]


def test_the_clock_is_this_machine_s_with_its_offset():
    before = datetime.now().astimezone()
    case = case_for("hi", None, None, None, None)
    assert before <= case.now <= datetime.now().astimezone()
    assert case.now.utcoffset() is not None


def test_a_clock_without_offset_is_local():
    assert case_for("hi", None, None, None, "2026-03-10T09:00").now.utcoffset() is not None


def test_bytes_that_are_no_text_become_replacement_letters():
    assert case_for("caff\udce8", None, None, None, None).message == "caff\ufffd"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["decide"], "say something"),
        (["decide", "hi", "--now", "noon"], "--now"),
        (["decide", "hi", "--jsonl"], "standard input"),
        (["decide", "--jsonl", "--now", "2026-03-10T09:00Z"], "standard input"),
        (["decide", "hi", "--case", "nowhere.json"], "nowhere.json"),
        (["eval"], "FILES"),
        (["nonsense"], "nonsense"),
    ],
)
def test_misuse_is_explained(arguments, said):
    outcome = RUNNER.invoke(app, arguments)
    assert outcome.exit_code == 2
    assert said in " ".join(outcome.stderr.split())


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "not a JSON object"),
        ("[]", "not a JSON object"),
        ('{"message": 3}', "$.message"),
        ("\xff", "not a JSON object"),
    ],
)
def test_a_bad_case_file_is_refused_in_one_line(tmp_path, content, said):
    file = tmp_path / "case.json"
    file.write_bytes(content.encode("latin-1"))
    outcome = RUNNER.invoke(app, ["decide", "--case", str(file)])
    assert outcome.exit_code == 2
    assert outcome.stderr.startswith("sayso: ")
    assert said in outcome.stderr
    assert outcome.stderr.count("\n") == 1


def test_an_unknown_pack_is_refused_in_one_line():
    outcome = RUNNER.invoke(app, ["decide", "hi", "--pack", "no-such-pack"])
    assert outcome.exit_code == 2
    assert "no-such-pack" in outcome.stderr


@pytest.fixture
def own_pack(root, tmp_path):
    """A copy of the tasks pack, to be spoilt."""
    return Path(shutil.copytree(root / "src/sayso/packs/tasks", tmp_path / "own"))


def test_a_pack_in_a_folder_goes_by_the_folder_s_name(own_pack):
    assert case_for("hi", None, str(own_pack), None, None).pack == "own"
    assert case_for("hi", None, "tasks", None, None).pack == "tasks"


def test_a_sound_pack_is_told_so(own_pack):
    outcome = RUNNER.invoke(app, ["pack", "check", str(own_pack)])
    assert outcome.exit_code == 0, outcome.output
    assert "no problems found" in outcome.stdout


@pytest.mark.parametrize(
    ("file", "old", "new", "key"),
    [
        ("pack.yaml", "risk: destructive", "risk: daring", "tools"),
        ("pack.yaml", "delete: {tool: delete_task}", "delete: {tool: no_such_tool}", "acts.delete.tool"),
        ("pack.yaml", "pack: tasks", "pack: [tasks", "line"),
        ("en/verbs/add.yaml", "verbs:", "vrebs:", "vrebs"),
    ],
)
def test_a_spoilt_pack_is_told_where_and_what_to_do(own_pack, file, old, new, key):
    spoilt = own_pack / file
    text = spoilt.read_text("utf-8")
    assert old in text
    spoilt.write_text(text.replace(old, new, 1), encoding="utf-8")
    outcome = RUNNER.invoke(app, ["pack", "check", str(own_pack)])
    assert outcome.exit_code == 1
    assert str(spoilt) in outcome.stdout
    assert key in outcome.stdout
    assert "→" in outcome.stdout


def test_a_folder_without_a_pack_is_told_so(tmp_path):
    outcome = RUNNER.invoke(app, ["pack", "check", str(tmp_path)])
    assert outcome.exit_code == 1
    assert "pack.yaml" in outcome.stdout


def test_a_call_shows_its_arguments_and_where_they_come_from(capsys):
    proof = {"task_identifier": Evidence(source="history", entity="t1", span=(5, 7))}
    out = shown(
        capsys, Call(tool="complete_task", arguments={"task_identifier": "t1"}, confidence=0.95, evidence=proof)
    )
    assert out.splitlines() == [
        "call      complete_task   95%",
        '          task_identifier   t1   history: "it" → Water the plants',
    ]


def test_a_confirmation_shows_its_question(capsys):
    out = shown(
        capsys, Confirm(tool="delete_task", arguments={}, confidence=0.9, question="Delete it?", reason="destructive")
    )
    assert out.splitlines() == ["confirm   delete_task (destructive)   90%", "          Delete it?"]


def test_a_question_shows_its_options_in_order(capsys):
    options = tuple(Option(label=label, tool="delete_task", arguments={}) for label in ("Buy milk", "Buy bread"))
    out = shown(
        capsys,
        Clarify(tool=None, confidence=0.5, question="Which one?", options=options, reason="not_found"),
    )
    assert out.splitlines() == [
        "clarify   which tool? (not found)   50%",
        "          Which one?",
        "          1. Buy milk",
        "          2. Buy bread",
    ]


def test_nothing_shows_its_reason_and_reply(capsys):
    offers = (FollowUp(label="Show my tasks", tool="list_tasks"),)
    out = shown(capsys, Nothing(confidence=1, reason="out_of_scope", reply="I only do tasks."), next=offers)
    assert out.splitlines() == [
        "none      out of scope   100%",
        "          I only do tasks.",
        "next      Show my tasks",
    ]


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("Buy milk", "Buy milk"),
        ("\x1b[2Jgone", "\\x1b[2Jgone"),
        ("a\u202eb", "a\\u202eb"),
        ("a\nb", "a\\nb"),
        ("👩‍👧 مرحبا क्षि", "👩‍👧 مرحبا क्षि"),
        ("\ud800", "\\ud800"),
    ],
)
def test_control_letters_are_spelled_out_and_the_rest_is_kept(text, seen):
    assert visible(text) == seen


@pytest.mark.parametrize("arguments", [["--json"], []])
def test_deciding_does_not_load_what_only_other_commands_need(arguments):
    script = (
        "import sys; from sayso.cli.main import app; app(standalone_mode=False); print(*sys.modules, file=sys.stderr)"
    )
    command = [sys.executable, "-c", script, "decide", "hi", *arguments]
    loaded = subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stderr.split()
    assert "sayso.cli.decisions.decide" in loaded
    services = {"sayso.tasks", "sayso.database", "sayso.settings", "psycopg", "mcp", "pydantic", "jwt"}
    assert not ({"rich", "sayso.evals", "importlib.metadata", "socket"} | services) & set(loaded)
