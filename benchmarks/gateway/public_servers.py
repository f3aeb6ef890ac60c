"""The gateway before three public MCP servers: what writes is confirmed, what reads passes, nothing else changes.

    python -m benchmarks public-servers

Each server runs in an environment of its own, made into .peers/ on the first run: from requirements/git-server.txt and
requirements/sqlite-server.txt, and by npm from public_servers/package-lock.json. Needs Node and npm.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import ElicitResult, Tool
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from benchmarks.harness.services import ROOT, peer_python

LOCK = ROOT / "benchmarks" / "public_servers"
FILES = "@modelcontextprotocol/server-filesystem"
WORDS = "sayso_words"
LABEL = 18


class Wrong(Exception):
    """Something else was expected."""


class Step(NamedTuple):
    """A call, and what the person said."""

    tool: str
    arguments: dict[str, Any]
    words: str


class Public(NamedTuple):
    """A server, what the operator says of it, two calls, and how to see what is there."""

    name: str
    about: str
    server: dict[str, Any]
    sayso: dict[str, Any]
    read: Step
    write: Step
    seen: Callable[[], str]


def filesystem(home: Path) -> Public:
    note = home / "notes.txt"
    note.write_text("Buy milk")
    index = node_peer() / "node_modules" / FILES / "dist" / "index.js"
    return Public(
        "files",
        f"{FILES} {json.loads((LOCK / 'package.json').read_text())['dependencies'][FILES]} from npm",
        {"command": "node", "args": [str(index), str(home)]},
        {},
        Step("read_text_file", {"path": str(note)}, ""),
        Step("write_file", {"path": str(note), "content": "Buy bread"}, "write Buy bread into notes.txt"),
        note.read_text,
    )


def git(home: Path) -> Public:
    run = ["git", "-C", str(home), "-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    for command in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "begin"]):
        subprocess.run([*run, *command], check=True)
    (home / "notes.txt").write_text("Buy milk")
    subprocess.run([*run, "add", "notes.txt"], check=True)

    def staged() -> str:
        status = ["git", "-C", str(home), "status", "--short"]
        return subprocess.run(status, check=True, capture_output=True, encoding="utf-8").stdout.strip()

    return Public(
        "git",
        _pinned("git-server"),
        {"command": str(peer_python("git-server")), "args": ["-m", "mcp_server_git", "--repository", str(home)]},
        {"trusted": True},
        Step("git_status", {"repo_path": str(home)}, ""),
        Step("git_reset", {"repo_path": str(home)}, "unstage everything"),
        staged,
    )


def sqlite(home: Path) -> Public:
    file = home / "notes.db"
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE notes (text TEXT)")
        connection.execute("INSERT INTO notes VALUES ('Buy milk')")
    connection.close()

    def rows() -> str:
        seen = sqlite3.connect(file)
        found = seen.execute("SELECT text FROM notes").fetchall()
        seen.close()
        return str(found)

    reads = {name: {"risk": "read"} for name in ("read_query", "list_tables", "describe_table")}
    command = str(peer_python("sqlite-server").with_name("mcp-server-sqlite"))
    return Public(
        "sqlite",
        _pinned("sqlite-server"),
        {"command": command, "args": ["--db-path", str(file)]},
        {"tools": reads},
        Step("read_query", {"query": "SELECT text FROM notes"}, ""),
        Step("write_query", {"query": "DELETE FROM notes"}, "delete all my notes"),
        rows,
    )


def _pinned(name: str) -> str:
    """The package and version that an environment is for."""
    *_, line = (ROOT / "requirements" / f"{name}.in").read_text().split()
    return f"{line.replace('==', ' ')} from PyPI"


def node_peer() -> Path:
    home = ROOT / ".peers" / "public-servers"
    if not (home / "node_modules").exists():
        home.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(LOCK / name, home)
        subprocess.run(["npm", "ci", "--silent", "--no-fund", "--no-audit"], cwd=home, check=True)
    return home


class Person:
    """Answers, and keeps what was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.answer = "decline"

    async def __call__(self, _context: Any, params: Any) -> ElicitResult:
        self.asked.append(params.message)
        return ElicitResult(action=self.answer, content={"answer": True} if self.answer == "accept" else None)


