"""`sayso chat --url` against `sayso serve`: the terminal and the service understand each other."""

from __future__ import annotations

import subprocess
import sys


def chat(environment, address, token, *lines):
    return subprocess.run(
        [sys.executable, "-m", "sayso.cli", "chat", "--url", address],
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        encoding="utf-8",
        env=environment | {"SAYSO_TOKEN": token, "NO_PROXY": "127.0.0.1"},
        check=False,
    )


def test_a_terminal_talks_to_the_service(serve, environment, sign_in):
    address, _ = serve()
    lines = (
        "add a task to buy milk",
        "delete the milk one",
        "/yes",
        "/undo",
        "/list",
        "elimina buy milk",
        "sì",
        "/why",
        "undo that",
        "/list",
    )
    done = chat(environment, address, sign_in(), *lines)
    assert done.returncode == 0, done.stderr
    printed = done.stdout.splitlines()
    assert printed[:6] == [
        'I\'ve added "buy milk" to your list.',
        'Delete "buy milk"?',
        "yes or no?",
        'I\'ve deleted "buy milk".',
        'I\'ve undone that. "buy milk" is as it was.',
        "You have one task:",
    ]
    assert 'Ho eliminato "buy milk".' in printed
    assert printed[-1] == "1. buy milk"


def test_a_token_of_nobody_is_told(serve, environment):
    address, _ = serve()
    done = chat(environment, address, "of.no.body", "add a task to buy milk")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.strip()
