"""The task service on a real PostgreSQL: what each operation does, and for whom."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import msgspec
import psycopg
import pytest

from sayso.database.pool import Database, Unavailable
from sayso.identity.principal import Principal
from sayso.tasks import operations
from sayso.tasks.ask import Deleting
from sayso.tasks.hands import TaskHands
from sayso.tasks.search import search
from sayso.tasks.service import TaskService
from sayso.tasks.values import AddTask, CompleteTask, DeleteTask, GetUserInfo, ListTasks, UpdateTask

pytestmark = pytest.mark.anyio


async def add(service, who, *titles, **more):
    return [await service.call(who, "add_task", AddTask(title=title, **more)) for title in titles]


async def titles(service, who, **filters):
    found = await service.call(who, "list_tasks", ListTasks(**filters))
    assert found.status == "success"
    return [task.title for task in found.tasks]


async def complete(service, who, name):
    return await service.call(who, "complete_task", CompleteTask(task_identifier=name))


async def delete(service, who, name):
    given = DeleteTask(task_identifier=name)
    return await service.answer_delete(who, given, await service.ask_delete(who, given), yes=True)


async def test_a_task_is_added_and_listed(service, who):
    (added,) = await add(service, who, "Buy milk", description="two litres", priority="high", due="2026-03-12T17:00")
    assert added.status == "success"
    assert UUID(added.task_id)
    (task,) = (await service.call(who, "list_tasks", ListTasks())).tasks
    assert (task.id, task.title, task.description) == (added.task_id, "Buy milk", "two litres")
    assert (task.priority, task.due, task.status, task.completed) == ("high", "2026-03-12T17:00", "pending", False)


async def test_a_due_date_that_cannot_be_read_is_an_error_and_adds_nothing(service, who):
    (added,) = await add(service, who, "Buy milk", due="soon")
    assert (added.status, added.reason) == ("error", "invalid")
    assert "'soon'" in added.error_message
    assert await titles(service, who) == []


async def test_the_list_has_an_order_and_every_filter(open_service, who):
    async with open_service(clock=lambda: datetime(2026, 3, 10, 9, 0, tzinfo=UTC)) as service:  # a Tuesday
        await add(service, who, "yesterday", due="2026-03-09", priority="high")
        await add(service, who, "an hour ago", due="2026-03-10T09:00")
        await add(service, who, "today", due="2026-03-10")
        await add(service, who, "tonight", due="2026-03-10T20:00", priority="low")
        await add(service, who, "tomorrow", due="2026-03-11")
        await add(service, who, "sunday", due="2026-03-15")
        await add(service, who, "monday", due="2026-03-16")
        await add(service, who, "some day", description="a holiday in Sicily")
        await add(service, who, "done", due="2026-03-01")
        await complete(service, who, "done")
        pending = ["yesterday", "an hour ago", "tonight", "today", "tomorrow", "sunday", "monday", "some day"]
        assert await titles(service, who) == [*pending, "done"]
        assert await titles(service, who, filter="pending") == pending
        assert await titles(service, who, filter="completed") == ["done"]
        assert await titles(service, who, filter="overdue") == ["yesterday", "an hour ago"]
        assert await titles(service, who, filter="overdue", due="today") == ["an hour ago"]
        assert await titles(service, who, priority="high") == ["yesterday"]
        assert await titles(service, who, due="today") == ["an hour ago", "tonight", "today"]
        assert await titles(service, who, due="tomorrow") == ["tomorrow"]
        assert await titles(service, who, due="this_week") == [*pending[:6]]
        assert await titles(service, who, due="next_week") == ["monday"]
        assert await titles(service, who, due="2026-03-15") == ["sunday"]
        assert await titles(service, who, search="TO") == ["tonight", "today", "tomorrow"]
        assert await titles(service, who, search="day some") == ["some day"]
        assert await titles(service, who, search="sicily some") == ["some day"]
        assert await titles(service, who, search="yest", filter="overdue") == ["yesterday"]
        assert await titles(service, who, search="100%") == []
        assert (await service.call(who, "list_tasks", ListTasks(due="soon"))).reason == "invalid"


async def test_a_long_list_comes_in_pages(service, who):
    await add(service, who, *(f"task {number:02}" for number in range(25)))
    seen, offset = [], 0
    while offset is not None:
        page = await service.call(who, "list_tasks", ListTasks(limit=10, offset=offset))
        assert page.count == len(page.tasks)
        seen += [task.title for task in page.tasks]
        offset = page.next_offset
    assert seen == [f"task {number:02}" for number in range(25)]
    found = await service.call(who, "list_tasks", ListTasks(search="task", limit=10, offset=20))
    assert [task.title for task in found.tasks] == [f"task {number:02}" for number in range(20, 25)]
    assert found.next_offset is None


async def test_a_search_follows_what_is_changed_and_what_is_deleted(service, who):
    await add(service, who, "Buy milk", description="from the farm")
    await service.call(who, "update_task", UpdateTask(task_identifier="buy milk", new_title="Buy cheese"))
    assert await titles(service, who, search="milk") == []
    assert await titles(service, who, search="chee far") == ["Buy cheese"]
    await service.call(who, "update_task", UpdateTask(task_identifier="buy cheese", new_description="from a cow"))
    assert await titles(service, who, search="farm") == []
    await delete(service, who, "buy cheese")
    assert await titles(service, who, search="cheese") == []


async def test_words_that_are_everywhere_are_found_along_the_list(service, who, monkeypatch):
    monkeypatch.setattr(search, "MOST_NAMED", 3)
    await add(service, who, *(f"Call number {number}" for number in range(8)), due="2030-01-01")
    await add(service, who, "Write a letter", description="and call")
    assert await titles(service, who, search="call") == [
        *(f"Call number {number}" for number in range(8)),
        "Write a letter",
    ]
    assert await titles(service, who, search="call", limit=2, offset=3) == ["Call number 3", "Call number 4"]
    assert (await complete(service, who, "number")).reason == "ambiguous"


@pytest.mark.parametrize(
    "title",
    [
        "'; DROP TABLE tasks; --",
        "a\\' OR 1=1 --",
        "100% of $1 and %s and %(title)s",
        '{"id": "x"}',
        "\\",
        "'",
        '"',
        "naïve ÅÇ",
    ],
)
async def test_a_title_is_kept_as_it_was_written(service, who, title):
    (added,) = await add(service, who, title, description=title)
    assert await titles(service, who) == [title]
    changed = UpdateTask(task_identifier=added.task_id, new_description=f"{title} {title}")
    assert (await service.call(who, "update_task", changed)).description == f"{title} {title}"
    assert (await complete(service, who, title)).task_id == added.task_id
    assert await titles(service, who, search=title) == [title]


async def test_an_emoji_is_a_title_like_any_other(service, who):
    await add(service, who, "🎂", "Buy milk")
    assert await titles(service, who, search="🎂") == ["🎂"]
    assert (await complete(service, who, "🎂")).title == "🎂"


async def test_a_search_forgives_a_slip_and_says_so(service, who):
    await add(service, who, "Call the dentist", "Buy milk")
    found = await service.call(who, "list_tasks", ListTasks(search="dentsit"))
    assert ([task.title for task in found.tasks], found.nearest) == (["Call the dentist"], True)


@pytest.mark.parametrize(
    ("zone", "overdue", "today"),
    [
        ("Pacific/Auckland", ["tenth"], ["eleventh"]),  # noon of the 11th
        ("Europe/Rome", [], ["tenth"]),  # half past midnight on the 10th is not yet there: 23:30
        ("Pacific/Honolulu", [], ["tenth"]),
    ],
)
async def test_the_day_ends_where_the_user_is(open_service, zone, overdue, today):
    who = Principal(id=f"user-{uuid4().hex}", zone=zone)
    async with open_service(clock=lambda: datetime(2026, 3, 10, 22, 30, tzinfo=UTC)) as service:
        await add(service, who, "tenth", due="2026-03-10")
        await add(service, who, "eleventh", due="2026-03-11")
        assert await titles(service, who, filter="overdue") == overdue
        assert await titles(service, who, due="today") == today


async def test_a_day_is_over_at_its_midnight_and_not_before(open_service, who):
    moment = [datetime(2026, 3, 28, 22, 59, 59, tzinfo=UTC)]  # a second to midnight in Rome, before summer time begins
    async with open_service(clock=lambda: moment[0]) as service:
        await add(service, who, "by saturday", due="2026-03-28")
        await add(service, who, "in the hour that is not", due="2026-03-29T02:30")
        assert await titles(service, who, filter="overdue") == []
        moment[0] += timedelta(seconds=1)
        assert await titles(service, who, filter="overdue") == ["by saturday"]
        moment[0] += timedelta(hours=2)  # three o'clock, an hour after one
        assert await titles(service, who, filter="overdue") == ["by saturday", "in the hour that is not"]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("buy milk", "Buy milk"),
        ("BUY MILK!", "Buy milk"),
        ("milk for anna", "Buy milk for Anna"),
        ("dentist", "Call the dentist"),
        ("call the dentsit", "Call the dentist"),
        ("by milk", "Buy milk"),
        ("perche no", "Perché no"),
    ],
)
async def test_a_task_is_found_by_its_title(service, who, said, meant):
    await add(service, who, "Buy milk", "Buy milk for Anna", "Call the dentist", "Pay the tax bill", "Perché no")
    done = await complete(service, who, said)
    assert (done.status, done.title) == ("success", meant)


async def test_several_that_fit_are_listed(service, who):
    await add(service, who, "Buy milk", "Buy bread", "Call Bob")
    done = await complete(service, who, "buy")
    assert (done.status, done.reason) == ("error", "ambiguous")
    assert {task.title for task in done.options} == {"Buy milk", "Buy bread"}
    assert "'Buy milk'" in done.error_message
    assert "Call Bob" not in done.error_message
    assert await titles(service, who, filter="completed") == []


async def test_a_word_must_be_whole_to_be_a_part(service, who):
    await add(service, who, "Cartoon night")
    assert (await complete(service, who, "cart")).reason == "not_found"


async def test_another_number_is_no_slip_of_the_finger(service, who):
    await add(service, who, "Pay invoice 1042")
    done = await complete(service, who, "pay invoice 1043")
    assert (done.reason, [task.title for task in done.options]) == ("not_found", ["Pay invoice 1042"])
    assert (await complete(service, who, "pay invocie 1042")).status == "success"


async def test_none_that_fits_gives_the_nearest(service, who):
    await add(service, who, "Buy groceries", "Water the plants")
    done = await complete(service, who, "groceries shopping")
    assert (done.status, done.reason) == ("error", "not_found")
    assert "Did you mean: 'Buy groceries'" in done.error_message
    assert (await complete(service, who, "xyz")).error_message.startswith("No task found matching 'xyz'")


async def test_completing_is_idempotent_and_never_takes_another_task(service, who):
    await add(service, who, "Buy milk", "Buy silk")
    first, again = await complete(service, who, "buy milk"), await complete(service, who, "buy milk")
    assert (first.title, first.changed, first.task.completed) == ("Buy milk", True, True)
    assert (again.task_id, again.changed, again.status) == (first.task_id, False, "success")
    assert await titles(service, who, filter="pending") == ["Buy silk"]


async def test_of_two_of_the_same_name_the_pending_one_is_completed(service, who):
    first, second = await add(service, who, "Water the plants", "Water the plants")
    await complete(service, who, first.task_id)
    assert (await complete(service, who, "water the plants")).task_id == second.task_id


async def test_a_completed_task_is_opened_again(service, who):
    await add(service, who, "Buy milk")
    await complete(service, who, "buy milk")
    back = await service.reopen(who, "buy milk")
    assert (back.task.status, back.changed) == ("pending", True)


async def test_every_field_can_be_changed_and_the_rest_stays(service, who):
    (added,) = await add(service, who, "Buy milk", description="two litres", due="2026-03-12T17:00")

    async def update(**changes):
        return await service.call(who, "update_task", UpdateTask(task_identifier=added.task_id, **changes))

    assert (await update(new_title="Buy oat milk")).task.title == "Buy oat milk"
    assert (await update(new_priority="low")).task.priority == "low"
    assert (await update(new_description="one litre")).task.description == "one litre"
    assert (await update(new_due="2026-03-13")).task.due == "2026-03-13"
    assert (await update(new_status="completed")).task.completed
    kept = (await update(new_status="completed")).task
    assert (kept.title, kept.priority, kept.description, kept.due) == ("Buy oat milk", "low", "one litre", "2026-03-13")
    cleared = await update(new_due=None)
    assert (cleared.task.due, cleared.task.version) == (None, kept.version + 1)
    assert (await update(new_due=None)).changed is False
    assert (await update()).reason == "invalid"
    assert (await update(new_due="soon")).reason == "invalid"
    assert await titles(service, who, search="oat milk") == ["Buy oat milk"]
    assert await titles(service, who, search="buy milk litre") == ["Buy oat milk"]


ROME_NINE = datetime(2026, 3, 10, 8, 0, tzinfo=UTC)  # nine o'clock in Rome, a Tuesday


async def test_a_repeating_task_goes_on_to_its_next_date_and_keeps_its_history(open_service, who):
    async with open_service(clock=lambda: ROME_NINE) as service:
        (added,) = await add(service, who, "Water the plants", due="2026-03-10", repeat="FREQ=WEEKLY;BYDAY=TU,FR")
        done = await complete(service, who, "water the plants")
        assert (done.task_id, done.changed, done.occurrence) == (added.task_id, True, "2026-03-10")
        assert (done.task.status, done.task.due, done.task.repeat) == ("pending", "2026-03-13", added.task.repeat)
        assert await titles(service, who) == ["Water the plants"]
        assert await titles(service, who, filter="completed") == []
        (kept,) = await service.history(who, UUID(added.task_id))
        assert (kept.due, kept.version, kept.completed_at) == ("2026-03-10", 1, "2026-03-10T08:00:00.000+00:00")
        back = await service.reopen(who, "water the plants")
        assert (back.changed, back.task.due, await service.history(who, UUID(added.task_id))) == (
            True,
            "2026-03-10",
            [],
        )
        assert (await service.reopen(who, "water the plants")).changed is False


async def test_the_last_date_of_a_series_completes_the_task(open_service, who):
    moment = [ROME_NINE]
    async with open_service(clock=lambda: moment[0]) as service:
        for rule in ("FREQ=DAILY;COUNT=2", "FREQ=DAILY;UNTIL=20260311"):
            (added,) = await add(service, who, rule, due="2026-03-10T12:00", repeat=rule)
            assert (await complete(service, who, added.task_id)).task.due == "2026-03-11T12:00"
            moment[0] += timedelta(minutes=5)
            last = await complete(service, who, added.task_id)
            assert (last.task.status, last.task.due, last.occurrence) == ("completed", "2026-03-11T12:00", None)
            assert (await complete(service, who, added.task_id)).changed is False
            assert (await service.reopen(who, added.task_id)).task.status == "pending"


async def test_two_who_complete_the_same_date_at_once_complete_it_once(open_service, who):
    async with open_service(clock=lambda: ROME_NINE) as service:
        (added,) = await add(service, who, "Water the plants", due="2026-03-10", repeat="FREQ=DAILY")
        async with service._open(who) as (on, person):
            held = await operations.lock(on, person, UUID(added.task_id))
            other = asyncio.create_task(complete(service, who, "water the plants"))
            await asyncio.sleep(0.3)  # the other has found the task, and waits for it
            await operations.set_status(on, person, held, "completed")
        again = await other
        assert (again.changed, again.task.due, again.occurrence) == (False, "2026-03-11", "2026-03-10")
        assert len(await service.history(who, UUID(added.task_id))) == 1


async def test_a_key_completes_one_date_however_often_it_is_sent(open_service, who):
    async with open_service(clock=lambda: ROME_NINE) as service:
        (added,) = await add(service, who, "Water the plants", due="2026-03-10", repeat="FREQ=DAILY")
        given = CompleteTask(task_identifier=added.task_id)
        answers = [await service.call(who, "complete_task", given, key="one") for _ in range(3)]
        assert {(each.task.due, each.occurrence) for each in answers} == {("2026-03-11", "2026-03-10")}


async def test_without_a_key_a_second_completion_within_two_minutes_completes_no_further_date(open_service, who):
    moment = [ROME_NINE]
    async with open_service(clock=lambda: moment[0]) as service:
        (added,) = await add(service, who, "Water the plants", due="2026-03-10", repeat="FREQ=DAILY;COUNT=9")
        first = await complete(service, who, "water the plants")
        update = UpdateTask(task_identifier=added.task_id, new_status="completed")
        for seconds in (1, 60, 120):
            moment[0] = ROME_NINE + timedelta(seconds=seconds)
            again = await complete(service, who, "water the plants")
            assert again == msgspec.structs.replace(first, changed=False)
            assert await service.call(who, "update_task", update) == again
        assert len(await service.history(who, UUID(added.task_id))) == 1
        moment[0] = ROME_NINE + timedelta(seconds=121)
        later = await complete(service, who, "water the plants")
        assert (later.changed, later.occurrence, later.task.due) == (True, "2026-03-11", "2026-03-12")


async def test_the_next_date_can_be_completed_at_once_under_another_key_or_after_a_change(open_service, who):
    async with open_service(clock=lambda: ROME_NINE) as service:
        (added,) = await add(service, who, "Water the plants", due="2026-03-10", repeat="FREQ=DAILY")
        given = CompleteTask(task_identifier=added.task_id)
        for key, occurrence in (("one", "2026-03-10"), ("two", "2026-03-11"), ("one", "2026-03-10")):
            assert (await service.call(who, "complete_task", given, key=key)).occurrence == occurrence
        update = UpdateTask(task_identifier=added.task_id, new_status="completed")
        assert (await service.call(who, "update_task", update, key="three")).occurrence == "2026-03-12"
        assert (await complete(service, who, added.task_id)).occurrence == "2026-03-12"
        await service.call(who, "update_task", UpdateTask(task_identifier=added.task_id, new_priority="high"))
        assert (await complete(service, who, added.task_id)).occurrence == "2026-03-13"
        assert len(await service.history(who, UUID(added.task_id))) == 4


async def test_a_date_that_was_changed_by_another_meanwhile_is_still_completed(open_service, who):
    async with open_service(clock=lambda: ROME_NINE) as service:
        (added,) = await add(service, who, "Water the plants", due="2026-03-10", repeat="FREQ=DAILY")
        async with service._open(who) as (on, person):
            held = await operations.lock(on, person, UUID(added.task_id))
            other = asyncio.create_task(complete(service, who, "water the plants"))
            await asyncio.sleep(0.3)  # the other has found the task, and waits for it
            await operations.alter(on, person, held, UpdateTask(task_identifier=added.task_id, new_priority="high"))
        done = await other
        assert (done.changed, done.occurrence, done.task.priority) == (True, "2026-03-10", "high")


async def test_a_way_back_of_the_release_before_still_leads_back(open_service, who):
    async with open_service(clock=lambda: ROME_NINE) as service:
        (added,) = await add(service, who, "Buy milk", repeat="FREQ=DAILY", list="Home")
        names = ("title", "description", "priority", "due", "status")
        before = {name: getattr(added.task, name) for name in names}
        await service.call(who, "update_task", UpdateTask(task_identifier=added.task_id, new_title="Buy bread"))
        async with service._open(who) as (on, person):
            old = {"id": added.task_id, "before": before, "after": before | {"title": "Buy bread"}}
            result = await TaskHands(on, person).put_back(old)
        assert (result["task"]["title"], result["task"]["list"]) == ("Buy milk", "Home")


async def test_taking_back_a_reopening_completes_no_further_date(open_service, who):
    async with open_service(clock=lambda: ROME_NINE) as service:
        (added,) = await add(service, who, "Pay the rent", due="2026-03-10")
        await complete(service, who, added.task_id)
        update = UpdateTask(task_identifier=added.task_id, new_repeat="FREQ=MONTHLY")
        assert (await service.call(who, "update_task", update)).task.status == "completed"
        async with service._open(who) as (on, person):
            hands = TaskHands(on, person)
            given = {"task_identifier": added.task_id, "new_status": "pending"}
            reopened = await hands.call("update_task", given, {})
            back = await hands.put_back(reopened.back)
        assert (back["task"]["status"], back["task"]["due"]) == ("completed", "2026-03-10")
        assert await service.history(who, UUID(added.task_id)) == []


async def test_a_list_keeps_its_first_spelling_while_tasks_are_on_it(service, who):
    await add(service, who, "Finish the slides", list="Work")
    (added,) = await add(service, who, "Call Bob", list="WORK")
    assert added.task.list == "Work"
    assert await titles(service, who, list="wOrK") == ["Finish the slides", "Call Bob"]
    await complete(service, who, "call bob")
    assert await titles(service, who, list="work", filter="pending") == ["Finish the slides"]
    moved = UpdateTask(task_identifier="finish the slides", new_list="Straße")
    assert (await service.call(who, "update_task", moved)).task.list == "Straße"
    assert await titles(service, who, list="STRASSE") == ["Finish the slides"]
    off = UpdateTask(task_identifier="finish the slides", new_list=None)
    assert (await service.call(who, "update_task", off)).task.list is None
    await delete(service, who, "call bob")
    (again,) = await add(service, who, "Call Carla", list="work")
    assert again.task.list == "work"


async def test_history_and_lists_are_each_users_own(open_service, who, other):
    async with open_service(clock=lambda: ROME_NINE) as service:
        (added,) = await add(service, who, "Water", due="2026-03-10", repeat="FREQ=DAILY", list="Home", remind="PT10M")
        await complete(service, who, added.task_id)
        assert await service.history(other, UUID(added.task_id)) == []
        assert (await add(service, other, "Sweep", list="HOME"))[0].task.list == "HOME"
        assert await titles(service, other, list="home") == ["Sweep"]
        assert (await complete(service, other, added.task_id)).reason == "not_found"
        assert len(await service.history(who, UUID(added.task_id))) == 1


async def test_a_delete_of_a_repeating_task_says_that_it_repeats(service, who):
    await add(service, who, "Water the plants", due="2026-03-10", repeat="FREQ=DAILY")
    question = await service.ask_delete(who, DeleteTask(task_identifier="plants"))
    assert question.repeats
    worded = Deleting(service, who, DeleteTask(task_identifier="plants"), None).worded(question)
    assert worded == 'Delete "Water the plants" (due 2026-03-10, repeats)?'


async def test_a_deleted_task_is_gone_and_comes_back_for_thirty_days(open_service, who):
    moment = [datetime(2026, 3, 10, 9, 0, tzinfo=UTC)]
    async with open_service(clock=lambda: moment[0]) as service:
        (added,) = await add(service, who, "Buy milk")
        gone = await delete(service, who, "buy milk")
        assert (gone.status, gone.title, gone.restorable_until) == ("success", "Buy milk", "2026-04-09T09:00:00+00:00")
        assert await titles(service, who) == []
        assert (await complete(service, who, added.task_id)).reason == "not_found"
        moment[0] += timedelta(days=30)
        back = await service.restore(who, UUID(added.task_id))
        assert (back.status, back.title) == ("success", "Buy milk")
        assert (await service.restore(who, UUID(added.task_id))).changed is False
        await delete(service, who, "buy milk")
        moment[0] += timedelta(days=30, seconds=1)
        assert (await service.restore(who, UUID(added.task_id))).status == "error"


async def test_what_cannot_come_back_is_removed_from_the_database(open_service, who, url):
    moment = [datetime(2026, 3, 10, 9, 0, tzinfo=UTC)]
    async with open_service(clock=lambda: moment[0]) as service:
        await add(service, who, "Buy milk", repeat="FREQ=DAILY")
        await complete(service, who, "buy milk")
        await delete(service, who, "buy milk")
        moment[0] += timedelta(days=31)
        await titles(service, who)
    with psycopg.connect(url) as connection:
        for table in ("tasks", "words", "occurrences"):
            query = f"SELECT count(*) FROM sayso.{table} WHERE user_id = %s"  # noqa: S608  names of ours
            assert connection.execute(query, (who.id,)).fetchone() == (0,)


async def test_nobody_reaches_what_is_anothers(service, who, other):
    (added,) = await add(service, who, "Buy milk")
    assert await titles(service, other) == []
    assert (await complete(service, other, added.task_id)).reason == "not_found"
    assert (await service.ask_delete(other, DeleteTask(task_identifier=added.task_id))).reason == "not_found"
    assert (await service.restore(other, UUID(added.task_id))).status == "error"
    assert await titles(service, who, filter="pending") == ["Buy milk"]


async def test_the_user_is_told_who_they_are_and_what_time_it_is(open_service, who):
    async with open_service(clock=lambda: datetime(2026, 7, 1, 22, 30, tzinfo=UTC)) as service:
        info = await service.call(who, "get_user_info", GetUserInfo())
    assert (info.user_id, info.name, info.timezone, info.local_time) == (
        who.id, "Ada", "Europe/Rome", "2026-07-02T00:30",
    )  # fmt: skip


async def test_what_a_later_token_leaves_out_is_remembered(open_service, who):
    async with open_service() as service:
        await service.call(who, "get_user_info", GetUserInfo())
        info = await service.call(Principal(id=who.id), "get_user_info", GetUserInfo())
    assert (info.name, info.timezone) == ("Ada", "Europe/Rome")


async def test_a_database_that_does_not_answer_is_no_crash(who):
    async with Database("postgresql://nobody@127.0.0.1:1/none", patience=0.2) as database:
        with pytest.raises(Unavailable):
            await TaskService(database).call(who, "list_tasks", ListTasks())
