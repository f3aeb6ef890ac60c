"""fastmcp on both sides of the gateway: its client before it and its server behind it, in both eras and transports.

    python -m benchmarks gateway-fastmcp

It runs in an environment of its own, made from requirements/fastmcp.txt into .peers/ on the first run. What the client
does stands in fastmcp_client.py, the server in fastmcp_server.py.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from benchmarks.harness.services import KEY, ROOT, environment_for, free_port, peer_python, start

HERE = Path(__file__).parent
GATEWAY = [sys.executable, "-m", "sayso.cli", "gateway"]


def main() -> int:
    python = peer_python("fastmcp")
    environment = environment_for("") | {"SAYSO_ENV": "production", "SAYSO_STATE_KEYS": KEY}
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        served = {how: serve(stack, python, how) for how in ("http", "old")}
        file = Path(folder) / "gateway.json"
        file.write_text(json.dumps({"mcpServers": servers(python, served)}))
        told: dict[str, Any] = {
            "stdio": [*GATEWAY, "--config", str(file)],
            "environment": {name: value for name, value in environment.items() if value},
            "servers": ["stdio", *served],
        }
        fronts: dict[str, list[str]] = {"sessions": ["--sessions"]}
        if "--short" not in sys.argv:
            fronts["stateless"] = []
        for way, options in fronts.items():
            port = free_port()
            command = [*GATEWAY, "--config", file, "--transport", "http", "--port", str(port), *options]
            stop(stack, start(command, port, told["environment"]))
            told[way] = f"http://127.0.0.1:{port}/mcp"
        inside = [python, HERE / "fastmcp_client.py", *sys.argv[1:]]
        return subprocess.run(inside, input=json.dumps(told), encoding="utf-8", check=False).returncode


def servers(python: Path, served: dict[str, str]) -> dict[str, Any]:
    """As the gateway's file names them."""
    asked_by_itself = {"list_ran": {"risk": "read"}, "book_table": {"risk": "read"}}
    sayso = {"sayso": {"pack": "tasks", "tools": asked_by_itself}}
    script = str(HERE / "fastmcp_server.py")
    return {
        "stdio": {"command": str(python), "args": [script, "stdio"], "cwd": str(ROOT)} | sayso,
        **{how: {"url": url} | sayso for how, url in served.items()},
    }


def serve(stack: ExitStack, python: Path, how: str) -> str:
    """fastmcp's server over HTTP, once it listens."""
    port = free_port()
    stop(stack, subprocess.Popen([python, HERE / "fastmcp_server.py", how, str(port)]))
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return f"http://127.0.0.1:{port}/mcp"
    raise SystemExit("fastmcp's server does not listen")


def stop(stack: ExitStack, process: subprocess.Popen[bytes]) -> None:
    stack.callback(process.wait, 20)
    stack.callback(process.terminate)


if __name__ == "__main__":
    sys.exit(main())
