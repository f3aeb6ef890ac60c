"""Figures for Prometheus: requests, decisions, how long a turn takes, what came of asking the model.

No label holds what a person said, nor who they are; tools that no pack knows are counted together.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar, cast

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

from sayso.decision import Decision, Nothing

F = TypeVar("F", Counter, Histogram)

CONTENT_TYPE = CONTENT_TYPE_LATEST
SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # the client's own name: where the workers of one machine count together
_METHODS = frozenset({"GET", "POST", "HEAD", "OPTIONS", "PUT", "PATCH", "DELETE"})
_TURN_SECONDS = (0.0025, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96)


class Metrics:
    """The figures of a process; with several workers, /metrics of any of them gives the sum of all."""

    def __init__(self, tools: Iterable[str]) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]  # when a series began: as many series again
        self._tools = frozenset(tools)
        self._known: dict[tuple[Counter | Histogram, tuple[str, ...]], Counter | Histogram] = {}
        self.registry = CollectorRegistry()
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
            "sayso_model_outcomes", "What came of asking the model.", ("outcome",), registry=self.registry
        )

    def request(self, method: str, route: str, status: int) -> None:
        self._series(self._requests, method if method in _METHODS else "other", route, str(status)).inc()

    def decisions(self, made: Iterable[Decision]) -> None:
        for decision in made:
            tool = "" if isinstance(decision, Nothing) else decision.tool or ""
            kind = str(decision.__struct_config__.tag)
            self._series(self._decisions, kind, tool if not tool or tool in self._tools else "other").inc()

    def turn(self, what: str, seconds: float) -> None:
        self._series(self._turns, what).observe(seconds)

    def _series(self, family: F, *labels: str) -> F:
        """The series of these labels, found once: all labels are among a few."""
        found = self._known.get((family, labels))
        if found is None:
            found = self._known[family, labels] = family.labels(*labels)
        return cast("F", found)

    def model(self, outcome: str) -> None:
        self._model.labels(outcome).inc()

    def text(self) -> bytes:
        """All of it, as Prometheus reads it."""
        if SHARED_FOLDER not in os.environ:
            return generate_latest(self.registry)
        together = CollectorRegistry()
        MultiProcessCollector(together)  # type: ignore[no-untyped-call]
        return generate_latest(together)
