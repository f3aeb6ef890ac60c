"""Machines of several users on one broker with our ACL, trying to speak and to listen to each other's."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from contextlib import AsyncExitStack, suppress

import aiomqtt
from aiomqtt import MqttError, Will

from benchmarks.harness.brokers import own_broker
from benchmarks.harness.services import Progress
from sayso.devices.link.acl import mosquitto_acl
from sayso.devices.link.broker import Broker
from sayso.devices.link.topics import Topics, level

USERS = 8
AT_ONCE = 12
LINK = "sayso"
RESTS = ("set", "online", "state", "metrics", "answer/link")


class Somebody:
    """A user's client, and what it got that it should not have."""

    def __init__(self, name: str, broker: Broker, client: aiomqtt.Client, topics: Topics) -> None:
        self.name, self.broker, self.client, self._topics = name, broker, client, topics
        self.heard, self.leaked = Counter[str](), Counter[str]()

    async def listen(self) -> None:
        with suppress(MqttError):
            async for message in self.client.messages:
                place = self._topics.read(message.topic.value)
                body = json.loads(bytes(message.payload))
                self.heard[body["kind"]] += 1
                if place is None or self.name not in (LINK, place.owner):
                    self.leaked[f"{self.name} heard {message.topic.value}"] += 1
                elif body["by"] not in (place.owner, LINK):
                    self.leaked[f"{body['by']} spoke on {message.topic.value}"] += 1


async def trespass(attempts: int, seed: int, *, guarded: bool = True) -> tuple[Counter[str], int]:
    """What came across, and how many attempts there were; where the broker is not guarded, much should."""
    topics, chance = Topics(), random.Random(seed)
    names = ["ada", "bob", "auth0|eve", "https://issuer/mallory", "a b", "%u", "+", "名前"][:USERS]
    passwords = {level(name): f"of {level(name)}" for name in names} | {LINK: "of the link"}
    acl = mosquitto_acl(topics, LINK) if guarded else None
    with own_broker(acl=acl, users=passwords) as mosquitto:
        async with AsyncExitStack() as stack:
            people = []
            for name in [*names, LINK]:
                login = level(name) if name != LINK else LINK
                broker = Broker(host="127.0.0.1", port=mosquitto.port, username=login, password=passwords[login])
                client = await stack.enter_async_context(broker.client(f"client {login}"))
                people.append(Somebody(name, broker, client, topics))
            link, machines = people[-1], people[:-1]
            for rest in ("answer/+", "online", "state", "metrics"):
                await link.client.subscribe(topics.pattern("+", "+", rest), qos=1)
            for one in machines:
                await one.client.subscribe(topics.pattern(level(one.name), "+", "set"), qos=1)
            listening = [asyncio.create_task(one.listen()) for one in people]
            done = await _attack(machines, link, topics, chance, attempts)
            await asyncio.sleep(1)
            if attempts >= 500:
                _check_the_way_is_open(machines, link)
            for task in listening:
                task.cancel()
            await asyncio.gather(*listening, return_exceptions=True)
    return sum((one.leaked for one in people), Counter[str]()), done


async def _attack(
    machines: list[Somebody], link: Somebody, topics: Topics, chance: random.Random, attempts: int
) -> int:
    """All attempts, several at a time."""
    progress, numbers = Progress("attempts", attempts), iter(range(attempts))

    async def go_on() -> None:
        for number in numbers:
            await _attempt(number, machines, link, topics, chance)
            progress.step()

    await asyncio.gather(*(go_on() for _ in range(AT_ONCE)))
    return progress.done


async def _attempt(
    number: int, machines: list[Somebody], link: Somebody, topics: Topics, chance: random.Random
) -> None:
    one, other = chance.sample(machines, 2)
    rest = chance.choice(RESTS)
    topic = topics.of(other.name, f"machine {chance.randint(1, 3)}", *rest.split("/"))
    body = json.dumps({"by": one.name, "kind": "attack"})
    if number % 100 == 99:  # a last will on another's topic, and a connection that is cut
        with suppress(MqttError):
            async with one.broker.client(f"will {number}", will=Will(topic, body, qos=1)) as client:
                client._client._sock_close()  # noqa: SLF001  as when the power fails
    elif number % 4 == 3:
        theirs = topics.pattern(level(other.name), "+")
        wide = ("#", "+/#", "sayso/#", topics.pattern("+", "+", rest))
        wanted = chance.choice((topic, f"{theirs}/#", f"$share/x/{theirs}/set", *wide))
        with suppress(MqttError):
            await one.client.subscribe(wanted, qos=1)
        await _speak(link, other, topics, chance)
    else:  # on a connection of its own: some brokers cut it off
        with suppress(MqttError):
            async with one.broker.client(f"attack {number}", timeout=2) as client:
                await client.publish(topic, body, qos=1, retain=chance.random() < 0.2)


async def _speak(link: Somebody, other: Somebody, topics: Topics, chance: random.Random) -> None:
    """What others may not hear: an order to a machine, and what it says."""
    machine = f"machine {chance.randint(1, 3)}"
    order = json.dumps({"by": LINK, "kind": "order"})
    await link.client.publish(topics.of(other.name, machine, "set"), order, qos=1)
    said = json.dumps({"by": other.name, "kind": "said"})
    rest = chance.choice(("online", "state", "metrics", "answer/link"))
    await other.client.publish(topics.of(other.name, machine, *rest.split("/")), said, qos=1)


def _check_the_way_is_open(machines: list[Somebody], link: Somebody) -> None:
    """With a broker that lets nothing through, nothing would come across either."""
    if not link.heard["said"] or not all(one.heard["order"] for one in machines):
        raise SystemExit("the ACL keeps machines from being heard at all")
