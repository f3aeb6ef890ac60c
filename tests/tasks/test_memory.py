"""Tasks without a database: they answer as PostgreSQL's do, survive in a file, and lose nothing."""

from __future__ import annotations

import json
from datetime import datetime

import pytest

from sayso.errors import BadData
from sayso.tasks.hands import TaskHands
from sayso.tasks.memory import MemoryTasks
from sayso.tasks.taskfile import TaskFile

NOW = datetime.fromisoformat("2026-03-10T09:30:00+01:00")

pytestmark = pytest.mark.anyio


@pytest.fixture
def hands():
    return MemoryTasks(lambda: NOW)


async def add(hands, title, **more):
    return (await hands.call("add_task", {"title": title, **more}, {})).result["task"]


async def titles(hands, **given):
    return [task["title"] for task in (await hands.call("list_tasks", given, {})).result["tasks"]]


CALLS = [
    ("add_task", {"title": " Buy  milk ", "due": "2026-03-12T17:00", "priority": "high"}),
    ("add_task", {"title": "Buy milk for Anna"}),
    ("add_task", {"title": "Pay the rent", "due": "2026-03-09", "description": "by bank"}),
    ("add_task", {"title": "Call Bob", "due": "2026-03-10T08:00+00:00", "priority": "low"}),
    ("add_task", {"title": "Call Carla", "due": "2026-03-10T09:31"}),
    ("add_task", {"title": ""}),
    ("add_task", {"title": "x" * 201}),
    ("add_task", {"title": "x", "due": "soon"}),
    ("add_task", {"title": "x", "colour": "red"}),
    ("get_user_info", {}),
    ("list_tasks", {}),
    ("list_tasks", {"filter": "overdue"}),
    ("list_tasks", {"filter": "pending", "due": "today"}),
    ("list_tasks", {"due": "this_week", "priority": "high"}),
    ("list_tasks", {"due": "whenever"}),
    ("list_tasks", {"search": "milk", "limit": 1}),
    ("list_tasks", {"search": "milk", "limit": 1, "offset": 1}),
    ("list_tasks", {"search": "bank"}),
    ("list_tasks", {"search": "mlik"}),
    ("list_tasks", {"search": "zzzz"}),
    ("complete_task", {"task_identifier": "buy milk"}),
    ("complete_task", {"task_identifier": "@1"}),
    ("complete_task", {"task_identifier": "call"}),
    ("complete_task", {"task_identifier": "pay teh rent"}),
    ("complete_task", {"task_identifier": "water the garden"}),
    ("update_task", {"task_identifier": "@2", "new_title": "Buy oat milk", "new_due": "2026-03-20"}),
    ("update_task", {"task_identifier": "@2", "new_due": None}),
    ("update_task", {"task_identifier": "@2", "new_due": None}),
    ("update_task", {"task_identifier": "@2", "new_due": "2026-13-01"}),
    ("update_task", {"task_identifier": "@2"}),
    ("update_task", {"task_identifier": "rent", "new_status": "pending", "new_description": ""}),
    ("delete_task", {"task_identifier": "Call Bob"}),
    ("delete_task", {"task_identifier": "Call Bob"}),
    ("delete_task", {"task_identifier": "@4"}),
    ("list_tasks", {"filter": "completed"}),
    ("list_tasks", {"filter": "pending"}),
]


async def played(hands):
    """What each of the calls gives, with tasks numbered in the order they were made."""
    ids, results = {}, []
    for tool, arguments in CALLS:
        given = {name: ids.get(value, value) if isinstance(value, str) else value for name, value in arguments.items()}
        done = await hands.call(tool, given, {})
        if tool == "add_task" and done.result["status"] == "success":
            ids[f"@{len(ids) + 1}"] = done.result["task_id"]
        text = json.dumps([done.result, done.back])
        for name, identifier in ids.items():
            text = text.replace(f'"{identifier}"', f'"{name}"')
        result, back = json.loads(text)
        for known in ("restorable_until", "user_id", "name", "timezone"):
            result.pop(known, None)
        results.append((tool, arguments, result, back and back["after"]))
    return results


async def test_they_answer_as_the_tasks_in_postgresql_do(open_service, who):
    async with open_service(clock=lambda: NOW) as service, service._open(who) as (on, person):
        kept = await played(TaskHands(on, person))
    held = await played(MemoryTasks(lambda: NOW))
    for one, other in zip(held, kept, strict=True):
        if one[2].get("reason") == "not_found":  # what comes nearest is told by other means
            one[2].pop("options", None), other[2].pop("options", None)
            one[2]["error_message"] = other[2]["error_message"]
        assert one == other


