"""Open pages are told that the list has changed: by another window, another replica, or by the MCP server."""

from __future__ import annotations

import asyncio
import json
import signal
import threading
import time
from contextlib import aclosing, asynccontextmanager
from uuid import uuid4

import httpx2
import psycopg
import pytest

from sayso.chat.guards.problems import Problem
from sayso.chat.turns import watch as watching
from sayso.chat.turns.clicks import Click
from sayso.chat.turns.watch import Watch
from sayso.database.pool import Database
from sayso.identity.principal import Principal
from sayso.tasks.service import TaskService
from sayso.tasks.values import AddTask

pytestmark = pytest.mark.anyio


@pytest.fixture
def open_watch(settings, chat):
    @asynccontextmanager
    async def opened(**changed):
        watch = Watch(settings.model_copy(update=changed))
        async with watch.running(chat.changes):
            yield watch

    return opened


async def next_count(stream, seconds=5):
    """The next count that is told, past signs of life."""
    async with asyncio.timeout(seconds):
        while (number := await anext(stream)) is None:
            pass
        return number


async def add(chat, who, title="water the ferns"):
    return await chat.clicks.press(who, Click(tool="add_task", arguments={"title": title}))


async def changes(chat, who):
    return (await chat.changes([who.id]))[who.id]


async def test_every_change_is_counted_once_and_nothing_else_is(chat, who, talk):
    assert await changes(chat, who) == 0
    await talk("add buy stamps and add buy envelopes")
    assert await changes(chat, who) == 1  # one turn
    await talk("show my tasks")
    await talk("delete buy stamps")
    assert await changes(chat, who) == 1
    await talk("yes")
    await chat.undo(who)
    assert await changes(chat, who) == 3


async def test_a_writer_without_redis_is_noticed_by_looking(who, url, open_watch):
    """As `sayso mcp tasks` writes."""
    async with open_watch(redis_url=None) as watch, aclosing(watch.stream(who.id, 0, 0)) as stream:
        told = asyncio.create_task(next_count(stream))
        await asyncio.sleep(0)
        async with Database(url, connections=1) as database:
            await TaskService(database).call(who, "add_task", AddTask(title="by another"))
        assert await told == 1


async def test_a_change_on_another_replica_is_told_before_the_next_look(chat, who, open_watch, monkeypatch):
    monkeypatch.setattr(watching, "EVERY", 60.0)
    async with open_watch() as here, open_watch() as there, aclosing(here.stream(who.id, 0, 0)) as stream:
        told = asyncio.create_task(next_count(stream))
        await asyncio.sleep(3 * watching._LISTEN)  # until it is listened for
        await add(chat, who)
        there.nudge(who.id)
        assert await told == 1


async def test_a_change_in_this_process_is_told_at_once_and_once(chat, who, open_watch, monkeypatch):
    monkeypatch.setattr(watching, "EVERY", 0.3)
    async with open_watch(redis_url=None) as watch, aclosing(watch.stream(who.id, 0, 0)) as stream:
        told = asyncio.create_task(next_count(stream))
        await asyncio.sleep(0)
        await add(chat, who)
        watch.nudge(who.id)
        assert await told == 1
        with pytest.raises(TimeoutError):
            await next_count(stream, 1)


async def test_redis_that_is_not_there_costs_nobody_their_news(chat, who, open_watch):
    async with open_watch(redis_url="redis://127.0.0.1:1/0") as watch, aclosing(watch.stream(who.id, 0, 0)) as stream:
        told = asyncio.create_task(next_count(stream))
        await asyncio.sleep(0)
        await add(chat, who)
        watch.nudge(who.id)
        assert await told == 1


async def test_nobody_is_told_of_anothers_list(chat, who, other, open_watch, monkeypatch):
    monkeypatch.setattr(watching, "EVERY", 0.1)
    async with open_watch() as watch, aclosing(watch.stream(other.id, 0, 0)) as stream:
        told = asyncio.create_task(next_count(stream, 1))
        await asyncio.sleep(0)
        await add(chat, who)
        watch.nudge(who.id)
        with pytest.raises(TimeoutError):
            await told
    assert await chat.changes([who.id, other.id]) == {who.id: 1, other.id: 0}


async def test_what_happened_while_the_page_was_away_is_told_when_it_is_back(chat, who, open_watch):
    await add(chat, who)
    async with open_watch() as watch:
        async with aclosing(watch.stream(who.id, -1, 1)) as stream:
            assert await next_count(stream) == 1
        async with aclosing(watch.stream(who.id, 1, 1)) as stream:
            with pytest.raises(TimeoutError):
                await next_count(stream, 0.2)


async def test_many_people_are_looked_at_in_one_trip(chat, open_watch, monkeypatch):
    monkeypatch.setattr(watching, "EVERY", 0.2)
    people = [Principal(id=f"many {uuid4()}") for _ in range(250)]
    asked, count = [], chat.changes

    async def counted(user_ids):
        asked.append(len(user_ids))
        return await count(user_ids)

    monkeypatch.setattr(chat, "changes", counted)
    async with open_watch(redis_url=None) as watch:
        streams = [watch.stream(each.id, 0, 0) for each in people]
        told = [asyncio.create_task(next_count(stream, 20)) for stream in streams]
        await asyncio.sleep(0)
        for each in (people[0], people[249]):
            await add(chat, each)
        assert await told[0] == 1
        assert await told[249] == 1
        for task in told:
            task.cancel()
        await asyncio.gather(*told, return_exceptions=True)
        for stream in streams:
            await stream.aclose()
    assert asked[:2] == [200, 50]


