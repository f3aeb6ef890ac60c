"""`sayso serve --try`: what keeps it from starting is said with what to do. That it serves is shown by the tutorial."""

from __future__ import annotations

import os
import socket
import subprocess
import sys

import pytest


def tried(*options, **more):
    command = [sys.executable, "-m", "sayso", "serve", "--try", *options]
    environment = os.environ | {"COLUMNS": "200"} | more
    done = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert done.returncode == 2
    return " ".join(done.stderr.replace("│", " ").split())


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "example.org"])  # noqa: S104  it must not listen there
def test_it_listens_on_this_machine_alone(host):
    assert "use 127.0.0.1" in tried("--host", host)


def test_a_port_that_is_taken_is_not_announced():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        said = tried("--port", str(taken.getsockname()[1]))
    assert "the port is in use" in said
    assert "Open http" not in said


def test_without_a_postgresql_it_says_how_to_get_one():
    said = tried("--port", "1", PGHOST="127.0.0.1", PGPORT="1")
    assert "docker run" in said
    assert "PGPASSWORD" in said
