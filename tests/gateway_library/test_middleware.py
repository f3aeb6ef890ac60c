"""A server of one's own with the official SDK, made careful by middleware; with clients of both eras."""

from __future__ import annotations

import mcp_types as types
import pytest
from mcp import Client
from mcp.server import MCPServer, Server
from mcp.shared.exceptions import MCPError

from sayso.gateway.library.middleware import CarefulTools, careful
from sayso.gateway.words import WORDS_IN_META

pytestmark = pytest.mark.anyio

ERAS = ["2026-07-28", "legacy"]
YES, NO = types.ElicitResult(action="accept", content={"answer": True}), types.ElicitResult(action="decline")


def client_of(server, era, answer=None, asked=None):
    async def reply(_context, params):
        (asked if asked is not None else []).append(params.message)
        return answer

    return Client(server, mode=era, elicitation_callback=reply if answer else None, cache=None)


@pytest.mark.parametrize("era", ERAS)
async def test_a_read_passes_and_what_destroys_needs_a_yes(example, era):
    made, asked = example("careful_server"), []
    async with client_of(made["server"], era, NO, asked) as client:
        assert (await client.call_tool("list_notes", {})).structured_content == {"result": made["notes"]}
        refused = await client.call_tool("delete_note", {"text": "Buy milk"})
    assert refused.is_error
    assert refused.structured_content["status"] == "declined"
    assert len(asked) == 1
    assert "Buy milk" in made["notes"]
    async with client_of(made["server"], era, YES) as client:
        assert not (await client.call_tool("delete_note", {"text": "Buy milk"})).is_error
    assert "Buy milk" not in made["notes"]


@pytest.mark.parametrize("era", ERAS)
async def test_a_client_that_cannot_ask_is_told_the_question(example, era):
    made = example("careful_server")
    async with client_of(made["server"], era) as client:
        result = await client.call_tool("delete_note", {"text": "Buy milk"})
    assert result.structured_content["status"] == "needs_confirmation"
    assert "Buy milk" in result.structured_content["question"]
    assert "Buy milk" in made["notes"]


async def test_what_was_said_is_written_without_a_question_and_the_tool_never_sees_the_words(example):
    made = example("careful_server")
    async with client_of(made["server"], ERAS[0]) as client:
        listed = (await client.list_tools()).tools
        assert all("sayso_words" in tool.input_schema["properties"] for tool in listed)
        said = {WORDS_IN_META: "add note Water the plants"}
        result = await client.call_tool("add_note", {"text": "Water the plants", "sayso_words": "x"}, meta=said)
    assert not result.is_error
    assert made["notes"][-1] == "Water the plants"


async def test_a_yes_counts_once_and_for_its_own_call(example):
    made = example("careful_server")
    made["notes"].append("Buy milk")
    async with client_of(made["server"], ERAS[0], YES) as client:
        ask = {"allow_input_required": True}
        asked = await client.session.call_tool("delete_note", {"text": "Buy milk"}, **ask)
        yes = {"request_state": asked.request_state, "input_responses": {"answer": YES}} | ask
        with pytest.raises(MCPError):
            await client.session.call_tool("delete_note", {"text": "Call the bank"}, **yes)
        assert not (await client.session.call_tool("delete_note", {"text": "Buy milk"}, **yes)).is_error
        again = await client.session.call_tool("delete_note", {"text": "Buy milk"}, **yes)
    assert again.structured_content["status"] == "refused"
    assert made["notes"] == ["Call the bank", "Buy milk"]


@pytest.mark.parametrize("era", ERAS)
async def test_a_yes_does_not_outlive_the_definition_that_it_was_given_for(era):
    shape, ran = {"type": "object", "properties": {"text": {"type": "string"}}}, []
    tools = [types.Tool(name="delete_note", description="Deletes a note.", input_schema=shape)]

    async def list_tools(_ctx, _params):
        return types.ListToolsResult(tools=tools)

    async def call_tool(_ctx, params):
        ran.append(params.name)
        return types.CallToolResult(content=[])

    async def change_and_agree(_context, _params):
        tools[0] = tools[0].model_copy(update={"description": "Deletes all notes."})
        return YES

    server = Server("notes", on_list_tools=list_tools, on_call_tool=call_tool)
    careful(server, CarefulTools())
    async with Client(server, mode=era, elicitation_callback=change_and_agree, cache=None) as client:
        refused = await client.call_tool("delete_note", {"text": "Buy milk"})
        assert (refused.structured_content["status"], ran) == ("refused", [])
        assert not (await client.call_tool("delete_note", {"text": "Buy milk"})).is_error  # as it is by now
    assert ran == ["delete_note"]


async def test_a_tool_that_asks_something_itself_is_not_asked_about_twice():
    seats = {"type": "object", "properties": {"seats": {"type": "integer"}}, "required": ["seats"]}
    tool = types.Tool(name="book_table", input_schema={"type": "object", "properties": {"place": {"type": "string"}}})

    async def list_tools(_ctx, _params):
        return types.ListToolsResult(tools=[tool])

    async def call_tool(_ctx, params):
        if params.request_state == "booking":
            return types.CallToolResult(content=[], structured_content=params.input_responses["seats"].content)
        form = types.ElicitRequestFormParams(message="For how many?", requested_schema=seats)
        asks = {"seats": types.ElicitRequest(params=form)}
        return types.InputRequiredResult(request_state="booking", input_requests=asks)

    asked = []

    async def reply(_context, params):
        asked.append(params.message)
        seats = params.message == "For how many?"
        return types.ElicitResult(action="accept", content={"seats": 4} if seats else {"answer": True})

    server = Server("tables", on_list_tools=list_tools, on_call_tool=call_tool)
    careful(server, CarefulTools())
    async with Client(server, mode=ERAS[0], elicitation_callback=reply, cache=None) as client:
        result = await client.call_tool("book_table", {"place": "Da Mario"})
    assert result.structured_content == {"seats": 4}
    assert len(asked) == 2


async def test_a_call_of_no_sense_reaches_no_tool():
    server = MCPServer("empty", middleware=[CarefulTools()])
    ran = []
    server.tool("wipe")(lambda: ran.append(1))
    async with client_of(server, ERAS[0], YES) as client:
        with pytest.raises(MCPError):
            await client.session.send_request(
                types.Request[dict, str](method="tools/call", params={"name": ["x"]}), types.CallToolResult
            )
    assert ran == []
