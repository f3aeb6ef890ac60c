"""Reminders of the chat service: what rings, when and once; dealing with it; settings and channels over HTTP."""

from __future__ import annotations

from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import psycopg
import pytest
from pydantic import SecretStr

from sayso.chat.guards.problems import Problem
from sayso.chat.turns.clicks import Click
from sayso.chat.turns.reminders import Reminding, address_seal
from sayso.database.pool import Database
from sayso.identity.principal import Principal
from sayso.ledger.erasure import erase
from sayso.ledger.erasure import kept as left
from sayso.reminders.push_keys import new_key
from sayso.reminders.runner import Runner
from sayso.reminders.values import Sent

pytestmark = pytest.mark.anyio


class Killed(BaseException):
    """The end of a process, which nothing catches."""


class Post:
    """Takes what is sent, and answers as it is told."""

    def __init__(self):
        self.sent, self.answers = [], []

    async def ready(self):
        pass

    async def send(self, kind, target, **message):
        self.sent.append((kind, target, message))
        return Sent(0, self.answers.pop(0) if self.answers else "sent")


@pytest.fixture
def post():
    return Post()


@pytest.fixture
def open_runner(url, settings, clock, post):
    @asynccontextmanager
    async def opened(**more):
        async with Database(url, connections=4) as database:
            yield Runner(database, post, address_seal(settings), settings, **{"clock": clock} | more)

    return opened


@pytest.fixture(autouse=True)
def _nothing_due(url):
    """What other tests left in the queue is not ours."""
    with psycopg.connect(url) as on:
        on.execute("DELETE FROM sayso_jobs.reminders_due")


@pytest.fixture
async def runner(open_runner, anyio_backend):  # noqa: ARG001  one event loop for both
    async with open_runner() as opened:
        yield opened


@pytest.fixture
def reminding(settings):
    return Reminding(settings)


async def kept(chat, reminding, who):
    """A channel, kept without asking the sending process."""
    return await reminding._add(chat, who, "address", "phone", f"jsons://example.com/{uuid4().hex}")


async def test_a_reminder_rings_at_its_time_and_once(chat, runner, reminding, talk, who, clock, post):
    await kept(chat, reminding, who)
    await talk("remind me to call mom today at 5pm")
    clock.now = datetime(2026, 3, 10, 15, 59, tzinfo=UTC)  # 16:59 in Rome
    assert await runner.once() == 0
    (coming,) = (await reminding.read(chat, who))[1]
    assert (coming.title, coming.due, coming.rang_at) == ("call mom", "2026-03-10T17:00", None)
    clock.pass_by(minutes=1)
    assert await runner.once() == 1
    assert await runner.once() == 0
    ((kind, _target, message),) = post.sent
    assert (kind, message["title"], message["body"]) == ("address", "call mom", "Due today at 5 pm.")
    ((ringing,), coming) = await reminding.read(chat, who)
    assert not coming
    assert (ringing.task_id, ringing.rang_at, ringing.late_by_minutes) == (
        coming_id(ringing, message),
        clock.now,
        None,
    )


def coming_id(ringing, message):
    """The push message names the reminder and its task."""
    assert f'"id":"{ringing.id}"' in message["payload"]
    return ringing.task_id


@pytest.mark.parametrize("instead", ["delete call mom", "mark call mom as done", "move call mom to tomorrow at 6pm"])
async def test_a_task_that_is_gone_does_not_ring_and_undo_brings_it_back(
    chat, runner, reminding, talk, who, clock, post, instead
):
    await kept(chat, reminding, who)
    await talk("remind me to call mom today at 5pm")
    await talk(instead)
    if talk.last.confirmation:
        await talk.answer("yes")
    clock.now = datetime(2026, 3, 10, 15, 30, tzinfo=UTC)
    clock.pass_by(minutes=30)
    assert await runner.once() == 0
    clock.pass_by(minutes=-20)
    await chat.undo(who)
    clock.pass_by(minutes=20)
    assert await runner.once() == 1
    assert len(post.sent) == 1


