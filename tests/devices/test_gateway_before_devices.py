"""`sayso gateway` before `sayso mcp devices`, as clients start them: from the SDK's client to simulated machines."""

from __future__ import annotations

import json
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters
from mcp_types import ElicitResult
from waiting import until

pytestmark = [pytest.mark.anyio, pytest.mark.long]

SAYSO = str(Path(sys.executable).with_name("sayso"))
FRIDGE, LAMP = "fridge-cucina", "lamp-cucina"


@pytest.fixture
async def machines(running, devices, who):
    """What really was done, by the machines of a fleet that is connected."""
    done = []
    await running(who, 4, service=devices, effect=lambda _owner, order, _at: done.append(order.command))
    return done


@pytest.fixture
def connect(environment, who, tmp_path):
    """A client of the gateway before the devices of `who`: what it was asked is in `asked`, and it agrees if `yes`."""

    @asynccontextmanager
    async def connected(**tools):
        server = {
            "command": SAYSO,
            "args": ["mcp", "devices"],
            "env": environment | {"SAYSO_STDIO_USER": who.id},
            "sayso": {"pack": "devices", "tools": tools},
        }
        file = tmp_path / "sayso.json"
        file.write_text(json.dumps({"mcpServers": {"devices": server}}))
        ours = {name: value for name, value in environment.items() if not name.startswith("SAYSO_")}

        async def answer(_context, params):
            call.asked.append(params.message)
            (field,) = params.requested_schema["properties"]
            return ElicitResult(action="accept", content={field: True}) if call.yes else ElicitResult(action="decline")

        gateway = StdioServerParameters(command=SAYSO, args=["gateway", "--config", str(file)], env=ours)
        async with Client(gateway, elicitation_callback=answer) as client:

            async def call(tool, words=None, **arguments):
                said = {"sayso/words": words} if words else None
                return (await client.call_tool(tool, arguments, meta=said)).structured_content

            call.asked, call.yes = [], True
            yield call

    return connected


async def reset(call):
    words = "fai il ripristino di fabbrica del frigo della cucina"
    return await call("machine_command_execute", words, device_id=FRIDGE, machine_command_id="factory_reset")


async def test_what_the_words_ask_for_passes_and_the_rest_is_put_to_the_person(connect, machines):
    async with connect() as call:

        async def heard():
            read = await call("metrics_read", device_id=FRIDGE, metrics=["temperature"])
            return read if read["metrics"][0]["value"] is not None else None

        read = await until(heard)
        assert (read["status"], read["name"], read["metrics"][0]["unit"]) == ("success", "Frigo cucina", "°C")
        lamp = {"device_id": LAMP, "machine_command_id": "turn_on"}
        lit = await call("machine_command_execute", "accendi la lampada della cucina", **lamp)
        assert (lit["status"], lit["outcome"]) == ("success", "done")
        assert (call.asked, machines) == ([], ["turn_on"])

        call.yes = False
        kept = await call("machine_command_execute", "che temperatura ha il frigo della cucina?", **lamp)
        assert (kept["status"], len(call.asked), machines) == ("declined", 1, ["turn_on"])

        call.yes = True
        assert (await reset(call))["status"] == "success"
        assert [message.startswith("devices asks: ") for message in call.asked[1:]] == [False, True]  # both ask
        assert machines == ["turn_on", "factory_reset"]


async def test_where_it_is_left_to_the_server_what_cannot_be_taken_back_is_asked_about_once(connect, machines):
    async with connect(machine_command_execute={"risk": "write"}) as call:
        call.yes = False
        assert (await reset(call))["reason"] == "declined"
        assert machines == []
        call.yes = True
        assert (await reset(call))["status"] == "success"
        assert machines == ["factory_reset"]
        assert call.asked == 2 * ['devices asks: "Frigo cucina": Ripristino di fabbrica? This cannot be undone.']


async def test_the_machine_of_another_is_out_of_reach(connect, machines, running, devices, other):
    theirs = []
    await running(
        other, 16, only=["lamp-bar"], service=devices, effect=lambda _owner, order, _at: theirs.append(order.command)
    )
    async with connect() as call:
        listed = await call("list_machines")
        assert {machine["id"] for machine in listed["machines"]} == {FRIDGE, LAMP, "oven-cucina", "pump-cucina"}
        assert (await call("metrics_read", device_id="lamp-bar"))["reason"] == "not_found"
        for named in ({"device_id": "lamp-bar"}, {"device_name": "Lampada bar"}):
            lit = await call("machine_command_execute", "accendi la lampada del bar", command="turn_on", **named)
            assert lit["status"] != "success"
        assert (theirs, machines) == ([], [])