async def test_what_was_done_can_be_taken_back(hands):
    added = await hands.call("add_task", {"title": "Buy milk", "due": "2026-03-12"}, {})
    before = added.result["task"]
    for tool, arguments in (
        ("complete_task", {}),
        ("delete_task", {}),
        ("update_task", {"new_title": "Buy oat milk", "new_due": None, "new_priority": "high"}),
    ):
        done = await hands.call(tool, {"task_identifier": "t1", **arguments}, {})
        assert done.back is not None
        back = await hands.put_back(done.back)
        assert back["status"] == "success"
        assert {**back["task"], "version": 1} == {**before, "version": 1}
        assert (await hands.put_back(done.back))["reason"] == "stale"
    again = await hands.call("add_task", {"title": "Call Bob"}, {})
    assert (await hands.put_back(again.back))["status"] == "success"
    assert await titles(hands) == ["Buy milk"]


async def test_all_that_was_done_to_a_task_can_be_taken_back_in_turn(hands):
    backs = [(await hands.call("add_task", {"title": "Buy milk"}, {})).back]
    for tool, arguments in (
        ("complete_task", {}),
        ("update_task", {"new_title": "Buy bread"}),
        ("update_task", {"new_status": "pending"}),
        ("delete_task", {}),
    ):
        backs.append((await hands.call(tool, {"task_identifier": "t1", **arguments}, {})).back)
    for back in reversed(backs):
        assert (await hands.put_back(back))["status"] == "success"
    assert await titles(hands) == []


async def test_what_changed_nothing_has_no_way_back(hands):
    await add(hands, "Buy milk")
    assert (await hands.call("list_tasks", {}, {})).back is None
    assert (await hands.call("complete_task", {"task_identifier": "t1"}, {})).back is not None
    again = await hands.call("complete_task", {"task_identifier": "t1"}, {})
    assert (again.result["changed"], again.back) == (False, None)


async def test_a_task_that_changed_since_it_was_shown_is_not_touched(hands):
    await add(hands, "Buy milk")
    await hands.call("update_task", {"task_identifier": "t1", "new_title": "Buy bread"}, {})
    done = await hands.call("delete_task", {"task_identifier": "t1"}, {"t1": 1})
    assert (done.result["reason"], done.back) == ("stale", None)
    assert await titles(hands) == ["Buy bread"]
    assert (await hands.call("delete_task", {"task_identifier": "t1"}, {"t1": 2})).result["status"] == "success"


async def test_what_was_changed_since_is_not_taken_back(hands):
    done = await hands.call("add_task", {"title": "Buy milk"}, {})
    await hands.call("update_task", {"task_identifier": "t1", "new_priority": "high"}, {})
    assert (await hands.put_back(done.back))["reason"] == "stale"
    assert await titles(hands) == ["Buy milk"]


async def test_things_are_what_the_engine_takes(hands):
    await add(hands, "Buy milk", due="2026-03-12")
    (thing,) = await hands.things("anything")
    assert (thing.kind, thing.id, thing.text("title"), thing["version"]) == ("task", "t1", "Buy milk", 1)


async def test_an_unknown_tool_is_a_result(hands):
    assert (await hands.call("format_disk", {}, {})).result["reason"] == "invalid"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "tasks.json"


def opened(path):
    return MemoryTasks(lambda: NOW, file=TaskFile(path))


async def test_a_list_survives_in_its_file(path):
    first = opened(path)
    await add(first, "Buy milk")
    await add(first, "Call Bob", due="2026-03-12")
    await first.call("delete_task", {"task_identifier": "t1"}, {})
    second = opened(path)
    assert await titles(second) == ["Call Bob"]
    assert (await add(second, "Buy bread"))["id"] == "t3", "an id is not given twice"
    assert [file.name for file in path.parent.iterdir()] == ["tasks.json"]


async def test_two_who_share_a_file_see_each_other(path):
    first, second = opened(path), opened(path)
    await add(first, "Buy milk")
    await add(second, "Call Bob")
    assert await titles(first) == await titles(second) == ["Buy milk", "Call Bob"]
    done = await first.call("complete_task", {"task_identifier": "t1"}, {})
    await second.call("update_task", {"task_identifier": "t1", "new_priority": "low"}, {})
    assert (await first.put_back(done.back))["reason"] == "stale"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"tasks": [{"id": 1}]}', '{"tasks": 3}'])
async def test_a_file_that_is_none_of_ours_is_refused_and_left_alone(path, text):
    path.write_text(text)
    with pytest.raises(BadData, match=r"tasks\.json"):
        opened(path)
    assert path.read_text() == text


async def test_what_cannot_be_written_did_not_happen(tmp_path):
    folder = tmp_path / "gone"
    folder.mkdir()
    hands = opened(folder / "tasks.json")
    await add(hands, "Buy milk")
    (folder / "tasks.json").rename(tmp_path / "kept.json")
    folder.rmdir()
    done = await hands.call("add_task", {"title": "Call Bob"}, {})
    assert (done.result["status"], done.result["reason"], done.back) == ("error", "unavailable", None)


async def test_a_file_written_by_hand_gives_no_id_twice(path):
    await add(opened(path), "Buy milk")
    path.write_text(path.read_text().replace('"t1"', '"t7"'))
    assert (await add(opened(path), "Call Bob"))["id"] == "t8"
