"""The figures of an MCP server over HTTP: the same endpoint as the chat service has."""

from __future__ import annotations

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from prometheus_client.parser import text_string_to_metric_families

from sayso.identity.development import issue
from sayso.serving.metrics import Metrics
from sayso.tasks.serve import http_app, service_of
from sayso.tasks.service import TOOLS

pytestmark = pytest.mark.anyio
ADDRESS = "http://127.0.0.1:8080"


def samples(text):
    return {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@pytest.fixture
async def app(settings, url, anyio_backend):  # noqa: ARG001  one event loop for both
    metrics = Metrics(TOOLS)
    async with service_of(settings, url, metrics) as service:
        made = http_app(service, settings, metrics, host="127.0.0.1", port=8080)
        async with made.router.lifespan_context(made):
            yield made


def asking(app, peer="127.0.0.1", **headers):
    return httpx2.AsyncClient(
        timeout=60, transport=httpx2.ASGITransport(app, client=(peer, 4000)), base_url=ADDRESS, headers=headers
    )


async def test_it_counts_requests_and_times_calls(app, settings, who):
    async with (
        asking(app, Authorization=f"Bearer {issue(settings, who.id)}") as http,
        Client(streamable_http_client(f"{ADDRESS}/mcp", http_client=http)) as client,
    ):
        await client.call_tool("add_task", {"title": "Buy quicksilver"})
    async with asking(app) as stranger:
        assert (await stranger.post("/mcp", json={})).status_code == 401
        assert (await stranger.get("/nowhere")).status_code == 404
        text = (await stranger.get("/metrics")).text
    found = samples(text)
    assert found[("sayso_turn_seconds_count", "call")] >= 2
    assert found[("sayso_http_requests_total", "/mcp", "401", "POST")] == 1
    assert found[("sayso_http_requests_total", "404", "GET", "none")] == 1
    assert found[("sayso_turns_in_flight",)] == found[("sayso_database_connections_busy",)] == 0
    assert "quicksilver" not in text
    assert who.id not in text


async def test_figures_are_for_this_machine_unless_opened(app):
    async with asking(app, "10.1.2.3") as elsewhere:
        assert (await elsewhere.get("/metrics")).status_code == 404
    async with asking(app, **{"X-Forwarded-For": "10.1.2.3"}) as forwarded:
        assert (await forwarded.get("/metrics")).status_code == 404
