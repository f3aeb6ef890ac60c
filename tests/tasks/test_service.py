"""The task service on a real PostgreSQL: what each operation does, and for whom."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import psycopg
import pytest

from sayso.database.pool import Database, Unavailable
from sayso.identity.principal import Principal
from sayso.tasks import search
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
        await add(service, who, "Buy milk")
        await delete(service, who, "buy milk")
        moment[0] += timedelta(days=31)
        await titles(service, who)
    with psycopg.connect(url) as connection:
        left = connection.execute("SELECT count(*) FROM sayso.tasks WHERE user_id = %s", (who.id,)).fetchone()
    assert left == (0,)


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
