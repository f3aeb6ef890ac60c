"""Tasks without a database: they answer as PostgreSQL's do, survive in a file, and lose nothing."""

from __future__ import annotations

import json
from datetime import datetime, timedelta

import pytest

from sayso.errors import BadData
from sayso.tasks.hands import TaskHands
from sayso.tasks.store.memory import MemoryTasks
from sayso.tasks.store.taskfile import TaskFile

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
    (
        "add_task",
        {"title": "Water the plants", "due": "2026-03-05", "repeat": "freq=weekly;byday=th,mo", "remind": "pt10m"},
    ),
    ("add_task", {"title": "Do the bins", "repeat": "FREQ=WEEKLY;BYDAY=WE", "list": " Home "}),
    (
        "add_task",
        {"title": "Take the pills", "due": "2026-03-10T08:00", "repeat": "FREQ=DAILY;COUNT=2", "list": "HOME"},
    ),
    ("add_task", {"title": "x", "repeat": "every week"}),
    ("add_task", {"title": "x", "remind": "10 minutes"}),
    ("add_task", {"title": "x", "list": ""}),
    ("add_task", {"title": "x", "list": "x" * 61}),
    ("get_user_info", {}),
    ("list_tasks", {}),
    ("list_tasks", {"list": "home"}),
    ("list_tasks", {"list": "home", "search": "bins"}),
    ("list_tasks", {"list": "home", "search": "milk"}),
    ("list_tasks", {"list": "work"}),
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
    ("complete_task", {"task_identifier": "water the plants"}),
    ("update_task", {"task_identifier": "water the plants", "new_status": "pending"}),
    ("update_task", {"task_identifier": "water the plants", "new_status": "pending"}),
    ("update_task", {"task_identifier": "water the plants", "new_status": "completed", "new_title": "Water the roses"}),
    ("update_task", {"task_identifier": "@6", "new_repeat": None, "new_remind": "P1D"}),
    ("complete_task", {"task_identifier": "@6"}),
    ("complete_task", {"task_identifier": "@8"}),
    ("complete_task", {"task_identifier": "@8"}),
    ("update_task", {"task_identifier": "@8", "new_status": "completed"}),
    ("update_task", {"task_identifier": "@8", "new_priority": "high"}),
    ("complete_task", {"task_identifier": "@8"}),
    ("update_task", {"task_identifier": "@8", "new_status": "pending"}),
    ("update_task", {"task_identifier": "@2", "new_repeat": "FREQ=MONTHLY;BYMONTHDAY=1", "new_list": "home"}),
    ("update_task", {"task_identifier": "@7", "new_due": None, "new_list": None}),
    ("complete_task", {"task_identifier": "@7"}),
    ("complete_task", {"task_identifier": "@7"}),
    ("update_task", {"task_identifier": "@2", "new_repeat": "sometimes"}),
    ("update_task", {"task_identifier": "@2", "new_remind": "soon"}),
    ("update_task", {"task_identifier": "@2", "new_list": " "}),
    ("list_tasks", {"list": "Home", "filter": "pending"}),
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
        left = back and {name: back.get(name) for name in ("after", "added", "dropped")}
        results.append((tool, arguments, result, left))
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


async def test_a_date_that_was_completed_is_in_the_history_until_it_is_taken_back(hands):
    task = await add(hands, "Water the plants", due="2026-03-09", repeat="FREQ=DAILY;COUNT=3")
    first = await hands.call("complete_task", {"task_identifier": "t1"}, {})
    second = await hands.call("complete_task", {"task_identifier": "t1"}, {"t1": 2})
    assert [(done.due, done.repeat) for done in hands.history("t1")] == [
        ("2026-03-10", "FREQ=DAILY;COUNT=2"),
        ("2026-03-09", "FREQ=DAILY;COUNT=3"),
    ]
    assert await titles(hands) == ["Water the plants"], "what was done is no second task"
    assert (await hands.put_back(first.back))["reason"] == "stale"
    for done in (second, first):
        await hands.put_back(done.back)
    assert hands.history("t1") == ()
    (thing,) = await hands.things("")
    assert (thing["due"], thing["repeat"]) == (task["due"], task["repeat"])


async def complete_at(clock, hands, moment, versions=None, **changes):
    clock[0] = moment
    tool = "update_task" if changes else "complete_task"
    return await hands.call(tool, {"task_identifier": "t1", **changes}, versions or {})


async def test_completing_a_repeating_task_again_within_two_minutes_completes_no_further_date():
    clock = [NOW]
    hands = MemoryTasks(lambda: clock[0])
    await add(hands, "Water the plants", due="2026-03-10", repeat="FREQ=DAILY;COUNT=9")
    first = await complete_at(clock, hands, NOW)
    for seconds in (0, 30, 120):
        again = await complete_at(clock, hands, NOW + timedelta(seconds=seconds))
        assert again.result == {**first.result, "changed": False}
        assert (again.back, len(hands.history("t1"))) == (None, 1)
    later = await complete_at(clock, hands, NOW + timedelta(seconds=121))
    assert (later.result["occurrence"], later.result["task"]["due"]) == ("2026-03-11", "2026-03-12")
    assert (await complete_at(clock, hands, NOW + timedelta(seconds=130))).result["occurrence"] == "2026-03-11"


