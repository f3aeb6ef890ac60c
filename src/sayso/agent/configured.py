"""Builds the agent that the settings name. The SDK takes seconds to load and is loaded only then."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from sayso.errors import MissingExtra
from sayso.settings import Settings

if TYPE_CHECKING:
    from sayso.agent.runner import Agent


def agent_from(settings: Settings) -> Agent | None:
    """None where the settings name no endpoint or no model; MissingExtra where the SDK is not installed."""
    if settings.model_base_url is None or settings.model is None:
        return None
    try:
        endpoint = import_module("sayso.agent.endpoint")
    except ModuleNotFoundError as missing:
        raise MissingExtra("agent", missing.name or "openai-agents") from missing
    agent: Agent = endpoint.open_agent(settings)
    return agent
