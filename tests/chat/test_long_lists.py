"""Long lists: of many tasks a turn looks at a few, and at all of them where these do not settle it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from sayso.case import Case
from sayso.chat.turns.service import ChatService
from sayso.database.pool import Database, Transaction
from sayso.identity.principal import Principal
from sayso.record import Entity
from sayso.tasks import hands, operations
from sayso.tasks.values import AddTask

pytestmark = pytest.mark.anyio
NOW = datetime(2030, 3, 12, 9, tzinfo=UTC)


@pytest.fixture
async def talk(url, assistant, anyio_backend):  # noqa: ARG001  one event loop for both
    """Somebody with as many tasks as wanted, who says something; the last task comes after all others."""
    async with Database(url) as database:
        service = ChatService(database, assistant)

        async def begin(count, last, name):
            who = Principal(id=f"{name} {count}")
            async with service.acting(who) as (on, person):
                for number in range(count - 1):
                    await operations.add(on, person, AddTask(title=f"Call the bank {number}", due="2030-03-13"))
                await operations.add(on, person, AddTask(title=last))
            conversation, said = await service.open(who), 0

            async def say(words):
                nonlocal said
                said += 1
                return await service.message(who, conversation, f"m {said}", words)

            return say

        yield begin


@pytest.fixture
def looked_at(monkeypatch):
    """How many rows each statement about tasks gave."""
    rows = []
    several = Transaction.several

    async def counted(self, *queries):
        found = await several(self, *queries)
        rows.extend(len(each) for each in found)
        return found

    monkeypatch.setattr(Transaction, "several", counted)
    return rows


@pytest.mark.parametrize("count", [80, 520])
async def test_what_was_just_spoken_of_is_found_however_long_the_list(talk, count):
    say = await talk(count, "Water the ferns", "spoken")
    assert (await say("mark water the ferns as done")).results[0].result["status"] == "success"
    card = (await say("delete it")).confirmation
    assert card is not None
    assert card.card == 'Delete "Water the ferns"?'


async def test_a_turn_about_a_named_task_looks_at_a_few_of_many(talk, looked_at):
    say = await talk(300, "Water the ferns", "few")
    looked_at.clear()
    assert (await say("mark water the ferns as done")).results[0].result["status"] == "success"
    assert max(looked_at) <= hands.FEW + 1


async def test_a_slip_in_the_name_of_a_far_task_is_forgiven(talk):
    say = await talk(300, "Water the ferns", "slip")
    done = await say("mark watre the ferns as done")
    assert [deed.result["status"] for deed in done.results] == ["success"]


def test_only_a_whole_name_or_what_was_spoken_of_settles_it(assistant):
    def decided(message, *titles):
        things = tuple(
            Entity({"kind": "task", "id": f"t{number}", "title": title, "status": "pending"})
            for number, title in enumerate(titles)
        )
        answer = assistant.decider.decide(Case(message=message, now=NOW, entities=things))
        return hands.settles(answer, things, message)

    assert decided("add a task to buy milk", "Call the bank")
    assert decided("show my tasks", "Call the bank")
    assert decided("mark call the bank as done", "Call the bank", "Buy milk")
    assert not decided("mark the bank as done", "Call the bank", "Buy milk")
    assert not decided("mark call the bnak as done", "Call the bank", "Buy milk")
    assert not decided("mark it as done", "Call the bank", "Buy milk")
