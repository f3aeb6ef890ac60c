"""For each client: install the hooks, run them with its payload, make the call, remove the hooks."""

from __future__ import annotations

import json
import re

import pytest

# The file of each client, what somebody wrote into it by hand, and the events that are hooked.
FILES = {
    "claude-code": (".claude/settings.json", '{"model": "opus",\n  "hooks": {"Stop": [{"hooks": []}] }}'),
    "vscode": (".copilot/hooks/sayso.json", None),
    "cursor": (".cursor/hooks.json", '{\n\t"version": 1,\n\t"hooks": {\n\t\t"stop": []\n\t}\n}\n'),
    "codex": (".codex/hooks.json", '{ "hooks": { } }\n'),
    "gemini": (".gemini/settings.json", '// mine\n{\n    "ui": {"theme": "Ayu",}, /* dark */\n}\n'),
}
EVENTS = {
    "claude-code": ("UserPromptSubmit", "PreToolUse"),
    "vscode": ("UserPromptSubmit", "PreToolUse"),
    "cursor": ("beforeSubmitPrompt", "beforeMCPExecution"),
    "codex": ("UserPromptSubmit", "PreToolUse"),
    "gemini": ("BeforeAgent", "BeforeTool"),
}


def installed(file, event):
    """The command of the last hook of an event."""
    text = re.sub(r"// .*|/\*.*\*/", "", file.read_text())
    entry = json.loads(re.sub(r",(\s*})", r"\1", text))["hooks"][event][-1]
    return (entry["hooks"][0] if "hooks" in entry else entry)["command"]


@pytest.mark.anyio
async def test_the_words_of_each_client_reach_the_gateway_and_its_file_is_restored(desk, payload):
    for place, before in FILES.values():
        if before is not None:
            (desk.home / place).parent.mkdir(parents=True)
            (desk.home / place).write_text(before)
    async with desk.gateway() as gateway:  # one for all of them, since it takes a while to start
        for client, (place, _before) in FILES.items():
            note = {"text": f"Oil the hinges for {client}"}
            said = f"add the note {note['text']}"
            assert desk.hooks("install", client, "--yes").exit_code == 0
            prompt, call = (installed(desk.home / place, event) for event in EVENTS[client])
            assert (await gateway.call_tool("add_note", note)).structured_content["status"] == "needs_confirmation"
            assert desk.shell(prompt, payload(client, "prompt", prompt=said)).returncode == 0
            given = json.dumps(note) if client == "cursor" else note
            assert desk.shell(call, payload(client, "call", tool_input=given)).returncode == 0
            added = await gateway.call_tool("add_note", note)
            assert added.content[0].text == f"added {note['text']}", client
            assert (await gateway.call_tool("add_note", note)).is_error  # an announcement counts once
            assert desk.words()[-2]["message"] == said
    assert [each["source"] for each in desk.words()] == ["", "hook", ""] * len(FILES)
    for client, (place, before) in FILES.items():
        assert desk.hooks("remove", client, "--yes").exit_code == 0
        file = desk.home / place
        assert (file.read_text() if file.exists() else None) == before


@pytest.mark.parametrize("client", FILES)
def test_a_second_install_changes_nothing(desk, client):
    assert desk.hooks("install", client, "--yes", "--project").exit_code == 0
    files = {path: path.read_bytes() for path in desk.project.rglob("*") if path.is_file()}
    again = desk.hooks("install", client, "--yes", "--project")
    assert "has the hooks already" in again.stdout
    assert {path: path.read_bytes() for path in desk.project.rglob("*") if path.is_file()} == files
    assert not (desk.home / FILES[client][0]).exists()


def test_nothing_is_written_without_a_yes(desk):
    assert "+  " in desk.hooks("install", "codex", "--dry-run").stdout
    assert desk.hooks("install", "codex", told="n\n").exit_code == 1
    assert not (desk.home / ".codex").exists()
    assert desk.hooks("install", "codex", told="y\n").exit_code == 0
    status = desk.hooks("status").stdout
    assert next(line.split()[:3] for line in status.splitlines() if "codex" in line) == ["codex", "user", "installed"]


def test_what_others_change_in_between_stays_to_the_byte(desk):
    file = desk.home / ".claude/settings.json"
    file.parent.mkdir()
    file.write_text('{\n    "model": "opus",  // the large one\n    "hooks": {\n        "Stop": [ ]\n    }\n}\n')
    desk.hooks("install", "claude-code", "--yes")
    own = '"Stop": [ ],\n        "Notification": [{"hooks": [{"type": "command", "command": "beep"}]}]'
    changed = file.read_text().replace('"Stop": [ ]', own)
    file.write_text(changed)
    assert "sayso hook" in changed
    desk.hooks("remove", "claude-code", "--yes")
    expected = f'{{\n    "model": "opus",  // the large one\n    "hooks": {{\n        {own}\n    }}\n}}\n'
    assert file.read_text() == expected


def test_a_file_that_is_not_json_is_left_alone_with_a_remedy(desk):
    file = desk.home / ".gemini/settings.json"
    file.parent.mkdir()
    file.write_text('{"hooks": [}')
    done = desk.hooks("install", "gemini", "--yes")
    assert done.exit_code == 2
    assert "Correct the file" in done.stderr
    assert file.read_text() == '{"hooks": [}'
