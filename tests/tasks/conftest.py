"""A PostgreSQL database of the tests' own, made and dropped here, and what drives the service over it."""

from __future__ import annotations

import os
from contextlib import asynccontextmanager
from uuid import uuid4

import psycopg
import pytest

from sayso.database.migrate import migrate
from sayso.database.pool import Database
from sayso.identity.principal import Principal
from sayso.settings import Settings
from sayso.tasks.service import TaskService

SERVER = os.environ.get("SAYSO_TEST_DATABASE", "postgresql://postgres@127.0.0.1:5432/postgres")
KEY = "0123456789abcdef0123456789abcdef"


@pytest.fixture(scope="session")
def anyio_backend():
    return "asyncio"


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
def make_database(server):
    """Makes empty databases; all are dropped at the end."""
    made = []

    def make():
        name = f"sayso_test_{uuid4().hex[:12]}"
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        made.append(name)
        return psycopg.conninfo.make_conninfo(server, dbname=name)

    yield make
    with psycopg.connect(server, autocommit=True) as connection:
        for name in made:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def url(make_database):
    """A database with the newest schema. Every test brings users of its own."""
    made = make_database()
    migrate(made)
    return made


@pytest.fixture
def who():
    """Somebody with no tasks yet."""
    return Principal(id=f"user-{uuid4().hex[:12]}", name="Ada", zone="Europe/Rome")


@pytest.fixture
def other():
    return Principal(id=f"other-{uuid4().hex[:12]}")


@pytest.fixture
def open_service(url):
    """The service, opened in the test's own event loop."""

    @asynccontextmanager
    async def opened(**more):
        async with Database(url) as database:
            yield TaskService(database, **more)

    return opened


@pytest.fixture
async def service(open_service, anyio_backend):  # noqa: ARG001  one event loop for both
    async with open_service() as opened:
        yield opened


@pytest.fixture
def settings(url):
    return Settings(env="development", database_url=url, state_keys=(KEY,))


@pytest.fixture
def environment(url):
    """The variables of a process that serves this database."""
    ours = {"SAYSO_DATABASE_URL": url, "SAYSO_ENV": "development", "SAYSO_STATE_KEYS": KEY}
    return {name: value for name, value in os.environ.items() if not name.startswith("SAYSO_")} | ours
