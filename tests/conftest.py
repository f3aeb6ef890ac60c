"""What several tests need: where things are, the benchmark's cases, and a PostgreSQL database of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
import redis
from hypothesis import HealthCheck, settings

from sayso.database.migrate import migrate
from sayso.evals.dataset import files_in, read_bytes

# How long an example takes depends on what else the machine does.
settings.register_profile("sayso", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("sayso")

os.environ["XDG_DATA_HOME"] = tempfile.mkdtemp(prefix="sayso-test-")  # the keys of gateways, and lists, are kept there
ROOT = Path(__file__).parent.parent
ROUNDS = files_in(ROOT / "benchmarks" / "decisions")
# The decision benchmark is kept beside the project, with its own scorer.
BENCH_HOME = Path(os.environ.get("SAYSO_BENCH", ROOT.parent / "shared" / "bench"))
SERVER = os.environ.get("SAYSO_TEST_DATABASE", "postgresql://postgres@127.0.0.1:5432/postgres")
REDIS = os.environ.get("SAYSO_TEST_REDIS", "redis://127.0.0.1:6379/0")
BENCH = sorted(BENCH_HOME.glob("*.jsonl")) + ROUNDS


@pytest.fixture(scope="session")
def root():
    return ROOT


@pytest.fixture(scope="session")
def scorer_file():
    """The benchmark's own scorer."""
    file = BENCH_HOME / "score.py"
    if not file.exists():
        pytest.skip("the decision benchmark is not here; name its folder in SAYSO_BENCH")
    return file


@pytest.fixture(scope="session")
def bench_files():
    return BENCH


@pytest.fixture(scope="session")
def bench_lines():
    """The benchmark's lines as JSON, with expectations and tags."""
    return [json.loads(line) for file in BENCH for line in read_bytes(file).split(b"\n") if line]


@pytest.fixture(scope="session")
def some_lines(bench_lines):
    """A part of them, spread over all, for what takes long; `python -m benchmarks evals-all` scores them all."""
    return bench_lines[::12]


@pytest.fixture(scope="session")
def server():
    """The URL of a database where databases can be made."""
    try:
        psycopg.connect(SERVER, connect_timeout=5).close()
    except psycopg.OperationalError as problem:
        if "SAYSO_TEST_DATABASE" in os.environ:
            raise
        pytest.skip(f"no PostgreSQL at {SERVER} ({problem}); name one in SAYSO_TEST_DATABASE")
    return SERVER


@pytest.fixture(scope="session")
def redis_url():
    try:
        redis.Redis.from_url(REDIS, socket_connect_timeout=2).ping()
    except redis.RedisError as problem:
        if "SAYSO_TEST_REDIS" in os.environ:
            raise
        pytest.skip(f"no Redis at {REDIS} ({problem}); name one in SAYSO_TEST_REDIS")
    return REDIS


@pytest.fixture(scope="session")
def make_database(server):
    """Makes empty databases; all are dropped at the end."""
    made = []

    def make(how=""):
        name = f"sayso_test_{uuid4().hex[:12]}"
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} {how}")
        made.append(name)
        return psycopg.conninfo.make_conninfo(server, dbname=name)

    yield make
    with psycopg.connect(server, autocommit=True) as connection:
        for name in made:
            connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def url(make_database):
    """A database with the newest schema. Every test brings users of its own."""
    made = make_database()
    migrate(made)
    return made


@pytest.fixture
def prove(server):
    """Runs a proof of benchmarks/, which must succeed; what it said."""

    def run(name, *options):
        environment = os.environ | {"SAYSO_TEST_DATABASE": server}
        command = [sys.executable, "-m", "benchmarks", name, *options]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run
