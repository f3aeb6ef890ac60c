"""The two servers of turns.py, each a process with one worker.

    python -m benchmarks.speed.turns_server bare PORT URL   a bare endpoint that runs the statements of FLOOR
    python -m benchmarks.speed.turns_server ours PORT       `sayso serve`; with SAMPLES a file for where time goes

The bare one is what anybody would write: uvicorn, a pool of psycopg, one transaction, one statement after the other,
prepared by the driver. It knows nobody, checks nothing and remembers nothing of what it was told.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import msgspec
import uvicorn
from psycopg_pool import AsyncConnectionPool

from sayso.chat.serve import serve

CONNECTIONS = 10  # as many as `sayso serve` has
EVERY = 0.002  # seconds of the processor between two samples
Kinds = list[tuple[str, int]]  # the statements of a turn, and how many rows each reads or adds
STATEMENTS = {
    "become": "SELECT set_config('app.user_id', %(user)s, true)",
    "lock": "SELECT number FROM bare.people WHERE user_id = %(user)s FOR UPDATE",
    "select": "SELECT id, title, body, made FROM bare.things WHERE user_id = %(user)s ORDER BY id DESC LIMIT %(rows)s",
    "insert": "INSERT INTO bare.things (user_id, title, body) "
    "SELECT %(user)s, %(title)s, %(body)s FROM generate_series(1, %(rows)s)",
    "update": "UPDATE bare.people SET number = number + 1 WHERE user_id = %(user)s",
}
_BEGIN: Kinds = [("become", 1), ("become", 1), ("lock", 1), ("select", 1), ("select", 11)]
# What the bare endpoint runs for each of turns_load.MESSAGES: the statements that a turn had before migration 0011,
# with as many rows. A fixed list: a turn that comes to need other statements is measured against the same floor.
FLOOR: list[Kinds] = [
    [*_BEGIN, ("select", 20), ("insert", 7), ("insert", 1), ("insert", 1), ("insert", 1)],
    [*_BEGIN, ("select", 21), ("lock", 1), ("update", 1), ("insert", 4), ("insert", 1), ("insert", 1)],
    [*_BEGIN, ("select", 21), ("select", 21), ("insert", 4), ("insert", 1)],
    [*_BEGIN, ("select", 21), ("lock", 1), ("update", 1), ("insert", 4), ("insert", 1), ("insert", 1)],
    [*_BEGIN, ("select", 21), ("insert", 4), ("insert", 1), ("insert", 1)],
    [
        *(*_BEGIN, ("select", 21), ("select", 1), ("lock", 1), ("update", 1)),
        *(("insert", 5), ("insert", 1), ("insert", 1), ("update", 1)),
    ],
]
SCHEMA = """
CREATE SCHEMA bare;
CREATE TABLE bare.people (user_id text PRIMARY KEY, number bigint NOT NULL DEFAULT 0);
CREATE TABLE bare.things (
    user_id text NOT NULL, id bigint GENERATED ALWAYS AS IDENTITY, title text NOT NULL, body text NOT NULL,
    made timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (user_id, id)
);
"""
# Where a sample belongs: by the innermost frame of ours, else of a package, that says so.
PLACES = {
    "decide": ("sayso/engine/", "sayso/decider.py", "sayso/packs/load.py", "sayso/languages/", "sayso/record.py"),
    "database": ("sayso/database/", "/psycopg/", "/psycopg_pool/"),
    "keep": ("sayso/ledger/",),
    "carry out and answer": ("sayso/assistant/", "sayso/packs/", "sayso/tasks/", "sayso/languages/spoken.py"),
    "serve": ("sayso/chat/turns/service.py",),
    "HTTP": ("sayso/chat/", "/uvicorn/", "/starlette/", "/fastapi/", "/structlog/", "/limits/", "/pydantic"),
    "identity": ("sayso/identity/", "/jwt/"),
}


class Bare:
    """The bare endpoint: POST /turn/N runs the statements of turn N."""

    def __init__(self, url: str) -> None:
        self._turns = [[(STATEMENTS[kind], rows) for kind, rows in turn] for turn in FLOOR]
        self._pool = AsyncConnectionPool(url, min_size=1, max_size=CONNECTIONS, open=False)

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        count = 0
        if scope["path"].startswith("/turn/"):
            body = b""
            while (message := await receive()).get("more_body"):
                body += message["body"]
            given = msgspec.json.decode(body + message["body"])
            count = await self._turn(int(scope["path"].rpartition("/")[2]), given)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})
        await send({"type": "http.response.body", "body": msgspec.json.encode({"rows": count})})

    async def _turn(self, number: int, given: dict[str, str]) -> int:
        values = {"user": given["user"], "title": given["content"], "body": given["content"] * 10}
        count = 0
        async with self._pool.connection() as connection:
            for statement, rows in self._turns[number]:
                done = await connection.execute(statement, values | {"rows": rows})
                if done.description:
                    count += len(await done.fetchall())
        return count

    async def _live(self, receive: Any, send: Any) -> None:
        await receive()
        await self._pool.open()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self._pool.close()
        await send({"type": "lifespan.shutdown.complete"})


class Sampler:
    """Looks where the program is whenever it has used the processor for a while."""

    def __init__(self) -> None:
        self.places: Counter[str] = Counter()
        self.lines: Counter[str] = Counter()

    def wait(self) -> None:
        """Begin when told to, so that starting up does not count."""
        signal.signal(signal.SIGPROF, self._look)
        signal.signal(signal.SIGUSR1, lambda *_: signal.setitimer(signal.ITIMER_PROF, EVERY, EVERY))

    def _look(self, _number: int, frame: FrameType | None) -> None:
        first = frame
        while frame is not None:
            file = frame.f_code.co_filename
            place = next((name for name, parts in PLACES.items() if any(part in file for part in parts)), None)
            if place:
                self.places[place] += 1
                self.lines[f"{file.rpartition('site-packages/')[2]} {frame.f_code.co_qualname}"] += 1
                return
            frame = frame.f_back
        self.places["the rest"] += 1
        if first:
            self.lines[f"{first.f_code.co_filename} {first.f_code.co_qualname}"] += 1

    def keep(self, file: Path) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        file.write_text(json.dumps({"places": self.places, "lines": dict(self.lines.most_common(60))}))


def main() -> None:
    which, port = sys.argv[1], int(sys.argv[2])
    if which == "bare":
        app = Bare(sys.argv[3])
        bare: dict[str, Any] = {"log_config": None, "access_log": False, "server_header": False, "lifespan": "on"}
        uvicorn.run(app, host="127.0.0.1", port=port, **bare)
        return
    sampler, file = Sampler(), os.environ.get("SAMPLES")
    if file:
        sampler.wait()
    serve(host="127.0.0.1", port=port, workers=1)
    if file:
        sampler.keep(Path(file))


if __name__ == "__main__":
    main()
