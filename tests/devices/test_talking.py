"""Talking about machines in Italian: words to decisions, decisions to calls over MCP, calls to simulated machines over
a real broker, and back into words."""

from __future__ import annotations

from contextlib import asynccontextmanager
from datetime import UTC, datetime

import pytest
from mcp import Client
from mcp_types import ElicitResult
from waiting import until

from sayso.assistant.conversation import Conversation
from sayso.assistant.converse import Assistant
from sayso.assistant.several import Several, SeveralHands
from sayso.assistant.values import Done
from sayso.decider import Decider
from sayso.devices.server import make_server
from sayso.packs.answers import load_answers
from sayso.packs.load import pack_folder
from sayso.record import Entity
from sayso.tasks.store.memory import MemoryTasks

pytestmark = pytest.mark.anyio

ASSISTANT = Assistant(Decider.installed(), load_answers(pack_folder("devices")), pack="devices")


class McpHands:
    """Acts through an MCP client: the person's machines as the list tool gives them, and the tools themselves."""

    def __init__(self, client):
        self._client = client

    async def things(self, _message):
        listed = (await self._client.call_tool("list_machines", {})).structured_content
        return tuple(Entity({"kind": "machine"} | machine) for machine in listed["machines"])

    async def call(self, tool, arguments, _versions):
        return Done((await self._client.call_tool(tool, arguments)).structured_content, None)

    async def put_back(self, _back):
        return {"status": "error", "reason": "stale"}


@pytest.fixture
def talk(devices, running, who):
    """A conversation about those machines of a simulated fleet that are wanted, and their bodies."""

    @asynccontextmanager
    async def talking(*only):
        bodies = await running(who, 16, only=only, service=devices)

        async def agree(_context, _params):  # the person said yes to the card
            return ElicitResult(action="accept", content={"confirm": True})

        async with Client(make_server(devices, lambda: who, version="0"), elicitation_callback=agree) as client:
            conversation = Conversation(ASSISTANT, McpHands(client), clock=lambda: datetime.now(UTC), lang="it")
            yield conversation, {name: body.simulated.inside for name, body in bodies.items()}

    return talking


def kinds(reply):
    return [type(decision).__name__ for decision in reply.decisions]


async def test_one_machine_fits_and_it_is_done(talk):
    async with talk("lamp-bar", "fridge-bar", "oven-sala") as (conversation, inside):
        reply = await conversation.say("per favore accendi la lampada del bar")
        assert kinds(reply) == ["Call"]
        assert inside["lamp-bar"].on is True
        assert "Lampada bar" in reply.reply


async def test_several_fit_and_the_person_chooses(talk):
    async with talk("fridge-cucina", "fridge-bar", "fridge-sala") as (conversation, inside):
        asked = await conversation.say("puoi accendere la luce")
        assert kinds(asked) == ["Clarify"]
        assert "Frigo bar" in str(asked.decisions[0].options)
        assert not any(each.light for each in inside.values())
        done = await conversation.say("quello della sala")
        assert kinds(done) == ["Call"]
        assert [name for name, each in inside.items() if each.light] == ["fridge-sala"]


async def test_none_fits_and_nothing_is_done(talk):
    async with talk("fridge-cucina", "lamp-bar") as (conversation, _):
        reply = await conversation.say("spegni il forno della pizzeria")
        assert kinds(reply) == ["Clarify"]
        assert reply.decisions[0].reason == "not_found"
        assert reply.results == ()


async def test_a_machine_without_a_deed_offers_what_it_can_do(talk):
    async with talk("fridge-cantina", "lamp-bar") as (conversation, inside):
        asked = await conversation.say("frigo cantina")
        assert kinds(asked) == ["Clarify"]
        labels = " ".join(option.label for option in asked.decisions[0].options)
        assert "luce" in labels
        assert "sbrinamento" in labels
        assert not inside["fridge-cantina"].light


async def test_a_deed_without_a_machine_goes_to_the_only_one_that_can(talk):
    async with talk("lamp-bar", "fridge-cucina", "pump-cucina") as (conversation, inside):
        reply = await conversation.say("metti la luminosità al 40")
        assert kinds(reply) == ["Call"]
        assert inside["lamp-bar"].brightness == 40


async def test_two_questions_are_two_reads_and_one_answer(talk, devices, who):
    async with talk("fridge-bar", "lamp-bar") as (conversation, _):

        async def measured():
            async with devices._open(who) as (on, _person):
                rows = await on.rows(b"SELECT 1 FROM metrics WHERE machine_id = 'fridge-bar' AND value IS NOT NULL")
            return bool(rows)

        await until(measured)
        reply = await conversation.say("il frigo del bar è connesso? qual è la sua temperatura?")
        assert [deed.tool for deed in reply.results] == ["device_firmware_detail", "metrics_read"]
        assert "è connessa" in reply.reply
        assert "temperature" in reply.reply
        assert "°C" in reply.reply


async def test_what_was_spoken_of_before_is_meant(talk):
    async with talk("fridge-cucina", "fridge-bar") as (conversation, inside):
        await conversation.say("c'è un guaio con il frigo bar")
        reply = await conversation.say("accendi la luce")
        assert kinds(reply) == ["Call"]
        assert (inside["fridge-bar"].light, inside["fridge-cucina"].light) == (True, False)


async def test_what_cannot_be_taken_back_waits_for_a_yes(talk):
    async with talk("fridge-cucina", "lamp-bar") as (conversation, inside):
        inside["fridge-cucina"].light = True
        asked = await conversation.say("fai il ripristino di fabbrica del frigo della cucina")
        assert kinds(asked) == ["Confirm"]
        assert inside["fridge-cucina"].light is True
        done = await conversation.say("sì")
        assert [deed.result["status"] for deed in done.results] == ["success"]
        assert inside["fridge-cucina"].light is False


async def test_words_about_tasks_and_about_machines_find_their_own_pack(talk):
    async with talk("lamp-bar", "fridge-cucina") as (machines, inside):
        tasks = Assistant(ASSISTANT.decider, load_answers(pack_folder("tasks")))
        own = MemoryTasks(lambda: datetime.now(UTC))
        hands = SeveralHands({tasks: own, ASSISTANT: machines._hands})
        conversation = Conversation(Several(tasks, ASSISTANT), hands, clock=lambda: datetime.now(UTC), lang="it")
        noted = await conversation.say("ricordami di telefonare al tecnico del frigo")
        assert [deed.tool for deed in noted.results] == ["add_task"]
        lit = await conversation.say("accendi la lampada del bar")
        assert [deed.tool for deed in lit.results] == ["machine_command_execute"]
        assert inside["lamp-bar"].on is True
        asked = await conversation.say("fai il ripristino di fabbrica del frigo")
        assert kinds(asked) == ["Confirm"]
        done = await conversation.say("sì")
        assert [deed.tool for deed in done.results] == ["machine_command_execute"]
        listed = await conversation.say("quali sono le mie attività?")
        assert [deed.tool for deed in listed.results] == ["list_tasks"]
        gone = await conversation.say("annulla")
        assert await own.things("") == ()
        assert gone.decisions


async def test_a_value_out_of_range_is_said(talk):
    async with talk("fridge-cucina", "lamp-bar") as (conversation, inside):
        reply = await conversation.say("imposta la temperatura del frigo a 30 gradi")
        assert "da 1 a 8 °C" in reply.reply
        assert inside["fridge-cucina"].target == 4
