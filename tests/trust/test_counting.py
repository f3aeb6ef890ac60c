"""How many requests pass: the counters of one process, the line, costs, and a Redis that is away."""

from __future__ import annotations

import asyncio

import pytest
from redis.exceptions import RedisError

from sayso.chat.guards import limits
from sayso.chat.guards.limits import (
    ConcurrencyLimit,
    RateLimit,
    check_limits,
    cost_of_size,
    cost_of_things,
    forget,
    limit_of,
)
from sayso.errors import BadSetting
from sayso.settings import Settings


def settings(**more):
    return Settings(**{"env": "development", "rate_limit": "3/hour", "cost_limit": "10/hour"} | more)


def test_costs_grow_with_bytes_or_things_whichever_is_more():
    assert [cost_of_size(size) for size in (0, 16_383, 16_384, 32_768)] == [0, 0, 1, 2]
    assert [cost_of_things(things, 0) for things in (0, 99, 100, 250)] == [0, 0, 1, 2]
    assert cost_of_things(300, 2 * 16_384) == 1
    assert cost_of_things(100, 2 * 16_384) == 0


def test_limits_are_read_or_refused_with_the_setting():
    assert limit_of("120/minute", "SAYSO_RATE_LIMIT").amount == 120
    with pytest.raises(BadSetting, match=r"SAYSO_RATE_LIMIT.*120/minute"):
        limit_of("many", "SAYSO_RATE_LIMIT")
    with pytest.raises(BadSetting, match=r"SAYSO_X.*at least 1"):
        limit_of("0/minute", "SAYSO_X")
    assert limit_of("1/minute", "SAYSO_X").amount == 1


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"rate_limit": "x"}, "SAYSO_RATE_LIMIT"),
        ({"cost_limit": "0/minute"}, "SAYSO_COST_LIMIT"),
        ({"env": "production"}, "SAYSO_REDIS_URL"),
        ({"redis_url": "http://127.0.0.1"}, "SAYSO_REDIS_URL"),
        ({"env": "production", "redis_url": "memory://"}, "SAYSO_REDIS_URL"),
    ],
)
def test_settings_that_limit_nobody_are_refused(given, name):
    for use in (check_limits, RateLimit):
        with pytest.raises(BadSetting) as refused:
            use(settings(**given))
        assert refused.value.name == name


def test_settings_that_limit_are_accepted():
    check_limits(settings())
    check_limits(settings(env="production", redis_url="redis://127.0.0.1:6379/0"))
    check_limits(settings(redis_url="rediss://127.0.0.1:6379/0"))


def run(steps):
    return asyncio.run(steps)


def test_each_person_and_each_counter_has_a_limit_of_its_own():
    async def steps():
        limit = RateLimit(settings())
        passed = [await limit.hit("ada") for _ in range(5)]
        others = [await limit.hit("bob"), await limit.hit("ada", " read"), await limit.spend("ada", 1)]
        await limit.close()
        return passed, others

    (one, two, three, four, five), others = run(steps())
    assert (one, two, three) == (None, None, None)
    assert 1 <= four <= 7200
    assert five == four
    assert others == [None, None, None]