async def test_a_person_has_so_many_pages_open_and_no_more(who, other, open_watch):
    async with open_watch(redis_url=None) as watch:
        streams = [watch.stream(who.id, 0, 1) for _ in range(watching.PER_PERSON)]
        for stream in streams:
            watch.admit(who.id)
            await next_count(stream)
        with pytest.raises(Problem) as refused:
            watch.admit(who.id)
        assert refused.value.kind == "rate_limited"
        watch.admit(other.id)
        await streams[0].aclose()
        watch.admit(who.id)
        for stream in streams:
            await stream.aclose()


async def test_a_stream_gives_signs_of_life_and_ends_in_time(who, open_watch, monkeypatch):
    monkeypatch.setattr(watching, "SIGN_OF_LIFE", 0.01)
    monkeypatch.setattr(watching, "LONGEST", 0.1)
    async with open_watch(redis_url=None) as watch:
        signs = [number async for number in watch.stream(who.id, 0, 0)]
    assert len(signs) >= 3
    assert set(signs) == {None}


def test_two_writers_of_one_list_never_wait_for_each_other_in_a_ring(url):
    """The count moves at commit: one that holds a task and waits for nothing else goes through."""
    user = f"ring {uuid4()}"

    def become(connection):
        settings = "set_config('role', 'sayso_app', true), set_config('search_path', 'sayso, public', true)"
        connection.execute(f"SELECT {settings}, set_config('app.user_id', %s, true)", (user,))

    add_one = "INSERT INTO tasks (user_id, title, title_key) VALUES (%s, 'x', 'x') RETURNING id"
    touch = "UPDATE tasks SET version = version + 1 WHERE user_id = %s AND id = %s"
    with psycopg.connect(url) as one, psycopg.connect(url) as two:
        become(one)
        first, second = (one.execute(add_one, (user,)).fetchone()[0] for _ in range(2))
        one.commit()
        become(one)
        become(two)
        one.execute(touch, (user, first))
        two.execute(touch, (user, second))
        waiting = threading.Thread(target=lambda: (one.execute(touch, (user, second)), one.commit()))
        waiting.start()
        time.sleep(0.2)
        two.commit()
        waiting.join(5)
        assert not waiting.is_alive()
        become(one)
        assert one.execute("SELECT number FROM changes WHERE user_id = %s", (user,)).fetchone() == (3,)


@pytest.fixture
def signed(sign_in):
    return {"Authorization": f"Bearer {sign_in()}"}


def events(lines):
    """The events of a stream, as they come."""
    for line in lines:
        if line.startswith("data: "):
            yield json.loads(line.removeprefix("data: "))


def test_two_replicas_tell_each_others_pages_and_stop_without_waiting_for_them(serve, signed):
    (one, first), (two, second) = serve(), serve()
    stream = {"Accept": "text/event-stream"} | signed
    with httpx2.stream("GET", f"{one}/v1/events", headers=stream, timeout=20) as opened:
        assert opened.headers["content-type"].startswith("text/event-stream")
        told = events(opened.iter_lines())
        assert next(told) == {"type": "tasks_changed"}
        time.sleep(0.6)
        began = time.monotonic()
        assert httpx2.post(f"{two}/v1/tasks", json={"title": "by two"}, headers=signed).status_code == 200
        assert next(told) == {"type": "tasks_changed"}
        assert time.monotonic() - began < 10
        assert httpx2.get(f"{one}/v1/events", headers=signed).json() == {"changes": 1}
        for process in (first, second):
            process.terminate()
        assert list(told) == []  # it ends, and not by a broken connection
    for process in (first, second):
        began = time.monotonic()
        assert process.wait(40) in (0, -signal.SIGTERM)
        assert time.monotonic() - began < 20  # and not after the half minute that turns have


def test_an_open_page_takes_nobodys_turn(serve, signed):
    address, _ = serve()
    stream = {"Accept": "text/event-stream"} | signed
    with httpx2.Client(base_url=address, timeout=20) as client:
        opened = [
            client.send(client.build_request("GET", "/v1/events", headers=stream), stream=True) for _ in range(10)
        ]
        assert {each.status_code for each in opened} == {200}
        told = [events(each.iter_lines()) for each in opened]
        assert [next(each) for each in told] == [{"type": "tasks_changed"}] * 10
        with client.stream("GET", "/v1/events", headers=stream) as refused:
            assert (refused.status_code, refused.headers["retry-after"]) == (429, "30")
        assert client.get("/v1/tasks", headers=signed).status_code == 200
        for each in opened:
            each.close()


async def test_nobody_watches_without_signing_in(open_client):
    async with open_client(token="") as client:
        assert (await client.get("/v1/events", headers={"Accept": "text/event-stream"})).status_code == 401
