"""Prometheus figures of calls, verdicts, questions, answers and refusals, and of the time that judging takes.

The counts are made from the events of the trail, once those are written. No label holds what a person said, nor who
they are. A tool that is not pinned is counted as "other": its name is whatever a client sends.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import accumulate
from time import monotonic, perf_counter
from typing import Any

from sayso.confirmation import PATIENCE
from sayso.gateway.values import Judged, Wanted
from sayso.ledger.chain import Event

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_OTHER = "other"
FIGURES = {
    "sayso_gateway_calls_total": "Calls that were forwarded, by server, tool and whether they failed.",
    "sayso_gateway_asked_total": "Questions that users were asked, by server, tool and place.",
    "sayso_gateway_granted_total": "Calls that an earlier yes covered, by server, tool and scope.",
    "sayso_gateway_denied_total": "Calls that did not run, by server, tool and reason.",
    "sayso_gateway_rules_total": "Calls that a rule decided about, by server, tool and effect.",
    "sayso_gateway_shadow_total": "Calls that ran only because of shadow mode, by server, tool and verdict.",
    "sayso_gateway_reloads_total": "Changes of the gateway's file: loaded, or rejected because of an error.",
    "sayso_gateway_judged_total": "Calls that were judged, by server, tool and verdict: forward, ask or refuse.",
    "sayso_gateway_answers_total": "Answers to questions, by answer: yes, no or other.",
}
OPEN = "sayso_gateway_open_questions"
JUDGING = "sayso_gateway_judging_seconds"
_BUCKETS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)
_ANSWERS = {True: "yes", False: "no", None: "no"}
Labels = tuple[tuple[str, str], ...]
Knows = Callable[[str, str], bool]


class Metrics:
    """The counts of a process. `knows` tells whether a server has a tool of this name."""

    def __init__(self, knows: Knows) -> None:
        self._knows = knows
        self._counts: dict[str, Counter[Labels]] = {name: Counter() for name in FIGURES}
        self._open: dict[str, float] = {}  # questions of this process, by id, with the moment when they end
        self._judging = Timing(JUDGING, "Seconds that it takes to judge a call.")

    def count(self, events: Iterable[Event]) -> None:
        """Count what was written to the trail."""
        for event in events:
            match event.kind, event.body:
                case "call", {"wanted": Wanted() as wanted, "failed": failed}:
                    self._add("sayso_gateway_calls_total", wanted, failed=str(failed).lower())
                case "judged", Judged() as judged:
                    self._count_judged(judged)
                case "question", {"wanted": Wanted() as wanted, **more}:
                    self._add("sayso_gateway_asked_total", wanted, where=str(more.get("where", "client")))
                    self._open[str(more.get("id"))] = monotonic() + PATIENCE
                case "answer", {"question": question, "answer": answer}:
                    given = _ANSWERS.get(answer, _OTHER) if isinstance(answer, bool | None) else _OTHER
                    self._counts["sayso_gateway_answers_total"][(("answer", given),)] += 1
                    self._open.pop(str(question), None)
                case "refusal", {"wanted": Wanted() as wanted, "status": status}:
                    self._add("sayso_gateway_denied_total", wanted, reason=str(status))
                case _:
                    pass

    def reloaded(self, result: str) -> None:
        """Count a change of the file."""
        self._counts["sayso_gateway_reloads_total"][("result", result),] += 1

    def _count_judged(self, judged: Judged) -> None:
        self._add("sayso_gateway_judged_total", judged.wanted, verdict=next(iter(judged.verdict), _OTHER))
        if judged.grant is not None:
            self._add("sayso_gateway_granted_total", judged.wanted, scope=judged.grant.scope)
        if judged.rule is not None:
            self._add("sayso_gateway_rules_total", judged.wanted, effect=judged.rule.effect)
        if judged.shadow and "forward" not in judged.verdict:
            self._add("sayso_gateway_shadow_total", judged.wanted, verdict=next(iter(judged.verdict)))

    def text(self) -> str:
        """All counts, in the text format of Prometheus."""
        lines: list[str] = []
        for name, told in FIGURES.items():
            lines += [f"# HELP {name} {told}", f"# TYPE {name} counter"]
            lines += [f"{name}{{{_written(labels)}}} {count}" for labels, count in sorted(self._counts[name].items())]
        now = monotonic()
        self._open = {question: end for question, end in self._open.items() if end > now}
        lines += [
            f"# HELP {OPEN} Questions of the last ten minutes that nobody has answered.",
            f"# TYPE {OPEN} gauge",
            f"{OPEN} {len(self._open)}",
            *self._judging.lines(),
        ]
        return "\n".join(lines) + "\n"

    def judging(self) -> AbstractContextManager[None]:
        """Measures how long it takes to judge a call."""
        return self._judging.measured()

    def _add(self, name: str, wanted: Wanted, **more: str) -> None:
        tool = wanted.tool if self._knows(wanted.server, wanted.tool) else _OTHER
        self._counts[name][("server", wanted.server), ("tool", tool), *more.items()] += 1


class Timing:
    """A histogram of seconds."""

    def __init__(self, name: str, told: str) -> None:
        self._name, self._told = name, told
        self._buckets = [0] * (len(_BUCKETS) + 1)
        self._sum = 0.0

    @contextmanager
    def measured(self) -> Iterator[None]:
        began = perf_counter()
        try:
            yield
        finally:
            took = perf_counter() - began
            self._buckets[bisect_left(_BUCKETS, took)] += 1
            self._sum += took

    def lines(self) -> Iterator[str]:
        yield f"# HELP {self._name} {self._told}"
        yield f"# TYPE {self._name} histogram"
        for bound, count in zip((*map(str, _BUCKETS), "+Inf"), accumulate(self._buckets), strict=True):
            yield f'{self._name}_bucket{{le="{bound}"}} {count}'
        yield f"{self._name}_sum {self._sum:.6f}"
        yield f"{self._name}_count {sum(self._buckets)}"


def _written(labels: Labels) -> str:
    return ",".join(f'{name}="{_escaped(value)}"' for name, value in labels)


def _escaped(value: Any) -> str:
    return str(value).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
