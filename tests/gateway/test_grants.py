"""A yes that covers later calls: offered, used, recorded, replayed and revoked, and never for what destroys."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta

import pytest
from behind import NEW, OLD, TAKES
from fronts import KEY, SETTINGS, connected, in_memory, write
from mcp_types import ElicitResult
from typer.testing import CliRunner

from sayso.cli.gateway.commands import app
from sayso.gateway import proxy
from sayso.gateway.config import read_config
from sayso.gateway.proxy import make_server
from sayso.gateway.serve import open_gateway, open_sealed
from sayso.gateway.trail.replay import replayed
from sayso.gateway.trail.stores import trail_of
from sayso.settings import Settings

pytestmark = pytest.mark.anyio

NO = ElicitResult(action="decline")
MILK, BREAD = {"title": "Buy milk"}, {"title": "Buy bread"}


def yes(scope=None):
    content = {"answer": True} | ({"scope": scope} if scope else {})
    return lambda _params: ElicitResult(action="accept", content=content)


@pytest.fixture
def behind(tmp_path, servers):
    """The gateway's file before one server without a pack, with more settings for it."""

    def make(server="new_http", **more):
        told = {name: {"risk": risk} for name, risk in RISKS.items()}
        return write(tmp_path, one=servers[server] | {"sayso": {"tools": told, "grants": {"most": "hour"}} | more})

    return make


RISKS = {"add_task": "write", "complete_task": "write", "delete_task": "destructive", "list_tasks": "read"}


def entries(file):
    return list(trail_of(read_config(file), file).read())


def kinds(file):
    return [entry.kind for entry in entries(file)]


def replay(file):
    config = read_config(file)
    found = replayed(config, file, open_sealed(config, file).pins, entries(file), "local")
    return [(number, now) for number, then, now in found if then != now]


async def command(file, *options):
    return await asyncio.to_thread(CliRunner().invoke, app, ["grants", "--config", str(file), *options])


def offered(params):
    field = params.requested_schema["properties"].get("scope")
    if field is None:
        return None
    return [one["const"] for one in field["oneOf"]] if "oneOf" in field else field["enum"]


@pytest.mark.parametrize("era", [NEW, OLD])
async def test_an_hour_spares_later_questions_and_the_trail_says_which_yes_covered_them(behind, ran, era):
    file = behind()
    async with in_memory(file) as gateway, connected(gateway, era) as caller:
        caller.answer = yes("hour")
        assert not (await caller.call("add_task", MILK)).is_error
        assert not (await caller.call("add_task", BREAD)).is_error
    assert ran() == [("add_task", MILK), ("add_task", BREAD)]
    assert len(caller.asked) == 1
    assert offered(caller.asked[0]) == ["once", "task", "hour"]
    assert kinds(file) == ["judged", "question", "answer", "grant", "call", "judged", "call"]
    given, used = (json.loads(entries(file)[number].body)["grant"] for number in (3, 5))
    assert given == used
    assert replay(file) == []


async def test_the_choices_have_titles_in_both_eras(behind):
    for era, names in ((NEW, "oneOf"), (OLD, "enumNames")):
        async with in_memory(behind()) as gateway, connected(gateway, era) as caller:
            caller.answer = lambda _params: NO
            await caller.call("add_task", MILK)
        field = caller.asked[0].requested_schema["properties"]["scope"]
        titles = [one["title"] for one in field["oneOf"]] if names == "oneOf" else field["enumNames"]
        assert titles == [
            "This call only",
            "Every call of one.add_task for this task",
            "Every call of one.add_task in the next hour",
        ]
        assert field["default"] == "once"


@pytest.mark.parametrize("scope", [None, "once", "always", "folder", "value:title", "HOUR", 1, ["hour"], True])
async def test_another_answer_than_the_offered_ones_covers_only_this_call(behind, ran, scope):
    async with in_memory(behind()) as gateway, connected(gateway, NEW) as caller:
        caller.answer = yes(scope)
        await caller.call("add_task", MILK)
        caller.answer = lambda _params: NO
        assert (await caller.call("add_task", BREAD)).structured_content["status"] == "declined"
    assert ran() == [("add_task", MILK)]


