"""What drives reminders over the tests' own database."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="session")
def anyio_backend():
    return "asyncio"
