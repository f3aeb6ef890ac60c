"""Tools of the OpenAI Agents SDK behind a guard, called by a model that follows a script."""

from __future__ import annotations

import pytest
from agents import FunctionTool, RunConfig, Runner, WebSearchTool
from agents.testing import ScriptedModel, assistant_message, function_call

from sayso.gateway.library.openai_agents import guard

pytestmark = pytest.mark.anyio

DELETE = function_call("delete_note", {"text": "Buy milk"}, call_id="1")


async def run(agent, *steps):
    """What the tools gave."""
    agent.model = ScriptedModel([*([step] for step in steps), [assistant_message("done")]])
    result = await Runner.run(agent, "please", run_config=RunConfig(tracing_disabled=True))
    return [item.output for item in result.new_items if item.type == "tool_call_output_item"]


@pytest.mark.parametrize(("answer", "left"), [(True, ["Call the bank"]), (False, ["Buy milk", "Call the bank"])])
async def test_what_destroys_runs_with_a_yes_alone(example, person, answer, left):
    made, ask = example("guarded_agents"), person(answer)
    gave = await run(made["make_agent"]("delete the note Buy milk", ask), DELETE)
    assert made["notes"] == left
    assert len(ask.asked) == 1
    assert ("deleted" in gave[0]) is answer


async def test_a_read_asks_nothing(example, person):
    made, ask = example("guarded_agents"), person(answer=False)
    gave = await run(made["make_agent"]("", ask), function_call("list_notes", {}, call_id="1"))
    assert "Call the bank" in str(gave[0])
    assert ask.asked == []


async def test_the_words_may_be_taken_from_the_context(example, person):
    made, heard = example("guarded_agents"), []

    def words(context):
        heard.append(context.tool_name)
        return "delete the note Buy milk"

    await run(made["make_agent"](words, person(answer=True)), DELETE)
    assert heard == ["delete_note"]


async def test_arguments_that_are_no_object_reach_no_tool():
    ran = []

    async def wipe(_context, text):
        ran.append(text)

    tool = FunctionTool(
        name="wipe", description="", params_json_schema={}, on_invoke_tool=wipe, strict_json_schema=False
    )
    [guarded] = guard([tool], words="wipe it")
    for text in ("{", "[]", "3"):
        assert "Nothing was run" in await guarded.on_invoke_tool(None, text)
    assert ran == []
    assert tool.on_invoke_tool is wipe


def test_a_tool_that_runs_elsewhere_is_refused_aloud():
    with pytest.raises(TypeError, match="web_search"):
        guard([WebSearchTool()], words="")
