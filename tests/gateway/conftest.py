"""Servers behind the gateway, shared by all tests."""

from __future__ import annotations

import json

import pytest
from behind import NEW, OLD, Serving, http_app
from fronts import behind_http, behind_stdio


@pytest.fixture(scope="session")
def anyio_backend():
    return "asyncio"


@pytest.fixture(scope="session")
def log(tmp_path_factory):
    """What the shared servers were called with, a line a call."""
    return tmp_path_factory.mktemp("behind") / "log"


@pytest.fixture
def ran(log):
    """What ran in this test."""
    log.write_text("")

    def read():
        calls = [json.loads(line) for line in log.read_text().splitlines()]
        return [tuple(call) for call in calls if call[0] != "list_tasks"]

    return read


@pytest.fixture(scope="session")
def servers(log):
    """Four servers, one of each kind, as the gateway's file names them."""
    # The end of the SDK's lifespan has been seen to wait for sessions that were over.
    new, old = (Serving(http_app(era, log), forced=True) for era in (NEW, OLD))
    with new, old:
        yield {
            "new_stdio": behind_stdio(NEW, log),
            "old_stdio": behind_stdio(OLD, log),
            "new_http": behind_http(new.url),
            "old_http": behind_http(old.url),
        }
