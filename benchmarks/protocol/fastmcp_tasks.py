"""fastmcp's client, which is not ours nor the SDK's, against the task server: over HTTP and stdio, in both eras.

    python -m benchmarks fastmcp

It runs in an environment of its own, made from requirements/fastmcp.txt into .peers/ on the first run. What it does
stands in fastmcp_client.py.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from benchmarks.harness.services import environment_for, free_port, new_database, peer_python, serve, settings_for
from sayso.identity.development import issue


def main() -> int:
    python = peer_python("fastmcp")
    with new_database() as url:
        ports = free_port(), free_port()
        servers = [serve(url, ports[0]), serve(url, ports[1], "--sessions")]
        try:
            told = {
                "stateless": f"http://127.0.0.1:{ports[0]}/mcp",
                "sessions": f"http://127.0.0.1:{ports[1]}/mcp",
                "tokens": [issue(settings_for(url), f"fastmcp {number}") for number in range(3)],
                "stdio": [sys.executable, "-m", "sayso.cli", "mcp", "tasks"],
                "environment": environment_for(url),
            }
            inside = Path(__file__).with_name("fastmcp_client.py")
            return subprocess.run([python, inside], input=json.dumps(told), encoding="utf-8", check=False).returncode
        finally:
            for server in servers:
                server.terminate()
                server.wait(20)


if __name__ == "__main__":
    sys.exit(main())
