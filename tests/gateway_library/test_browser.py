"""A yes that is given in a browser: on a page of the gateway, and by nobody else."""

from __future__ import annotations

import asyncio
import hmac
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path

import httpx2
import pytest
import uvicorn
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ElicitResult

from sayso.decision import Confirm
from sayso.gateway.config import read_config
from sayso.gateway.inbox.serve import serve_pages
from sayso.gateway.proxy import make_server
from sayso.gateway.questions import browser as paging
from sayso.gateway.questions.browsers import Browsers, _name
from sayso.gateway.questions.pages import Pages
from sayso.gateway.seals.key import Key
from sayso.gateway.serve import http_app, open_gateway, open_sealed
from sayso.gateway.values import Question, Wanted, Words
from sayso.settings import Settings

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[2]
ERAS = ["2026-07-28", "legacy"]
DELETE = ("delete_note", {"text": "Buy milk"})


@pytest.fixture
def file(tmp_path):
    """The gateway's file, before the server of notes."""
    shutil.copy(ROOT / "examples" / "notes_server.py", tmp_path)
    server = {"command": sys.executable, "args": [str(tmp_path / "notes_server.py")]}
    server["sayso"] = {"trusted": True, "tools": {"delete_note": {"confirm": "browser"}}}
    (tmp_path / "sayso.json").write_text(json.dumps({"mcpServers": {"notes": server}}))
    return tmp_path / "sayso.json"


@asynccontextmanager
async def served(file, who=lambda: "ada"):
    """The gateway in this process, with its pages on a port."""
    async with (
        open_gateway(file, who) as gateway,
        serve_pages(gateway.desk),
    ):
        yield gateway, make_server(gateway, version="0")


class Browser:
    """What a browser does with a link, in the order that a person has it done."""

    def __init__(self, url):
        self.url, self.origin = url, "/".join(url.split("/")[:3])
        self.http = httpx2.AsyncClient(timeout=60)

    async def pair(self, code):
        return await self.http.post(self.url, data={"code": code}, headers={"Origin": self.origin})

    async def open(self, file=None, user="ada"):
        """The page; with the gateway's file, in a browser that is paired first."""
        if file is not None:
            assert (await self.pair(code_for(file, user))).status_code == 303
        self.page = await self.http.get(self.url)
        self.token = re.search(r'name="token" value="([0-9a-f]+)"', self.page.text)[1]
        return self.page

    async def press(self, answer="yes", *, origin=None, token=None, headers=None):
        headers = {"Origin": origin or self.origin} if headers is None else headers
        return await self.http.post(self.url, data={"answer": answer, "token": token or self.token}, headers=headers)


def code_for(file, user="ada"):
    """What `sayso gateway pair` prints."""
    return open_sealed(read_config(file), file).browsers.issue(user)


async def press(url, file, answer="yes", user="ada"):
    browser = Browser(url)
    async with browser.http:
        await browser.open(file, user)
        assert (await browser.press(answer)).status_code == 200


def going(answer, seen, file, user="ada"):
    """A client's way of asking: it sends the person to the page, where they answer."""

    async def open_link(_context, params):
        seen.append(params)
        await press(params.url, file, answer, user)
        return ElicitResult(action="accept")

    return open_link


async def notes(client):
    return (await client.call_tool("list_notes", {})).structured_content["result"]


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("answer", ["yes", "no"])
async def test_a_client_that_opens_links_sends_the_person_to_the_page(file, era, answer):
    seen = []
    async with (
        served(file) as (_, server),
        Client(server, mode=era, elicitation_callback=going(answer, seen, file), cache=None) as client,
    ):
        result = await client.call_tool(*DELETE)
        assert result.is_error == (answer == "no")
        assert ("Buy milk" in await notes(client)) == (answer == "no")
    assert [params.mode for params in seen] == ["url"]


@pytest.mark.parametrize("era", ERAS)
async def test_a_client_that_cannot_ask_gets_the_link_and_calls_again(file, era):
    async with served(file) as (_, server), Client(server, mode=era, cache=None) as client:
        told = (await client.call_tool(*DELETE)).structured_content
        assert told["status"] == "needs_confirmation"
        again = (await client.call_tool(*DELETE)).structured_content
        assert again["url"] == told["url"]
        await press(told["url"], file)
        other = await client.call_tool("delete_note", {"text": "Call the bank"})
        assert other.structured_content["url"] != told["url"]
        assert not (await client.call_tool(*DELETE)).is_error
        assert await notes(client) == ["Call the bank"]
        once_more = (await client.call_tool(*DELETE)).structured_content
        assert once_more["status"] == "needs_confirmation"
        assert once_more["url"] != told["url"]


