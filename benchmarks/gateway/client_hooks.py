"""Fires the hooks of real clients, without an account: a scripted model on loopback asks for one call of a tool.

    python -m benchmarks client-hooks

Claude Code, Codex and Gemini CLI come from npm, at the versions below, into .peers/clients on the first run. Each gets
a home folder, our hooks, and the gateway in front of the notes server. The user's message asks for a note, the model
calls `add_note`, and the trail says which words the gateway had. On Linux, run it as root to keep the clients off the
network: they get a network namespace that has only loopback.
"""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from benchmarks.harness.services import ROOT

CLIENTS = {
    "claude-code": "@anthropic-ai/claude-code@2.1.197",
    "codex": "@openai/codex@0.166.0",
    "gemini": "@google/gemini-cli@0.61.0",
}
PROMPT, NOTE = "add the note Oil the hinges", {"text": "Oil the hinges"}
TOOL, WAITING = "add_note", "WaitForMcpServers"  # the second is a tool of Claude Code
SECONDS = 180
OFFLINE = "SAYSO_CLIENTS_OFFLINE"
USAGE = {"input_tokens": 1, "output_tokens": 1}

Events = Iterator[tuple[str, dict[str, Any]]]
_turns = itertools.count()


class Model(BaseHTTPRequestHandler):
    """The APIs of three providers, as far as one call and one sentence need them."""

    def log_message(self, *_told: Any) -> None:
        """Print nothing."""

    def do_GET(self) -> None:
        self._send("application/json", b'{"data": [], "models": []}')

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        path = self.path.partition("?")[0]
        if path.endswith("/messages"):
            self._stream(anthropic(asked))
        elif path.endswith("/responses"):
            self._stream(openai(asked))
        elif path.endswith("streamGenerateContent"):
            self._stream(gemini(asked))
        else:
            self._send("application/json", b"{}")

    def _stream(self, events: Events) -> None:
        lines = [(f"event: {name}\n" if name else "") + f"data: {json.dumps(told)}\n\n" for name, told in events]
        self._send("text/event-stream", "".join(lines).encode())

    def _send(self, kind: str, body: bytes) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def anthropic(asked: dict[str, Any]) -> Events:
    names = [each.get("name", "") for each in asked.get("tools") or []]
    tool, given, use, turn = _meant(names), NOTE, "toolu_note", next(_turns)
    if tool is None and WAITING in names:  # the gateway is still starting
        time.sleep(1)
        tool, given, use = WAITING, {}, f"toolu_wait_{turn}"
    calls = tool is not None and use not in json.dumps(asked.get("messages"))
    message = {"id": f"msg_{turn}", "type": "message", "role": "assistant", "content": [], "usage": USAGE}
    yield "message_start", {"type": "message_start", "message": message | {"model": asked.get("model")}}
    block = {"type": "tool_use", "id": use, "name": tool, "input": {}} if calls else {"type": "text", "text": ""}
    yield "content_block_start", {"type": "content_block_start", "index": 0, "content_block": block}
    told = {"type": "text_delta", "text": "Done."}
    delta = {"type": "input_json_delta", "partial_json": json.dumps(given)} if calls else told
    yield "content_block_delta", {"type": "content_block_delta", "index": 0, "delta": delta}
    yield "content_block_stop", {"type": "content_block_stop", "index": 0}
    end = {"stop_reason": "tool_use" if calls else "end_turn"}
    yield "message_delta", {"type": "message_delta", "delta": end, "usage": USAGE}
    yield "message_stop", {"type": "message_stop"}


def openai(asked: dict[str, Any]) -> Events:
    item: dict[str, Any] = {"type": "message", "id": "msg_1", "role": "assistant"}
    item["content"] = [{"type": "output_text", "text": "Done."}]
    spaces = [each for each in asked.get("tools") or [] if each.get("type") == "namespace"]
    found = [(each["name"], inner["name"]) for each in spaces for inner in each["tools"] if inner["name"] == TOOL]
    if found and "function_call_output" not in json.dumps(asked.get("input")):
        item = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "arguments": json.dumps(NOTE)}
        item["namespace"], item["name"] = found[0]
    yield "response.created", {"type": "response.created", "response": {"id": "resp_1"}}
    yield "response.output_item.done", {"type": "response.output_item.done", "output_index": 0, "item": item}
    usage = USAGE | {"input_tokens_details": None, "output_tokens_details": None, "total_tokens": 2}
    yield "response.completed", {"type": "response.completed", "response": {"id": "resp_1", "usage": usage}}


def gemini(asked: dict[str, Any]) -> Events:
    declared = [each for tool in asked.get("tools") or [] for each in tool.get("functionDeclarations", [])]
    tool = _meant([each.get("name", "") for each in declared])
    calls = tool is not None and "functionResponse" not in json.dumps(asked.get("contents"))
    part = {"functionCall": {"name": tool, "args": NOTE}} if calls else {"text": "Done."}
    yield "", {"candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}]}


def _meant(names: list[str]) -> str | None:
    return next((name for name in names if name.endswith(TOOL)), None)


def installed() -> Path:
    """The folder with the programs of the clients."""
    folder = ROOT / ".peers" / "clients"
    if not (folder / "node_modules/.bin/gemini").exists():
        folder.mkdir(parents=True, exist_ok=True)
        install = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), *CLIENTS.values()]
        subprocess.run(install, check=True, capture_output=True)
    return folder / "node_modules/.bin"


