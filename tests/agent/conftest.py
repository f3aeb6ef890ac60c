"""Agents to ask: over a script, and over the stub of an endpoint."""

from __future__ import annotations

import pytest
from agents.testing import ScriptedModel
from asking import KEY, Judge, put

from sayso.agent.endpoint import open_agent
from sayso.agent.runner import Agent
from sayso.settings import Settings


@pytest.fixture(scope="session")
def anyio_backend():
    return "asyncio"


@pytest.fixture
def judge():
    return Judge()


@pytest.fixture
def scripted():
    """An agent over a model that follows a script."""

    def make(*steps, most_rounds=6):
        model = ScriptedModel(steps)
        return Agent(model, most_rounds=most_rounds), model

    return make


@pytest.fixture
def reach():
    """What comes of one question to the endpoint at this address."""

    async def asked(url, judge, **more):
        agent = open_agent(Settings(env="development", model_base_url=url, model="stub", model_api_key=KEY))
        try:
            return await put(agent, judge, **more)
        finally:
            await agent.close()

    return asked
