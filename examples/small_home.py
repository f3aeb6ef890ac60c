"""A small home on an MQTT broker, announcing itself as Home Assistant's devices do.

    python examples/small_home.py --seconds 60

A lamp, a thermostat, a front door and a leak sensor, each with topics of its own. They know nothing of Sayso.
"""

import argparse
import asyncio
import json
import os
from contextlib import suppress
from urllib.parse import urlsplit

import aiomqtt

HOME = {
    "light/hall": {
        "name": "Hall lamp",
        "unique_id": "hall-lamp",
        "command_topic": "home/hall/set",
        "state_topic": "home/hall/state",
        "brightness_command_topic": "home/hall/brightness/set",
        "brightness_state_topic": "home/hall/brightness",
        "brightness_scale": 100,
    },
    "climate/living": {
        "name": "Living room thermostat",
        "unique_id": "living-thermostat",
        "temperature_command_topic": "home/living/target/set",
        "temperature_state_topic": "home/living/target",
        "current_temperature_topic": "home/living/temperature",
        "min_temp": 12,
        "max_temp": 25,
    },
    "lock/front": {
        "name": "Front door",
        "unique_id": "front-door",
        "command_topic": "home/front/set",
        "state_topic": "home/front/state",
    },
    "binary_sensor/leak": {
        "name": "Leak sensor",
        "unique_id": "leak-sensor",
        "device_class": "moisture",
        "state_topic": "home/leak/state",
    },
}
STATE = {
    "home/hall/state": "OFF",
    "home/hall/brightness": "80",
    "home/living/target": "19",
    "home/living/temperature": "18.4",
    "home/front/state": "LOCKED",
    "home/leak/state": "OFF",
}
SAYS = {"LOCK": "LOCKED", "UNLOCK": "UNLOCKED"}


async def live(url):
    where = urlsplit(url)
    async with aiomqtt.Client(
        where.hostname, where.port or 1883, username=where.username, password=where.password
    ) as client:
        await client.subscribe("home/+/set")
        await client.subscribe("home/+/+/set")
        for topic, about in HOME.items():
            await client.publish(f"homeassistant/{topic}/config", json.dumps(about), retain=True)
        for topic, value in STATE.items():
            await client.publish(topic, value, retain=True)
        async for message in client.messages:
            room = str(message.topic).removesuffix("/set")
            said = message.payload.decode()
            topic = room if room in STATE else f"{room}/state"
            await client.publish(topic, SAYS.get(said, said), retain=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=3600)
    given = parser.parse_args()

    async def main():
        with suppress(TimeoutError):
            await asyncio.wait_for(live(os.environ.get("SAYSO_MQTT_URL", "mqtt://127.0.0.1")), given.seconds)

    asyncio.run(main())
