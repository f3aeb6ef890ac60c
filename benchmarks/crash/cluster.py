"""A PostgreSQL cluster that fails over: three nodes under Patroni, etcd, and HAProxy in front of the primary.

Everything runs on loopback, on ports and in a temporary folder of its own, and as the user postgres if started by root.
It needs Debian's packages patroni, etcd-server, haproxy and a PostgreSQL.
"""

from __future__ import annotations

import json
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import psycopg
import yaml

from benchmarks.harness.services import free_port

TTL, LOOP, RETRY = 20, 2, 5  # seconds; 20 is the shortest lease that Patroni accepts
REJOIN = 60.0  # seconds that a node has to come back by itself
PROGRAMS = ("patroni", "etcd", "haproxy")


def missing() -> list[str]:
    """The programs that are not installed."""
    return [name for name in PROGRAMS if _program(name) is None]


def _program(name: str) -> str | None:
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin")


def _as_postgres() -> list[str]:
    """The prefix of a command that must not run as root."""
    if os.geteuid() != 0:
        return []
    account = pwd.getpwnam("postgres")
    return ["setpriv", f"--reuid={account.pw_uid}", f"--regid={account.pw_gid}", "--clear-groups"]


def _signal(pid: int, number: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)


class Node:
    """One Patroni and the PostgreSQL that it controls."""

    def __init__(self, folder: Path, name: str, etcd: int, settings: dict[str, Any]) -> None:
        self.name, self.folder = name, folder / name
        self.postgres, self.rest = free_port(), free_port()
        self.data = self.folder / "data"
        self.folder.mkdir()
        self._config = self.folder / "patroni.yaml"
        self._config.write_text(yaml.safe_dump(self._configured(etcd, settings)))
        self._log = self.folder / "log"
        self.process: subprocess.Popen[bytes] | None = None

    def _configured(self, etcd: int, settings: dict[str, Any]) -> dict[str, Any]:
        postgres = f"127.0.0.1:{self.postgres}"
        tools = max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
        return {
            "scope": "sayso",
            "name": self.name,
            "restapi": {"listen": f"127.0.0.1:{self.rest}", "connect_address": f"127.0.0.1:{self.rest}"},
            "etcd3": {"host": f"127.0.0.1:{etcd}"},
            "bootstrap": {"dcs": settings, "initdb": [{"encoding": "UTF8"}, "data-checksums"]},
            "postgresql": {
                "listen": postgres,
                "connect_address": postgres,
                "data_dir": str(self.data),
                "bin_dir": str(tools),
                "pgpass": str(self.folder / "pgpass"),
                "authentication": {name: {"username": "postgres"} for name in ("superuser", "replication", "rewind")},
                "parameters": {"unix_socket_directories": str(self.folder)},
                "basebackup": [{"checkpoint": "fast"}],
                "pg_hba": ["host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"],
            },
        }

    def start(self) -> None:
        command = [*_as_postgres(), _program("patroni") or "patroni", self._config]
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PATRONI", "PG"))}
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(command, env=clean, stdout=log, stderr=log, cwd=self.folder)

    def pids(self, *, patroni: bool) -> list[int]:
        """Patroni first, if it counts, so that it cannot react; then the postmaster and its children."""
        found = [self.process.pid] if patroni and self.process is not None else []
        with suppress(FileNotFoundError, ProcessLookupError, ValueError, IndexError):
            postmaster = int((self.data / "postmaster.pid").read_text().splitlines()[0])
            children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
            found += [postmaster, *map(int, children)]
        return found

    def send(self, number: int, *, patroni: bool = True) -> None:
        for pid in self.pids(patroni=patroni):
            _signal(pid, number)
        if number == signal.SIGKILL and patroni and self.process is not None:
            self.process.wait(10)

    def kill(self) -> None:
        """As if the machine lost its power."""
        for pid in self.pids(patroni=True):
            _signal(pid, signal.SIGSTOP)
        self.send(signal.SIGKILL)

    def log(self) -> str:
        return "\n".join(self._log.read_text(errors="replace").splitlines()[-30:])


