"""`sayso.tool_for`: an exact table, checked against the tools that are live."""

from __future__ import annotations

import time

import pytest

import sayso
from sayso import tool_for

TABLE = {
    "add_task": "add_task",
    "list_tasks": "list_tasks",
    "complete_task": "complete_task",
    "delete_task": "delete_task",
    "update_task": "update_task",
    "identity_query": "get_user_info",
}


@pytest.mark.parametrize(("intent", "tool"), TABLE.items())
def test_every_intent_has_its_tool(intent, tool):
    assert tool_for(intent) == tool


@pytest.mark.parametrize(
    "intent",
    ["unknown", "invalid_intent", "ADD_TASK", "Add_Task", "ad_task", " add_task", "add_task ", "", "get_user_info"],
)
def test_anything_else_has_none(intent):
    assert tool_for(intent) is None


@pytest.mark.parametrize("intent", [None, 1, 0.5, True, b"add_task", ["add_task"], {"intent": "add_task"}, object()])
def test_what_is_no_text_has_none(intent):
    assert tool_for(intent) is None


def test_a_tool_that_is_not_live_is_never_returned():
    assert tool_for("delete_task", registry={"add_task", "list_tasks"}) is None
    assert tool_for("add_task", registry={"add_task", "list_tasks"}) == "add_task"
    assert tool_for("add_task", registry=()) is None


def test_the_same_intent_always_has_the_same_tool():
    assert {tool_for("identity_query") for _ in range(100)} == {"get_user_info"}


def test_it_takes_less_than_ten_microseconds():
    tool_for("add_task")
    rounds = []
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(1_000):
            tool_for("identity_query")
        rounds.append((time.perf_counter() - start) / 1_000)
    assert min(rounds) < 10e-6


def test_the_public_names_are_all_there_and_no_others():
    assert sorted(sayso.__all__) == sayso.__all__
    for name in sayso.__all__:
        assert getattr(sayso, name) is not None