def test_a_refused_person_waits_without_a_look_at_the_counter(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(limits, "monotonic", lambda: now[0])

    async def steps():
        limit = RateLimit(settings())
        counted = []

        async def count(_limit, key, cost):
            counted.append((key, cost))
            return 7 if len(counted) == 1 else None

        limit._count = count
        seen = [await limit.hit("ada")]
        now[0] += 6.5
        seen.append(await limit.hit("ada"))
        now[0] += 0.5
        seen.append(await limit.hit("ada"))
        return seen, counted

    seen, counted = run(steps())
    assert seen == [7, 1, None]
    assert len(counted) == 2
    assert counted[0] == (limits._key("ada"), 1)


def test_refusals_that_are_over_are_forgotten_once_there_are_many(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(limits, "monotonic", lambda: now[0])
    monkeypatch.setattr(limits, "MOST_REFUSED", 2)

    async def steps():
        limit = RateLimit(settings())
        waits = iter([5, 50, 50])

        async def count(*_):
            return next(waits)

        limit._count = count
        await limit.hit("ada")
        await limit.hit("bob")
        now[0] += 10
        await limit.hit("eve")
        return set(limit._refused)

    assert run(steps()) == {limits._key("bob"), limits._key("eve")}


def test_costs_are_spent_and_one_above_the_limit_passes_alone():
    async def steps():
        limit = RateLimit(settings())
        found = [await limit.spend("ada", cost) for cost in (0, -1, 9, 1, 1)]
        found += [await limit.spend("bob", 1000), await limit.spend("bob", 1)]
        found += [await limit.spend("eve", 1), await limit.spend("eve", 1000), await limit.spend("eve", 0)]
        return found

    found = run(steps())
    assert found[:4] == [None, None, None, None]
    assert found[4] >= 1
    assert found[5] is None
    assert found[6] >= 1
    assert found[7] is None
    assert found[8] >= 1
    assert found[9] is None


def test_where_redis_is_away_the_process_counts_itself_and_asks_again_after_two_seconds(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(limits, "monotonic", lambda: now[0])

    async def steps():
        limit = RateLimit(settings(redis_url="redis://127.0.0.1:1/0"))
        asked = []
        real = limit._hit

        async def hit(limiter, *given):
            if limiter is limit._shared:
                asked.append(now[0])
                if now[0] < 102:
                    raise RedisError("away")
                return None
            return await real(limiter, *given)

        limit._hit = hit
        found = [await limit.hit("ada")]
        now[0] = 101.9
        found += [await limit.hit("ada"), await limit.hit("ada"), await limit.hit("ada")]
        now[0] = 102.0
        found.append(await limit.hit("bob"))
        await limit.close()
        return found, asked

    found, asked = run(steps())
    assert found[:3] == [None, None, None]
    assert found[3] >= 1
    assert found[4] is None
    assert asked == [100.0, 102.0]


def test_the_counters_of_somebody_are_dropped_in_redis_and_only_theirs(redis_url):
    async def steps():
        limit = RateLimit(settings(redis_url=redis_url))
        await limit.hit("trust ada")
        await limit.spend("trust ada", 2)
        await limit.hit("trust bob")
        gone = [await forget(redis_url, "trust ada"), await forget(redis_url, "trust ada")]
        gone.append(await forget(redis_url, "trust bob"))
        await limit.close()
        return gone

    first, again, other = run(steps())
    assert first >= 2
    assert again == 0
    assert other >= 1


def test_replicas_count_together_in_redis(redis_url):
    async def steps():
        one, two = (RateLimit(settings(redis_url=redis_url)) for _ in range(2))
        await forget(redis_url, "trust eve")
        found = [await each.hit("trust eve") for each in (one, two, one, two)]
        await forget(redis_url, "trust eve")
        await one.close()
        await two.close()
        return found

    *passed, refused = run(steps())
    assert passed == [None, None, None]
    assert refused >= 1


def test_ids_are_kept_as_hashes():
    assert limits._key("ada") == "fdee430d40bd57deeac186cd9790033d"


def test_a_person_has_so_many_requests_at_once_and_so_many_in_line():
    async def steps():
        gate = ConcurrencyLimit(most=2, in_line=1)
        inside, let_go, seen = [], asyncio.Event(), []

        async def request(user):
            async with gate.admit(user) as admitted:
                seen.append((user, admitted))
                if admitted:
                    inside.append(user)
                    await let_go.wait()

        tasks = [asyncio.create_task(request("ada")) for _ in range(4)]
        tasks.append(asyncio.create_task(request("bob")))
        await asyncio.sleep(0.01)
        during = (list(inside), list(seen))
        let_go.set()
        await asyncio.gather(*tasks)
        async with gate.admit("ada") as again:
            pass
        return during, inside, again, gate

    (inside, seen), all_inside, again, gate = run(steps())
    assert inside == ["ada", "ada", "bob"]
    assert ("ada", False) in seen
    assert len(seen) == 4
    assert sorted(all_inside) == ["ada", "ada", "ada", "bob"]
    assert again is True
    assert not gate._here
    assert not gate._gates


def test_by_default_three_are_served_and_sixty_wait():
    gate = ConcurrencyLimit()
    assert (gate._most, gate._all) == (3, 63)
    assert (limits.CASES_AT_ONCE, limits.CASES_IN_LINE) == (1, 10)
    assert (limits.PATIENCE, limits.PAUSE) == (0.25, 2.0)
