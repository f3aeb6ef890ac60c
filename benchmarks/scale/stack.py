"""What measure.py and soak.py run on: a PostgreSQL of its own, PgBouncer, replicas and nginx, on free loopback ports.

Each is a process that the proof starts and ends by its id. The cluster may keep its folder, so that what was filled in
minutes is there for the next run. PgBouncer is the one on the path, or the one that SAYSO_PGBOUNCER names: from 1.21 on
it knows prepared statements, an older one is used without.
"""

from __future__ import annotations

import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from benchmarks.harness.services import REDIS, environment_for, free_port, wait_until_ready

QUIET: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
PGBOUNCER = os.environ.get("SAYSO_PGBOUNCER", "pgbouncer")
TICK = os.sysconf("SC_CLK_TCK")
KNOWS_PREPARED = (1, 21)
CLUSTER = """
listen_addresses = '127.0.0.1'
max_connections = 300
shared_buffers = '{buffers}'
max_wal_size = '8GB'
checkpoint_timeout = '15min'
wal_level = minimal
max_wal_senders = 0
shared_preload_libraries = 'pg_stat_statements'
track_io_timing = on
"""
BOUNCER = """
[databases]
* = host=127.0.0.1 port={database} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 2000
default_pool_size = {pool}
server_lifetime = 3600
admin_users = postgres
stats_users = postgres
logfile = {folder}/bouncer.log
{more}
"""
# What a service that prepares statements sends when it connects (its time limits), and what it prepares.
PREPARED = """
max_prepared_statements = 200
ignore_startup_parameters = statement_timeout, lock_timeout, idle_in_transaction_session_timeout
"""
# A complete configuration of nginx that writes only into a folder; {http} is what it serves.
NGINX = """
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 2048; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
{http}
}}
"""
BALANCED = """
    upstream replicas {{
        least_conn;
        keepalive 64;
{servers}
    }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://replicas;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host $host;
            proxy_set_header X-Forwarded-For $remote_addr;
            proxy_buffering off;
            proxy_connect_timeout 2s;
        }}
    }}
"""


def _as_postgres() -> list[str]:
    """What a command begins with that refuses to run as root."""
    if os.geteuid():
        return []
    account = pwd.getpwnam("postgres")
    return ["setpriv", f"--reuid={account.pw_uid}", f"--regid={account.pw_gid}", "--clear-groups"]


