"""Questions through the gateway: what changes, missing arguments that go back to the model, and late answers."""

from __future__ import annotations

import json
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from behind import NEW, OLD
from fronts import connected, in_memory, write
from mcp_types import ElicitResult

from sayso.gateway import proxy
from sayso.gateway.config import read_config
from sayso.gateway.trail.stores import trail_of

pytestmark = pytest.mark.anyio

YES, NO = ElicitResult(action="accept", content={"answer": True}), ElicitResult(action="decline")
SERVER = Path(__file__).with_name("files_server.py")


@pytest.fixture
def files(tmp_path):
    """The gateway's file before a file server, with more settings for it."""

    def make(**more):
        return write(tmp_path, files={"command": sys.executable, "args": [str(SERVER)], "sayso": more})

    return make


@pytest.fixture
def note(tmp_path):
    file = tmp_path / "a.txt"
    file.write_text("Buy milk\nCall mom\nPay rent\n")
    return file


def recorded(file):
    entries = trail_of(read_config(file), file).read()
    return [(entry.kind, json.loads(entry.body)) for entry in entries]


@pytest.mark.parametrize("era", [NEW, OLD])
async def test_a_question_shows_what_a_call_would_change(files, note, era):
    file = files()
    async with in_memory(file) as gateway, connected(gateway, era) as caller:
        caller.answer = lambda _params: NO
        await caller.call("write_file", {"path": str(note), "content": "Buy milk\nCall dad\nPay rent\n"})
    text = caller.asked[0].message
    assert text.startswith("Run files.write_file?\n\n  path: ")
    changes = text.partition("Changes to the current content, as files.read_text_file returns it:\n")[2]
    assert changes.startswith("  | @@ -1,4 +1,4 @@\n  |  Buy milk\n  | -Call mom\n  | +Call dad\n  |  Pay rent\n")
    assert "Asked through mcp.\nAnswer by " in text
    assert "default" not in caller.asked[0].requested_schema["properties"]["answer"]
    kinds = [(kind, body.get("wanted", {}).get("tool")) for kind, body in recorded(file)]
    assert ("call", "read_text_file") in kinds
    assert note.read_text().startswith("Buy milk\nCall mom")


@pytest.mark.parametrize(
    "tools",
    [
        {"write_file": {"diff": {}}},
        {"write_file": {"diff": {"tool": "write_file"}}},
        {"write_file": {"diff": {"tool": "no_such_tool"}}},
        {"write_file": {"diff": {"tool": "read_text_file", "content": "other"}}},
        {"read_text_file": {"risk": "write"}},
        {"read_text_file": {"hidden": True}},
    ],
)
async def test_nothing_is_read_by_a_tool_that_may_do_more_than_read(files, note, tools):
    file = files(tools=tools)
    async with in_memory(file) as gateway, connected(gateway, NEW) as caller:
        caller.answer = lambda _params: NO
        await caller.call("write_file", {"path": str(note), "content": "new"})
    assert "Changes" not in caller.asked[0].message
    assert [kind for kind, _ in recorded(file)] == ["judged", "question", "answer", "refusal"]


async def test_a_new_file_and_the_same_content_are_said(files, note):
    async with in_memory(files()) as gateway, connected(gateway, NEW) as caller:
        caller.answer = lambda _params: NO
        await caller.call("write_file", {"path": str(note.with_name("b.txt")), "content": "new"})
        await caller.call("write_file", {"path": str(note), "content": note.read_text()})
    new, same = (params.message for params in caller.asked)
    assert "files.read_text_file returns no current content: this may be a new file." in new
    assert "files.read_text_file returns exactly this content already." in same


async def test_a_missing_argument_goes_back_to_the_model_once(files, note):
    file = files()
    async with in_memory(file) as gateway, connected(gateway, NEW) as caller:
        caller.answer = lambda _params: NO
        first = await caller.call("write_file", {"path": str(note)}, "save it")
        assert caller.asked == []
        told = first.structured_content
        assert first.is_error
        assert (told["status"], told["missing"]) == ("missing_argument", ["content"])
        assert told["schema"] == {"content": {"type": "string"}}
        assert told["message"].startswith("write_file requires content (string). Nothing was run.")
        second = await caller.call("write_file", {"path": str(note)}, "save it")
        assert (second.structured_content["status"], len(caller.asked)) == ("declined", 1)
        other = await caller.call("write_file", {"content": "x"}, "save it")
        assert other.structured_content["missing"] == ["path"]
    assert [body["status"] for kind, body in recorded(file) if kind == "refusal"] == [
        "missing_argument",
        "declined",
        "missing_argument",
    ]


async def test_what_the_words_settle_is_not_asked_of_the_model(tmp_path, servers, ran):
    """With a pack the words give the title, so that the call is complete."""
    async with in_memory(write(tmp_path, one=servers["new_http"])) as gateway, connected(gateway, NEW) as caller:
        assert not (await caller.call("add_task", {}, "add a task to buy bread")).is_error
        caller.answer = lambda _params: ElicitResult(action="accept", content={"answer": "Buy bread"})
        first = await caller.call("add_task", {}, "add a task")
        assert first.structured_content["status"] == "missing_argument"
        assert not (await caller.call("add_task", {}, "add a task")).is_error
    assert len(caller.asked) == 1
    assert [arguments["title"] for _, arguments in ran()] == ["buy bread", "Buy bread"]


async def test_a_late_yes_does_not_count(files, tmp_path, monkeypatch):
    now = [proxy._now()]
    monkeypatch.setattr(proxy, "_now", lambda: now[0])
    made = tmp_path / "new"
    call = ("create_directory", {"path": str(made)})
    async with in_memory(files()) as gateway, connected(gateway, OLD) as caller:

        def late(_params):
            now[0] += timedelta(seconds=601)
            return YES

        caller.answer = late
        assert (await caller.call(*call)).structured_content["status"] == "refused"
        assert not made.exists()
        caller.answer = lambda _params: YES
        assert not (await caller.call(*call)).is_error
    assert made.is_dir()
