"""What operators see: figures, logs and traces, and in none of them what somebody said."""

from __future__ import annotations

import gzip
import json
import logging
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from uuid import uuid4

import pytest
import structlog
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client.parser import text_string_to_metric_families

from sayso.chat.telemetry.logs import request_id
from sayso.chat.turns.service import ChatService
from sayso.decision import Confirm
from sayso.serving.metrics import Metrics

pytestmark = pytest.mark.anyio

WORD = "quicksilver"


async def talk(client):
    conversation = (await client.post("/v1/conversations")).json()["id"]
    for number, words in enumerate((f"add buy {WORD}", f"delete the {WORD} task")):
        body = {"client_message_id": str(number), "content": words}
        await client.post(f"/v1/conversations/{conversation}/messages", json=body)
    await client.get("/v1/tasks", params={"search": WORD})
    await client.post("/v1/undo")
    return conversation


def samples(text):
    return {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def test_figures_count_requests_decisions_and_turns(open_client):
    async with open_client() as client:
        await talk(client)
        figures = await client.get("/metrics")
        assert figures.headers["content-type"].startswith("text/plain")
        found = samples(figures.text)
        route = "/v1/conversations/{conversation}/messages"
        assert found[("sayso_http_requests_total", route, "200", "POST")] == 2
        assert found[("sayso_decisions_total", "add_task", "call")] == 1
        assert found[("sayso_decisions_total", "confirm", "delete_task")] == 1
        assert found[("sayso_turn_seconds_count", "message")] == 2
        assert found[("sayso_turn_seconds_count", "undo")] == 1
        assert WORD not in figures.text


def test_names_that_come_from_outside_make_no_series_of_their_own():
    metrics = Metrics(["add_task"])
    asked = Confirm(tool=WORD, arguments={}, confidence=1.0, question="?", reason="uncertain")
    metrics.decisions([asked])
    metrics.request(WORD.upper(), "none", 405)
    metrics.model("failed")
    text = metrics.text().decode()
    assert WORD not in text.lower()
    assert samples(text)[("sayso_decisions_total", "confirm", "other")] == 1
    assert samples(text)[("sayso_model_outcomes_total", "failed")] == 1


@pytest.mark.parametrize(
    ("peer", "headers", "is_open", "status"),
    [
        ("127.0.0.1", {}, False, 200),
        ("::1", {}, False, 200),
        ("10.1.2.3", {}, False, 404),
        ("10.1.2.3", {}, True, 200),
        ("127.0.0.1", {"X-Forwarded-For": "10.1.2.3"}, False, 404),
        ("127.0.0.1", {"Forwarded": "for=10.1.2.3"}, False, 404),
        ("somewhere", {}, False, 404),
    ],
)
async def test_figures_are_for_this_machine_unless_opened(open_client, peer, headers, is_open, status):
    async with open_client(token="", peer=(peer, 4000), metrics_open=is_open) as client:
        assert (await client.get("/metrics", headers=headers)).status_code == status


async def test_a_request_is_logged_by_its_route_and_id_alone(open_client, sign_in, logged):
    token = sign_in("grace")
    async with open_client(token=token) as client:
        conversation = await talk(client)
        named = await client.get("/v1/tasks", headers={"X-Request-ID": "trace-7"})
        await client.get("/v1/tasks", headers={"Authorization": "Bearer nonsense"})
        await client.get("/healthz")
    assert named.headers["x-request-id"] == "trace-7"
    lines = logged()
    requests = [line for line in lines if line["event"] == "request"]
    assert ("trace-7", "/v1/tasks", 200) in [(line["request_id"], line["route"], line["status"]) for line in requests]
    assert requests[-1]["status"] == 401
    everything = json.dumps(lines)
    for hidden in (WORD, token, "nonsense", conversation, "grace"):
        assert hidden not in everything


async def test_a_fault_is_logged_by_its_place_and_not_by_its_text(open_client, logged):
    class Broken(ChatService):
        async def tasks(self, *_):
            raise RuntimeError(WORD)

        async def message(self, *_):
            raise RuntimeError(WORD)

    async with open_client(service=Broken) as client:
        await client.get("/v1/tasks")
        body = {"client_message_id": "1", "content": "hello"}
        address = f"/v1/conversations/{uuid4()}/messages"
        await client.post(address, json=body, headers={"Accept": "text/event-stream"})
    faults = [line for line in logged() if line["level"] == "error"]
    assert [line["error"] for line in faults] == ["RuntimeError"] * 2
    assert any("routes/conversation.py" in place for place in faults[0]["places"])
    assert all(line["request_id"] for line in faults)
    assert WORD not in json.dumps(faults)


async def test_what_others_log_is_json_with_the_request_too(logged):
    with structlog.contextvars.bound_contextvars(request_id="r1"):
        logging.getLogger("uvicorn.error").warning("the %s is slow", "disk")
        try:
            raise ValueError(WORD)
        except ValueError:
            logging.getLogger("elsewhere").exception("it failed")
    first, second = logged()
    assert (first["event"], first["request_id"], first["level"]) == ("the disk is slow", "r1", "warning")
    assert second["error"] == "ValueError"
    assert WORD not in json.dumps(second)


async def test_traces_name_the_route_and_no_words(open_client):
    spans = InMemorySpanExporter()
    async with open_client(spans=spans) as client:
        await talk(client)
        await client.get("/healthz")
    finished = spans.get_finished_spans()
    assert {"POST /v1/conversations/{conversation}/messages", "GET /v1/tasks"} <= {span.name for span in finished}
    assert not any("healthz" in span.name for span in finished)
    assert WORD not in "".join(span.to_json() for span in finished)


async def test_traces_go_to_the_collector_that_is_named(open_client):
    received = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self):
            received.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Collector) as collector:
        threading.Thread(target=collector.serve_forever, daemon=True).start()
        async with open_client(otlp_url=f"http://127.0.0.1:{collector.server_port}/v1/traces") as client:
            await talk(client)
        collector.shutdown()
    everything = b"".join(gzip.decompress(each) if each[:2] == b"\x1f\x8b" else each for each in received)
    assert b"sayso-chat" in everything
    assert b"/v1/conversations/{conversation}/messages" in everything
    assert WORD.encode() not in everything


def test_an_id_that_could_spoil_a_log_is_replaced():
    assert request_id("a.b-c_9") == "a.b-c_9"
    for given in (None, "", "a b", "a\nb", "a" * 65, "é"):
        assert request_id(given) != given