async def test_a_late_reminder_rings_once_and_says_so(chat, runner, reminding, talk, who, clock, post):
    await kept(chat, reminding, who)
    await talk("remind me to call mom today at 5pm")
    clock.now = datetime(2026, 3, 10, 19, 0, tzinfo=UTC)
    await runner.once()
    await runner.once()
    (sent,) = post.sent
    assert sent[2]["body"] == "Due today at 5 pm. This reminder was for today at 5 pm and is late."
    ((ringing,), _) = await reminding.read(chat, who)
    assert ringing.late_by_minutes == 180


async def test_a_reminder_of_the_day_before_yesterday_does_not_ring(chat, runner, reminding, talk, who, clock, post):
    await kept(chat, reminding, who)
    await talk("remind me to call mom today at 5pm")
    clock.pass_by(days=2)
    assert await runner.once() == 1
    assert post.sent == []
    assert await reminding.read(chat, who) == ([], [])


async def test_a_task_that_was_past_when_it_was_written_does_not_ring(chat, runner, reminding, who, post):
    await kept(chat, reminding, who)
    await add(chat, who, "Old thing", due="2026-03-10T08:00")
    await runner.once()
    assert post.sent == []


async def add(chat, who, title, **fields):
    reply = await chat.clicks.press(who, Click(tool="add_task", arguments={"title": title, **fields}))
    return reply.results[0].result["task"]["id"]


async def test_done_and_snooze_are_in_the_trail_and_can_be_taken_back(chat, runner, reminding, who, clock, post):
    await kept(chat, reminding, who)
    task = await add(chat, who, "Call mom", due="2026-03-10T10:00")
    clock.pass_by(hours=1)
    await runner.once()
    ((ringing,), _) = await reminding.read(chat, who)
    reply = await reminding.snooze(chat, who, UUID(ringing.id), 10, "en")
    assert reply.reply == 'I\'ll remind you of "Call mom" again today at 10:10 am.'
    assert reply.undo
    ringing_now, (coming,) = await reminding.read(chat, who)
    assert (ringing_now, coming.task_id, coming.due) == ([], task, "2026-03-10T10:00")
    await chat.clicks.undo(who)
    assert len((await reminding.read(chat, who))[0]) == 1
    await reminding.snooze(chat, who, UUID(ringing.id), 10, "en")
    clock.pass_by(minutes=10)
    await runner.once()
    assert len(post.sent) == 2
    ((again,), _) = await reminding.read(chat, who)
    assert again.id != ringing.id
    await reminding.done(chat, who, UUID(again.id), "en")
    assert await reminding.read(chat, who) == ([], [])
    told = [entry for entry in await chat.trail(who, 0, 100) if entry.kind == "click"]
    assert ["snooze_task" in each.body for each in told] == [False, True, False, True, False]
    assert (await chat.verify(who)).problem is None


async def test_a_dismissed_reminder_is_not_shown_again_and_its_task_stays(chat, runner, reminding, who, clock):
    await add(chat, who, "Call mom", due="2026-03-10T10:00")
    clock.pass_by(hours=1)
    await runner.once()
    ((ringing,), _) = await reminding.read(chat, who)
    await reminding.dismiss(chat, who, UUID(ringing.id))
    assert await reminding.read(chat, who) == ([], [])
    assert (await chat.day(who)).left == 1


async def test_what_fails_is_tried_again_under_the_same_id(chat, runner, reminding, who, clock, post):
    await kept(chat, reminding, who)
    post.answers = ["failed", "failed"]
    await add(chat, who, "Call mom", due="2026-03-10T10:00")
    clock.pass_by(hours=1)
    for _ in range(4):
        await runner.once()
        clock.pass_by(seconds=20)
    assert len(post.sent) == 3
    assert len({message["topic"] for _, _, message in post.sent}) == 1
    assert len((await reminding.read(chat, who))[0]) == 1


async def test_a_browser_that_is_gone_is_forgotten(chat, runner, reminding, who, clock, post):
    await kept(chat, reminding, who)
    post.answers = ["gone"]
    await add(chat, who, "Call mom", due="2026-03-10T10:00")
    clock.pass_by(hours=1)
    await runner.once()
    assert await reminding.channels(chat, who) == []


