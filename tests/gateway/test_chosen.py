"""Picking one of several options says which one is meant; where that one destroys, it is no yes."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from sayso.decider import Decider
from sayso.gateway.config import ServerSettings
from sayso.gateway.judge import Judge
from sayso.gateway.values import Ask, Forward, Wanted, Words, labels
from sayso.record import Entity

NOW = datetime(2026, 3, 10, 9, 0, tzinfo=UTC)
PARTS = [
    {"id": "short", "name": "Short cleaning", "destructive": False},
    {"id": "deep", "name": "Deep cleaning", "destructive": True},
]
URN = Entity({"kind": "machine", "id": "urn", "name": "Coffee urn", "serial": "U1", "commands": PARTS, "metrics": []})


@pytest.fixture
def asked():
    """A gateway before machines, and the question which of two commands is meant."""
    judge = Judge(Decider.installed(), "devices", ServerSettings(pack="devices"), "en")
    wanted = Wanted(
        server="shop",
        tool="machine_command_execute",
        arguments={"device_id": "urn"},
        words=Words(message="start the cleaning of the coffee urn", trusted=True),
    )
    verdict = judge.judge(wanted, [URN], "d", NOW)
    assert isinstance(verdict, Ask)
    return judge, verdict.question


def test_the_option_that_does_no_harm_runs(asked):
    judge, question = asked
    at = [option.arguments["machine_command_id"] for option in question.asks.options].index("short")
    verdict = judge.answer(question, labels(question.asks)[at], [URN], NOW)
    assert isinstance(verdict, Forward)
    assert verdict.arguments == {"device_id": "urn", "machine_command_id": "short"}


def test_the_option_that_destroys_is_asked_about_once_more(asked):
    judge, question = asked
    at = [option.arguments["machine_command_id"] for option in question.asks.options].index("deep")
    verdict = judge.answer(question, labels(question.asks)[at], [URN], NOW)
    assert isinstance(verdict, Ask)
    assert verdict.question.asks.arguments["machine_command_id"] == "deep"
    assert isinstance(judge.answer(verdict.question, True, [URN], NOW), Forward)
