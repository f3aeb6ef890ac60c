"""The examples, and people who answer what they are asked."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="session")
def anyio_backend():
    return "asyncio"


@pytest.fixture
def example():
    """What the example of this name makes, made anew for each test."""
    return lambda name: runpy.run_path(str(EXAMPLES / f"{name}.py"))


class Person:
    """Answers everything alike, and keeps what was asked."""

    def __init__(self, answer):
        self.answer, self.asked = answer, []

    async def __call__(self, asked):
        self.asked.append(asked.question)
        return self.answer


@pytest.fixture
def person():
    return Person