async def test_what_the_client_says_does_not_count(file, monkeypatch):
    monkeypatch.setattr(paging, "AT_THE_PAGE", 0.05)

    async def accept(_context, _params):
        return ElicitResult(action="accept", content={"answer": True})

    for era in ERAS:
        async with (
            served(file) as (_, server),
            Client(server, mode=era, elicitation_callback=accept, cache=None) as client,
        ):
            result = await client.call_tool(*DELETE)
            assert result.structured_content["status"] == "needs_confirmation"
            assert "Buy milk" in await notes(client)


async def test_a_yes_of_one_user_is_no_yes_of_another(file):
    who = ["ada"]
    async with served(file, lambda: who[0]) as (_, server), Client(server, cache=None) as client:
        await press((await client.call_tool(*DELETE)).structured_content["url"], file)
        who[0] = "bob"
        assert (await client.call_tool(*DELETE)).structured_content["status"] == "needs_confirmation"
        who[0] = "ada"
        assert not (await client.call_tool(*DELETE)).is_error


async def test_a_yes_that_does_not_come_from_the_page_does_not_count(file):
    async with served(file) as (_, server), Client(server, cache=None) as client:
        url = (await client.call_tool(*DELETE)).structured_content["url"]
        browser, stranger = Browser(url), Browser(url)
        async with browser.http, stranger.http:
            await browser.open(file)
            stranger.token = browser.token
            assert (await stranger.press()).status_code == 403  # no cookie
            await stranger.open(file)
            assert (await stranger.press(token=browser.token)).status_code == 403  # another browser's token
            assert (await browser.press(origin="https://example.org")).status_code == 403
            assert (await browser.press(headers={})).status_code == 403
            assert (await browser.press(token="0" * 64)).status_code == 403
            rebound = {"Origin": browser.origin, "Host": "example.org"}
            assert (await browser.press(headers=rebound)).status_code == 404
            assert (await browser.http.get(url, headers={"Host": "example.org"})).status_code == 404
            assert (await browser.press("maybe")).status_code == 404
            assert (await client.call_tool(*DELETE)).is_error
            assert (await browser.press()).status_code == 200
            assert (await browser.press("no")).status_code == 404  # it is said
            assert (await browser.http.get(url)).status_code == 404
        assert not (await client.call_tool(*DELETE)).is_error


async def test_the_link_alone_shows_nothing_and_answers_nothing(file):
    """Everything that a model has after its call: the link, and any HTTP client."""
    async with served(file) as (_, server), Client(server, cache=None) as client:
        url = (await client.call_tool(*DELETE)).structured_content["url"]
        model = Browser(url)
        async with model.http:
            page = await model.http.get(url)
            assert "Buy milk" not in page.text
            assert 'name="token"' not in page.text
            assert "sayso gateway pair" in page.text
            identifier = url.rsplit("/", 1)[1]
            key = sha256(b"sayso page 1\n" + identifier.encode()).digest()
            for cookie in ("", "made-up"):
                model.http.cookies = {"sayso_confirm": cookie, **dict.fromkeys(page.cookies, cookie)}
                token = hmac.digest(key, cookie.encode(), "sha256").hex()
                assert (await model.press(token=token)).status_code == 403
            for code in ("", "2222-2222", "x" * 20):
                assert (await model.pair(code)).status_code == 403
        assert (await client.call_tool(*DELETE)).structured_content["status"] == "needs_confirmation"
        assert "Buy milk" in await notes(client)


