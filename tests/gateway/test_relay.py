"""Questions of a server of before 2026-07-28, whose calls wait while a person thinks."""

from __future__ import annotations

import anyio
import pytest
from behind import NEW, OLD, SEATS_ASKED
from fronts import connected, in_memory, write
from mcp_types import ElicitResult, InputRequiredResult

pytestmark = pytest.mark.anyio

FOUR = ElicitResult(action="accept", content={"seats": 4})


@pytest.fixture
async def caller(tmp_path, servers):
    async with in_memory(write(tmp_path, one=servers["old_http"])) as gateway, connected(gateway, NEW) as caller:
        yield caller


async def ask(caller, place):
    asked = await caller.client.session.call_tool("book_table", {"place": place}, allow_input_required=True)
    assert isinstance(asked, InputRequiredResult)
    assert asked.input_requests["answer"].params.message == SEATS_ASKED
    return asked.request_state


async def answer(caller, place, state, given=FOUR):
    return await caller.client.session.call_tool(
        "book_table", {"place": place}, input_responses={"answer": given}, request_state=state
    )


async def test_a_question_that_nobody_answers_is_not_in_the_way_of_others(caller, ran):
    await ask(caller, "left alone")
    second = await ask(caller, "second")
    third = await ask(caller, "third")
    for place, state in (("third", third), ("second", second)):
        assert (await answer(caller, place, state)).structured_content["given"]["place"] == place
    assert [given["place"] for _, given in ran()] == ["third", "second"]


async def test_an_answer_counts_once(caller, ran):
    state = await ask(caller, "Da Gino")
    assert not (await answer(caller, "Da Gino", state)).is_error
    again = await answer(caller, "Da Gino", state)
    assert again.structured_content["status"] == "refused"
    assert len(ran()) == 1


async def test_a_person_may_think_for_longer_than_a_server_may_take(tmp_path, servers, ran):
    hasty = servers["old_http"]["sayso"] | {"deadline": 0.8}
    file = write(tmp_path, one=servers["old_http"] | {"sayso": hasty})
    for era in (NEW, OLD):
        async with in_memory(file) as gateway, connected(gateway, era) as caller:

            async def think(_context, _params):
                await anyio.sleep(1.2)
                return FOUR

            caller.client.session._elicitation_callback = think
            booked = await caller.call("book_table", {"place": era})
            assert booked.structured_content["given"]["seats"] == 4
    assert len(ran()) == 2


async def test_the_server_is_told_where_nobody_can_be_asked(tmp_path, servers, ran):
    file = write(tmp_path, one=servers["old_http"])
    for era in (NEW, OLD):
        async with in_memory(file) as gateway, connected(gateway, era, mute=True) as caller:
            await caller.call("book_table", {"place": era})
    assert [given["answer"] for _, given in ran()] == ["cancel", "cancel"]