async def test_a_task_that_was_touched_or_seen_since_goes_on_to_the_next_date():
    clock = [NOW]
    hands = MemoryTasks(lambda: clock[0])
    await add(hands, "Water the plants", due="2026-03-10", repeat="FREQ=DAILY")
    done = await complete_at(clock, hands, NOW)
    await hands.call("update_task", {"task_identifier": "t1", "new_priority": "high"}, {})
    assert (await complete_at(clock, hands, NOW)).result["occurrence"] == "2026-03-11"
    seen = await complete_at(clock, hands, NOW, {"t1": 4})
    assert (seen.result["changed"], seen.result["occurrence"]) == (True, "2026-03-12")
    assert (await complete_at(clock, hands, NOW, {"t1": 4})).result["reason"] == "stale"
    await hands.put_back(seen.back)
    assert (await complete_at(clock, hands, NOW)).result["occurrence"] == "2026-03-12"
    assert done.back is not None


@pytest.mark.parametrize(
    ("changes", "occurrence"),
    [
        ({"new_title": "Water the roses"}, "2026-03-10"),
        ({"new_due": "2026-03-12"}, "2026-03-12"),
        ({"new_due": "2026-03-12", "new_repeat": "FREQ=WEEKLY;COUNT=3"}, "2026-03-12"),
    ],
)
async def test_a_change_that_completes_a_date_can_be_sent_again(changes, occurrence):
    clock = [NOW]
    hands = MemoryTasks(lambda: clock[0])
    await add(hands, "Water the plants", due="2026-03-10", repeat="FREQ=DAILY;COUNT=9")
    first = await complete_at(clock, hands, NOW, new_status="completed", **changes)
    again = await complete_at(clock, hands, NOW, new_status="completed", **changes)
    assert again.result == {**first.result, "changed": False}
    assert (first.result["occurrence"], len(hands.history("t1"))) == (occurrence, 1)
    other = await complete_at(clock, hands, NOW, new_status="completed", new_title="Water the lawn")
    assert (other.result["changed"], len(hands.history("t1"))) == (True, 2)


async def test_reopening_takes_a_date_back_and_can_itself_be_taken_back(hands):
    await add(hands, "Water the plants", due="2026-03-09", repeat="FREQ=DAILY")
    done = await hands.call("complete_task", {"task_identifier": "t1"}, {})
    again = await hands.call("update_task", {"task_identifier": "t1", "new_status": "pending"}, {})
    assert (again.result["task"]["due"], hands.history("t1")) == ("2026-03-09", ())
    back = await hands.put_back(again.back)
    assert (back["task"]["due"], len(hands.history("t1"))) == (done.result["task"]["due"], 1)


async def test_a_repeating_task_that_was_changed_since_is_not_reopened(hands):
    await add(hands, "Water the plants", due="2026-03-09", repeat="FREQ=DAILY")
    await hands.call("complete_task", {"task_identifier": "t1"}, {})
    await hands.call("update_task", {"task_identifier": "t1", "new_priority": "high"}, {})
    again = await hands.call("update_task", {"task_identifier": "t1", "new_status": "pending"}, {})
    assert (again.result["changed"], again.result["task"]["due"]) == (False, "2026-03-10")


async def test_a_list_that_is_gone_is_spelled_anew(hands):
    await add(hands, "Finish the slides", list="Work")
    assert (await add(hands, "Call Bob", list="work"))["list"] == "Work"
    for name in ("t1", "t2"):
        await hands.call("delete_task", {"task_identifier": name}, {})
    assert (await add(hands, "Call Carla", list="WORK"))["list"] == "WORK"


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


async def test_the_history_survives_in_the_file(path):
    first = opened(path)
    await add(first, "Water the plants", due="2026-03-09T08:00", repeat="FREQ=DAILY", list="Home", remind="PT10M")
    done = await first.call("complete_task", {"task_identifier": "t1"}, {})
    second = opened(path)
    assert [each.due for each in second.history("t1")] == ["2026-03-09T08:00"]
    (thing,) = await second.things("")
    assert (thing["due"], thing["list"], thing["remind"]) == ("2026-03-11T08:00", "Home", "PT10M")
    assert (await second.put_back(done.back))["task"]["due"] == "2026-03-09T08:00"


async def test_a_file_of_the_release_before_is_read(path):
    old = {
        "id": "t1", "title": "Buy milk", "description": "", "status": "pending", "completed": False,
        "priority": "medium", "due": None, "created_at": "2026-03-10T08:30:00.000+00:00", "version": 1,
    }  # fmt: skip
    path.write_text(json.dumps({"tasks": [old], "made": 1}))
    (thing,) = await opened(path).things("")
    assert (thing["title"], thing["repeat"], thing["list"], thing["remind"]) == ("Buy milk", None, None, None)


async def test_a_rule_written_by_hand_that_is_none_does_not_stand_in_the_way(path):
    await add(opened(path), "Buy milk", repeat="FREQ=DAILY")
    path.write_text(path.read_text().replace("FREQ=DAILY", "now and then"))
    done = await opened(path).call("complete_task", {"task_identifier": "t1"}, {})
    assert done.result["task"]["status"] == "completed"


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
