"""`sayso gateway demo`: attacks that the gateway stops, played for real."""

from __future__ import annotations

import io
import subprocess
import sys

import pytest
import typer
from fronts import ENVIRONMENT
from rich.console import Console

from sayso.cli.gateway import demo as command
from sayso.gateway.demo.play import Outcome, Said, scenes

RUN = [sys.executable, "-m", "sayso.cli", "gateway", "demo"]


def test_every_attack_is_stopped_and_the_right_call_passes(tmp_path):
    environment = ENVIRONMENT | {"TMPDIR": str(tmp_path), "HOME": str(tmp_path)}
    done = subprocess.run(RUN, env=environment, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    assert "\x1b" not in done.stdout
    for number, scene in enumerate(scenes(), 1):
        assert f"\n{number}  {scene.title}\n" in done.stdout
    assert done.stdout.count("STOPPED") == 3
    assert done.stdout.count("asks: ") == 2
    assert "\nThe server ran: add_note, list_notes, list_notes.\n" in done.stdout
    assert "is intact" in done.stdout
    assert done.stdout.endswith("Try it on your own servers: sayso gateway init\n")
    assert list(tmp_path.iterdir()) == []  # it leaves nothing behind


def test_a_terminal_shows_what_was_stopped_in_red():
    terminal = Console(force_terminal=True, color_system="standard", file=io.StringIO())
    terminal.print(command._line(Said("gateway", "Nothing was run.", "stop")))
    assert "\x1b[1;31mSTOPPED  Nothing was run." in terminal.file.getvalue()


@pytest.mark.parametrize(
    "outcome",
    [
        Outcome(4, 3, ("add_note",), only_forwarded=True, entries=9, intact=True),
        Outcome(4, 4, ("add_note", "delete_note"), only_forwarded=False, entries=9, intact=True),
        Outcome(4, 4, ("add_note",), only_forwarded=True, entries=9, intact=False),
    ],
)
def test_it_fails_if_something_ran_that_must_not(monkeypatch, capsys, outcome):
    class Fake:
        def __init__(self, _folder):
            pass

        async def run(self):
            for each in ():
                yield each

        def outcome(self):
            return outcome

    monkeypatch.setattr(command, "Play", Fake)
    with pytest.raises(typer.Exit) as ended:
        command.demo()
    assert ended.value.exit_code == 1
    assert "none of them ran" not in capsys.readouterr().out