async def test_a_browser_is_paired_once_by_a_code_that_counts_once_and_for_its_user(file):
    async with served(file) as (_, server), Client(server, cache=None) as client:
        url = (await client.call_tool(*DELETE)).structured_content["url"]
        code, browser, other = code_for(file), Browser(url), Browser(url)
        async with browser.http, other.http:
            elsewhere = {"Origin": "https://example.org"}
            assert (await browser.http.post(url, data={"code": code}, headers=elsewhere)).status_code == 403
            assert (await browser.pair(code.lower().replace("-", " "))).status_code == 303
            assert (await other.pair(code)).status_code == 403
            assert (await other.pair(code_for(file, "bob"))).status_code == 303
            assert "Buy milk" not in (await other.http.get(url)).text  # bob's browser, ada's page
            await browser.open()
            assert (await browser.press()).status_code == 200
            assert not (await client.call_tool(*DELETE)).is_error
            url = (await client.call_tool("delete_note", {"text": "Call the bank"})).structured_content["url"]
            browser.url = url
            assert "Call the bank" in (await browser.open()).text  # paired for good
            assert open_sealed(read_config(file), file).browsers.forget("ada") == 1
            assert "Call the bank" not in (await browser.http.get(url)).text


def test_a_code_is_good_for_ten_minutes_and_a_file_of_another_makes_no_browser(tmp_path):
    now = [0.0]
    browsers = Browsers(tmp_path, Key([b"k" * 32]), lambda: now[0])
    code = browsers.issue("ada")
    now[0] = 601
    assert browsers.pair(code) is None
    code = browsers.issue("ada")
    assert [file.stem for file in tmp_path.iterdir()] != []
    cookie = browsers.pair(code)
    assert browsers.user(cookie) == "ada"
    Browsers(tmp_path, Key([b"x" * 32]), lambda: now[0])._write("paired browser", "f" * 64, "ada", 1e9)
    made_up = tmp_path / f"{_name('mine')}.pair"
    made_up.write_bytes(next(tmp_path.glob(f"{_name(cookie)}*")).read_bytes())  # a sealed file under another name
    assert browsers.user("mine") is None
    assert browsers._read("paired browser", "f" * 64) is None


def test_the_command_prints_a_code_that_pairs_and_the_trail_says_so(file):
    def sayso(*arguments):
        environment = dict(os.environ) | {"PYTHONPATH": str(ROOT / "src")}
        command = [sys.executable, "-m", "sayso.cli", *arguments, "--config", str(file)]
        return subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=True).stdout

    code = sayso("gateway", "pair").splitlines()[0]
    browsers = open_sealed(read_config(file), file).browsers
    assert browsers.user(browsers.pair(code)) == "local"
    assert "printed a code to pair a browser for local" in sayso("trail", "list")
    assert sayso("gateway", "pair", "--forget") == "Unpaired: 1\n"


async def test_the_page_shows_all_that_would_run_and_nothing_else_does(file):
    text = "<script>alert(1)</script>\u202egpj.exe\u200b\n" + "x" * 2_000
    async with served(file) as (_, server), Client(server, cache=None) as client:
        url = (await client.call_tool("delete_note", {"text": text})).structured_content["url"]
        browser = Browser(url)
        async with browser.http:
            page = await browser.open(file)
            cookie = next(iter(browser.http.cookies.jar))
    assert "<script>" not in page.text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;&lt;U+202E&gt;gpj.exe&lt;U+200B&gt;\nxxx" in page.text
    assert "x" * 2_000 in page.text
    assert "<dd><pre><bdi>notes</bdi>" in page.text
    assert "<dd><pre><bdi>delete_note</bdi>" in page.text
    headers = page.headers
    assert headers["cache-control"] == "no-store"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["x-frame-options"] == "DENY"
    assert cookie.has_nonstandard_attr("HttpOnly")
    assert cookie.get_nonstandard_attr("SameSite").lower() == "lax"


async def test_an_answer_that_another_program_writes_does_not_count(file):
    async with served(file) as (gateway, server), Client(server, cache=None) as client:
        url = (await client.call_tool(*DELETE)).structured_content["url"]
        other = (await client.call_tool("delete_note", {"text": "Call the bank"})).structured_content["url"]
        await press(other, file)
        page, answered = (gateway.paging.pages.find(each.rsplit("/", 1)[1]) for each in (url, other))
        for forged in (b"yes", answered.said.read_bytes(), b"0" * 64):
            page.said.write_bytes(forged)
            assert (await client.call_tool(*DELETE)).structured_content["status"] == "needs_confirmation"
        page.file.write_bytes(answered.file.read_bytes())  # another page, under the name of this call
        assert (await client.call_tool(*DELETE)).structured_content["url"] != other
        assert await notes(client) == ["Buy milk", "Call the bank"]