async def test_destructive_calls_offer_nothing_and_no_grant_covers_them(behind, ran):
    file = behind(grants={"most": "always"})
    one = {"task_identifier": "t1"}
    async with in_memory(file) as gateway, connected(gateway, NEW) as caller:
        caller.answer = yes("hour")
        await caller.call("delete_task", one)
        await caller.call("delete_task", one)
    assert ran() == [("delete_task", one)] * 2
    assert [offered(params) for params in caller.asked] == [None, None]
    assert "default" not in caller.asked[0].requested_schema["properties"]["answer"]
    assert "grant" not in kinds(file)


async def test_a_tool_that_becomes_destructive_is_asked_about_again(behind, ran):
    async with in_memory(behind()) as gateway, connected(gateway, NEW) as caller:
        caller.answer = yes("hour")
        await caller.call("add_task", MILK)
    file = behind(tools={name: {"risk": "destructive"} for name in TAKES})
    async with in_memory(file) as gateway, connected(gateway, NEW, mute=True) as caller:
        assert (await caller.call("add_task", BREAD)).structured_content["status"] == "needs_confirmation"
    assert ran() == [("add_task", MILK)]


async def test_a_task_ends_with_the_users_message(behind, ran):
    async with in_memory(behind()) as gateway, connected(gateway, NEW) as caller:
        caller.answer = yes("task")
        await caller.call("complete_task", {"task_identifier": "t1"}, "plan my week")
        await caller.call("complete_task", {"task_identifier": "t2"}, "plan my week")
        assert len(caller.asked) == 1
        caller.answer = lambda _params: NO
        for words in ("what else is there?", None):
            result = await caller.call("complete_task", {"task_identifier": "t3"}, words)
            assert result.structured_content["status"] == "declined"
    assert [arguments["task_identifier"] for _, arguments in ran()] == ["t1", "t2"]


async def test_words_that_may_speak_against_a_call_are_asked_about(behind, ran):
    async with in_memory(behind()) as gateway, connected(gateway, NEW) as caller:
        caller.answer = yes("hour")
        await caller.call("complete_task", {"task_identifier": "t1"})
        caller.answer = lambda _params: NO
        for words in ("please don't complete anything", "don\u2019t do that", "non farlo", "never mind"):
            assert (await caller.call("complete_task", {"task_identifier": "t2"}, words)).is_error
        assert not (await caller.call("complete_task", {"task_identifier": "t3"}, "what a nice note")).is_error
    assert [arguments["task_identifier"] for _, arguments in ran()] == ["t1", "t3"]


@pytest.mark.parametrize(("scope", "minutes"), [("task", 10), ("hour", 60)])
async def test_a_grant_ends(behind, ran, monkeypatch, scope, minutes):
    now = [proxy._now()]
    monkeypatch.setattr(proxy, "_now", lambda: now[0])
    async with in_memory(behind()) as gateway, connected(gateway, NEW) as caller:
        caller.answer = yes(scope)
        await caller.call("add_task", MILK)
        now[0] += timedelta(minutes=minutes, seconds=-1)
        assert not (await caller.call("add_task", BREAD)).is_error
        assert len(caller.asked) == 1
        now[0] += timedelta(seconds=1)
        caller.answer = lambda _params: NO
        assert (await caller.call("add_task", BREAD)).is_error
    assert len(ran()) == 2


async def test_the_operator_limits_what_is_offered_and_what_still_counts(behind, ran):
    async with in_memory(behind(grants={"most": "always"})) as gateway, connected(gateway, NEW) as caller:
        caller.answer = yes("value:title")
        await caller.call("add_task", MILK)
        await caller.call("add_task", MILK)
        assert offered(caller.asked[0]) == ["once", "task", "hour", "value:title"]
        assert len(caller.asked) == 1
        caller.answer = lambda _params: NO
        assert (await caller.call("add_task", BREAD)).is_error
        assert (await caller.call("add_task", MILK | {"priority": "high"})).is_error
    once = {"add_task": {"risk": "write", "grants": {"most": "once"}}}
    async with in_memory(behind(tools=once)) as gateway, connected(gateway, NEW) as caller:
        caller.answer = lambda _params: NO
        assert (await caller.call("add_task", MILK)).is_error
        assert offered(caller.asked[0]) is None
    assert ran() == [("add_task", MILK)] * 2


