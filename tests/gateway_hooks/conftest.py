"""A desk for each test, and the payloads of the clients."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from desks import Desk

PAYLOADS = Path(__file__).parent / "payloads"


@pytest.fixture(scope="session")
def anyio_backend():
    return "asyncio"


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path)


@pytest.fixture
def payload():
    """A recorded payload, with changes."""

    def read(client, name, **changes):
        return json.loads((PAYLOADS / client / f"{name}.json").read_text()) | changes

    return read
