"""The HTTP server as a process that can be killed often: it is forked again, with everything loaded, when it dies.

    python -m benchmarks.crash.tasks_server PORT PID_FILE

CRASH_AT names a point at which the process kills itself, once, when the file CRASH_ARM exists (it is removed then).
The points are put around the service's own functions here, so that the service knows nothing of them.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from sayso.database import pool
from sayso.serving import once
from sayso.settings import read_settings
from sayso.tasks import server, service
from sayso.tasks.serve import serve_http

POINTS = ("connected", "begun", "claimed", "done", "kept", "committed", "answered")


def die_at(point: str) -> None:
    """Kill this process if it is told to die here: "done", or "done 24" for the time after 24 others."""
    arm = Path(os.environ.get("CRASH_ARM", "/nonexistent"))
    name, _, others = (arm.read_text() if arm.exists() else "").partition(" ")
    if name == point and int(others or 0):
        arm.write_text(f"{point} {int(others) - 1}")
    elif point in (name, os.environ.get("CRASH_AT")):
        arm.unlink(missing_ok=True)
        os.kill(os.getpid(), signal.SIGKILL)


def after(point: str, function: Callable[..., Any]) -> Callable[..., Any]:
    async def wrapped(*given: Any, **more: Any) -> Any:
        result = await function(*given, **more)
        die_at(point)
        return result

    return wrapped


def place_points() -> None:
    """Between any two steps of a call."""
    transaction = pool.Database.transaction

    @asynccontextmanager
    async def watched(self: pool.Database, user_id: str) -> Any:
        die_at("connected")
        async with transaction(self, user_id) as connection:
            die_at("begun")
            yield connection
        die_at("committed")

    pool.Database.transaction = watched  # type: ignore[method-assign]
    once.claim_key = after("claimed", once.claim_key)
    keep = once.keep_answer

    def kept(*given: Any) -> None:
        keep(*given)
        die_at("kept")

    once.keep_answer = kept
    for name, tool in service.TOOLS.items():
        if tool.does is not None:
            does = after("done", tool.does)
            service.TOOLS[name] = service.Tool(takes=tool.takes, gives=tool.gives, does=does, writes=tool.writes)
    result = server._result  # noqa: SLF001

    def answered(outcome: Any) -> Any:
        made = result(outcome)
        die_at("answered")
        return made

    server._result = answered  # noqa: SLF001


def fork_again(pid_file: Path, serve: Callable[[], None]) -> None:
    """Serve in a child, whose id is in the file, and in another whenever that one is killed."""
    while True:
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            serve()
            os._exit(0)
        pid_file.with_suffix(".new").write_text(str(child))
        pid_file.with_suffix(".new").replace(pid_file)
        signal.signal(signal.SIGTERM, lambda *_, child=child: (os.kill(child, signal.SIGKILL), os._exit(0)))
        _, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status):
            os._exit(1)


def main() -> None:
    port, pid_file = int(sys.argv[1]), Path(sys.argv[2])
    settings = read_settings()
    place_points()

    def serve() -> None:
        asyncio.run(serve_http(settings, settings.database_url or "", host="127.0.0.1", port=port, sessions=False))

    fork_again(pid_file, serve)


if __name__ == "__main__":
    main()
