"""What drives the task service over the tests' own database."""

from __future__ import annotations

import os
from contextlib import asynccontextmanager
from uuid import uuid4

import pytest

from sayso.database.pool import Database
from sayso.identity.principal import Principal
from sayso.settings import Settings
from sayso.tasks.service import TaskService

KEY = "0123456789abcdef0123456789abcdef"


@pytest.fixture(scope="session")
def anyio_backend():
    return "asyncio"


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
