"""Turns that wait for a model: what it proposes is judged by the person's words, and none of them stays unanswered."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import psycopg
import pytest

from sayso.chat.turns.jobs import Jobs
from sayso.chat.turns.model import ModelTier
from sayso.ledger.errors import TurnInProgress
from sayso.tasks.values import ListTasks

pytestmark = pytest.mark.anyio

UNSETTLED = "the neighbours keep bees on their roof"  # words that ask for nothing


class Scripted:
    """A stand-in for a model: makes the calls it was given, says what it was told to say."""

    def __init__(self, *calls, text="Good to know.", fails=False):
        self.calls, self.text, self.fails = calls, text, fails
        self.heard, self.asked = [], 0

    async def answer(self, *, judge, **_):
        self.asked += 1
        for tool, arguments in self.calls:
            verdict = await judge(tool, arguments)
            self.heard.append(verdict.text)
            if verdict.stop:
                return ""
        return None if self.fails else self.text


class Hanging:
    """A stand-in for a process that dies while its model thinks."""

    async def answer(self, **_):
        await asyncio.sleep(3600)


def tier(model, *, deadline=2, claims=lambda *_: True):
    return ModelTier(model, [], deadline=deadline, claims=claims)


async def left(service, who):
    return [task.title for task in (await service.tasks(who, ListTasks())).tasks]


async def test_a_model_is_asked_only_where_the_words_came_to_nothing(open_chat, who, talk_with):
    model = Scripted()
    async with open_chat(model=tier(model)) as service:
        talk = await talk_with(service, who)
        await talk("add oil the gate")
        assert model.asked == 0
        assert await talk(UNSETTLED) == "Good to know."
        assert model.asked == 1
        assert (await service.verify(who)).intact


@pytest.mark.parametrize(
    "call",
    [
        ("delete_task", {"task_identifier": "oil the gate"}),
        ("add_task", {"title": "buy honey"}),
        ("complete_task", {"task_identifier": "oil the gate"}),
        ("update_task", {"task_identifier": "oil the gate", "new_due": "2026-03-12"}),
        ("drop_database", {}),
        ("add_task", ["not", "an", "object"]),
    ],
)
async def test_what_nobody_asked_for_is_not_done_whatever_a_model_wants(open_chat, who, talk_with, call):
    model = Scripted(call)
    async with open_chat(model=tier(model)) as service:
        talk = await talk_with(service, who)
        await talk("add oil the gate")
        before = await service.tasks(who, ListTasks())
        await talk(UNSETTLED)
        assert await service.tasks(who, ListTasks()) == before
        assert talk.last.results == ()


async def test_a_text_that_claims_what_was_not_done_is_not_said(open_chat, who, talk_with):
    async with open_chat(model=tier(Scripted(text="Deleted!"), claims=lambda *_: False)) as service:
        talk = await talk_with(service, who)
        assert (await talk(UNSETTLED)).startswith("I look after your to-do list.")


async def test_a_model_that_fails_leaves_what_the_words_alone_came_to(open_chat, who, talk_with):
    async with open_chat(model=tier(Scripted(fails=True))) as service:
        talk = await talk_with(service, who)
        assert (await talk(UNSETTLED)).startswith("I look after your to-do list.")


async def test_meanwhile_the_conversation_waits_and_then_somebody_finishes_the_turn(open_chat, who, talk_with, clock):
    async with open_chat(model=tier(Hanging())) as service, open_chat() as other_replica:
        talk = await talk_with(service, who)
        waiting = asyncio.create_task(service.message(who, talk.conversation, "lost", UNSETTLED))
        await asyncio.sleep(1)
        with pytest.raises(TurnInProgress, match="try again in 7 seconds"):
            await other_replica.message(who, talk.conversation, "next", "add oil the gate")
        waiting.cancel()
        clock.pass_by(seconds=30)
        reply = await other_replica.message(who, talk.conversation, "lost", UNSETTLED)
        assert reply.reply.startswith("I look after your to-do list.")
        assert (await other_replica.verify(who)).intact


async def test_a_lost_turn_is_finished_by_a_job(url, open_chat, who, talk_with):
    jobs, watch = Jobs(url), {"clock": lambda: datetime.now(UTC)}
    async with open_chat(model=tier(Hanging(), deadline=-3), later=jobs, **watch) as service, jobs.working(service):
        talk = await talk_with(service, who)
        lost = asyncio.create_task(service.message(who, talk.conversation, "lost", UNSETTLED))
        await asyncio.sleep(1)
        lost.cancel()
        for _ in range(100):
            turns = (await service.conversation(who, talk.conversation, 10)).turns
            if turns:
                break
            await asyncio.sleep(0.1)
        assert [turn.message for turn in turns] == [UNSETTLED]


async def test_whoever_comes_too_late_changes_nothing(open_chat, who, talk_with, clock):
    class Slow(Scripted):
        async def answer(self, **given):
            clock.pass_by(seconds=60)
            async with open_chat() as other_replica:
                await other_replica.message(who, talk.conversation, "m1", UNSETTLED)
            return await super().answer(**given)

    async with open_chat(model=tier(Slow())) as service:
        talk = await talk_with(service, who)
        assert (await talk(UNSETTLED)).startswith("I look after your to-do list.")
        assert (await service.verify(who)).intact


async def test_jobs_go_on_after_their_connections_were_lost(url, open_chat, who, talk_with):
    jobs, watch = Jobs(url), {"clock": lambda: datetime.now(UTC)}
    async with open_chat(model=tier(Hanging(), deadline=-3), later=jobs, **watch) as service, jobs.working(service):
        talk = await talk_with(service, who)
        await asyncio.sleep(1)
        with psycopg.connect(url) as connection:  # as when the database begins anew
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid() AND query ILIKE '%procrastinate%'"
            )
        await asyncio.sleep(2)
        lost = asyncio.create_task(service.message(who, talk.conversation, "lost", UNSETTLED))
        await asyncio.sleep(1)
        lost.cancel()
        for _ in range(150):
            turns = (await service.conversation(who, talk.conversation, 10)).turns
            if turns:
                break
            await asyncio.sleep(0.1)
        assert [turn.message for turn in turns] == [UNSETTLED]
