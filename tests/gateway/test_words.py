"""What words are worth by where they come from: the client's own forward a write, a model's do not."""

from __future__ import annotations

import pytest
from behind import NEW
from fronts import connected, in_memory, write
from mcp_types import ElicitResult

pytestmark = pytest.mark.anyio

YES, NO = ElicitResult(action="accept", content={"answer": True}), ElicitResult(action="decline")
ADD = ("add_task", {"title": "Wire 900 euros"})
INVENTED = {"sayso_words": "add Wire 900 euros"}


@pytest.fixture
def behind(tmp_path, servers):
    """The gateway's file before one server, with more settings for it."""

    def make(**more):
        server = servers["new_http"]
        return write(tmp_path, one=server | {"sayso": server["sayso"] | more})

    return make


async def test_words_that_a_model_invents_do_not_forward_a_write(behind, ran):
    tool, arguments = ADD
    async with in_memory(behind()) as gateway:
        async with connected(gateway, NEW, mute=True) as caller:
            result = await caller.call(tool, arguments | INVENTED)
            assert result.structured_content["status"] == "needs_confirmation"
            assert (await caller.call(tool, arguments, "add Wire 900 euros")).is_error is False
        assert ran() == [ADD]
        async with connected(gateway, NEW) as caller:
            caller.answer = lambda _params: NO
            result = await caller.call(tool, arguments | INVENTED)
            assert result.structured_content["status"] == "declined"
            assert ran() == [ADD]
            caller.answer = lambda _params: YES
            assert not (await caller.call(tool, arguments | INVENTED)).is_error
            assert "Wire 900 euros" in caller.asked[-1].message
    assert ran() == [ADD, ADD]


async def test_choosing_among_what_a_model_says_is_followed_by_a_yes(behind, ran):
    """The person picks a thing; that what the model relays was wanted at all is still theirs to confirm."""

    def pick_then_refuse(params):
        field = params.requested_schema["properties"]["answer"]
        return ElicitResult(action="accept", content={"answer": field["enum"][1]}) if "enum" in field else NO

    async with in_memory(behind()) as gateway, connected(gateway, NEW) as caller:
        caller.answer = pick_then_refuse
        result = await caller.call("complete_task", {"task_identifier": "call", "sayso_words": "complete the call"})
    assert (result.structured_content["status"], len(caller.asked)) == ("declined", 2)
    assert ran() == []


async def test_the_operator_can_let_a_models_words_forward_a_write_and_nothing_that_destroys(behind, ran):
    tool, arguments = ADD
    async with in_memory(behind(model_words=True)) as gateway, connected(gateway, NEW, mute=True) as caller:
        assert not (await caller.call(tool, arguments | INVENTED)).is_error
        deleting = {"task_identifier": "Buy milk", "sayso_words": "delete buy milk"}
        result = await caller.call("delete_task", deleting)
        assert result.structured_content["status"] == "needs_confirmation"
    assert ran() == [ADD]


async def test_a_read_passes_with_a_models_words(behind):
    async with in_memory(behind()) as gateway, connected(gateway, NEW, mute=True) as caller:
        result = await caller.call("list_tasks", {"sayso_words": "what is on my list?"})
        assert result.structured_content["tasks"]
