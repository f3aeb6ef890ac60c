"""The devices against simulated machines over a real broker: what is read, what is done, and what is said when it is
not."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from msgspec.structs import replace
from waiting import until

from sayso.devices.inventory import orders, registry
from sayso.devices.inventory.machine import Command, Machine, Metric
from sayso.devices.link import wire
from sayso.devices.link.broker import Broker
from sayso.devices.link.gather import Gather
from sayso.devices.link.link import Link
from sayso.devices.link.topics import METRICS, Topics
from sayso.devices.link.wire import Answer, Order
from sayso.devices.service import DeviceService, Question
from sayso.devices.values import DeviceDetail, ExecuteCommand, ListMachines, ReadMetrics
from sayso.serving.once import fingerprint

pytestmark = pytest.mark.anyio

DOOR = Machine(
    id="gate",
    name="Gate",
    commands=(Command(id="open", name="Open"), Command(id="set", name="Set", minimum=0, maximum=9)),
    metrics=(Metric(name="position", unit="%"),),
)


def command(device, which, value=None):
    return ExecuteCommand(device_id=device, machine_command_id=which, value=value)


async def test_a_command_is_done_and_the_result_says_what_the_machine_answered(devices, running, who):
    bodies = await running(who, service=devices)
    done = await devices.ask_command(who, command("fridge-cucina", "set_temperature", 5))
    assert (done.status, done.outcome, done.changed, done.unit) == ("success", "done", True, "°C")
    assert done.state["target"] == 5
    assert bodies["fridge-cucina"].simulated.inside.target == 5
    again = await devices.ask_command(who, command("fridge-cucina", "set_temperature", 5))
    assert (again.status, again.changed) == ("success", False)
    await devices.link._gather.flush()
    detail = await devices.call(who, "device_firmware_detail", DeviceDetail(device_id="fridge-cucina"))
    assert (detail.connected, detail.firmware, detail.last_command.outcome) == (True, "1.4.2", "done")


async def test_readings_are_kept_as_the_latest_value_and_a_short_history(devices, running, who):
    await running(who, 1, service=devices, every=0.2)

    async def enough():
        read = await devices.call(who, "metrics_read", ReadMetrics(device_name="frigo", metrics=("temperature",)))
        return read if len(read.metrics[0].history or []) >= 3 else None

    read = await until(enough)
    (temperature,) = read.metrics
    assert isinstance(temperature.value, float)
    assert temperature.unit == "°C"
    moments = [temperature.at, *(point.at for point in temperature.history)]
    assert moments == sorted(moments, reverse=True)


async def test_what_is_wrong_with_a_command_is_told_apart_and_nothing_is_sent(devices, running, who):
    bodies = await running(who, 8, service=devices)
    for given, reason in (
        (command("fridge-cucina", "set_temperature", 50), "out_of_range"),
        (command("fridge-cucina", "set_temperature", float("inf")), "out_of_range"),
        (command("fridge-cucina", "set_temperature"), "missing"),
        (command("fridge-cucina", "light_on", 3), "invalid"),
        (command("fridge-cucina", "fly"), "not_found"),
        (command("spaceship", "turn_on"), "not_found"),
        (ExecuteCommand(device_name="frigo", command="accendi luce"), "ambiguous"),
        (ExecuteCommand(device_name="frigo cucina"), "missing"),
        (ExecuteCommand(), "missing"),
    ):
        result = await devices.ask_command(who, given)
        assert (result.status, result.reason) == ("error", reason), given
        assert result.error_message
    too_warm = await devices.ask_command(who, command("fridge-cucina", "set_temperature", 50))
    assert "da 1 a 8 °C" in too_warm.error_message
    assert all(not body._known for body in bodies.values())


async def test_a_machine_that_refuses_is_quoted(devices, running, who):
    bodies = await running(who, service=devices)
    bodies["pump-cucina"].simulated.inside.fault = "dry run"
    refused = await devices.ask_command(who, command("pump-cucina", "start"))
    assert (refused.reason, refused.outcome) == ("refused", "refused")
    assert "dry run" in refused.error_message


async def test_a_machine_that_left_is_offline_and_gets_nothing(devices, running, who):
    bodies = await running(who, 2, service=devices)
    await running.stop(bodies["oven-cucina"])
    await until(lambda: devices.link._gather.connected(who.id, "oven-cucina") is False)
    offline = await devices.ask_command(who, command("oven-cucina", "turn_on"))
    assert (offline.status, offline.reason) == ("error", "offline")
    listed = await devices.call(who, "list_machines", ListMachines(search="forno"))
    assert [machine.connected for machine in listed.machines] == [False]
    await devices.link._gather.flush()
    detail = await devices.call(who, "device_firmware_detail", DeviceDetail(device_name="forno"))
    assert (detail.connected, detail.last_seen is not None) == (False, True)


async def test_no_answer_is_a_time_out_and_a_late_one_is_still_kept(open_devices, add, who, broker, database):
    await add(who, DOOR)
    async with open_devices(patience=1) as devices, broker.client("deaf") as machine:
        topic = Topics().of(who.id, "gate", "set")
        await machine.subscribe(topic, qos=1)
        timed_out = await devices.ask_command(who, command("gate", "open"), key="once")
        assert (timed_out.status, timed_out.reason, timed_out.outcome) == ("error", "timeout", "unknown")
        message = await anext(machine.messages)
        order = wire.order(bytes(message.payload))
        assert (message.qos, message.retain) == (1, False)
        assert message.properties.MessageExpiryInterval >= 1
        assert message.properties.CorrelationData == order.id.bytes
        late = wire.written(Answer(id=order.id, status="done", changed=True))
        await machine.publish(message.properties.ResponseTopic, late, qos=1)
        await machine.publish(message.properties.ResponseTopic, late, qos=1)

        async def known():
            async with database.transaction(who.id) as on:
                row = await orders.by_id(on, who.id, order.id)
            return row.state == "done"

        await until(known)
        again = await devices.ask_command(who, command("gate", "open"), key="once")
        assert (again.status, again.outcome, again.order_id) == ("success", "done", str(order.id))


async def test_the_first_answer_counts_and_only_that_of_the_machine_that_was_asked(
    open_devices, add, who, other, broker
):
    await add(who, DOOR)
    async with open_devices() as devices, broker.client("two-faced") as machine:
        topics = Topics()
        await machine.subscribe(topics.of(who.id, "gate", "set"), qos=1)
        giving = asyncio.create_task(devices.ask_command(who, command("gate", "set", 3)))
        message = await anext(machine.messages)
        order, link = wire.order(bytes(message.payload)), message.properties.ResponseTopic.rpartition("/")[2]
        for owner, name, status in (
            (other.id, "gate", "refused"),
            (who.id, "window", "refused"),
            (who.id, "gate", "done"),
            (who.id, "gate", "refused"),
        ):
            answer = wire.written(Answer(id=order.id, status=status))
            await machine.publish(topics.of(owner, name, "answer", link), answer, qos=1)
        assert (await giving).outcome == "done"


async def test_one_key_is_one_order_whoever_sends_it_and_however_often(devices, running, who):
    done = []
    await running(who, service=devices, effect=lambda _owner, order, _at: done.append(order.id))
    given = command("lamp-cucina", "turn_on")
    results = await asyncio.gather(*(devices.ask_command(who, given, key="k") for _ in range(8)))
    assert {result.order_id for result in results} == {str(done[0])}
    assert {result.status for result in results} == {"success"}
    assert len(done) == 1
    changed = await devices.ask_command(who, command("lamp-cucina", "turn_off"), key="k")
    assert (changed.status, changed.reason) == ("error", "key_reused")


async def test_an_order_whose_sender_died_is_unknown_and_said_to_be(devices, add, who, database):
    await add(who, DOOR)
    given = command("gate", "open")
    then = datetime.now(UTC) - timedelta(minutes=1)
    order = orders.OrderRow(
        uuid4(), fingerprint("machine_command_execute", given), "gate", "open", None, "sent", None, then, then, None
    )
    async with database.transaction(who.id) as on:
        assert await orders.write(on, who.id, order, "lost")
    again = await devices.ask_command(who, given, key="lost")
    assert (again.status, again.reason, again.outcome) == ("error", "unknown", "unknown")
    detail = await devices.call(who, "device_firmware_detail", DeviceDetail(device_id="gate"))
    assert detail.last_command.outcome == "unknown"


async def test_what_cannot_be_taken_back_is_asked_about_and_a_yes_counts_once(devices, running, who, add):
    done = []
    bodies = await running(who, service=devices, effect=lambda _owner, order, _at: done.append(order.command))
    given = command("fridge-cucina", "factory_reset")
    question = await devices.ask_command(who, given)
    assert isinstance(question, Question)
    assert done == []
    yes = await devices.answer_command(who, given, question, yes=True)
    again = await devices.answer_command(who, given, question, yes=True)
    assert (yes.status, again.order_id, done) == ("success", yes.order_id, ["factory_reset"])
    forged = await devices.answer_command(who, given, replace(question, value=3.0), yes=True)
    assert forged.reason == "confirmation_refused"
    second = await devices.ask_command(who, given)
    declined = await devices.answer_command(who, given, second, yes=False)
    assert declined.reason == "declined"
    third = await devices.ask_command(who, given)
    machine = bodies["fridge-cucina"].simulated.machine
    await add(who, replace(machine, name="Frigo nuovo"))
    anew = await devices.answer_command(who, given, third, yes=True)
    assert isinstance(anew, Question)
    assert (anew.again, anew.name, done) == (True, "Frigo nuovo", ["factory_reset"])


async def test_the_broker_is_away_and_nothing_was_sent(database, who, add):
    await add(who, DOOR)
    async with Link(Broker(host="127.0.0.1", port=1), Topics(), Gather(database)) as link:
        devices = DeviceService(database, link, patience=2)
        result = await devices.ask_command(who, command("gate", "open"))
        assert (result.reason, result.outcome) == ("unavailable", "unsent")


async def test_nobody_sees_or_commands_anothers_machines(devices, running, who, other):
    done = []
    await running(who, service=devices, effect=lambda *effect: done.append(effect))
    for given in (command("lamp-cucina", "turn_on"), ExecuteCommand(device_name="lampada", command="accendi")):
        assert (await devices.ask_command(other, given)).reason == "not_found"
    assert (await devices.call(other, "list_machines", ListMachines())).machines == []
    assert (await devices.call(other, "metrics_read", ReadMetrics(device_id="lamp-cucina"))).reason == "not_found"
    assert done == []


async def test_nobody_can_throw_the_link_out_with_what_machines_are_told(devices, running, who, broker):
    await running(who, service=devices)
    connection = devices.link._connection
    async with broker.client("eavesdropper") as eavesdropper:
        await eavesdropper.subscribe(Topics().of(who.id, "lamp-cucina", "set"), qos=1)
        assert (await devices.ask_command(who, command("lamp-cucina", "turn_on"))).status == "success"
        message = await anext(eavesdropper.messages)
    told = message.properties.ResponseTopic.rpartition("/")[2]
    for name in (told, f"sayso-link-{told}", f"sayso-ears-{told}"):
        async with broker.client(name) as intruder:
            await intruder.publish("nobody/listens", b"", qos=1)
    assert told == devices.link.id
    assert (await devices.ask_command(who, command("lamp-cucina", "turn_off"))).status == "success"
    assert not connection.lost.is_set()
    assert devices.link._connection is connection


async def test_garbled_and_hostile_messages_stop_nothing(devices, running, who, broker):
    await running(who, service=devices)
    topics = Topics()
    async with broker.client("vandal") as vandal:
        for payload in (
            b"",
            b"{",
            b"[]",
            b"\xff\xfe",
            b"null",
            b'{"values": {"temperature": "\\u0000"}}',
            b"[" * 100_000,
        ):
            for rest in ("metrics", "state", "answer/x", f"answer/{devices.link.id}", "deep/er/still"):
                await vandal.publish(topics.of(who.id, "fridge-cucina") + f"/{rest}", payload, qos=1)
        await vandal.publish("sayso///metrics", b"{}", qos=1)
        await vandal.publish(topics.of(who.id, "nobody", "metrics"), json.dumps({"values": {"x": 1}}).encode(), qos=1)
    done = await devices.ask_command(who, command("lamp-cucina", "turn_on"))
    assert done.status == "success"


async def test_a_machine_does_an_order_once_and_none_that_is_over_or_retained(running, devices, who, broker):
    done = []
    bodies = await running(who, 3, service=devices, effect=lambda _owner, order, _at: done.append(order.id))
    now = datetime.now(UTC)
    fresh = Order(id=uuid4(), command="turn_on", expires_at=now + timedelta(seconds=30))
    over = Order(id=uuid4(), command="turn_off", expires_at=now - timedelta(seconds=1))
    topic = Topics().of(who.id, "lamp-cucina", "set")
    async with broker.client("sender") as sender:
        for _ in range(5):
            await sender.publish(topic, wire.written(fresh), qos=1)
        await sender.publish(topic, wire.written(over), qos=1)
        await until(lambda: len(bodies["lamp-cucina"]._known) == 2)
        assert done == [fresh.id]
        old = Order(id=uuid4(), command="start", expires_at=now + timedelta(seconds=30))
        topic = Topics().of(who.id, "pump-cucina", "set")
        await sender.publish(topic, wire.written(old), qos=1, retain=True)
        await running(who, 4, only=["pump-cucina"], effect=lambda _owner, order, _at: done.append(order.id))
        await asyncio.sleep(1)
        await sender.publish(topic, b"", qos=1, retain=True)
    assert done == [fresh.id]


async def test_importing_again_keeps_what_was_observed_and_raises_the_version_of_what_changed(database, add, who):
    await add(who, DOOR)
    async with database.transaction(who.id) as on:
        registry.note_readings(on, who.id, [registry.Reading("gate", "position", datetime.now(UTC), 40)])
    await add(who, DOOR)
    async with database.transaction(who.id) as on:
        (same,) = await registry.all_machines(on, who.id)
    assert (same.version, same.metrics[0].value) == (1, 40)
    await add(who, Machine(id="gate", name="Gate", metrics=DOOR.metrics))
    async with database.transaction(who.id) as on:
        (changed,) = await registry.all_machines(on, who.id)
    assert (changed.version, changed.commands, changed.metrics[0].value) == (2, (), 40)


async def test_a_link_that_has_ended_leaves_what_is_measured_to_the_others(open_devices, database, broker, add, who):
    await add(who, DOOR)
    async with open_devices():
        pass
    async with open_devices() as service, broker.client("measuring") as client:

        async def measure(value):
            told = wire.Values(at=datetime.now(UTC), values={"position": value})
            await client.publish(Topics().of(who.id, DOOR.id, METRICS), wire.written(told), qos=1)

        async def kept():
            await service.link.catch_up(who.id)
            async with database.transaction(who.id) as on:
                return [
                    value for _, value in (await registry.recent(on, who.id, DOOR.id, ["position"], 99))["position"]
                ]

        async def is_heard():
            await measure(0)
            return await kept()

        await until(is_heard)
        for number in range(1, 21):
            await measure(number)
        await until(lambda: _has_all(kept))


async def _has_all(kept):
    return {*range(1, 21)} <= {*await kept()}
