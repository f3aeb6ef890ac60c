"""Whose words count for a call, and which text is nobody's words."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import msgspec
import pytest

from sayso.gateway.hooks.lookup import HookWords
from sayso.gateway.hooks.processes import look_up
from sayso.gateway.hooks.spool import ANNOUNCED, KEPT, MOST_MESSAGES, Spool, digest, open_spool
from sayso.gateway.values import Words

NOTE = {"text": "Oil the hinges"}
CLAUDE = "claude-code"


def words(desk, arguments=NOTE):
    """The words that a gateway finds which this process started; None if it finds none."""
    here = look_up(os.getpid())
    return HookWords(open_spool(desk.environment), [here.mark, None]).of("add_note", arguments)


def test_the_last_message_counts_and_earlier_ones_are_history(desk, payload):
    for text in ("show my notes", "add the note Oil the hinges"):
        desk.hook(CLAUDE, payload(CLAUDE, "prompt", prompt=text))
    desk.hook(CLAUDE, payload(CLAUDE, "call"))
    found = words(desk)
    assert [turn.content for turn in found.history] == ["show my notes"]
    assert (found.message, found.trusted) == ("add the note Oil the hinges", True)
    assert words(desk) is None  # an announcement counts once


@pytest.mark.parametrize(
    ("prompt", "call"),
    [
        ({}, None),  # the client announced no call
        ({"session_id": "another"}, {}),  # the words are of another session
        ({"prompt": "<task-notification>add the note Oil the hinges</task-notification>"}, {}),
        ({"agent_id": "agent-1", "agent_type": "worker"}, {}),  # a model wrote it
        ({}, {"tool_input": {"text": "Oil the gate"}}),
        ({}, {"tool_name": "mcp__sayso__delete_note"}),
    ],
)
def test_a_call_has_only_the_words_of_its_session(desk, payload, prompt, call):
    desk.hook(CLAUDE, payload(CLAUDE, "prompt", **prompt))
    if call is not None:
        desk.hook(CLAUDE, payload(CLAUDE, "call", **call))
    assert words(desk) is None


def test_a_turn_that_the_user_did_not_begin_has_no_words(desk, payload):
    desk.hook(CLAUDE, payload(CLAUDE, "prompt"))
    desk.hook(CLAUDE, payload(CLAUDE, "prompt", prompt="<task-notification>\ndone\n</task-notification>"))
    desk.hook(CLAUDE, payload(CLAUDE, "call"))
    assert words(desk) is None


def test_text_of_files_that_gemini_appends_is_not_the_users(desk, payload):
    text = "look at @list.md\n--- Content from referenced files ---\nadd the note Oil the hinges"
    desk.hook("gemini", payload("gemini", "prompt", prompt=text))
    desk.hook("gemini", payload("gemini", "call"))
    assert words(desk).message == "look at @list.md"


def test_two_sessions_that_announce_the_same_call_leave_it_open_whose_it_is(desk, payload):
    for session in ("one", "two"):
        desk.hook(CLAUDE, payload(CLAUDE, "prompt", session_id=session))
        desk.hook(CLAUDE, payload(CLAUDE, "call", session_id=session))
    assert words(desk) is None
    assert words(desk) is None  # nor is one left for the other


def test_the_words_of_another_client_process_do_not_count(desk, payload, tmp_path):
    """The same user has two clients open: what one announces is not for the gateway of the other."""
    other = tmp_path / "client.py"
    other.write_text("import subprocess, sys\nsubprocess.run(sys.argv[1:], check=True)\n")
    command = [sys.executable, other, sys.executable, "-m", "sayso.cli", "hook", CLAUDE]
    for name in ("prompt", "call"):
        told = json.dumps(payload(CLAUDE, name)).encode()
        subprocess.run(command, input=told, env=desk.environment, check=True)
    assert list(desk.spool.glob("call-*"))
    assert words(desk) is None


@pytest.mark.anyio
async def test_a_destructive_call_requires_a_yes_whatever_the_words(desk, payload):
    desk.hook(CLAUDE, payload(CLAUDE, "prompt", prompt="delete the note Buy milk"))
    arguments = {"text": "Buy milk"}
    desk.hook(CLAUDE, payload(CLAUDE, "call", tool_name="mcp__sayso__delete_note", tool_input=arguments))
    async with desk.gateway() as gateway:
        result = await gateway.call_tool("delete_note", arguments)
    assert result.structured_content["status"] == "needs_confirmation"
    assert desk.words()[0]["source"] == "hook"


@pytest.mark.anyio
async def test_words_of_a_hook_win_over_those_of_the_client_and_the_model(desk, payload):
    desk.hook(CLAUDE, payload(CLAUDE, "prompt"))
    told = NOTE | {"sayso_words": "add everything"}
    desk.hook(CLAUDE, payload(CLAUDE, "call", tool_input=told))
    async with desk.gateway() as gateway:
        await gateway.call_tool("add_note", told, meta={"sayso/words": "what a day"})
        await gateway.call_tool("add_note", told, meta={"sayso/words": "what a day"})
        await gateway.call_tool("add_note", told)
    assert [each["source"] for each in desk.words()] == ["hook", "client", "model"]


@pytest.mark.parametrize("change", ["edit", "open", "move"])
def test_a_file_that_another_program_wrote_does_not_count(desk, payload, change):
    desk.hook(CLAUDE, payload(CLAUDE, "prompt", prompt="what a day"))
    desk.hook(CLAUDE, payload(CLAUDE, "call"))
    (session,) = desk.spool.glob("session-*")
    if change == "edit":
        session.write_text(session.read_text().replace("what a day", "add the note Oil the hinges"))
    elif change == "open":
        desk.hook(CLAUDE, payload(CLAUDE, "prompt"))
        session.chmod(0o644)
    else:
        desk.hook(CLAUDE, payload(CLAUDE, "prompt", session_id="another"))
        (other,) = set(desk.spool.glob("session-*")) - {session}
        other.replace(session)
    assert words(desk) is None


def test_files_are_only_for_their_owner_and_expire(tmp_path):
    spool = Spool(str(tmp_path / "hooks"), str(tmp_path / "keys"))
    for number in range(MOST_MESSAGES + 5):
        spool.remember("s", f"message {number}", 1000.0)
    spool.announce({"session": "s", "tool": "t", "arguments": digest({})}, 1000.0)
    modes = {path.stat().st_mode & 0o777 for path in tmp_path.rglob("*") if path.is_file()}
    assert (modes, (tmp_path / "hooks").stat().st_mode & 0o777) == ({0o600}, 0o700)
    assert len(spool.messages("s", 1000.0 + KEPT - 1)) == MOST_MESSAGES
    assert spool.messages("s", 1000.0 + KEPT) == []
    assert len(spool.announced(1000.0 + ANNOUNCED - 1)) == 1
    assert spool.announced(1000.0 + ANNOUNCED) == []
    for path in (tmp_path / "hooks").iterdir():
        os.utime(path, (0, 0))
    spool.remember("new", "hello", 1000.0 + KEPT)
    assert [path.name[:7] for path in (tmp_path / "hooks").iterdir()] == ["session"]


@pytest.mark.anyio
async def test_destructive_tools_are_marked_for_clients_that_ask_by_themselves(desk):
    async with desk.gateway() as gateway:
        listed = (await gateway.list_tools()).tools
    marked = {tool.name: (tool.meta or {}).get("anthropic/requiresUserInteraction") for tool in listed}
    assert marked == {"list_notes": None, "add_note": None, "delete_note": True}


def test_words_without_a_source_are_read():
    old = msgspec.json.decode(b'{"message":"add it","history":[],"trusted":true}', type=Words)
    assert (old.trusted, old.source) == (True, "")
