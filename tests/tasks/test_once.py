"""Exactly once: a key gives one effect and one answer, a confirmation counts once."""

from __future__ import annotations

import asyncio
from uuid import UUID

import msgspec
import psycopg
import pytest

from sayso.tasks.service import Question
from sayso.tasks.values import AddTask, CompleteTask, DeleteTask, ListTasks, UpdateTask

pytestmark = pytest.mark.anyio


async def count(service, who):
    return (await service.call(who, "list_tasks", ListTasks())).count


async def test_the_same_key_gives_the_same_answer_and_no_second_effect(service, who):
    given = AddTask(title="Buy milk")
    first = await service.call(who, "add_task", given, key="k1")
    again = await service.call(who, "add_task", given, key="k1")
    assert msgspec.json.encode(first) == msgspec.json.encode(again)
    assert await count(service, who) == 1


async def test_another_key_or_none_is_another_task(service, who):
    for key in ("k1", "k2", None, None):
        await service.call(who, "add_task", AddTask(title="Buy milk"), key=key)
    assert await count(service, who) == 4


async def test_a_key_with_other_arguments_is_refused(service, who):
    await service.call(who, "add_task", AddTask(title="Buy milk"), key="k1")
    for tool, given in (
        ("add_task", AddTask(title="Buy bread")),
        ("add_task", AddTask(title="Buy milk", priority="high")),
        ("complete_task", CompleteTask(task_identifier="Buy milk")),
    ):
        refused = await service.call(who, tool, given, key="k1")
        assert (refused.status, refused.reason) == ("error", "key_reused")
    assert await count(service, who) == 1


async def test_a_key_belongs_to_its_user(service, who, other):
    for each in (who, other):
        assert (await service.call(each, "add_task", AddTask(title="Buy milk"), key="k1")).status == "success"
    assert await count(service, who) == await count(service, other) == 1


async def test_an_error_is_an_answer_too(service, who):
    given = CompleteTask(task_identifier="buy milk")
    first = await service.call(who, "complete_task", given, key="k1")
    await service.call(who, "add_task", AddTask(title="Buy milk"))
    assert await service.call(who, "complete_task", given, key="k1") == first
    assert (await service.call(who, "complete_task", given, key="k2")).status == "success"


async def test_many_senders_of_one_key_have_one_effect(service, who):
    given = AddTask(title="Buy milk")
    answers = await asyncio.gather(*(service.call(who, "add_task", given, key="k1") for _ in range(32)))
    assert len({msgspec.json.encode(answer) for answer in answers}) == 1
    assert await count(service, who) == 1


async def test_effect_and_answer_are_committed_together(service, who, url):
    await service.call(who, "add_task", AddTask(title="Buy milk"), key="k1")
    with psycopg.connect(url) as connection:
        stored = connection.execute(
            "SELECT a.answer, t.title FROM sayso.answers AS a JOIN sayso.tasks AS t USING (user_id) "
            "WHERE a.user_id = %s AND a.xmin::text = t.xmin::text",
            (who.id,),
        ).fetchall()
    assert len(stored) == 1


async def test_a_yes_counts_once_however_often_it_is_sent(service, who):
    added = await service.call(who, "add_task", AddTask(title="Buy milk"))
    given = DeleteTask(task_identifier="buy milk")
    question = await service.ask_delete(who, given)
    answers = await asyncio.gather(*(service.answer_delete(who, given, question, yes=True) for _ in range(16)))
    assert {answer.status for answer in answers} == {"success"}
    assert len({msgspec.json.encode(answer) for answer in answers}) == 1
    await service.restore(who, UUID(added.task_id))
    again = await service.answer_delete(who, given, question, yes=True)
    assert again == answers[0]
    assert await count(service, who) == 1


async def test_a_no_is_final_for_its_question(service, who):
    await service.call(who, "add_task", AddTask(title="Buy milk"))
    given = DeleteTask(task_identifier="buy milk")
    question = await service.ask_delete(who, given)
    declined = await service.answer_delete(who, given, question, yes=False, key="k1")
    assert (declined.status, declined.reason) == ("error", "declined")
    assert await service.answer_delete(who, given, question, yes=True) == declined
    assert await service.ask_delete(who, given, key="k1") == declined
    assert await count(service, who) == 1


async def test_a_question_that_was_altered_is_refused_once_used(service, who):
    await service.call(who, "add_task", AddTask(title="Buy milk"))
    await service.call(who, "add_task", AddTask(title="Buy bread"))
    given = DeleteTask(task_identifier="buy milk")
    question = await service.ask_delete(who, given)
    await service.answer_delete(who, given, question, yes=False)
    altered = msgspec.structs.replace(question, title="Buy bread")
    assert (await service.answer_delete(who, given, altered, yes=True)).reason == "refused"
    assert await count(service, who) == 2


async def test_a_task_that_changed_since_is_asked_about_again(service, who):
    await service.call(who, "add_task", AddTask(title="Buy milk"))
    given = DeleteTask(task_identifier="buy milk")
    question = await service.ask_delete(who, given)
    await service.call(who, "update_task", UpdateTask(task_identifier="buy milk", new_title="Buy milk and a cake"))
    asked = await service.answer_delete(who, given, question, yes=True)
    assert isinstance(asked, Question)
    assert (asked.title, asked.again) == ("Buy milk and a cake", True)
    assert (await service.answer_delete(who, given, question, yes=True)).reason == "refused"
    assert (await service.answer_delete(who, given, asked, yes=True)).status == "success"
    assert await count(service, who) == 0


async def test_a_question_of_anothers_task_deletes_nothing(service, who, other):
    await service.call(who, "add_task", AddTask(title="Buy milk"))
    given = DeleteTask(task_identifier="buy milk")
    question = await service.ask_delete(who, given)
    stolen = await service.answer_delete(other, given, question, yes=True)
    assert (stolen.status, stolen.reason) == ("error", "not_found")
    assert await count(service, who) == 1


async def test_a_yes_under_a_key_of_another_call_gives_the_same_answer_when_sent_again(service, who):
    await service.call(who, "add_task", AddTask(title="Buy milk"), key="k1")
    given = DeleteTask(task_identifier="Buy milk")
    question = await service.ask_delete(who, given)
    refused = await service.answer_delete(who, given, question, yes=True, key="k1")
    assert refused.reason == "key_reused"
    assert await service.answer_delete(who, given, question, yes=True) == refused
    assert (await service.find(who, "Buy milk")).status == "success"
