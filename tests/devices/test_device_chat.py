"""Tasks and machines in one conversation of the chat service, on PostgreSQL and over a real broker: each command once,
whoever dies."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from sayso.assistant.converse import Assistant
from sayso.assistant.several import Several
from sayso.chat.turns.service import ChatService
from sayso.decider import Decider
from sayso.devices.hands import Machines
from sayso.packs.answers import load_answers
from sayso.packs.load import pack_folder

pytestmark = pytest.mark.anyio

DECIDER = Decider.installed()
TASKS = Assistant(DECIDER, load_answers(pack_folder("tasks")))
DEVICES = Assistant(DECIDER, load_answers(pack_folder("devices")), pack="devices", patience=timedelta(minutes=2))


class Killed(Exception):
    """What a process does not come back from."""


class Clock:
    """A clock that can be put forward."""

    def __init__(self):
        self.ahead = timedelta()

    def __call__(self):
        return datetime.now(UTC) + self.ahead


@pytest.fixture
async def house(database, devices, running, who):
    """A chat service with the machines of a small fleet, somebody's conversation, and what the machines really did."""
    done = []
    await running(
        who,
        16,
        only=["lamp-bar", "fridge-cucina"],
        service=devices,
        effect=lambda _owner, order, _at: done.append(order.command),
    )
    machines, clock = Machines(devices, DEVICES), Clock()
    chat = ChatService(database, Several(TASKS, DEVICES), machines=machines, clock=clock)
    conversation = await chat.open(who)
    count = iter(range(100))

    class House:
        async def say(self, content, name=None):
            return await chat.message(who, conversation, name or f"message {next(count)}", content)

    house = House()
    house.done, house.chat, house.machines, house.clock, house.conversation = done, chat, machines, clock, conversation
    return house


async def test_one_conversation_has_tasks_and_machines(house):
    noted = await house.say("aggiungi un'attività: comprare il latte")
    assert [deed.tool for deed in noted.results] == ["add_task"]
    lit = await house.say("accendi la lampada del bar")
    assert [(deed.tool, deed.result["outcome"]) for deed in lit.results] == [("machine_command_execute", "done")]
    assert "Lampada bar" in lit.reply
    read = await house.say("che temperatura ha il frigo della cucina?")
    assert [deed.tool for deed in read.results] == ["metrics_read"]
    undone = await house.say("annulla")
    assert undone.decisions
    assert house.done == ["turn_on"]


async def test_a_message_that_is_sent_again_is_one_command(house):
    first = await house.say("accendi la lampada del bar", name="once")
    again = await house.say("accendi la lampada del bar", name="once")
    assert again == first
    assert house.done == ["turn_on"]


@pytest.mark.parametrize("way", ["said", "pressed"])
async def test_what_cannot_be_taken_back_is_done_once_after_a_yes(house, who, way):
    asked = await house.say("fai il ripristino di fabbrica del frigo della cucina")
    assert house.done == []
    card = asked.confirmation
    if way == "said":
        done = await house.say("sì")
    else:
        done = await house.chat.confirm(who, UUID(card.id), card.digest, yes=True)
        assert await house.chat.confirm(who, UUID(card.id), card.digest, yes=True) == done
    assert [deed.result["status"] for deed in done.results] == ["success"]
    assert house.done == ["factory_reset"]


@pytest.mark.parametrize("sent", [True, False], ids=["after it was sent", "before it was sent"])
async def test_a_turn_whose_process_died_is_finished_and_nothing_is_given_again(house, who, sent):
    give, given = house.machines.give, []

    async def die(*arguments):
        given.append(arguments)
        if sent:
            await give(*arguments)
        raise Killed

    house.machines.give = die
    with pytest.raises(Killed):
        await house.say("accendi la lampada del bar", name="fatal")
    house.machines.give = give
    house.clock.ahead = timedelta(minutes=1)
    reply = await house.say("accendi la lampada del bar", name="fatal")
    (deed,) = reply.results
    assert deed.result["outcome"] == ("done" if sent else "unsent")
    came = await give(*given[0])  # the dead one comes back, and is too late
    assert came["outcome"] == ("done" if sent else "unsent")
    assert house.done == (["turn_on"] if sent else [])
    assert (await house.chat.verify(who)).intact
