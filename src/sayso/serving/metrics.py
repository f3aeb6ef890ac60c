"""Prometheus metrics of the chat service and the MCP servers: requests, decisions, the duration of turns and calls,
outcomes of model requests, and database usage.

No label contains a user's words or identity. Tools that no pack knows are counted together.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import TypeVar, cast

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sayso.decision import Decision, Nothing
from sayso.identity.local import is_from_here
from sayso.settings import Settings

F = TypeVar("F", Counter, Histogram)

CONTENT_TYPE = CONTENT_TYPE_LATEST
SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # of the Prometheus client: the folder that workers share
_METHODS = frozenset({"GET", "POST", "HEAD", "OPTIONS", "PUT", "PATCH", "DELETE"})
_TURN_SECONDS = (0.0025, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96)


class Metrics:
    """The metrics of a process. With several workers, /metrics of any worker returns the sum of all."""

    def __init__(self, tools: Iterable[str]) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]  # they would double the number of series
        self._tools = frozenset(tools)
        self._known: dict[tuple[Counter | Histogram, tuple[str, ...]], Counter | Histogram] = {}
        self.registry = CollectorRegistry()
        _forget_dead_workers()
        self._requests = Counter(
            "sayso_http_requests",
            "Requests answered, by route and status.",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self._decisions = Counter(
            "sayso_decisions", "Decisions, by kind and tool.", ("kind", "tool"), registry=self.registry
        )
        self._turns = Histogram(
            "sayso_turn_seconds",
            "How long a message, an answer to a card, a click or an undo takes.",
            ("what",),
            buckets=_TURN_SECONDS,
            registry=self.registry,
        )
        self._model = Counter(
            "sayso_model_outcomes", "Requests to the model, by outcome.", ("outcome",), registry=self.registry
        )

        self._in_flight = self._gauge("sayso_turns_in_flight", "Turns that have begun and not ended.")
        self._busy = self._gauge("sayso_database_connections_busy", "Database connections in use.")
        self._waiting = self._gauge("sayso_database_connections_waiting", "Requests that wait for a connection.")
        self._failures = Counter(
            "sayso_database_failures", "Waits for the database that failed, by kind.", ("kind",), registry=self.registry
        )

    def _gauge(self, name: str, description: str) -> Gauge:
        return Gauge(name, description, registry=self.registry, multiprocess_mode="livesum")

    def request(self, method: str, route: str, status: int) -> None:
        self._series(self._requests, method if method in _METHODS else "other", route, str(status)).inc()

    def decisions(self, made: Iterable[Decision]) -> None:
        for decision in made:
            tool = "" if isinstance(decision, Nothing) else decision.tool or ""
            kind = str(decision.__struct_config__.tag)
            self._series(self._decisions, kind, tool if not tool or tool in self._tools else "other").inc()

    @contextmanager
    def turn(self, what: str) -> Iterator[None]:
        """Count a turn as in flight. Its duration is recorded if it succeeds."""
        started = perf_counter()
        self._in_flight.inc()
        try:
            yield
        finally:
            self._in_flight.dec()
        self._series(self._turns, what).observe(perf_counter() - started)

    def database_usage(self, busy: int, waiting: int) -> None:
        self._busy.set(busy)
        self._waiting.set(waiting)

    def database_failure(self, kind: str) -> None:
        self._series(self._failures, kind).inc()

    def _series(self, family: F, *labels: str) -> F:
        """The series of these labels. It is cached, since there are few combinations."""
        found = self._known.get((family, labels))
        if found is None:
            found = self._known[family, labels] = family.labels(*labels)
        return cast("F", found)

    def model(self, outcome: str) -> None:
        self._model.labels(outcome).inc()

    def text(self) -> bytes:
        """All metrics in the Prometheus text format."""
        if SHARED_FOLDER not in os.environ:
            return generate_latest(self.registry)
        together = CollectorRegistry()
        MultiProcessCollector(together)  # type: ignore[no-untyped-call]
        return generate_latest(together)


class Counted:
    """Counts the requests to an app by path, and measures the duration of POST requests to the path `timed`."""

    def __init__(self, app: ASGIApp, metrics: Metrics, paths: Iterable[str], timed: str) -> None:
        self._app, self._metrics, self._paths, self._timed = app, metrics, frozenset(paths), timed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status = 0

        async def told(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            if scope["method"] == "POST" and scope["path"] == self._timed:
                with self._metrics.turn("call"):
                    await self._app(scope, receive, told)
            else:
                await self._app(scope, receive, told)
        finally:
            route = scope["path"] if scope["path"] in self._paths else "none"
            self._metrics.request(scope["method"], route, status)


def may_read(request: HTTPConnection, settings: Settings) -> bool:
    """Whether this request may read the metrics: it comes from this machine, or SAYSO_METRICS_OPEN is set."""
    return settings.metrics_open or is_from_here(request)


def _forget_dead_workers() -> None:
    """Delete the gauges of dead workers. Otherwise a dead worker would be counted together with its replacement."""
    folder = os.environ.get(SHARED_FOLDER)
    for file in Path(folder).glob("gauge_live*_*.db") if folder else ():
        pid = int(file.stem.rpartition("_")[2])
        if not _is_alive(pid):
            mark_process_dead(pid, folder)  # type: ignore[no-untyped-call]


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
