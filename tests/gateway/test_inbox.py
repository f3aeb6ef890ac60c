"""The inbox: questions of clients that cannot ask, the trail, grants and devices, for a paired browser and its user."""

from __future__ import annotations

import json
import re
import shutil
import sys
from contextlib import asynccontextmanager
from html import unescape
from pathlib import Path

import httpx2
import pytest
from fronts import KEY
from mcp import Client

from sayso.database.migrate import migrate
from sayso.errors import BadSetting
from sayso.gateway.config import read_config
from sayso.gateway.inbox.serve import inbox_base, serve_pages
from sayso.gateway.proxy import make_server
from sayso.gateway.seals.beacon import GOOD_FOR, Beacon
from sayso.gateway.seals.key import Key
from sayso.gateway.serve import open_gateway, open_sealed
from sayso.settings import Settings

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[2]
DELETE = ("delete_note", {"text": "Buy milk"})
ERAS = ["2026-07-28", "legacy"]


def write(folder, **sayso):
    shutil.copy(ROOT / "examples" / "notes_server.py", folder)
    notes = {
        "command": sys.executable,
        "args": [str(folder / "notes_server.py")],
        "sayso": {"trusted": True, "grants": {"most": "hour"}},
    }
    (folder / "sayso.json").write_text(json.dumps({"mcpServers": {"notes": notes}, "sayso": sayso}))
    return folder / "sayso.json"


@pytest.fixture
def file(tmp_path):
    return write(tmp_path)


@asynccontextmanager
async def served(file, settings=None):
    """The gateway in this process with its inbox on a port, a client that cannot ask, and a browser that is paired."""
    async with (
        open_gateway(file, lambda: "local", settings) as gateway,
        serve_pages(gateway.desk),
        Client(make_server(gateway, version="0"), cache=None) as client,
        Visit(gateway) as visit,
    ):
        await visit.pair(file, settings=settings)
        yield client, visit


@pytest.fixture(params=["beside the file", "in PostgreSQL"])
def kept(request):
    """Where the gateway keeps its trail and its grants, as settings."""
    if request.param == "beside the file":
        return None
    database = request.getfixturevalue("make_database")()
    migrate(database)
    return Settings(env="production", database_url=database, state_keys=(KEY,))


class Visit:
    """A browser at the inbox."""

    def __init__(self, gateway):
        self.base = gateway.desk.pages.base
        self.http = httpx2.AsyncClient(timeout=60, base_url=self.base, headers={"Origin": self.base})

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        await self.http.aclose()

    async def pair(self, file, user="local", settings=None):
        code = open_sealed(read_config(file), file, settings).browsers.issue(user)
        assert (await self.http.post("/inbox", data={"code": code})).status_code == 303

    async def text(self, path="/inbox"):
        answer = await self.http.get(path)
        assert answer.status_code == 200
        return answer.text

    async def press(self, path, answer, **more):
        """Press a button of the first form on this page."""
        text = await self.text(path)
        form = re.search(r'<form method="post"(?: action="([^"]+)")?[^>]*>(.*?)</form>', text, re.DOTALL)
        fields = {name: unescape(value) for name, value in re.findall(r'name="(\w+)" value="([^"]*)">', form[2])}
        return await self.http.post(form[1] or path, data={**fields, **answer, **more})


async def notes(client):
    return (await client.call_tool("list_notes", {})).structured_content["result"]


@pytest.mark.parametrize("era", ERAS)
async def test_a_question_of_a_client_that_cannot_ask_is_answered_in_the_inbox(file, era):
    async with open_gateway(file, lambda: "local") as gateway, serve_pages(gateway.desk), Visit(gateway) as visit:
        await visit.pair(file)
        async with Client(make_server(gateway, version="0"), mode=era, cache=None) as client:
            assert "delete_note" not in await visit.text()
            told = (await client.call_tool(*DELETE)).structured_content
            assert told["status"] == "needs_confirmation"
            assert f"inbox: {told['url']}" in told["message"]
            shown = await visit.text()
            assert told["url"].removeprefix(visit.base) in shown
            assert "Buy milk" in shown
            said = await visit.press("/inbox", {"answer": "yes"})
            assert (said.status_code, said.headers["location"]) == (303, "/inbox?said=yes")
            assert "Buy milk" in await notes(client)  # a yes runs nothing by itself
            assert not (await client.call_tool(*DELETE)).is_error
            assert await notes(client) == ["Call the bank"]
            assert (await client.call_tool(*DELETE)).structured_content["url"] != told["url"]


async def test_a_no_in_the_inbox_is_a_no(file):
    async with served(file) as (client, visit):
        await client.call_tool(*DELETE)
        assert (await visit.press("/inbox", {"answer": "no"})).headers["location"] == "/inbox?said=no"
        assert (await client.call_tool(*DELETE)).structured_content["status"] == "declined"
        assert "Buy milk" in await notes(client)


async def test_the_list_changes_only_when_the_questions_do(file):
    async with served(file) as (client, visit):
        first = await visit.http.get("/inbox/list")
        mark = {"If-None-Match": first.headers["etag"]}
        assert (await visit.http.get("/inbox/list", headers=mark)).status_code == 304
        await client.call_tool(*DELETE)
        fresh = await visit.http.get("/inbox/list", headers=mark)
        assert fresh.status_code == 200
        assert "<article" in fresh.text
        assert "<html" not in fresh.text