async def test_another_replica_finishes_what_a_dead_one_claimed(chat, open_runner, reminding, who, clock, post):
    await kept(chat, reminding, who)
    await add(chat, who, "Call mom", due="2026-03-10T10:00")
    clock.pass_by(hours=1)

    class Dies(Post):
        async def send(self, *_, **__):
            raise Killed

    async with open_runner() as one, open_runner() as two:
        one._sender = Dies()
        with pytest.raises(Killed):
            await one.once()
        assert await two.once() == 0  # the lease is not over
        clock.pass_by(seconds=31)
        assert await two.once() == 1
    assert len(post.sent) == 1
    assert len((await reminding.read(chat, who))[0]) == 1


async def test_quiet_hours_put_a_reminder_off(chat, runner, reminding, who, clock, post):
    await kept(chat, reminding, who)
    await reminding.set_hours(chat, who, {"morning": "09:00", "quiet_from": "22:00", "quiet_to": "07:00"})
    await add(chat, who, "Call mom", due="2026-03-10T23:00")
    clock.now = datetime(2026, 3, 10, 22, 0, tzinfo=UTC)
    await runner.once()
    assert post.sent == []
    clock.now = datetime(2026, 3, 11, 5, 59, tzinfo=UTC)
    assert await runner.once() == 0
    clock.now = datetime(2026, 3, 11, 6, 0, tzinfo=UTC)
    await runner.once()
    assert "This reminder was for yesterday at 11 pm" in post.sent[0][2]["body"]


async def test_a_task_without_a_time_rings_at_the_morning_hour(chat, runner, reminding, who, clock, post):
    await kept(chat, reminding, who)
    await add(chat, who, "Pay rent", due="2026-03-12", remind="PT0S")
    await reminding.set_hours(chat, who, {"morning": "07:30", "quiet_from": None, "quiet_to": None})
    clock.now = datetime(2026, 3, 12, 6, 29, tzinfo=UTC)
    assert await runner.once() == 0
    clock.pass_by(minutes=1)
    assert await runner.once() == 1
    assert len(post.sent) == 1


async def test_nobody_sees_the_reminders_or_channels_of_another(chat, runner, reminding, who, other, clock):
    channel = await kept(chat, reminding, who)
    await add(chat, who, "Call mom", due="2026-03-10T10:00")
    clock.pass_by(hours=1)
    await runner.once()
    ((ringing,), _) = await reminding.read(chat, who)
    assert await reminding.read(chat, other) == ([], [])
    for attempt in (
        reminding.done(chat, other, UUID(ringing.id), "en"),
        reminding.dismiss(chat, other, UUID(ringing.id)),
        reminding.drop(chat, other, channel),
        reminding.attempt(chat, other, channel),
    ):
        with pytest.raises(Exception, match="no_"):
            await attempt


def test_an_address_opens_only_for_the_person_it_was_sealed_for(settings):
    seal = address_seal(settings)
    sealed = seal.close("ada", "ntfys://user:secret@ntfy.sh/topic")
    assert "secret" not in sealed
    assert seal.open("ada", sealed) == "ntfys://user:secret@ntfy.sh/topic"
    assert seal.open("bob", sealed) is None
    assert seal.open("ada", sealed[:-2]) is None


