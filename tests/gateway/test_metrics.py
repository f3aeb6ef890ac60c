"""The gateway's counts: what ran, what was asked and what was denied, by server and tool."""

from __future__ import annotations

import httpx2
import pytest
from behind import NEW
from fronts import SETTINGS, at, connected, over_http, write
from mcp_types import ElicitResult

from sayso.gateway.metrics import FIGURES, JUDGING

pytestmark = pytest.mark.anyio


async def test_calls_questions_and_refusals_are_counted_by_server_and_tool(tmp_path, servers):
    file = write(tmp_path, one=servers["new_http"])
    async with over_http(file, sessions=False) as url, httpx2.AsyncClient(timeout=60) as http:
        async with connected(at(url), NEW) as caller:
            for _ in range(3):  # the later ones go the short way
                await caller.call("list_tasks", {})
            caller.answer = lambda _params: ElicitResult(action="decline")
            deleting = ("delete_task", {"task_identifier": "Buy milk"}, "delete buy milk")
            await caller.call(*deleting)
            caller.answer = lambda _params: ElicitResult(action="accept", content={"answer": True})
            await caller.call(*deleting)
            await caller.call('made "up"\n', {})
        metrics = url.replace("/mcp", "/metrics")
        figures = await http.get(metrics)
        forwarded = await http.get(metrics, headers={"X-Forwarded-For": "203.0.113.9"})
    assert figures.headers["content-type"].startswith("text/plain; version=0.0.4")
    counts = [line for line in figures.text.splitlines() if not line.startswith(("#", JUDGING))]
    assert counts == [
        'sayso_gateway_calls_total{server="one",tool="delete_task",failed="false"} 1',
        'sayso_gateway_calls_total{server="one",tool="list_tasks",failed="false"} 3',
        'sayso_gateway_asked_total{server="one",tool="delete_task",where="client"} 2',
        'sayso_gateway_denied_total{server="one",tool="delete_task",reason="declined"} 1',
        'sayso_gateway_denied_total{server="one",tool="other",reason="held_back"} 1',
        'sayso_gateway_judged_total{server="one",tool="delete_task",verdict="ask"} 2',
        'sayso_gateway_judged_total{server="one",tool="list_tasks",verdict="forward"} 3',
        'sayso_gateway_answers_total{answer="no"} 1',
        'sayso_gateway_answers_total{answer="yes"} 1',
        "sayso_gateway_open_questions 0",
    ]
    assert "sayso_gateway_judging_seconds_count 5" in figures.text
    assert 'sayso_gateway_judging_seconds_bucket{le="+Inf"} 5' in figures.text
    assert figures.text.count("# TYPE") == len(FIGURES) + 2
    assert forwarded.status_code == 404
    assert "milk" not in figures.text


async def test_the_operator_can_open_the_counts_to_other_machines(tmp_path, servers):
    settings = SETTINGS.model_copy(update={"metrics_open": True})
    file = write(tmp_path, one=servers["new_http"])
    async with over_http(file, sessions=False, settings=settings) as url, httpx2.AsyncClient(timeout=60) as http:
        found = await http.get(url.replace("/mcp", "/metrics"), headers={"X-Forwarded-For": "203.0.113.9"})
    assert found.status_code == 200
