"""Reminders in a terminal: what comes due while somebody watches the list."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.error import HTTPError

import pytest

from sayso.cli.assistant import ringing
from sayso.cli.assistant.remote import Reminder
from sayso.cli.assistant.ringing import RANG, Bell, following, reach
from sayso.errors import BadData
from sayso.tasks.store.taskfile import TaskFile, TaskList
from sayso.tasks.values import Task

NOW = datetime(2026, 3, 10, 16, 0, tzinfo=UTC)


def task(number, due, remind="PT0S", **more):
    fields = {"title": f"Task {number}", "description": "", "status": "pending", "completed": False} | more
    return Task(
        id=f"t{number}", priority="medium", due=due, remind=remind, created_at=NOW.isoformat(), version=1, **fields
    )


@pytest.fixture
def clock():
    moments = [NOW]

    def now():
        return moments[-1]

    now.pass_by = lambda **time: moments.append(moments[-1] + timedelta(**time))
    return now


def test_each_reminder_rings_once_while_it_is_watched(clock):
    done = {"status": "completed", "completed": True}
    tasks = [
        task(1, "2026-03-10T17:00"),
        task(2, "2026-03-10T17:10", "PT15M"),
        task(3, "2026-03-10T15:00"),  # before anybody watched
        task(4, "2026-03-10T17:00", None),
        task(5, "2026-03-10T17:00", **done),
    ]
    bell = Bell(lambda: tasks, clock)
    assert bell.due() == []
    clock.pass_by(minutes=55)
    assert [each.task.id for each in bell.due()] == ["t2"]
    assert bell.due() == []
    clock.pass_by(minutes=5)
    assert [each.task.id for each in bell.due()] == ["t1"]
    assert [each.task.id for each in bell.coming(NOW + timedelta(days=1))] == []


def test_a_file_that_cannot_be_read_now_is_read_later(clock):
    def broken():
        raise BadData("tasks.json", "(file)", "cannot be read", "Put it right.")

    assert Bell(broken, clock).due() == []


def test_the_answer_says_when_the_terminal_rings(clock):
    told = reach(clock)
    assert told(task(1, "2026-03-10T17:00"))["rings"] == "terminal"
    assert told(task(1, "2026-03-10T15:00")) == {"rings": "past"}
    assert told(task(1, None)) == {"rings": "undated"}


def test_following_prints_a_reminder_when_it_is_due(tmp_path):
    file = tmp_path / "tasks.json"
    TaskFile(file).save(TaskList())
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2] / "src"), "TZ": "UTC", "LC_ALL": "C"}
    command = [sys.executable, "-m", "sayso.cli", "remind", "--follow", "--file", str(file)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8"}
    with subprocess.Popen(command, env=environment, **pipes) as process:
        assert "Waiting" in process.stderr.readline()
        now = datetime.now(UTC)
        due = (now + timedelta(minutes=5)).replace(second=0, microsecond=0)
        lead = int((due - now).total_seconds()) - 3
        TaskFile(file).save(TaskList(tasks=(task(1, f"{due:%Y-%m-%dT%H:%M}", f"PT{lead}S"),)))
        line = process.stdout.readline()
        process.terminate()
    assert line.startswith('Reminder: "Task 1", due today at')


class Service:
    """A chat service whose streams end: what each brings, and what rings at every look."""

    def __init__(self, *streams):
        self.streams, self.rings, self.over = list(streams), [], threading.Event()

    def events(self):
        if not self.streams:
            self.over.set()
            raise HTTPError("http://127.0.0.1", 401, "over", None, None)
        for happens in self.streams.pop(0):
            if isinstance(happens, Exception):
                raise happens
            if happens.startswith("ring "):
                self.rings.insert(0, Reminder(happens, happens.removeprefix("ring "), "2026-03-10T17:00"))
            else:
                yield happens

    def ringing(self):
        return tuple(self.rings)

    def now(self):
        return NOW


def test_what_rings_at_a_service_is_told_once_also_after_a_lost_connection(monkeypatch):
    monkeypatch.setattr(ringing, "PAUSE", 0)
    service = Service(
        ["ring Before", "", "tasks_changed", "ring Milk", RANG, "ring Bread", "ring Tea", OSError("lost")],
        [OSError("away")],
        ["", RANG],
    )
    told = []
    with following(service, lambda each, now: told.append((each.title, now))):
        assert service.over.wait(30)
    assert told == [("Milk", NOW), ("Bread", NOW), ("Tea", NOW)]