def command(client: str, programs: Path, home: Path, project: Path, url: str) -> tuple[list[str], dict[str, str]]:
    """The line that runs a client once, and what its environment has besides."""
    gateway = {"command": str(home / "bin/sayso"), "args": ["gateway", "--config", str(project / "sayso.json")]}
    if client == "claude-code":
        (project / "mcp.json").write_text(json.dumps({"mcpServers": {"sayso": gateway}}))
        line = [str(programs / "claude"), "-p", PROMPT, "--strict-mcp-config", "--mcp-config", "mcp.json"]
        more = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "ENABLE_TOOL_SEARCH": "false", "MCP_TIMEOUT": "120000"}
        return [*line, "--allowedTools", f"mcp__sayso__{TOOL}"], more | {
            "ANTHROPIC_BASE_URL": url,
            "ANTHROPIC_API_KEY": "none",
        }
    if client == "codex":
        (home / ".codex/config.toml").write_text(
            'model = "scripted"\nmodel_provider = "scripted"\napproval_policy = "never"\n[analytics]\nenabled = false\n'
            f'[model_providers.scripted]\nname = "scripted"\nbase_url = "{url}/v1"\nwire_api = "responses"\n'
            f'[mcp_servers.sayso]\ncommand = "{gateway["command"]}"\nargs = {json.dumps(gateway["args"])}\n'
            'default_tools_approval_mode = "approve"\nstartup_timeout_sec = 120\nrequired = true\n'
        )
        line = [str(programs / "codex"), "exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust"]
        return [*line, PROMPT], {}
    file = home / ".gemini/settings.json"
    settings = json.loads(file.read_text()) | {"mcpServers": {"sayso": gateway | {"trust": True}}}
    settings |= {"security": {"auth": {"selectedType": "gemini-api-key"}}, "general": {"enableAutoUpdate": False}}
    file.write_text(json.dumps(settings | {"privacy": {"usageStatisticsEnabled": False}}))
    line = [str(programs / "gemini"), "-p", PROMPT, "--model", "gemini-2.5-flash", "--yolo", "--skip-trust"]
    return line, {"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": url}


def prepare(client: str, home: Path, project: Path) -> dict[str, str]:
    """A home with our hooks and a project with the gateway; the environment of the client."""
    (home / "bin").mkdir(parents=True)
    project.mkdir()
    shutil.copy(ROOT / "examples/notes_server.py", project)
    notes = {"command": sys.executable, "args": ["notes_server.py"], "cwd": str(project), "sayso": {"trusted": True}}
    (project / "sayso.json").write_text(json.dumps({"mcpServers": {"notes": notes}}))
    start = home / "bin/sayso"
    start.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(ROOT / 'src')!r})\n"
        "from sayso.cli.start import run\nrun()\n"
    )
    start.chmod(0o700)
    environment = {name: os.environ[name] for name in ("PATH", "LANG", "TERM") if name in os.environ}
    environment |= {"HOME": str(home), "NO_COLOR": "1"}
    install = [str(start), "hooks", "install", client, "--yes"]
    subprocess.run(install, cwd=project, env=environment, check=True, capture_output=True)
    usual = str(Path(sys.executable).with_name("sayso"))
    for file in (*home.glob(".c*/*.json"), *home.glob(".gemini/*.json")):
        file.write_text(file.read_text().replace(usual, str(start)))
    return environment


def run(client: str, programs: Path, url: str) -> bool:
    """Whether the gateway had the user's words and ran the call."""
    with tempfile.TemporaryDirectory() as folder:
        home, project = Path(folder) / "home", Path(folder) / "project"
        environment = prepare(client, home, project)
        line, more = command(client, programs, home, project, url)
        quiet = {"cwd": project, "env": environment | more, "stdin": subprocess.DEVNULL, "timeout": SECONDS}
        done = subprocess.run(line, **quiet, capture_output=True, encoding="utf-8", check=False)
        trail = project / "sayso.sayso/trail.jsonl"
        entries = [json.loads(each) for each in trail.read_text().splitlines()] if trail.exists() else []
        bodies = {each["kind"]: json.loads(each["body"]) for each in entries}
        words = bodies.get("judged", {}).get("wanted", {}).get("words", {})
        ran = bodies.get("call", {}).get("failed") is False
        right = ran and (words.get("source"), words.get("message")) == ("hook", PROMPT)
        about = "ran on the user's words, from hooks" if right else f"wrong: ran {ran}, words {words}"
        print(f"{CLIENTS[client]:<36} {about}")
        if not right:
            print(done.stdout[-2000:], done.stderr[-2000:])
        return right


def stay_here() -> None:
    """Leave the network, as far as root can: the clients reach only loopback."""
    if sys.platform == "linux" and os.geteuid() == 0 and OFFLINE not in os.environ:
        line = ["unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh", sys.executable, *sys.argv]
        os.execvpe(line[0], line, os.environ | {OFFLINE: "1"})  # noqa: S606  ourselves, again


def main() -> None:
    programs = installed()
    stay_here()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    results = [run(client, programs, f"http://127.0.0.1:{server.server_port}") for client in CLIENTS]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
