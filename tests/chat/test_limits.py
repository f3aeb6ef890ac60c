"""How often somebody may ask: together over all replicas, apart for each person, and also when Redis is away."""

from __future__ import annotations

import asyncio
import time

import pytest

from sayso.chat.guards.limits import ConcurrencyLimit, RateLimit, check_limits
from sayso.errors import BadSetting
from sayso.settings import Settings

pytestmark = pytest.mark.anyio

NOBODY_THERE = "redis://127.0.0.1:1/0"


async def test_who_asks_too_often_is_told_when_to_come_back(open_client, sign_in):
    token = sign_in()
    async with open_client(token=token, rate_limit="3/minute") as client:
        assert [(await client.get("/v1/tasks")).status_code for _ in range(3)] == [200] * 3
        refused = await client.get("/v1/tasks")
        assert (refused.status_code, refused.json()["type"]) == (429, "urn:sayso:problem:rate_limited")
        assert 1 <= int(refused.headers["retry-after"]) <= 60
        assert (await client.get("/healthz")).status_code == 200
        async with open_client(token=token, rate_limit="3/minute") as replica:
            assert (await replica.get("/v1/tasks")).status_code == 429
        other = {"Authorization": f"Bearer {sign_in('bob')}"}
        assert (await client.get("/v1/tasks", headers=other)).status_code == 200


async def test_whoever_waits_as_told_may_go_on(settings):
    limit = RateLimit(settings.model_copy(update={"rate_limit": "2/second"}))
    user = f"ada {time.time()}"
    while (wait := await limit.hit(user)) is None:
        pass
    assert wait == 1
    await asyncio.sleep(wait)
    assert await limit.hit(user) is None
    await limit.close()


async def test_a_refusal_holds_for_as_long_as_it_says_and_is_forgotten_then(settings, monkeypatch):
    monkeypatch.setattr("sayso.chat.guards.limits.MOST_REFUSED", 3)
    limit = RateLimit(settings.model_copy(update={"rate_limit": "1/second"}))
    people = [f"{name} {time.time()}" for name in "abcde"]
    for who in people:
        while await limit.hit(who) is None:
            pass
        assert await limit.hit(who) == 1
    await asyncio.sleep(1.1)
    assert [await limit.hit(who) for who in people] == [None] * 5
    while await limit.hit(people[0]) is None:
        pass
    assert len(limit._refused) <= 3
    await limit.close()


@pytest.mark.parametrize("url", [None, NOBODY_THERE])
async def test_without_redis_each_process_counts_for_itself(settings, url):
    ours = settings.model_copy(update={"redis_url": url, "rate_limit": "5/minute"})
    limit, other = RateLimit(ours), RateLimit(ours)
    start = time.monotonic()
    assert [await limit.hit("ada") for _ in range(5)] == [None] * 5
    assert await limit.hit("ada") is not None
    assert await limit.hit("bob") is None
    assert await other.hit("ada") is None
    assert time.monotonic() - start < 1
    await limit.close()
    await other.close()


@pytest.mark.parametrize(
    ("changed", "name"),
    [
        ({"rate_limit": "a lot"}, "SAYSO_RATE_LIMIT"),
        ({"env": "production"}, "SAYSO_REDIS_URL"),
        ({"redis_url": "http://localhost"}, "SAYSO_REDIS_URL"),
    ],
)
def test_settings_that_limit_nobody_are_refused(changed, name):
    with pytest.raises(BadSetting, match=name):
        check_limits(Settings(**{"env": "development"} | changed))


def test_in_production_a_named_redis_is_enough():
    check_limits(Settings(env="production", redis_url="rediss://cache.example.org/1"))


async def test_who_sends_many_at_once_waits_in_line_and_holds_up_nobody_else():
    concurrency, inside, most = ConcurrencyLimit(most=2, in_line=3), 0, 0
    leave = asyncio.Event()

    async def come(user):
        nonlocal inside, most
        async with concurrency.admit(user) as admitted:
            if admitted:
                inside += 1
                most = max(most, inside)
                await leave.wait()
                inside -= 1
            return admitted

    crowd = [asyncio.create_task(come("ada")) for _ in range(6)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert inside == 2
    other = asyncio.create_task(come("bob"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert inside == 3
    leave.set()
    assert sorted(await asyncio.gather(*crowd)) == [False] + [True] * 5
    assert await other
    assert concurrency._here == concurrency._gates == {}
