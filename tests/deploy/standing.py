"""Services as processes: how they are started, and when they stand."""

from __future__ import annotations

import os
import socket
import sys
import time
from pathlib import Path

import httpx2

ROOT = Path(__file__).parent.parent.parent
SAYSO = Path(sys.executable).with_name("sayso")


def plain_environment():
    """The variables of this process without ours, and with our source."""
    return {name: value for name, value in os.environ.items() if not name.startswith("SAYSO_")} | {
        "PYTHONPATH": str(ROOT / "src")
    }


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(address, process):
    """Wait until a service is ready."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        assert process.poll() is None, f"it ended with {process.returncode}"
        try:
            if httpx2.get(f"{address}/readyz", verify=False).status_code == 200:
                return
        except httpx2.TransportError:
            time.sleep(0.05)
    raise AssertionError(f"{address} does not answer")