async def test_grants_are_of_one_user_and_outlive_the_process(behind, ran):
    file = behind()
    for user, covered in (("ada", True), ("bob", False), ("ada", True)):
        async with open_gateway(file, lambda user=user: user) as gateway:
            server = make_server(gateway, version="0", state_keys=(KEY,))
            async with connected(server, NEW) as caller:
                caller.answer = yes("hour") if not ran() else lambda _params: NO
                assert bool((await caller.call("add_task", MILK)).is_error) is not covered
    assert len(ran()) == 2


async def test_a_grant_that_is_put_back_after_it_was_revoked_does_not_count(behind, ran, monkeypatch):
    file = behind()
    monkeypatch.setenv("SAYSO_STDIO_USER", "ada")
    config = read_config(file)
    folder = open_sealed(config, file).key.file.with_suffix(".grants")
    async with in_memory(file) as gateway, connected(gateway, NEW) as caller:
        caller.answer = yes("hour")
        await caller.call("add_task", MILK)
        (kept,) = folder.glob("*.grant")
        copy = kept.read_bytes()
        assert kept.stat().st_mode & 0o777 == 0o600
        assert folder.stat().st_mode & 0o777 == 0o700
        listed = await command(file)
        assert kept.stem in listed.output
        assert "one.add_task" in listed.output
        done = await command(file, "--revoke", kept.stem[:6])
        assert (done.exit_code, done.output) == (0, f"Revoked {kept.stem}: one.add_task\n")
        kept.write_bytes(copy)
        caller.answer = lambda _params: NO
        assert (await caller.call("add_task", MILK)).is_error
    assert "There are no grants" in (await command(file)).output
    assert kinds(file)[5] == "revocation"
    assert len(ran()) == 1


async def test_the_command_counts_uses_and_revokes_all(behind):
    file = behind(grants={"most": "always"})
    async with in_memory(file) as gateway, connected(gateway, NEW) as caller:
        caller.answer = yes("value:title")
        for _ in range(4):
            await caller.call("add_task", MILK)
        caller.answer = yes("hour")
        await caller.call("complete_task", {"task_identifier": "t1"})
    table = (await command(file)).output.splitlines()
    assert table[0].split() == ["id", "user", "tool", "covers", "until", "uses"]
    assert table[1].split()[-5:] == ["title:", '"Buy', 'milk"', "revoked", "3"]
    assert table[2].split()[-1] == "0"
    assert (await command(file, "--revoke", "zzz")).exit_code == 2
    assert (await command(file, "--revoke", "all")).output.count("Revoked") == 2
    assert "There are no grants" in (await command(file)).output


async def test_without_readable_grants_the_user_is_asked(behind, ran):
    file = behind()
    folder = open_sealed(read_config(file), file).key.file.with_suffix(".grants")
    async with in_memory(file) as gateway, connected(gateway, NEW) as caller:
        caller.answer = yes("hour")
        await caller.call("add_task", MILK)
        (kept,) = folder.glob("*.grant")
        for wrong in (b"", b"\n", kept.read_bytes()[:-1], kept.read_bytes().replace(b"add_task", b"del_task")):
            kept.write_bytes(wrong)
            caller.answer = lambda _params: NO
            assert (await caller.call("add_task", MILK)).is_error
    assert len(ran()) == 1


async def test_gateways_share_grants_over_the_database(behind, ran, url, tmp_path):

    told = Settings(env="production", database_url=url, state_keys=SETTINGS.state_keys)
    files = [behind(), tmp_path / "other.json"]
    files[1].write_bytes(files[0].read_bytes())
    user = f"ada {tmp_path}"
    for number, file in enumerate(files):
        async with open_gateway(file, lambda: user, told) as gateway:
            front = make_server(gateway, version="0", state_keys=(KEY,))
            async with connected(front, NEW) as caller:
                caller.answer = yes("hour") if not number else lambda _params: NO
                assert not (await caller.call("add_task", MILK)).is_error
            (grant,) = await gateway.grants.of(user)
            assert await gateway.grants.uses(grant) == number
            if number:
                await gateway.grants.revoke(grant)
                await gateway.grants.keep(grant)
                assert await gateway.grants.of(user) == []
    assert len(ran()) == 2
