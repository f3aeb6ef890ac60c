"""Machines with a model in the conversation: what it proposes is held against the words and the person's machines."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from sayso.agent.claims import is_supported, load_claims
from sayso.assistant.converse import Assistant
from sayso.assistant.several import Several
from sayso.assistant.values import Deed
from sayso.chat.turns.model import ModelTier
from sayso.chat.turns.service import ChatService
from sayso.decider import Decider
from sayso.devices.hands import Machines
from sayso.devices.service import EXECUTE
from sayso.engine.decide.room import Thresholds
from sayso.packs.answers import load_answers
from sayso.packs.load import pack_folder

pytestmark = pytest.mark.anyio

UNSETTLED = "i vicini tengono le api sul tetto"  # words that ask for nothing
WISHED = "la lampada del bar dovrebbe essere accesa"  # words that nobody takes for a command by themselves
ALONE = Thresholds(reader=False)  # without the learned reader, which takes WISHED for a command
SURE = Thresholds(inferred=0.7, reader=False)  # as SAYSO_COMPOSITION_THRESHOLD sets it: fewer questions
CLAIMS = load_claims(pack_folder("tasks"), pack_folder("devices"))


class Killed(Exception):
    """What a process does not come back from."""


class Scripted:
    """A stand-in for a model: makes the calls it was given, and talks."""

    def __init__(self, *calls, text="Capisco."):
        self.calls, self.text, self.heard = calls, text, []

    async def answer(self, *, judge, **_):
        for tool, arguments in self.calls:
            verdict = await judge(tool, arguments)
            self.heard.append(verdict.text)
            if verdict.stop:
                return ""
        return self.text


@pytest.fixture
async def furnish(database, devices, running, who):
    """A chat with a lamp and a fridge, and with a model; what the machines really did is in `done`."""
    done = []
    only = ["lamp-bar", "fridge-cucina"]
    await running(
        who, 16, only=only, service=devices, effect=lambda _owner, order, _at: done.append((order.command, order.value))
    )

    async def furnished(model, thresholds=None):
        decider = Decider.installed(thresholds=thresholds or ALONE)
        tasks, machines = (
            Assistant(decider, load_answers(pack_folder(name)), pack=name) for name in ("tasks", "devices")
        )
        tier = ModelTier(model, [], deadline=5, claims=lambda text, _lang, deeds: is_supported(text, CLAIMS, deeds))
        hands, ahead = Machines(devices, machines), []
        clock = lambda: datetime.now(UTC) + sum(ahead, timedelta())  # noqa: E731
        chat = ChatService(database, Several(tasks, machines), model=tier, machines=hands, clock=clock)
        conversation = await chat.open(who)

        async def say(words, name="1"):
            return await chat.message(who, conversation, name, words)

        say.chat, say.done, say.hands, say.ahead = chat, done, hands, ahead
        return say

    return furnished


def command(machine, which, **more):
    return EXECUTE, {"device_id": machine, "machine_command_id": which} | more


async def test_what_the_words_bear_out_is_done_once_and_marked_as_a_models(furnish, who):
    say = await furnish(Scripted(command("lamp-bar", "turn_on")), SURE)
    done = await say(WISHED)
    assert [(deed.tool, deed.result["outcome"]) for deed in done.results] == [(EXECUTE, "done")]
    assert done.by_model
    assert await say(WISHED) == done
    assert say.done == [("turn_on", None)]
    assert (await say.chat.verify(who)).intact


@pytest.mark.parametrize("sent", [True, False], ids=["after it was sent", "before it was sent"])
async def test_a_turn_that_died_with_a_models_command_is_finished_and_nothing_is_given_again(furnish, sent):
    say = await furnish(Scripted(command("lamp-bar", "turn_on")), SURE)
    give = say.hands.give

    async def die(*arguments):
        if sent:
            await give(*arguments)
        raise Killed

    say.hands.give = die
    with pytest.raises(Killed):
        await say(WISHED)
    say.hands.give = give
    say.ahead.append(timedelta(minutes=1))
    (deed,) = (await say(WISHED)).results
    assert deed.result["outcome"] == ("done" if sent else "unsent")
    assert say.done == ([("turn_on", None)] if sent else [])


async def test_what_was_not_quite_said_is_asked_about_first(furnish, who):
    say = await furnish(Scripted(command("lamp-bar", "turn_on")))
    asked = await say(WISHED)
    assert (asked.results, say.done) == ((), [])
    card = asked.confirmation
    assert "Lampada bar" in card.card
    done = await say.chat.confirm(who, UUID(card.id), card.digest, yes=True)
    assert [deed.result["outcome"] for deed in done.results] == ["done"]
    assert say.done == [("turn_on", None)]


async def test_what_cannot_be_taken_back_waits_for_a_yes_however_sure_a_model_is(furnish, who):
    say = await furnish(Scripted(command("fridge-cucina", "factory_reset")), SURE)
    asked = await say("il frigo della cucina dovrebbe essere al ripristino di fabbrica")
    assert say.done == []
    card = asked.confirmation
    await say.chat.confirm(who, UUID(card.id), card.digest, yes=True)
    assert say.done == [("factory_reset", None)]


@pytest.mark.parametrize(
    ("words", "call"),
    [
        (UNSETTLED, command("lamp-bar", "turn_on")),
        (UNSETTLED, command("fridge-cucina", "factory_reset")),
        (WISHED, command("lamp-bar", "set_brightness", value=100)),
        (WISHED, command("fridge-cucina", "light_on")),
        (
            "la luminosità della lampada del bar dovrebbe essere diversa",
            command("lamp-bar", "set_brightness", value=40),
        ),
    ],
    ids=["nothing asked", "nothing asked, final", "another command", "another machine", "an invented value"],
)
async def test_what_nobody_asked_for_is_not_done_whatever_a_model_wants(furnish, words, call):
    say = await furnish(Scripted(call), SURE)
    reply = await say(words)
    assert (reply.results, say.done) == ((), [])
    assert reply.confirmation is None or "40" not in reply.confirmation.card


async def test_the_machine_of_another_is_out_of_a_models_reach(furnish, running, devices, other):
    theirs = []
    await running(
        other, 16, only=["pump-bar"], service=devices, effect=lambda _owner, order, _at: theirs.append(order.command)
    )
    model = Scripted(command("pump-bar", "start"), ("metrics_read", {"device_id": "pump-bar"}))
    say = await furnish(model, SURE)
    reply = await say("la pompa del bar dovrebbe essere avviata")
    assert (reply.results, say.done, theirs) == ((), [], [])
    assert not any("pressure" in heard for heard in model.heard)


async def test_a_model_reads_and_may_say_what_it_read_and_nothing_that_was_not_done(furnish):
    read = ("metrics_read", {"device_id": "fridge-cucina"})
    say = await furnish(Scripted(read, text="Il frigo della cucina misura quattro gradi."))
    reply = await say("mi chiedo dei gradi del frigo della cucina, sai")
    assert [deed.tool for deed in reply.results] in ([], ["metrics_read"])
    say = await furnish(Scripted(text="Ho acceso la lampada del bar."))
    assert "acceso" not in (await say(UNSETTLED, "2")).reply


@pytest.mark.parametrize(
    ("text", "claimed"),
    [
        ("I turned on the lamp.", True),
        ("Switching off the oven now.", True),
        ("I'll unlock the front door.", True),
        ("Ho acceso la lampada.", True),
        ("Accendo subito il forno.", True),
        ("Shall I turn on the lamp?", False),
        ("I can't open the gate.", False),
        ("Vuoi accendere la lampada?", False),
    ],
)
async def test_a_text_claims_nothing_of_machines_that_was_not_done(text, claimed):
    assert is_supported(text, CLAIMS, []) is not claimed
    looked = Deed(tool="metrics_read", arguments={}, result={"status": "success"})
    assert is_supported(text, CLAIMS, [looked]) is not claimed
