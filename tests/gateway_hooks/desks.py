"""A gateway that this process starts, and hooks that it runs, as a client does both."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path

from mcp import Client, StdioServerParameters
from typer.testing import CliRunner

from sayso.cli.main import app

ROOT = Path(__file__).parent.parent.parent
NAMES = ("claude-code", "vscode", "cursor", "codex", "gemini")


class Desk:
    """A user's home and project, with a gateway in front of the notes server."""

    def __init__(self, folder):
        self.home, self.project = folder / "home", folder / "project"
        self.home.mkdir()
        self.project.mkdir()
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("SAYSO_", "XDG_"))}
        self.environment = kept | {"HOME": str(self.home), "PYTHONPATH": str(ROOT / "src")}
        shutil.copy(ROOT / "examples" / "notes_server.py", self.project)
        notes = {"command": sys.executable, "args": ["notes_server.py"], "sayso": {"trusted": True}}
        (self.project / "sayso.json").write_text(json.dumps({"mcpServers": {"notes": notes}}))

    @property
    def spool(self):
        return self.home / ".local/share/sayso/hooks"

    def sayso(self, *arguments, told=None):
        command = [sys.executable, "-m", "sayso.cli", *arguments]
        return self._run(command, told)

    def hooks(self, *arguments, told=None):
        """`sayso hooks`, in this process, which takes less time."""
        before = Path.cwd()
        os.chdir(self.project)
        try:
            environment = dict.fromkeys(os.environ) | self.environment
            return CliRunner().invoke(app, ["hooks", *arguments], input=told, env=environment)
        finally:
            os.chdir(before)

    def hook(self, client, payload, *arguments):
        """Run the hook as a client does, with its payload."""
        return self.sayso("hook", client, *arguments, told=json.dumps(payload))

    def shell(self, line, payload):
        return self._run(["sh", "-c", line], json.dumps(payload))

    def _run(self, command, told):
        return subprocess.run(
            command,
            cwd=self.project,
            env=self.environment,
            input=told or "",
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    @asynccontextmanager
    async def gateway(self):
        """A client that cannot be asked anything."""
        arguments = ["-m", "sayso.cli", "gateway"]
        started = StdioServerParameters(command=sys.executable, args=arguments, env=self.environment, cwd=self.project)
        async with Client(started) as client:
            yield client

    def words(self):
        """The words of the calls that were judged, from the trail."""
        lines = (self.project / "sayso.sayso/trail.jsonl").read_text().splitlines()
        entries = [json.loads(line) for line in lines]
        return [json.loads(each["body"])["wanted"]["words"] for each in entries if each["kind"] == "judged"]
