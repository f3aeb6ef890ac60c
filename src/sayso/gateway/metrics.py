"""Prometheus counters of calls, questions and refusals by server and tool.

They are counted from the events of the trail, once those are written. No label holds what a person said, nor who they
are. A tool that is not pinned is counted as "other": its name is whatever a client sends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from sayso.gateway.values import Judged, Wanted
from sayso.ledger.chain import Event

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_OTHER = "other"
FIGURES = {
    "sayso_gateway_calls_total": "Calls that were forwarded, by server, tool and whether they failed.",
    "sayso_gateway_asked_total": "Questions that were put to a person, by server, tool and where.",
    "sayso_gateway_granted_total": "Calls that an earlier yes covered, by server, tool and scope.",
    "sayso_gateway_denied_total": "Calls that did not run, by server, tool and reason.",
    "sayso_gateway_rules_total": "Calls that a rule decided about, by server, tool and effect.",
    "sayso_gateway_shadow_total": "Calls that ran in shadow mode only, by server, tool and verdict.",
    "sayso_gateway_reloads_total": "Changes of the gateway's file: loaded, or rejected because of an error.",
}
Labels = tuple[tuple[str, str], ...]
Knows = Callable[[str, str], bool]


class Metrics:
    """The counts of a process. `knows` tells whether a server has a tool of this name."""

    def __init__(self, knows: Knows) -> None:
        self._knows = knows
        self._counts: dict[str, Counter[Labels]] = {name: Counter() for name in FIGURES}

    def count(self, events: Iterable[Event]) -> None:
        """Count what was written to the trail."""
        for event in events:
            match event.kind, event.body:
                case "call", {"wanted": Wanted() as wanted, "failed": failed}:
                    self._add("sayso_gateway_calls_total", wanted, failed=str(failed).lower())
                case "question", {"wanted": Wanted() as wanted, **more}:
                    self._add("sayso_gateway_asked_total", wanted, where=str(more.get("where", "client")))
                case "refusal", {"wanted": Wanted() as wanted, "status": status}:
                    self._add("sayso_gateway_denied_total", wanted, reason=str(status))
                case "judged", Judged() as judged:
                    self._count_judged(judged)
                case _:
                    pass

    def reloaded(self, result: str) -> None:
        """Count a change of the file."""
        self._counts["sayso_gateway_reloads_total"][("result", result),] += 1

    def _count_judged(self, judged: Judged) -> None:
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
        return "\n".join(lines) + "\n"

    def _add(self, name: str, wanted: Wanted, **more: str) -> None:
        tool = wanted.tool if self._knows(wanted.server, wanted.tool) else _OTHER
        self._counts[name][("server", wanted.server), ("tool", tool), *more.items()] += 1


def _written(labels: Labels) -> str:
    return ",".join(f'{name}="{_escaped(value)}"' for name, value in labels)


def _escaped(value: Any) -> str:
    return str(value).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
