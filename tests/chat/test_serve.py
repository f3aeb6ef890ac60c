"""`sayso serve` as a process: one or several workers, and what it needs to start."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx2
import pytest

SAYSO = Path(sys.executable).with_name("sayso")


def test_workers_share_what_they_count(serve, sign_in):
    address, process = serve("--workers", "2")
    for _ in range(20):  # each over a connection of its own, so that both workers get some
        answer = httpx2.get(f"{address}/v1/tasks", headers={"Authorization": f"Bearer {sign_in()}"})
        assert answer.status_code == 200
    figures = httpx2.get(f"{address}/metrics").text
    assert 'sayso_http_requests_total{method="GET",route="/v1/tasks",status="200"} 20.0' in figures
    process.terminate()
    assert process.wait(40) == 0


HEAD = b"GET /healthz HTTP/1.1\r\nHost: x\r\n"
LINES = [b"A: %s\r\n" % (b"a" * 900)]


def said_to(address, parts):
    """The status that a request in these parts is answered with."""
    host, _, port = address.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        try:
            for part in parts:
                connection.sendall(part)
                time.sleep(0.0005)
            return int(connection.recv(1000).split()[1])
        except ConnectionError:  # refused before it was all said
            return 400


def test_the_head_of_a_request_has_an_end_and_its_body_another(serve, sign_in):
    address, _ = serve()
    assert said_to(address, [HEAD, *LINES * 20, b"\r\n"]) == 200
    assert said_to(address, [HEAD, *LINES * 400, b"\r\n"]) == 400
    assert said_to(address, [HEAD, b"A: ", *[b"a" * 900] * 400, b"\r\n\r\n"]) == 400
    assert said_to(address, [b"GET /", *[b"a" * 900] * 400]) == 400
    headers = {"Authorization": f"Bearer {sign_in()}", "Content-Type": "application/json"}
    answer = httpx2.post(f"{address}/v1/decide", content=b" " * 1_500_000, headers=headers)
    assert answer.json()["type"] == "urn:sayso:problem:malformed"


def start(environment):
    command = [SAYSO, "serve"]
    return subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", timeout=60, check=False)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"SAYSO_DATABASE_URL": ""}, "SAYSO_DATABASE_URL"),
        ({"SAYSO_RATE_LIMIT": "many"}, "SAYSO_RATE_LIMIT"),
        ({"SAYSO_ENV": "production"}, "SAYSO_OIDC_ISSUER"),
        ({"SAYSO_STATE_KEYS": ""}, "SAYSO_STATE_KEYS"),
    ],
)
def test_it_does_not_start_with_settings_that_will_not_do(environment, changed, said):
    done = start(environment | changed)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_in_production_it_does_not_start_without_redis(environment):
    production = environment | {
        "SAYSO_ENV": "production",
        "SAYSO_OIDC_ISSUER": "https://id.example.org",
        "SAYSO_OIDC_AUDIENCE": "sayso",
        "SAYSO_OIDC_JWKS_URL": "https://id.example.org/keys",
        "SAYSO_REDIS_URL": "",
    }
    done = start(production)
    assert done.returncode == 2
    assert "SAYSO_REDIS_URL" in done.stderr