class Cluster:
    """The nodes, and the address of whichever is the primary."""

    def __init__(self, folder: Path, *, synchronous: bool) -> None:
        self.synchronous = synchronous
        self._etcd, self.port = free_port(), free_port()
        self._folder = folder
        settings = {
            "ttl": TTL,
            "loop_wait": LOOP,
            "retry_timeout": RETRY,
            "primary_start_timeout": 0,  # a PostgreSQL that dies is replaced, not restarted in its place
            "synchronous_mode": synchronous,
            "synchronous_mode_strict": synchronous,
            "postgresql": {
                "use_pg_rewind": True,
                "use_slots": True,
                "parameters": {"shared_buffers": "32MB", "max_connections": 100, "wal_keep_size": "256MB"},
            },
        }
        self.nodes = [Node(folder, f"node{number}", self._etcd, settings) for number in range(3)]
        self._others: list[subprocess.Popen[bytes]] = []

    @property
    def url(self) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        client, peer = f"http://127.0.0.1:{self._etcd}", f"http://127.0.0.1:{free_port()}"
        self._run(
            "etcd",
            *("--data-dir", self._folder / "etcd", "--log-level", "error"),
            *("--listen-client-urls", client, "--advertise-client-urls", client, "--listen-peer-urls", peer),
            *("--initial-advertise-peer-urls", peer, "--initial-cluster", f"default={peer}"),
        )
        for node in self.nodes:
            node.start()
        self.wait_until_whole(400)
        (self._folder / "haproxy.cfg").write_text(self._balanced())
        self._run("haproxy", "-db", "-f", self._folder / "haproxy.cfg")
        time.sleep(3)  # the first checks
        for _ in range(3):
            self._wait(self._answers, 60, "HAProxy does not reach the primary")
            time.sleep(1)

    def _answers(self) -> bool:
        """Whether HAProxy leads to the primary: before its first checks it takes every node for one."""
        try:
            with psycopg.connect(self.url, connect_timeout=2) as connection:
                return connection.execute("SELECT pg_is_in_recovery()").fetchone() == (False,)
        except psycopg.OperationalError:
            return False

    def _balanced(self) -> str:
        servers = "\n".join(
            f"  server {node.name} 127.0.0.1:{node.postgres} check port {node.rest}" for node in self.nodes
        )
        return f"""defaults
  mode tcp
  timeout connect 2s
  timeout check 5s
  timeout client 1h
  timeout server 1h
listen primary
  bind 127.0.0.1:{self.port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
{servers}
"""

    def _run(self, name: str, *options: str | Path) -> None:
        with (self._folder / f"{name}.log").open("ab") as log:
            command = [*_as_postgres(), _program(name) or name, *options]
            self._others.append(subprocess.Popen(command, stdout=log, stderr=log, cwd=self._folder))

    def state(self) -> list[dict[str, Any]]:
        """The members, as a node that answers sees them."""
        for node in self.nodes:
            with suppress(OSError, ValueError), urlopen(f"http://127.0.0.1:{node.rest}/cluster", timeout=2) as answer:
                return list(json.load(answer)["members"])
        return []

    def primary(self) -> Node | None:
        """The node that says so itself: what others know of it is older."""
        for node in self.nodes:
            with suppress(OSError), urlopen(f"http://127.0.0.1:{node.rest}/primary", timeout=2):
                return node
        return None

    def is_whole(self) -> bool:
        """Whether there are a leader and two standbys that follow it, one of them synchronously if asked for."""
        members = self.state()
        roles = sorted(member["role"] for member in members)
        following = ["leader", "replica", "sync_standby"] if self.synchronous else ["leader", "replica", "replica"]
        well = all(member["state"] in ("running", "streaming") for member in members)
        return roles == following and well and len({member.get("timeline") for member in members}) == 1

    def wait_until_whole(self, seconds: float) -> None:
        self._wait(self.is_whole, seconds, "the cluster is not whole")

    def mend(self) -> bool:
        """Wait until the cluster is whole; whether a node had to be copied from the primary again, as an operator does
        with one that does not come back."""
        deadline = time.monotonic() + REJOIN
        while time.monotonic() < deadline:
            if self.is_whole():
                return False
            time.sleep(0.2)
        for member in self.state():
            if member["role"] != "leader" and member["state"] not in ("running", "streaming"):
                node = next(node for node in self.nodes if node.name == member["name"])
                with suppress(HTTPError, OSError):
                    self._post(node, "reinitialize", {"force": True})
        self.wait_until_whole(180)
        return True

    def wait_for_another(self, than: Node, seconds: float) -> Node:
        found: list[Node] = []

        def changed() -> bool:
            node = self.primary()
            if node is not None and node is not than:
                found.append(node)
            return bool(found)

        self._wait(changed, seconds, "no other node became the primary")
        return found[0]

    def _wait(self, until: Callable[[], bool], seconds: float, problem: str) -> None:
        deadline = time.monotonic() + seconds
        while not until():
            if time.monotonic() > deadline:
                logs = "\n".join(f"{node.name}:\n{node.log()}" for node in self.nodes)
                raise SystemExit(f"{problem} after {seconds:.0f} s: {self.state()}\n{logs}")
            time.sleep(0.1)

    def switch(self, primary: Node) -> None:
        """A planned change of the primary."""
        try:
            self._post(primary, "switchover", {"leader": primary.name})
        except HTTPError as problem:
            raise SystemExit(f"switchover: {problem.code} {problem.read().decode()}") from None

    def _post(self, node: Node, what: str, body: dict[str, Any]) -> None:
        request = Request(f"http://127.0.0.1:{node.rest}/{what}", data=json.dumps(body).encode(), method="POST")
        request.add_header("Content-Type", "application/json")
        with urlopen(request, timeout=60):  # noqa: S310  our own cluster
            pass

    def stop(self) -> None:
        for node in self.nodes:
            node.kill()  # nobody needs the data
        for process in reversed(self._others):
            process.kill()
            process.wait(10)


@contextmanager
def patroni_cluster(*, synchronous: bool) -> Iterator[Cluster]:
    """A running cluster, ended and removed afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="sayso-failover-"))
    cluster = Cluster(folder, synchronous=synchronous)
    if os.geteuid() == 0:
        account = pwd.getpwnam("postgres")
        for path in (folder, *folder.rglob("*")):
            os.chown(path, account.pw_uid, account.pw_gid)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)
