"""Machines over HTTP: the real app over a real broker and simulated machines, with its guards and its description."""

from __future__ import annotations

from contextlib import asynccontextmanager

import httpx2
import jsonschema
import pytest
from waiting import until

from sayso.chat.app import make_app
from sayso.chat.serve import open_service
from sayso.identity.development import issue

pytestmark = pytest.mark.anyio

MACHINES = "/v1/machines"


@pytest.fixture
def open_client(settings, who):
    """A client of the whole app in this process, signed in as `who` unless somebody else is named."""

    @asynccontextmanager
    async def opened(**changed):
        ours = settings.model_copy(update={"rate_limit": "100000/minute"} | changed)
        app = make_app(lambda metrics: open_service(ours, metrics), ours, tools=())
        transport = httpx2.ASGITransport(app)
        headers = {"Authorization": f"Bearer {issue(ours, who.id)}"}
        async with (
            app.router.lifespan_context(app),
            httpx2.AsyncClient(
                transport=transport, base_url="http://sayso.test", headers=headers, timeout=30
            ) as client,
        ):
            yield client

    return opened


@pytest.fixture
async def client(open_client):
    async with open_client() as opened:
        yield opened


async def machines(client, **query):
    answer = await client.get(MACHINES, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def until_heard(client, **query):
    """The machines once all are connected, and each metric that changes has been measured several times."""

    async def heard():
        found = (await machines(client, **query))["machines"]
        ready = found and all(one["connected"] and one["last_seen"] for one in found)
        return found if ready and all(len(one["metrics"][0]["history"]) > 2 for one in found) else None

    return {one["id"]: one for one in await until(heard, 40)}


async def test_a_person_sees_their_machines_with_readings_and_what_they_were_told(client, running, who):
    await running(who, 4, only=["lamp-cucina", "fridge-cucina"])
    found = await until_heard(client)
    assert [*found] == ["fridge-cucina", "lamp-cucina"]  # by name
    fridge = found["fridge-cucina"]
    assert (fridge["name"], fridge["location"], fridge["told"]) == ("Frigo cucina", "cucina", None)
    temperature = fridge["metrics"][0]
    assert (temperature["name"], temperature["unit"]) == ("temperature", "°C")
    assert temperature["value"] == temperature["history"][-1]["value"]
    times = [point["at"] for point in temperature["history"]]
    assert times == sorted(times)

    opened = (await client.post("/v1/conversations")).json()["id"]
    said = {"client_message_id": "1", "content": "imposta la luminosità della lampada della cucina a 30"}
    reply = (await client.post(f"/v1/conversations/{opened}/messages", json=said)).json()
    assert reply["results"][0]["result"]["outcome"] == "done"
    told = (await until_heard(client))["lamp-cucina"]["told"]
    assert told.pop("at")
    assert told == {"command": "Imposta luminosità", "value": 30.0, "unit": "%", "outcome": "done"}


async def test_as_much_is_given_as_is_asked_for(client, running, who):
    await running(who, 4)
    await until_heard(client)
    assert len((await machines(client, limit=2))["machines"]) == 2
    assert (await machines(client, limit=2, points=0))["more"] == 2
    few = await machines(client, points=2)
    assert (few["more"], {len(each["history"]) for one in few["machines"] for each in one["metrics"]}) == (0, {2})


async def test_a_machine_that_goes_away_is_said_to_be_gone(client, running, who):
    bodies = await running(who, 1)
    await until_heard(client)
    await running.stop(bodies["fridge-cucina"])

    async def gone():
        (machine,) = (await machines(client))["machines"]
        return machine["connected"] is False and machine["last_seen"]

    assert await until(gone)


async def test_nobody_sees_the_machines_of_another(client, running, settings, who, other):
    await running(who, 1)
    await until_heard(client)
    theirs = {"Authorization": f"Bearer {issue(settings, other.id)}"}
    assert (await client.get(MACHINES, headers=theirs)).json() == {"machines": [], "more": 0}
    nobody = await client.get(MACHINES, headers={"Authorization": "Bearer x"})
    assert (nobody.status_code, nobody.json()["type"]) == (401, "urn:sayso:problem:unauthorised")


async def test_what_cannot_be_asked_for_is_refused(client):
    for query in ("limit=0", "limit=101", "points=-1", "points=101", "limit=x", "else=1"):
        answer = await client.get(f"{MACHINES}?{query}")
        assert (answer.status_code, answer.json()["type"]) == (422, "urn:sayso:problem:invalid"), query
    answer = await client.post(MACHINES)
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET")


async def test_the_answer_is_as_described(client, running, who):
    await running(who, 2)
    await until_heard(client)
    described = (await client.get("/openapi.json")).json()
    assert set(described["paths"][MACHINES]["get"]["responses"]) == {"200", "401", "422", "429", "500", "503"}
    schema = {"$ref": "#/components/schemas/Machines", "components": described["components"]}
    jsonschema.validate(await machines(client), schema)
    assert (await client.get("/v1/session")).json()["machines"] is True


async def test_without_a_broker_there_is_nothing(open_client):
    async with open_client(mqtt_url=None) as client:
        assert (await client.get(MACHINES)).json()["type"] == "urn:sayso:problem:not_found"
        assert MACHINES not in (await client.get("/openapi.json")).json()["paths"]
        assert (await client.get("/v1/session")).json()["machines"] is False