async def test_settings_and_channels_over_http(open_client):
    async with open_client(push_key=SecretStr(new_key())) as client:
        assert (await client.get("/v1/reminders")).json() == {"ringing": [], "coming": []}
        hours = {"morning": "08:30", "quiet_from": "22:00", "quiet_to": "07:00"}
        default = (await client.get("/v1/reminders/settings")).json()
        assert default == {"morning": "09:00", "quiet_from": None, "quiet_to": None}
        assert (await client.put("/v1/reminders/settings", json=hours)).json() == hours
        assert (await client.get("/v1/reminders/settings")).json() == hours
        wrong = await client.put("/v1/reminders/settings", json={"morning": "25:00"})
        assert wrong.status_code == 422
        half = await client.put("/v1/reminders/settings", json={"morning": "09:00", "quiet_from": "22:00"})
        assert half.status_code == 422
        key = (await client.get("/v1/push/key")).json()["key"]
        assert len(key) == 87
        given = {"endpoint": "https://push.example.com/x", "keys": {"p256dh": "B" * 87, "auth": "a" * 22}}
        made = await client.post("/v1/push/subscriptions", json=given)
        assert made.status_code == 201
        again = await client.post("/v1/push/subscriptions", json=given)
        assert again.json() == made.json()
        (channel,) = (await client.get("/v1/reminders/channels")).json()["channels"]
        assert channel == {"id": made.json()["id"], "kind": "push", "label": "browser"}
        gone = await client.delete(f"/v1/push/subscriptions/{channel['id']}")
        assert gone.status_code == 204
        assert (await client.delete(f"/v1/push/subscriptions/{channel['id']}")).status_code == 404
        for action in ("done", "snooze", "dismiss"):
            assert (await client.post(f"/v1/reminders/{uuid4()}/{action}")).status_code == 404


async def test_without_a_key_push_is_off(client):
    assert (await client.get("/v1/push/key")).json() == {"key": None}
    given = {"endpoint": "https://push.example.com/x", "keys": {"p256dh": "B" * 87, "auth": "a" * 22}}
    assert (await client.post("/v1/push/subscriptions", json=given)).status_code == 409


async def test_erasing_a_person_takes_what_was_to_ring(url, chat, runner, reminding, clock):
    who = Principal(id=f"gone {uuid4()}", zone="Europe/Rome")
    await kept(chat, reminding, who)
    await add(chat, who, "Call mom", due="2026-03-10T10:00")
    await add(chat, who, "Call dad", due="2026-03-11T10:00")
    clock.pass_by(hours=1)
    await runner.once()
    async with Database(url) as database:
        await erase(database, who.id, clock.now + timedelta(hours=1))
        assert await left(database, who.id) == {}
    with psycopg.connect(url) as on:
        found = on.execute("SELECT count(*) FROM sayso_jobs.reminders_due WHERE user_id = %s", (who.id,)).fetchone()
    assert found == (0,)


async def test_a_reply_promises_only_what_arrives(chat, reminding, talk, who):
    ask = "please remind me to call mom tomorrow at 5pm"
    assert "You won't get a reminder, because you have no channel" in await talk(ask)
    await talk("undo")
    chat.has_page = lambda user: user == who.id
    assert "I'll remind you tomorrow at 5 pm if this page is open then." in await talk(ask)
    await talk("undo")
    chat.has_page = lambda _user: False
    channel = await kept(chat, reminding, who)
    assert (await talk(ask)).endswith(" I'll remind you tomorrow at 5 pm.")
    await talk("undo")
    assert "ring" not in await talk("add pay rent tomorrow at 6pm")
    await reminding.drop(chat, who, channel)
    assert "You won't get a reminder" in await talk("remind me to buy stamps on friday")


async def test_a_person_without_any_channel_is_told_in_italian_too(chat, talk):
    reply = await talk("ricordami di chiamare la mamma domani alle 17")
    assert "Non riceverai un promemoria, perché non hai ancora un canale" in reply
    assert chat.has_page("anybody") is False


async def test_done_twice_completes_one_date_of_a_repeating_task(chat, runner, reminding, who, clock):
    await add(chat, who, "Water the plants", due="2026-03-10T10:00", repeat="FREQ=DAILY")
    clock.pass_by(hours=1)
    await runner.once()
    ((ringing,), _) = await reminding.read(chat, who)
    reply = await reminding.done(chat, who, UUID(ringing.id), "en")
    assert reply.results[0].result["task"]["due"] == "2026-03-11T10:00"
    with pytest.raises(Problem, match="no_reminder"):
        await reminding.done(chat, who, UUID(ringing.id), "en")
    with pytest.raises(Problem, match="no_reminder"):
        await reminding.snooze(chat, who, UUID(ringing.id), 10, "en")
