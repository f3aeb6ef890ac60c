"""Devices that announce themselves as for Home Assistant: each command reaches its topic, and what the device then says
is taken for the answer."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager

import pytest
from msgspec.structs import replace
from test_import import HOME, found
from waiting import until

from sayso.devices.link.broker import end
from sayso.devices.service import Question
from sayso.devices.values import DeviceDetail, ExecuteCommand, ReadMetrics

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def at_home(broker, machines, *, obeys=True):
    """Devices that do as they are told, and say so where they say anything; what they were told."""
    told = []
    wires = [command.wire for machine in machines for command in machine.commands]

    async def live():
        async with broker.client("home") as client:
            await client.subscribe([(topic, 1) for topic in {wire.topic for wire in wires}])
            ready.set()
            async for message in client.messages:
                payload = message.payload.decode()
                told.append((str(message.topic), payload, message.retain))
                for wire in wires:
                    if obeys and wire.topic == str(message.topic) and wire.state_topic:
                        await answer(client, wire, payload)

    async def answer(client, wire, payload):
        value = payload
        if "{value}" in wire.payload:
            start, _, rest = wire.payload.partition("{value}")
            if not payload.startswith(start):
                return
            value = payload[len(start) : len(payload) - len(rest)]
        elif payload != wire.payload:
            return
        state = wire.state.replace("{value}", value)
        said = json.dumps({wire.state_field: state}) if wire.state_field else state
        await client.publish(wire.state_topic, said, qos=1, retain=True)

    ready = asyncio.Event()
    living = asyncio.create_task(live())
    await asyncio.wait_for(ready.wait(), 10)
    try:
        yield told
    finally:
        await end(living)


async def give(devices, who, given):
    result = await devices.ask_command(who, given)
    return await devices.answer_command(who, given, result, yes=True) if isinstance(result, Question) else result


async def test_every_command_of_every_class_arrives_and_is_answered(devices, add, who, broker):
    machines, _ = found({topic: moved(body) for topic, body in HOME.items()})
    await add(who, *machines)
    async with at_home(broker, machines) as told:
        for machine in machines:
            for command in machine.commands:
                value = command.maximum if command.is_valued else None
                given = ExecuteCommand(device_id=machine.id, machine_command_id=command.id, value=value)
                result = await give(devices, who, given)
                expected = "done" if command.wire.state_topic else "delivered"
                assert (result.status, result.outcome) == ("success", expected), (command, result)
                payload = command.wire.payload.replace("{value}", "" if value is None else f"{value:g}")
                assert told[-1] == (command.wire.topic, payload, False)
    assert len({machine.name for machine in machines if machine.commands}) >= 10


def moved(body):
    """The same device under topics that no other test uses."""
    return {key: f"all/{value}" if key.endswith("_topic") else value for key, value in body.items()} | (
        {"~": "all/plug"} | {key: value for key, value in body.items() if key.endswith("_t")} if "~" in body else {}
    )


async def test_a_device_that_says_nothing_new_is_unknown_unless_it_was_so_already(open_devices, add, who, broker):
    (machine,), _ = found({"switch/x": {"name": "X", "command_topic": "mute/set", "state_topic": "mute/state"}})
    await add(who, machine)
    async with open_devices(patience=1.5) as devices, at_home(broker, [machine], obeys=False):
        turn_on = ExecuteCommand(device_id=machine.id, machine_command_id="turn_on")
        unknown = await devices.ask_command(who, turn_on)
        assert (unknown.status, unknown.reason) == ("error", "timeout")
        async with broker.client("by hand") as client:
            await client.publish("mute/state", "ON", qos=1)
        await until(lambda: devices.link._watch._last.get("mute/state") == "ON")
        already = await devices.ask_command(who, turn_on)
        assert (already.status, already.changed) == ("success", False)


async def test_what_a_discovered_machine_measures_and_whether_it_is_there_is_kept(devices, add, who, broker):
    (machine,), _ = found(
        {
            "sensor/s": {
                "name": "Attic",
                "device_class": "temperature",
                "state_topic": "attic9/s",
                "value_template": "{{ value_json.t }}",
                "unit_of_measurement": "°C",
                "availability_topic": "attic9/lwt",
            }
        }
    )
    await add(who, machine)
    await devices.call(who, "metrics_read", ReadMetrics(device_name="attic"))
    async with broker.client("sensor") as client:
        await client.publish("attic9/lwt", "online", qos=1)
        for payload in ("garbage", '{"t": 21.5}', '{"u": 1}', '{"t": {"deep": 1}}'):
            await client.publish("attic9/s", payload, qos=1)
        await until(lambda: devices.link._gather.connected(who.id, machine.id))
        await until(lambda: devices.link._watch._last.get("attic9/s") == '{"t": {"deep": 1}}')
        await devices.link._gather.flush()
        read = await devices.call(who, "metrics_read", ReadMetrics(device_name="attic"))
        assert [(metric.value, metric.unit) for metric in read.metrics] == [(21.5, "°C")]
        await client.publish("attic9/lwt", "offline", qos=1)
        await until(lambda: devices.link._gather.connected(who.id, machine.id) is False)
    detail = await devices.call(who, "device_firmware_detail", DeviceDetail(device_id=machine.id))
    assert detail.connected is False


def test_a_machine_that_is_described_anew_is_another_definition():
    (machine,), _ = found({"switch/x": {"name": "X", "command_topic": "a/set"}})
    assert machine.definition != replace(machine, name="Y").definition
