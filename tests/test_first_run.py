"""`sayso` without a command, `sayso doctor` and `sayso examples`."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tests.terminal import Screen, environment

SAYSO = [sys.executable, "-m", "sayso.cli"]


def run(root, *arguments, **more):
    return subprocess.run(
        [*SAYSO, *arguments], env=environment(root, **more), capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize(
    ("lang", "first", "last"),
    [
        ("C.UTF-8", "Sayso manages your to-do list", "to leave."),
        ("it_IT.UTF-8", "Sayso gestisce la tua lista", "per uscire."),
    ],
)
def test_alone_in_a_terminal_it_says_what_it_can_do_and_starts_the_conversation(root, lang, first, last):
    screen = Screen(SAYSO, environment(root, LANG=lang))
    try:
        screen.wait_for(first)
        screen.wait_for(last)
        screen.wait_for("tasks.json")  # the list lasts
        screen.type("add buy milk\r")
        screen.wait_for("buy milk")
        screen.type("quit\r")
        assert screen.running.wait(timeout=30) == 0
    finally:
        screen.close()


def test_without_a_terminal_it_prints_its_help_and_fails(root):
    done = run(root)
    assert done.returncode == 2
    assert "Usage: sayso" in done.stdout


def test_the_doctor_finds_nothing_wrong_in_an_installation_without_settings(root):
    done = run(root, "doctor")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "✗" not in done.stdout
    for line in ("pack tasks", "your list", "database", "page"):
        assert line in done.stdout


def test_the_doctor_says_what_to_do_about_each_service_that_does_not_answer(root):
    nobody = "127.0.0.1:9"
    done = run(
        root,
        "doctor",
        SAYSO_DATABASE_URL=f"postgresql://sayso:hunter2@{nobody}/sayso",
        SAYSO_REDIS_URL=f"redis://:hunter2@{nobody}/0",
        SAYSO_MQTT_URL=f"mqtt://sayso:hunter2@{nobody}",
        SAYSO_MODEL_BASE_URL=f"http://{nobody}/v1",
        SAYSO_MODEL="small",
    )
    assert done.returncode == 1
    bad = [line for line in done.stdout.splitlines() if line.startswith("✗")]
    assert [line.split()[1] for line in bad] == ["database", "redis", "broker", "model", "state"]
    assert "hunter2" not in done.stdout + done.stderr


def test_the_doctor_reports_a_setting_that_cannot_be_used(root):
    done = run(root, "doctor", SAYSO_STATE_KEYS="short")
    assert done.returncode == 1
    assert "SAYSO_STATE_KEYS" in done.stdout


def test_the_examples_are_copied_into_a_new_folder_and_nowhere_else(root, tmp_path):
    there = tmp_path / "examples"
    assert run(root, "examples", "copy", str(there)).returncode == 0
    listed = run(root, "examples", "list").stdout.split()
    assert sorted(one.rstrip("/") for one in listed) == sorted(path.name for path in there.iterdir())
    assert "notes_server.py" in listed
    again = run(root, "examples", "copy", str(there))
    assert again.returncode == 2
    assert "not an empty folder" in again.stderr