async def test_a_page_is_open_for_ten_minutes(tmp_path):
    now = [0.0]
    pages = Pages(tmp_path / "pages", Key([b"k" * 32]), lambda: now[0])
    asks = Confirm(tool="t", arguments={}, confidence=1.0, question="?", reason="destructive")
    wanted = Wanted(server="s", tool="t", arguments={}, words=Words())
    question = Question(id="q", wanted=wanted, asks=asks, definition="d")
    page, new = pages.put("ada", question)
    assert new
    page.say(answer=True)
    now[0] = 599
    assert pages.of("ada", question).id == page.id
    now[0] = 601
    assert pages.of("ada", question) is None
    assert pages.find(page.id) is None


async def test_the_trail_says_where_it_was_asked(file):
    async with served(file) as (_, server), Client(server, cache=None) as client:
        await press((await client.call_tool(*DELETE)).structured_content["url"], file)
        await client.call_tool(*DELETE)
    lines = [json.loads(line) for line in (file.parent / "sayso.sayso" / "trail.jsonl").read_text().splitlines()]
    assert [line["kind"] for line in lines] == ["judged", "question", "judged", "answer", "call"]
    assert json.loads(lines[1]["body"])["where"] == "browser"


async def test_the_gateway_over_http_has_the_page_at_its_own_address(file):
    with Front(file) as front:
        async with Client(streamable_http_client(f"{front.origin}/mcp"), cache=None) as client:
            url = (await client.call_tool(*DELETE)).structured_content["url"]
            assert url.startswith(f"{front.origin}/confirm/")
            await press(url, file)
            assert not (await client.call_tool(*DELETE)).is_error


async def test_a_page_of_one_replica_is_shown_answered_and_used_by_another(file):
    with Front(file) as one, Front(file) as other:
        async with (
            Client(streamable_http_client(f"{one.origin}/mcp"), cache=None) as asking,
            Client(streamable_http_client(f"{other.origin}/mcp"), cache=None) as again,
        ):
            url = (await asking.call_tool(*DELETE)).structured_content["url"]
            same = (await again.call_tool(*DELETE)).structured_content["url"]
            assert same.removeprefix(other.origin) == url.removeprefix(one.origin)
            await press(same, file)
            results = await asyncio.gather(asking.call_tool(*DELETE), again.call_tool(*DELETE))
            assert sorted(result.is_error for result in results) == [False, True]


async def test_a_page_that_nobody_put_there_is_not_found(file):
    names = ["", "x", "a" * 64, "../../sayso", "a" * 64 + "/../../tools", "é" * 80]
    with Front(file) as front:
        async with Client(streamable_http_client(f"{front.origin}/mcp"), cache=None) as client:
            url = (await client.call_tool(*DELETE)).structured_content["url"]
        call = url.rsplit("/", 1)[1][:64]
        async with httpx2.AsyncClient(timeout=60) as http:
            for wrong in (call, *names, *(f"{call}{name}" for name in names)):
                assert (await http.get(f"{front.origin}/confirm/{wrong}")).status_code == 404


async def test_the_gateway_over_standard_input_has_a_page_on_this_machine(file):
    environment = dict(os.environ) | {"PYTHONPATH": str(ROOT / "src")}
    arguments = ["-m", "sayso.cli", "gateway", "--config", str(file)]
    gateway = StdioServerParameters(command=sys.executable, args=arguments, env=environment)
    async with Client(gateway, elicitation_callback=going("yes", [], file, "local"), cache=None) as client:
        assert not (await client.call_tool(*DELETE)).is_error
        assert await notes(client) == ["Call the bank"]


class Front(threading.Thread):
    """The gateway over HTTP, in a thread."""

    def __init__(self, file):
        super().__init__(daemon=True)
        self._file, self._ready = file, threading.Event()

    def run(self):
        asyncio.run(self._serve())

    async def _serve(self):
        with socket.socket() as listening:
            listening.bind(("127.0.0.1", 0))
            listening.listen()
            port = listening.getsockname()[1]
            self.origin = f"http://127.0.0.1:{port}"
            async with open_gateway(self._file, lambda: "ada") as gateway:
                app = http_app(gateway, Settings(env="production"), host="127.0.0.1", port=port)
                self._server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1))
                self._ready.set()
                await self._server.serve([listening])

    def __enter__(self):
        self.start()
        assert self._ready.wait(20)
        return self

    def __exit__(self, *_):
        self._server.should_exit = True
        self.join(10)
