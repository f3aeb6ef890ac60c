"""`sayso add`: the real command, on the list that `sayso chat` keeps."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from terminal import NOW, environment


@pytest.fixture
def run(root):
    """Runs commands one after another over one data folder; what was printed, or what was said on failing."""
    ours = environment(root)

    def command(*words, status=0, lines="", **more):
        done = subprocess.run(
            [sys.executable, "-m", "sayso.cli", *words],
            input=lines.encode(),
            capture_output=True,
            env=ours | more,
            check=False,
        )
        assert done.returncode == status, done.stderr.decode()
        return (done.stdout if status == 0 else done.stderr).decode()

    return command


def test_a_task_is_added_and_told_in_one_line_with_its_date(run):
    printed = run("add", "call mum tomorrow at 5pm", "--now", NOW)
    assert printed == 'I\'ve added "call mum" to your list, due tomorrow at 5 pm.\n'


def test_words_without_quotation_marks_are_one_text(run):
    assert '"call mum"' in run("add", "call", "mum", "tomorrow", "--now", NOW)


def test_it_is_on_the_list_that_chat_shows_and_chat_s_lists_are_known(run):
    run("chat", "--now", NOW, lines="add bread to the Groceries list\nyes\n")
    run("add", "groceries: milk", "--now", NOW)
    listed = run("chat", "--now", NOW, lines="what's on my groceries list?\n")
    assert "bread" in listed
    assert "milk" in listed


def test_italian_is_read_and_answered(run):
    printed = run("add", "ogni lunedì alle 7 yoga", "--now", NOW, LANG="it_IT.UTF-8")
    assert printed == 'Ho aggiunto "yoga" alla lista, per domani alle 07:00, e si ripete ogni lunedì.\n'


def test_the_language_of_the_terminal_says_how_dates_are_written(run):
    for lang, due in (("en_GB.UTF-8", "2027-05-04"), ("it_IT.UTF-8", "2027-04-05")):
        added = json.loads(run("add", "tennis 5/4", "--now", NOW, "--json", LANG=lang))
        assert added["task"]["due"] == due


def test_as_json_it_is_the_result_of_the_tool(run):
    added = json.loads(run("add", "pay $20 to Bob by friday, high priority", "--json", "--now", NOW))
    task = added["task"]
    assert added["status"] == "success"
    assert (task["title"], task["due"], task["priority"]) == ("pay $20 to Bob", "2026-11-20", "high")


def test_a_field_can_be_kept_in_the_title(run):
    added = json.loads(run("add", "call mum tomorrow low priority", "--keep", "due", "--keep", "priority", "--json"))
    assert (added["title"], added["task"]["due"]) == ("call mum tomorrow low priority", None)


def test_another_file_can_be_named(run, tmp_path):
    file = tmp_path / "tasks.json"
    run("add", "buy stamps", "--file", str(file))
    assert [task["title"] for task in json.loads(file.read_text())["tasks"]] == ["buy stamps"]


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        ([], 2, "TEXT"),
        ([" "], 2, "name the task"),
        (["milk", "--keep", "title"], 2, "due, repeat, priority, list, remind"),
        (["milk", "--lang", "xx"], 2, "en, it"),
        (["milk", "--now", "soon"], 2, "--now"),
        (["milk", "--file", "no/such/folder/tasks.json"], 2, "there is no folder"),
        (["a " * 150], 1, "sayso: The title can have at most 200 characters"),
    ],
)
def test_what_cannot_be_added_is_refused(run, words, status, says):
    assert says in run("add", *words, status=status)


def test_a_failure_as_json_has_the_reason(root):
    command = [sys.executable, "-m", "sayso.cli", "add", "a " * 150, "--json"]
    done = subprocess.run(command, capture_output=True, env=environment(root), check=False)
    assert (done.returncode, json.loads(done.stdout)["reason"]) == (1, "invalid")


def test_a_file_that_cannot_be_read_is_left_alone(run, tmp_path):
    file = tmp_path / "tasks.json"
    file.write_text("{")
    assert "tasks.json" in run("add", "milk", "--file", str(file), status=2)
    assert file.read_text() == "{"