def _give_to_postgres(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    if not os.geteuid():
        account = pwd.getpwnam("postgres")
        os.chown(folder, account.pw_uid, account.pw_gid)


def end_tidily() -> None:
    """Told to stop, a proof ends what it started, as when it is interrupted."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)


class Cluster:
    """A PostgreSQL of our own in a folder, which is made when it is not there and kept at the end."""

    def __init__(self, folder: Path, *, buffers: str = "1GB") -> None:
        self.port, self._data = free_port(), folder / "data"
        tools = Path(max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name)))
        self._control = [*_as_postgres(), tools / "pg_ctl", "-D", self._data, "-w", "-s", "-t", "120"]
        self._log = folder / "log"
        _give_to_postgres(folder)
        if not self._data.exists():
            make = [*_as_postgres(), tools / "initdb", "-D", self._data, "-U", "postgres", "-A", "trust", "-E", "UTF8"]
            subprocess.run([*make, "--locale=C.UTF-8"], check=True, capture_output=True)
        (self._data / "postgresql.auto.conf").write_text(CLUSTER.format(buffers=buffers), encoding="utf-8")
        options = f"-p {self.port} -c unix_socket_directories='{folder}'"
        subprocess.run([*self._control, "-l", self._log, "-o", options, "start"], check=True, **QUIET)
        self.pid = int((self._data / "postmaster.pid").read_text().splitlines()[0])

    def url(self, database: str = "postgres", port: int | None = None) -> str:
        return f"postgresql://postgres@127.0.0.1:{port or self.port}/{database}"

    def make(self, database: str) -> bool:
        """Make a database; False where it is there already."""
        with psycopg.connect(self.url(), autocommit=True) as connection:
            if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (database,)).fetchone():
                return False
            connection.execute(f"CREATE DATABASE {database}")
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            connection.execute("CREATE EXTENSION pg_stat_statements")
        return True

    def drop(self, database: str) -> None:
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {database} WITH (FORCE)")

    def stop(self) -> None:
        subprocess.run([*self._control, "-m", "fast", "stop"], check=False, **QUIET)


@cache
def bouncer_version() -> tuple[int, ...] | None:
    """The version of PgBouncer; None where there is none."""
    if not shutil.which(PGBOUNCER):
        return None
    said = subprocess.run([PGBOUNCER, "--version"], check=True, capture_output=True, text=True).stdout
    found = re.search(r"(\d+)\.(\d+)(?:\.(\d+))?", said)
    return tuple(int(part or 0) for part in found.groups()) if found else None


def bouncer_prepares() -> bool:
    """Whether the service may leave prepared statements with it."""
    return (bouncer_version() or (0,)) >= KNOWS_PREPARED


class Bouncer:
    """PgBouncer in transaction mode before a cluster."""

    def __init__(self, folder: Path, database: int, *, pool: int = 20) -> None:
        _give_to_postgres(folder)
        self.port, self._folder = free_port(), folder
        more = PREPARED if bouncer_prepares() else ""
        self._file = folder / "bouncer.ini"
        self._file.write_text(
            BOUNCER.format(database=database, port=self.port, pool=pool, folder=folder, more=more), encoding="utf-8"
        )
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen([*_as_postgres(), PGBOUNCER, "-q", str(self._file)], **QUIET)
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline and self.process.poll() is None:
            with suppress(psycopg.OperationalError):
                self.told()
                return
            time.sleep(0.05)
        raise SystemExit(f"PgBouncer does not answer: {(self._folder / 'bouncer.log').read_text()[-2000:]}")

    def told(self) -> dict[str, int]:
        """Bytes and queries so far, from its own counters."""
        url = f"postgresql://postgres@127.0.0.1:{self.port}/pgbouncer"
        with psycopg.connect(url, autocommit=True, connect_timeout=2) as connection:
            cursor = psycopg.ClientCursor(connection)  # its console knows simple queries alone
            rows = cursor.execute("SHOW STATS_TOTALS").fetchall()
            names = [column.name for column in cursor.description or ()]
        counts: dict[str, int] = {}
        for row in rows:
            for name, value in zip(names[1:], row[1:], strict=True):
                counts[name] = counts.get(name, 0) + int(value)
        return counts

    def end(self, number: int = signal.SIGTERM) -> None:
        with suppress(ProcessLookupError):
            self.process.send_signal(number)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(5)
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(5)

    def stop(self) -> None:
        self.end(signal.SIGQUIT)


class Replica:
    """`sayso serve` with some workers; it takes a while to be ready, and several may begin at a time."""

    def __init__(self, url: str, *, workers: int = 1, prepare: bool = True, **more: str) -> None:
        self.port = free_port()
        self._environment = environment_for(
            url,
            SAYSO_REDIS_URL=REDIS,
            SAYSO_RATE_LIMIT="1000000000/minute",
            SAYSO_DATABASE_PREPARE=str(prepare).lower(),
            **more,
        )
        self._command = [sys.executable, "-m", "sayso.cli", "serve", "--port", str(self.port)]
        self._command += ["--workers", str(workers)]
        self.begin()

    def begin(self) -> None:
        self.process = subprocess.Popen(self._command, env=self._environment, **QUIET)

    def wait(self) -> None:
        wait_until_ready(self.port, self.process)

    def end(self, number: int = signal.SIGTERM) -> None:
        family = [self.process.pid, *descendants(self.process.pid)]
        with suppress(ProcessLookupError):
            self.process.send_signal(number)
        self.process.wait(40)
        if number == signal.SIGKILL:  # its workers, where it had any, do not notice
            for pid in family[1:]:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    def stop(self) -> None:
        self.end()


class Nginx:
    """nginx on a port, with `http` in the http block of its configuration."""

    def __init__(self, folder: Path, port: int, http: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.port = port
        file = folder / "nginx.conf"
        file.write_text(NGINX.format(folder=folder, http=http), encoding="utf-8")
        command = [shutil.which("nginx") or "/usr/sbin/nginx", "-c", str(file), "-e", str(folder / "error.log")]
        self.process = subprocess.Popen(command, **QUIET)
        wait_until_ready(port, self.process)

    @classmethod
    def before(cls, folder: Path, ports: list[int]) -> Nginx:
        """nginx before replicas on these ports."""
        port = free_port()
        servers = "\n".join(f"        server 127.0.0.1:{one} max_fails=1 fail_timeout=1s;" for one in ports)
        return cls(folder, port, BALANCED.format(port=port, servers=servers))

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(10)


def descendants(pid: int) -> list[int]:
    """The processes below one, however deep."""
    found: list[int] = []
    with suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            for child in (thread / "children").read_text().split():
                found += [int(child), *descendants(int(child))]
    return found


def processor(*pids: int) -> float:
    """Seconds of the processor that these processes and all below them have used, those that are gone included."""
    total = 0
    for pid in pids:
        for each in (pid, *descendants(pid)):
            with suppress(OSError):
                told = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
                total += sum(int(told[place]) for place in (11, 12, 13, 14))
    return total / TICK


def resident(pid: int) -> int:
    """Kilobytes that a process and those below it hold."""
    total = 0
    for each in (pid, *descendants(pid)):
        with suppress(OSError):
            lines = Path(f"/proc/{each}/status").read_text().splitlines()
            total += sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))
    return total


class Counts(NamedTuple):
    """What a database has done so far."""

    statements: int
    rows: int
    blocks: int
    wal: int
    size: int

    def since(self, before: Counts) -> Counts:
        return Counts(*(now - then for now, then in zip(self, before, strict=True)))


COUNTED = """
SELECT
    (SELECT coalesce(sum(calls), 0) FROM pg_stat_statements(false) AS s WHERE s.dbid = d.oid)::bigint,
    (SELECT coalesce(sum(rows), 0) FROM pg_stat_statements(false) AS s WHERE s.dbid = d.oid)::bigint,
    (SELECT coalesce(sum(shared_blks_hit + shared_blks_read), 0) FROM pg_stat_statements(false) AS s
     WHERE s.dbid = d.oid)::bigint,
    (SELECT coalesce(sum(wal_bytes), 0) FROM pg_stat_statements(false) AS s WHERE s.dbid = d.oid)::bigint,
    (SELECT coalesce(sum(pg_relation_size(c.oid)), 0) FROM pg_class AS c WHERE c.relkind IN ('r', 'i', 't'))::bigint
FROM pg_database AS d
WHERE d.datname = current_database()
"""


def counts(url: str) -> Counts:
    with psycopg.connect(url, autocommit=True) as connection:
        found = connection.execute(COUNTED).fetchone()
    if found is None:
        raise AssertionError("a database counts")
    return Counts(*found)