@asynccontextmanager
async def connected(
    command: str, args: list[str], person: Person | None = None, mode: str = "auto"
) -> AsyncIterator[Client]:
    environment = dict(os.environ) | {"PYTHONPATH": str(ROOT / "src")} if person else None
    parameters = StdioServerParameters(command=command, args=args, env=environment)
    with Path(os.devnull).open("w") as quiet:  # noqa: ASYNC230  it is opened for the servers, which write their logs there
        async with Client(stdio_client(parameters, errlog=quiet), elicitation_callback=person, mode=mode) as client:
            yield client


async def drive(public: Public, home: Path) -> None:
    """First without the gateway, then through it."""
    async with connected(public.server["command"], public.server["args"]) as client:
        before, era = (await client.list_tools()).tools, client.session.protocol_version
        plain = await client.call_tool(public.read.tool, public.read.arguments)
    print(f"{public.name}: {public.about}, speaks {era}")
    file = home.parent / f"{public.name}.json"
    file.write_text(json.dumps({"mcpServers": {public.name: {**public.server, "sayso": public.sayso}}}))
    person = Person()
    gateway = ["-m", "sayso.cli", "gateway", "--config", str(file)]
    mode = "auto" if era in MODERN_PROTOCOL_VERSIONS else "legacy"  # an era has fields that the other has not
    async with connected(sys.executable, gateway, person, mode) as client:
        expect([_without_words(tool) for tool in (await client.list_tools()).tools], [_dumped(each) for each in before])
        print(f"  {'tools/list':{LABEL}} {len(before)} tools, the same but for the argument {WORDS}")
        expect((await call(client, public.read)).content, plain.content)
        expect(person.asked, [])
        print(f"  {public.read.tool:{LABEL}} passes: nothing is asked, the answer is the same")
        await confirm(client, public, person, home)


async def confirm(client: Client, public: Public, person: Person, home: Path) -> None:
    """The writing call: asked about, declined without effect, then accepted."""
    there = public.seen()
    declined = await call(client, public.write)
    expect((declined.is_error, (declined.structured_content or {}).get("status")), (True, "declined"))
    expect(public.seen(), there)
    print(f"  {public.write.tool:{LABEL}} asks: {person.asked[0].replace(str(home), '…')}")
    print(f"  {'':{LABEL}} no: nothing was run, it is as it was")
    person.answer = "accept"
    done = await call(client, public.write)
    expect((done.is_error, done.content[0].text if done.is_error else ""), (False, ""))
    expect(public.seen() != there, True)
    expect(len(person.asked), 2)
    print(f"  {'':{LABEL}} yes: done, once")


async def call(client: Client, step: Step) -> Any:
    meta = {"sayso/words": step.words} if step.words else None
    return await client.call_tool(step.tool, step.arguments, meta=meta)


def expect(found: Any, wanted: Any) -> None:
    if found != wanted:
        raise Wrong(f"{found!r:.300}, not {wanted!r:.300}")


def _dumped(tool: Tool) -> dict[str, Any]:
    return tool.model_dump(mode="json", by_alias=True, exclude_none=True)


def _without_words(tool: Tool) -> dict[str, Any]:
    found = _dumped(tool)
    if found["inputSchema"]["properties"].pop(WORDS, None) is None:
        raise Wrong(f"{tool.name} has no place for words")
    return found


def main() -> int:
    if shutil.which("npm") is None:
        print("npm is not here: the server of files cannot be run")
        return 1
    for make in (filesystem, git, sqlite):
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder).resolve() / "home"
            home.mkdir()
            asyncio.run(drive(make(home), home))
    return 0


if __name__ == "__main__":
    sys.exit(main())
