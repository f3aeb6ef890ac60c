"""The guard that all the wrappers share."""

from __future__ import annotations

from hashlib import sha256

import pytest

from sayso.errors import BadSetting
from sayso.gateway.config import ServerSettings, ToolSettings
from sayso.gateway.library.guard import Guard, make_judge
from sayso.gateway.rules.rule import Rule
from sayso.gateway.values import Forward, Refuse, Words
from sayso.record import Entity

pytestmark = pytest.mark.anyio

TASKS = ServerSettings(pack="tasks")
LONG = f"a{'x' * 4998}z"
NAMED = sha256(LONG.encode()).hexdigest()[:16]
MILK = Entity({"kind": "task", "id": "t1", "title": "Buy milk"})
CALLS = [
    Entity({"kind": "task", "id": f"t{n}", "title": title, "status": "pending"})
    for n, title in enumerate(("Call mom", "Call Ann"), 2)
]


async def test_what_the_words_bear_out_runs_without_a_question(person):
    ask = person(answer=True)
    found = await Guard(make_judge((), TASKS), ask).check("add_task", {"title": "buy milk"}, "add buy milk")
    assert found == Forward({"title": "buy milk"})
    assert ask.asked == []


async def test_what_destroys_is_asked_about_and_a_no_holds(person):
    for answer in (False, None):
        ask = person(answer=answer)
        guard = Guard(make_judge((), TASKS), ask)
        found = await guard.check("delete_task", {"task_identifier": "Buy milk"}, "delete buy milk", [MILK])
        assert isinstance(found, Refuse)
        assert found.status == "declined"
        assert len(ask.asked) == 1


async def test_a_question_about_which_is_meant_is_put_too(person):
    ask = person(answer="Call Ann")
    guard = Guard(make_judge((), TASKS), ask)
    found = await guard.check("complete_task", {"task_identifier": "call"}, "mark call as done", CALLS)
    assert isinstance(found, Forward)
    assert found.arguments["task_identifier"] in ("t3", "Call Ann")


async def test_a_tick_is_no_answer_to_which_one_is_meant(person):
    guard = Guard(make_judge((), TASKS), person(answer=True))
    found = await guard.check("complete_task", {"task_identifier": "call"}, "mark call as done", CALLS)
    assert isinstance(found, Refuse)
    assert found.status == "declined"


async def test_where_nobody_can_be_asked_nothing_runs():
    found = await Guard(make_judge((), TASKS)).check("delete_task", {"task_identifier": "t1"}, "", [MILK])
    assert isinstance(found, Refuse)
    assert found.status == "needs_confirmation"


async def test_the_operators_word_on_a_tool_counts_without_a_pack():
    tools = [{"name": "frobnicate", "inputSchema": {"type": "object", "properties": {}}}]
    reads = ServerSettings(tools={"frobnicate": ToolSettings(risk="read")})
    assert isinstance(await Guard(make_judge(tools)).check("frobnicate", {}, ""), Refuse)
    assert isinstance(await Guard(make_judge(tools, reads)).check("frobnicate", {}, Words()), Forward)


async def test_values_that_nobody_spells_are_shown_rather_than_asked_for(person):
    schema = {"type": "object", "properties": {"path": {"type": "string"}, "text": {"type": "string"}}}
    tools = [{"name": "write_file", "inputSchema": schema | {"required": ["path", "text"]}}]
    ask, arguments = person(answer=True), {"path": "/srv/notes.txt", "text": "Buy bread"}
    found = await Guard(make_judge(tools), ask).check("write_file", arguments, "write Buy bread into my notes")
    assert found == Forward(arguments)
    assert ask.asked == ['Run write_file (path: "/srv/notes.txt", text: "Buy bread")? You did not mention path.']
    reads = ServerSettings(tools={"write_file": ToolSettings(risk="read")})
    found = await Guard(make_judge(tools, reads)).check("write_file", arguments, "write Buy bread into my notes")
    assert found == Forward(arguments)


@pytest.mark.parametrize(
    "settings",
    [
        ServerSettings(rules=(Rule(effect="deny"),)),
        ServerSettings(shadow=True),
        ServerSettings(tools={"add_note": ToolSettings(rules=(Rule(effect="deny"),))}),
    ],
)
async def test_rules_that_would_not_be_applied_are_refused(settings):
    with pytest.raises(BadSetting, match="rules"):
        make_judge([], settings)


@pytest.mark.parametrize("told", [ToolSettings(hidden=True), ToolSettings(confirm="browser")])
async def test_what_the_gateway_alone_can_do_is_refused_aloud(told):
    with pytest.raises(BadSetting, match="delete_note"):
        make_judge((), ServerSettings(pack="tasks", tools={"delete_note": told}))


NOTES = [
    {
        "name": name,
        "description": description,
        "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
    }
    for name, description in (("add_note", "Add a note."), ("delete_note", "Delete a note."))
]


@pytest.mark.parametrize(
    ("words", "question"),
    [
        ("add a note: Order coal", None),
        (
            "did I add the note Order coal?",
            'You do not seem to have asked for add_note (text: "Order coal"). Run it anyway?',
        ),
        (
            "delete the note Order coal",
            'You do not seem to have asked for add_note (text: "Order coal"). Run it anyway?',
        ),
        (
            "don't add a note Order coal",
            'You do not seem to have asked for add_note (text: "Order coal"). Run it anyway?',
        ),
    ],
)
async def test_a_tool_that_the_operator_calls_a_write_runs_unasked_only_where_the_words_ask_for_it(
    person, words, question
):
    ask, write = person(answer=True), ServerSettings(tools={"add_note": ToolSettings(risk="write")})
    found = await Guard(make_judge(NOTES, write), ask).check("add_note", {"text": "Order coal"}, words)
    assert found == Forward({"text": "Order coal"})
    assert ask.asked == ([question] if question else [])


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ({"text": "Buy milk"}, '(text: "Buy milk")'),
        ({"text": 'x", to: "y'}, '(text: "x\\", to: \\"y")'),
        ({"text": "a\u202eb\nc"}, '(text: "a<U+202E>b<U+000A>c")'),
        ({'text: "Buy milk")? (': "all"}, '("text: \\"Buy milk\\")? (": "all")'),
        ({"text": f"ls{' ' * 300}; rm -r /"}, '(text: "ls<U+0020 × 300>; rm -r /")'),
        ({"text": LONG}, f'(text: "a{"x" * 1999}<… 1000, SHA-256 {NAMED}… …>{"x" * 1999}z")'),
    ],
)
async def test_no_value_passes_for_another_in_what_a_person_is_shown(person, arguments, shown):
    ask = person(answer=False)
    await Guard(make_judge(NOTES), ask).check("delete_note", arguments, Words())
    assert ask.asked == [f"Run delete_note {shown}?"]
