"""The official MCP conformance suite against the HTTP server, in every revision that it knows of.

    python -m benchmarks conformance

Scenarios that do not apply are listed with their reasons in conformance/not-applicable.yaml; all others must pass. A
listed one that passes is told of as well, so that the list stays true. Needs Node and npm.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

import uvicorn
import yaml

from benchmarks import ROOT
from benchmarks.harness.services import free_port, new_database, settings_for
from sayso.database.pool import Database
from sayso.identity.development import issue
from sayso.identity.principal import Principal
from sayso.settings import Settings
from sayso.tasks.serve import http_app
from sayso.tasks.service import TaskService
from sayso.tasks.values import AddTask

HOME = ROOT / "benchmarks" / "conformance"
SUITE = HOME / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
REVISIONS = ("2025-06-18", "2025-11-25", "2026-07-28")

Reasons = dict[str, str | dict[str, str]]


class SignedIn:
    """The suite brings no token: this gives it one, in front of the server, which is as it always is."""

    def __init__(self, app: Any, token: str) -> None:
        self._app, self._header = app, (b"authorization", f"Bearer {token}".encode())

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and not any(name == b"authorization" for name, _ in scope["headers"]):
            scope = scope | {"headers": [*scope["headers"], self._header]}
        await self._app(scope, receive, send)


class Serving(threading.Thread):
    """The server in a thread: sessions for the older revisions, none for the newest."""

    def __init__(self, settings: Settings, port: int, *, sessions: bool) -> None:
        super().__init__(daemon=True)
        self._settings, self._port, self._sessions = settings, port, sessions
        self.ready = threading.Event()
        self.server: uvicorn.Server | None = None

    def run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        async with Database(self._settings.database_url or "") as database:
            service = TaskService(database)
            await service.call(Principal(id="conformance"), "add_task", AddTask(title="Buy milk"))
            app = http_app(service, self._settings, host="127.0.0.1", port=self._port, sessions=self._sessions)
            signed_in = SignedIn(app, issue(self._settings, "conformance"))
            config = uvicorn.Config(signed_in, port=self._port, http="h11", log_level="error")
            self.server = uvicorn.Server(config)
            self.ready.set()
            await self.server.serve()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--revision", action="append", choices=REVISIONS, help="only this one; may be given again")
    revisions = parser.parse_args().revision or REVISIONS
    if shutil.which("npm") is None:
        print("npm is not here: the suite cannot be run")
        return 1
    if not SUITE.exists():
        subprocess.run(["npm", "ci", "--silent", "--no-fund", "--no-audit"], cwd=HOME, check=True)
    reasons: Reasons = yaml.safe_load((HOME / "not-applicable.yaml").read_text("utf-8"))
    wrong = 0
    with new_database() as url:
        for revision in revisions:
            wrong += report(revision, run(settings_for(url), revision), reasons)
    return int(wrong > 0)


def run(settings: Settings, revision: str) -> dict[str, list[dict[str, Any]]]:
    """The checks of each scenario."""
    port = free_port()
    serving = Serving(settings, port, sessions=revision < "2026")
    serving.start()
    serving.ready.wait()
    node = ["node", *(["--import", str(HOME / "node20.mjs")] if _node() < 22 else []), str(SUITE)]
    with tempfile.TemporaryDirectory() as folder:
        command = [*node, "server", "--url", f"http://127.0.0.1:{port}/mcp", "--suite", "all"]
        subprocess.run([*command, "--spec-version", revision, "-o", folder], cwd=HOME, capture_output=True, check=False)
        found = {}
        for file in sorted(Path(folder).rglob("checks.json")):
            name = re.sub(r"^server-|-\d{4}-\d{2}-\d{2}T.*$", "", file.parent.name)
            found[name] = json.loads(file.read_text("utf-8"))
    if serving.server:
        serving.server.should_exit = True
    serving.join(20)
    return found


def report(revision: str, found: dict[str, list[dict[str, Any]]], reasons: Reasons) -> int:
    """Print what came of each scenario; how many checks are not as they should be."""
    wrong, passed, apart = 0, 0, 0
    for name, checks in found.items():
        reason = reasons.get(name, {})
        failures = [check for check in checks if check["status"] == "FAILURE"]
        if isinstance(reason, str):
            apart += 1
            if not failures:
                print(f"  {name}: passes, though it is said not to apply ({reason})")
            continue
        failures = [check for check in failures if check["id"] not in reason]
        passed += not failures
        wrong += len(failures)
        for failure in failures:
            print(f"  FAILED {name}: {failure['id']}: {failure.get('errorMessage', '')[:300]}")
    count = sum(check["status"] == "SUCCESS" for checks in found.values() for check in checks)
    print(
        f"{revision}: {passed} of {len(found) - apart} applicable scenarios pass ({count} checks); "
        f"{apart} do not apply (conformance/not-applicable.yaml)"
    )
    return wrong + (not found)


def _node() -> int:
    said = subprocess.run(["node", "--version"], capture_output=True, encoding="utf-8", check=True).stdout
    return int(said.strip("v \n").split(".", maxsplit=1)[0])


if __name__ == "__main__":
    sys.exit(main())
