"""What the proofs of the services share: a database of their own, servers as processes, and a line of progress.

The database server is named in SAYSO_TEST_DATABASE, Redis in SAYSO_TEST_REDIS; by default both are on this machine.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import httpx2
import psycopg

from benchmarks import ROOT
from sayso.assistant.converse import Assistant
from sayso.database.migrate import migrate
from sayso.decider import Decider
from sayso.packs.answers import load_answers
from sayso.packs.load import pack_folder
from sayso.settings import Settings

PATHS = f"{ROOT / 'src'}{os.pathsep}{ROOT}"  # where a process finds sayso and these modules
REVISION = "2026-07-28"
SERVER = os.environ.get("SAYSO_TEST_DATABASE", "postgresql://postgres@127.0.0.1:5432/postgres")
REDIS = os.environ.get("SAYSO_TEST_REDIS", "redis://127.0.0.1:6379/0")
KEY = "a-key-for-proofs-that-guards-nothing"


@contextmanager
def new_database(server: str = SERVER, *, durable: bool = True) -> Iterator[str]:
    """A database with the newest schema, dropped at the end; `durable` says whether commits wait for the disk."""
    name = f"sayso_proof_{secrets.token_hex(6)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        if not durable:
            connection.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
    try:
        url = psycopg.conninfo.make_conninfo(server, dbname=name)
        migrate(url)
        yield url
    finally:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


@cache
def assistant() -> Assistant:
    """Who converses about tasks, as in the chat service."""
    return Assistant(Decider.installed(), load_answers(pack_folder("tasks")))


def settings_for(url: str) -> Settings:
    return Settings(env="development", database_url=url, state_keys=(KEY,))


def environment_for(url: str, **more: str) -> dict[str, str]:
    """The variables of a process that serves this database."""
    others = {name: value for name, value in os.environ.items() if not name.startswith("SAYSO_")}
    ours = {"SAYSO_DATABASE_URL": url, "SAYSO_ENV": "development", "SAYSO_STATE_KEYS": KEY}
    return others | ours | {"PYTHONPATH": PATHS} | more


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(command: list[str | Path], port: int, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    """A server as a process of its own, once it answers."""
    process = subprocess.Popen(command, env=environment)
    wait_until_ready(port, process)
    return process


def serve(url: str, port: int, *options: str, **more: str) -> subprocess.Popen[bytes]:
    """`sayso mcp tasks --transport http` on this port, once it is ready."""
    command = [sys.executable, "-m", "sayso.cli", "mcp", "tasks", "--transport", "http", "--port", str(port), *options]
    return start(command, port, environment_for(url, **more))


def serve_chat(url: str, port: int, *options: str, **more: str) -> subprocess.Popen[bytes]:
    """`sayso serve` on this port, once it is ready."""
    command = [sys.executable, "-m", "sayso.cli", "serve", "--port", str(port), *options]
    return start(command, port, environment_for(url, SAYSO_REDIS_URL=REDIS, **more))


def peer_python(name: str) -> Path:
    """The Python of a peer's environment, made from its requirements when it is not there."""
    home = ROOT / ".peers" / name
    python = home / "bin" / "python"
    home.parent.mkdir(exist_ok=True)
    with (home.parent / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two proofs may want it at the same time
        if not (home / "complete").exists():
            uv, lock_file = Path(sys.executable).parent / "uv", ROOT / "requirements" / f"{name}.txt"
            subprocess.run([uv, "venv", "--quiet", "--clear", "--python", sys.executable, home], check=True)
            install = [uv, "pip", "install", "--quiet", "--python", python, "--require-hashes", "--no-deps"]
            subprocess.run([*install, "-r", lock_file], check=True)
            (home / "complete").touch()
    return python


def wait_until_ready(port: int, process: subprocess.Popen[bytes], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise SystemExit(f"the server ended with {process.returncode}")
        try:
            with urlopen(f"http://127.0.0.1:{port}/readyz", timeout=2):
                return
        except (URLError, OSError):
            time.sleep(0.05)
    raise SystemExit("the server does not answer")


class Progress:
    """One line that says how far it is, at most twice a second; nothing where nobody looks."""

    def __init__(self, what: str, total: int) -> None:
        self._what, self._total, self._said, self._start = what, total, 0.0, time.monotonic()
        self.done = 0

    def step(self, count: int = 1) -> None:
        self.done += count
        now = time.monotonic()
        if sys.stderr.isatty() and (now - self._said > 0.5 or self.done == self._total):
            self._said = now
            print(
                f"\r{self._what}: {self.done:,} of {self._total:,} ({now - self._start:.0f} s)", end="", file=sys.stderr
            )
            if self.done == self._total:
                print(file=sys.stderr)


class Sender:
    """Calls tools over HTTP as a client of 2026-07-28 does, without a session; a lost answer is an exception."""

    def __init__(self, http: httpx2.AsyncClient, port: int, token: str) -> None:
        self._http, self._url, self._token = http, f"http://127.0.0.1:{port}/mcp", token

    async def call(self, tool: str, arguments: dict[str, Any], key: str | None = None) -> dict[str, Any]:
        meta: dict[str, Any] = {
            "io.modelcontextprotocol/protocolVersion": REVISION,
            "io.modelcontextprotocol/clientInfo": {"name": "proof", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        if key:
            meta["sayso/idempotency-key"] = key
        body = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"_meta": meta, "name": tool, "arguments": arguments},
        }
        headers = {
            "Authorization": f"Bearer {self._token}",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": REVISION,
            "Mcp-Method": "tools/call",
            "Mcp-Name": tool,
        }
        answer = await self._http.post(self._url, json=body, headers=headers)
        answer.raise_for_status()
        content: dict[str, Any] = answer.json()["result"]["structuredContent"]
        return content
