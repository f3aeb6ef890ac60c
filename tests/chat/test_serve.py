"""`sayso serve` as a process: one or several workers, and what it needs to start."""

from __future__ import annotations

import subprocess
import sys
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