async def test_a_browser_that_is_not_paired_sees_nothing_and_another_user_only_their_own(file):
    async with served(file) as (client, visit):
        await client.call_tool(*DELETE)
        async with httpx2.AsyncClient(timeout=60, base_url=visit.base) as stranger:
            for path in ("/inbox", "/inbox/list", "/inbox/trail", "/inbox/trail/1", "/inbox/grants", "/inbox/devices"):
                page = await stranger.get(path)
                assert "Buy milk" not in page.text
                assert 'name="code"' in page.text
            assert (await stranger.get("/inbox", headers={"Host": "example.org"})).status_code == 404
        visit.http.cookies.clear()
        await visit.pair(file, "eve")
        for path in ("/inbox", "/inbox/list", "/inbox/trail", "/inbox/replay"):
            assert "Buy milk" not in await visit.text(path)
        assert (await visit.http.get("/inbox/trail/1")).status_code == 404


async def test_the_trail_is_searched_and_a_call_is_decided_again(file, kept):
    async with served(file, kept) as (client, visit):
        await client.call_tool("add_note", {"text": "Water the plants", "sayso_words": "add water the plants"})
        await client.call_tool(*DELETE)
        everything, found = await visit.text("/inbox/trail"), await visit.text("/inbox/trail?q=delete_note+asked")
        assert "add_note" in everything
        assert "delete_note" in found
        assert "add_note" not in found
        numbers = re.findall(r'href="/inbox/trail/(\d+)"', await visit.text("/inbox/trail?q=judged"))
        entry = await visit.text(f"/inbox/trail/{numbers[0]}")
        assert "decide the same" in entry
        assert "2 calls are decided the same, 0 differently." in await visit.text("/inbox/replay")
    changed = json.loads(file.read_text())
    changed["mcpServers"]["notes"]["sayso"]["tools"] = {"delete_note": {"risk": "read"}}
    file.write_text(json.dumps(changed))
    async with served(file, kept) as (_, visit):
        assert "1 calls are decided the same, 1 differently." in await visit.text("/inbox/replay")
        assert "decide differently" in await visit.text(f"/inbox/trail/{numbers[0]}")


async def test_a_yes_for_an_hour_is_a_grant_that_the_inbox_revokes(file, kept):
    async with served(file, kept) as (client, visit):
        await client.call_tool("add_note", {"text": "One"})
        assert 'value="hour"' in await visit.text()
        await visit.press("/inbox", {"answer": "yes"}, scope="hour")
        for text in ("One", "Two", "Three"):
            assert not (await client.call_tool("add_note", {"text": text})).is_error
        assert "Uses: 2" in await visit.text("/inbox/grants")
        assert (await visit.press("/inbox/grants", {})).status_code == 303
        assert "Uses" not in await visit.text("/inbox/grants")
        assert (await client.call_tool("add_note", {"text": "Four"})).is_error
        assert "revoked" in await visit.text("/inbox/trail?q=revoked")


async def test_devices_are_listed_and_unpaired_with_the_form_of_the_page_only(file):
    async with served(file) as (_, visit):
        listed = await visit.text("/inbox/devices")
        assert "cookie only, this device" in listed
        device = re.search(r'name="device" value="([0-9a-f]{16})"', listed)[1]
        for wrong in ({"device": device}, {"device": device, "token": "0" * 64}):
            assert (await visit.http.post("/inbox/devices", data=wrong)).status_code == 403
        elsewhere = await visit.http.post(
            "/inbox/devices", data={"device": device}, headers={"Origin": "https://x.org"}
        )
        assert elsewhere.status_code == 403
        assert (await visit.press("/inbox/devices", {})).status_code == 303
        assert 'name="code"' in await visit.text("/inbox/devices")


async def test_the_pages_run_their_own_script_only(file):
    async with served(file) as (client, visit):
        await client.call_tool("delete_note", {"text": "<script>alert(1)</script>\u202e"})
        page = await visit.http.get("/inbox")
        assert "<script>alert" not in page.text
        assert "&lt;U+202E&gt;" in page.text
        policy = page.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "require-trusted-types-for 'script'" in policy
        assert "unsafe" not in policy
        for name in ("inbox.js", "sw.js", "icon.svg", "manifest.webmanifest"):
            assert (await visit.http.get(f"/inbox/{name}")).status_code == 200


async def test_the_inbox_speaks_italian(tmp_path):
    async with served(write(tmp_path, lang="it")) as (client, visit):
        told = (await client.call_tool(*DELETE)).structured_content
        assert "posta in arrivo" in told["message"]
        shown = await visit.text()
        assert '<html lang="it">' in shown
        assert "Non eseguire" in shown


def test_links_lead_to_an_inbox_while_it_runs(tmp_path):
    now = [1000.0]
    beacon = Beacon(tmp_path / "inbox.json", Key([b"k" * 32]), lambda: now[0])
    assert beacon.read() is None
    beacon.publish("https://inbox.example.org")
    assert beacon.read() == "https://inbox.example.org"
    assert Beacon(tmp_path / "inbox.json", Key([b"x" * 32]), lambda: now[0]).read() is None
    beacon.withdraw("http://127.0.0.1:1")
    assert beacon.read() is not None
    now[0] += GOOD_FOR
    assert beacon.read() is None
    beacon.publish("https://inbox.example.org")
    beacon.withdraw("https://inbox.example.org")
    assert not list(tmp_path.iterdir())


def test_beyond_this_machine_the_inbox_needs_an_encrypted_address():
    assert inbox_base(Settings(), "127.0.0.1", 81) == "http://127.0.0.1:81"
    assert inbox_base(Settings(public_url="https://inbox.example.org/x"), "0.0.0.0", 81) == "https://inbox.example.org"  # noqa: S104
    for wrong in (Settings(), Settings(public_url="http://inbox.example.org")):
        with pytest.raises(BadSetting, match="SAYSO_PUBLIC_URL"):
            inbox_base(wrong, "0.0.0.0", 81)  # noqa: S104
