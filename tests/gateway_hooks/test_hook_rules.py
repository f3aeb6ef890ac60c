"""The operator's rules for the client's own tools and other servers, in each client's form."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from desks import NAMES


@pytest.fixture
def rules(desk):
    file = desk.project / "sayso.json"
    settings = {"hooks": {"deny": ["Bash", "mcp_*mail_*"], "ask": ["Write", "mcp_*"]}, "lang": "it"}
    file.write_text(json.dumps(json.loads(file.read_text()) | {"sayso": settings}))
    return str(file)


def decision(answer):
    """What a client would read."""
    told = json.loads(answer or "{}")
    inner = told.get("hookSpecificOutput") or {}
    return inner.get("permissionDecision") or told.get("permission") or told.get("decision")


@pytest.mark.parametrize("client", NAMES)
def test_without_rules_a_hook_has_no_opinion(desk, payload, client):
    done = desk.hook(client, payload(client, "call"))
    assert (done.returncode, decision(done.stdout)) == (0, None)


@pytest.mark.parametrize("client", NAMES)
def test_rules_deny_and_ask_by_the_name_of_a_tool(desk, payload, rules, client):
    call = payload(client, "call")
    if client == "cursor":
        call |= {"hook_event_name": "preToolUse", "tool_input": {}}
        call.pop("mcp_server_name")
    asks = "deny" if client in ("cursor", "codex") else "ask"
    tools = {"Bash": "deny", "Write": asks, "Read": None, "mcp__mail__send": "deny", "mcp__other__send": asks}
    answers = {tool: desk.hook(client, call | {"tool_name": tool}, "--config", rules).stdout for tool in tools}
    assert {tool: decision(answer) for tool, answer in answers.items()} == tools
    assert "vieta Bash" in answers["Bash"]


@pytest.mark.parametrize("client", NAMES)
def test_the_gateway_asks_about_its_own_tools(desk, payload, rules, client):
    done = desk.hook(client, payload(client, "call"), "--config", rules)
    assert decision(done.stdout) is None


def test_rules_that_cannot_be_read_ask_about_everything(desk, payload, rules):
    call = payload("claude-code", "call", tool_name="Read")
    missing = desk.hook("claude-code", call, "--config", rules + ".gone")
    assert decision(missing.stdout) == "ask"


@pytest.mark.parametrize("told", ["", "not json", "[]", '{"hook_event_name": "Stop", "session_id": "s"}'])
def test_a_payload_that_cannot_be_read_does_not_stop_the_client(desk, told):
    done = desk.sayso("hook", "claude-code", told=told)
    assert (done.returncode, done.stdout) == (0, "")


def test_the_hooks_see_all_tools_only_if_there_are_rules(desk, rules):
    desk.hooks("install", "claude-code", "--yes")
    file = desk.home / ".claude/settings.json"
    assert '"matcher": "mcp__.*"' in file.read_text()
    desk.hooks("install", "claude-code", "--yes", "--config", rules)
    told = json.loads(file.read_text())["hooks"]["PreToolUse"]
    assert [each["matcher"] for each in told] == ["*"]
    assert told[0]["hooks"][0]["command"].endswith(f"--config {rules}")


def test_the_hook_starts_without_the_packages_of_the_gateway(desk):
    """It runs for every message and every call: the standard library is enough for it, and not all of that."""
    code = "import sys; from sayso.gateway.hooks.program import run; print(*sys.modules)"
    command = [sys.executable, "-S", "-c", code]
    done = subprocess.run(command, env=desk.environment, capture_output=True, encoding="utf-8", check=True)
    assert not {"asyncio", "dataclasses", "logging", "msgspec", "pathlib", "pydantic", "typer", "typing"} & set(
        done.stdout.split()
    )
