"""`sayso chat --url` against `sayso serve`: the terminal and the service understand each other."""

from __future__ import annotations

import subprocess
import sys
import time
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import httpx2

from terminal import Screen

ROME = ZoneInfo("Europe/Rome")


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


def ring_in(address, token, seconds, title):
    """Add a task whose reminder rings so many seconds from now; the day it is due, as it is said."""
    now = datetime.now(ROME)
    due = (now + timedelta(minutes=2)).replace(second=0, microsecond=0)
    lead = int((due - now).total_seconds()) - seconds
    body = {"title": title, "due": due.strftime("%Y-%m-%dT%H:%M"), "remind": f"PT{lead}S"}
    added = httpx2.post(f"{address}/v1/tasks", json=body, headers={"Authorization": f"Bearer {token}"})
    assert added.status_code == 200, added.text
    return "today" if due.date() == now.date() else "tomorrow"


def ringing(address, token):
    told = httpx2.get(f"{address}/v1/reminders", headers={"Authorization": f"Bearer {token}"})
    return told.json()["ringing"]


def test_a_reminder_is_printed_once_while_the_terminal_is_open(serve, environment, sign_in):
    address, _ = serve()
    token = sign_in()
    ring_in(address, token, 0, "Earlier")
    until = time.monotonic() + 60
    while not ringing(address, token):
        assert time.monotonic() < until
        time.sleep(0.5)
    more = {"SAYSO_TOKEN": token, "NO_PROXY": "127.0.0.1", "TERM": "dumb", "LANG": "C.UTF-8"}
    screen = Screen([sys.executable, "-m", "sayso.cli", "chat", "--url", address], environment | more)
    try:
        screen.wait_for("› ")
        screen.type("add a task to buy milk\n")
        before = screen.wait_for("I've added")
        day = ring_in(address, token, 3, "Call mom")
        before += screen.wait_for(f'Reminder: "Call mom", due {day} at ')
        assert "Earlier" not in before
        screen.type("/list\n")
        assert "Reminder:" not in screen.wait_for("3. ")
        screen.wait_for("› ")
        screen.type("\x04")
        assert screen.running.wait(30) == 0
    finally:
        screen.close()
