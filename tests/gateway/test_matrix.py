"""Every way through the gateway: clients of both eras over every transport, servers of both over theirs."""

from __future__ import annotations

import json
from contextlib import AsyncExitStack
from typing import NamedTuple

import pytest
from behind import NEW, OLD, SEATS_ASKED, TITLES
from fronts import Caller, at, connected, in_memory, over_http, over_stdio, write
from mcp_types import ElicitResult

pytestmark = pytest.mark.anyio

FRONTS = [
    ("memory", NEW),
    ("memory", OLD),
    ("stdio", NEW),
    pytest.param(("stdio", OLD), marks=pytest.mark.long),
    ("http", NEW),
    ("sessions", OLD),
]
BEHIND = ["new_stdio", "old_stdio", "new_http", "old_http"]


class Front(NamedTuple):
    """The same gateway for a client that can be asked, and for one that cannot."""

    asking: Caller
    mute: Caller


@pytest.fixture(scope="session", params=FRONTS, ids="-".join)
async def front(request, servers, tmp_path_factory, anyio_backend):  # noqa: ARG001  one event loop for all
    transport, era = request.param
    file = write(tmp_path_factory.mktemp("front"), **servers)
    async with AsyncExitStack() as stack:
        if transport == "memory":
            server = await stack.enter_async_context(in_memory(file))
            targets = (server, server)
        elif transport == "stdio":
            targets = (over_stdio(file), over_stdio(file))
        else:
            url = await stack.enter_async_context(over_http(file, sessions=transport == "sessions"))
            targets = (at(url), at(url))
        asking = await stack.enter_async_context(connected(targets[0], era))
        mute = await stack.enter_async_context(connected(targets[1], era, mute=True))
        yield Front(asking, mute)


@pytest.fixture(params=BEHIND)
def behind(request):
    return request.param


@pytest.fixture
def asking(front):
    front.asking.asked.clear()
    front.asking.answer = None
    return front.asking


def yes(_params):
    return ElicitResult(action="accept", content={"answer": True})


def no(_params):
    return ElicitResult(action="decline")


async def test_the_tools_are_listed_as_they_are_with_a_place_for_the_words(asking, behind):
    listed = {tool.name: tool for tool in (await asking.client.list_tools()).tools}
    tool = listed[f"{behind}__delete_task"]
    assert set(tool.input_schema["properties"]) == {"task_identifier", "sayso_words"}
    assert (tool.description, tool.annotations.destructive_hint) == ("The tool delete_task.", True)


async def test_a_right_call_passes_to_the_letter(asking, behind, ran):
    given = {"title": "Buy flour", "description": ""}
    result = await asking.call(f"{behind}__add_task", given, "add buy flour")
    assert (result.is_error, asking.asked) == (False, [])
    assert result.structured_content == {"tool": "add_task", "given": given}
    assert ran() == [("add_task", given)]


async def test_an_incomplete_call_is_completed_from_the_words(asking, behind, ran):
    result = await asking.call(f"{behind}__add_task", {"title": "water plants"}, "add water plants, high priority")
    assert (result.is_error, asking.asked) == (False, [])
    assert ran() == [("add_task", {"title": "water plants", "priority": "high"})]


async def test_an_ambiguous_call_is_asked_about_and_the_chosen_one_runs(asking, behind, ran):
    asking.answer = lambda params: ElicitResult(
        action="accept", content={"answer": params.requested_schema["properties"]["answer"]["enum"][1]}
    )
    result = await asking.call(f"{behind}__complete_task", {"task_identifier": "call"}, "complete the call")
    assert (result.is_error, len(asking.asked)) == (False, 1)
    assert ran() == [("complete_task", {"task_identifier": "t2"})]


async def test_what_destroys_is_confirmed_and_runs_once(asking, behind, ran):
    asking.answer = yes
    result = await asking.call(f"{behind}__delete_task", {"task_identifier": "Buy milk"}, "delete buy milk")
    assert (result.is_error, len(asking.asked)) == (False, 1)
    assert "Buy milk" in asking.asked[0].message
    assert [name for name, _ in ran()] == ["delete_task"]


async def test_what_is_declined_does_not_run(asking, behind, ran):
    asking.answer = no
    result = await asking.call(f"{behind}__delete_task", {"task_identifier": "Buy milk"}, "delete buy milk")
    assert (result.structured_content["status"], len(asking.asked)) == ("declined", 1)
    assert ran() == []


async def test_a_client_that_cannot_be_asked_is_told_so_and_nothing_runs(front, behind, ran):
    deleting = await front.mute.call(f"{behind}__delete_task", {"task_identifier": "Buy milk"}, "delete buy milk")
    assert (deleting.structured_content["status"], deleting.is_error) == ("needs_confirmation", True)
    which = await front.mute.call(f"{behind}__complete_task", {"task_identifier": "call"}, "complete the call")
    assert which.structured_content["status"] == "needs_clarification"
    assert which.structured_content["options"] == ["Call mom", "Call the bank"]
    assert ran() == []


async def test_a_read_passes_as_often_as_it_is_asked_for(asking, behind, log, ran):
    for words in (None, "what is on my list?", None):
        result = await asking.call(f"{behind}__list_tasks", {"filter": "all"}, words)
        assert [task["title"] for task in result.structured_content["tasks"]] == list(TITLES)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert lines.count(["list_tasks", {"filter": "all"}]) == 3
    assert (ran(), asking.asked) == ([], [])


async def test_what_the_server_asks_reaches_the_person_and_the_answer_the_server(asking, behind, ran):
    asking.answer = lambda _params: ElicitResult(action="accept", content={"seats": 4})
    result = await asking.call(f"{behind}__book_table", {"place": "Da Gino"})
    assert [params.message for params in asking.asked] == [f"{behind} asks: {SEATS_ASKED}"]
    assert result.structured_content["given"]["seats"] == 4
    assert ran() == [("book_table", {"place": "Da Gino", "answer": "accept", "seats": 4})]


async def test_what_the_server_asks_can_be_declined(asking, behind, ran):
    asking.answer = no
    await asking.call(f"{behind}__book_table", {"place": "Da Gino"})
    assert ran() == [("book_table", {"place": "Da Gino", "answer": "decline", "seats": None})]
