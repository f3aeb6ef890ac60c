"""Notifications about new questions: real messages to a real address, with no value of the call in them."""

from __future__ import annotations

import asyncio
import json
import queue
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from uuid import uuid4

import msgspec
import pytest

from sayso.decision import Confirm
from sayso.errors import BadData
from sayso.gateway.config import Config
from sayso.gateway.inbox.notify import MOST, Notifier, open_notifier
from sayso.gateway.inbox.subscriptions import Subscriptions
from sayso.gateway.questions.browsers import Browsers
from sayso.gateway.seals.key import Key
from sayso.gateway.values import Question, Wanted, Words
from sayso.reminders.values import Sent
from sayso.settings import Settings

pytestmark = pytest.mark.anyio

KEY = Key([b"k" * 32])
URL = "https://inbox.example.org/confirm/0123"
SUBSCRIPTION = {"endpoint": "https://push.example.org/x", "p256dh": "B" * 87, "auth": "A" * 22}


def question(tool="delete_note", **arguments):
    asks = Confirm(tool=tool, arguments=arguments, question="Run it?", reason="destructive", confidence=1)
    wanted = Wanted(server="notes", tool=tool, arguments=arguments, words=Words(message="say nothing of this"))
    return Question(id=str(uuid4()), wanted=wanted, asks=asks, definition="d")


class Recorder:
    """Keeps what would be sent."""

    def __init__(self, outcome="sent"):
        self.sent, self.outcome = [], outcome

    async def send(self, kind, target, *, title, body, payload="", topic=""):
        self.sent.append((kind, target, title, body, payload, topic))
        return Sent(0, self.outcome)

    async def close(self):
        pass


@pytest.fixture
def browsers(tmp_path):
    return Browsers(tmp_path / "browsers", KEY)


@pytest.fixture
def subscriptions(tmp_path):
    return Subscriptions(tmp_path / "push", KEY)


def config(*addresses):
    return msgspec.convert({"mcpServers": {"notes": {"command": "x"}}, "sayso": {"notify": addresses}}, Config)


async def settled():
    for _ in range(5):
        await asyncio.sleep(0)


async def test_a_message_names_the_call_and_no_value(browsers, subscriptions):
    sender = Recorder()
    notifier = Notifier(("ntfys://ntfy.sh/secret-topic",), "local", subscriptions, browsers, sender, "en")
    notifier.tell("local", question(text="my password is hunter2", path="/etc"), URL, 0.0)
    await settled()
    ((kind, target, title, body, payload, topic),) = sender.sent
    assert (kind, target) == ("address", "ntfys://ntfy.sh/secret-topic")
    assert title == "Sayso: notes.delete_note requires your answer"
    assert "text, path" in body
    assert URL in body
    for told in (title, body, payload):
        assert "hunter2" not in told
        assert "say nothing" not in told
    assert json.loads(payload)["url"] == URL
    assert len(topic) == 32
    await notifier.close()


async def test_a_paired_device_is_told_and_forgotten_when_its_subscription_ends(browsers, subscriptions):
    cookie = browsers.pair(browsers.issue("ada"))
    paired = browsers.find(cookie)
    assert not subscriptions.put(paired, SUBSCRIPTION | {"endpoint": "http://push.example.org"})
    assert subscriptions.put(paired, SUBSCRIPTION)
    notifier = Notifier((), "local", subscriptions, browsers, Recorder("gone"), "en")
    assert notifier.reaches("ada")
    assert not notifier.reaches("eve")
    ((name, sent),) = await notifier.attempt("ada", "https://inbox.example.org/inbox")
    assert (name, sent.outcome) == (f"web push, {paired.device[:6]}", "gone")
    assert not notifier.reaches("ada")
    assert subscriptions.put(paired, SUBSCRIPTION)
    browsers.forget("ada")
    assert not notifier.reaches("ada")


async def test_the_addresses_of_the_file_are_for_the_user_of_this_machine(browsers, subscriptions):
    notifier = Notifier(("ntfys://ntfy.sh/x",), "local", subscriptions, browsers, Recorder(), "en")
    assert notifier.reaches("local")
    assert not notifier.reaches("eve")


async def test_many_questions_send_few_messages(browsers, subscriptions):
    now, sender = [0.0], Recorder()
    notifier = Notifier(("ntfys://ntfy.sh/x",), "local", subscriptions, browsers, sender, "en", lambda: now[0])
    for number in range(50):
        notifier.tell("local", question(text=str(number)), URL, 0.0)
    await settled()
    titles = [sent[2] for sent in sender.sent]
    assert len(titles) == MOST + 1
    assert "more calls" in titles[-1]
    assert sender.sent[-1][3].endswith("https://inbox.example.org/inbox")
    now[0] = 61.0
    notifier.tell("local", question(), URL, 0.0)
    await settled()
    assert len(sender.sent) == MOST + 2
    await notifier.close()


@pytest.mark.parametrize("address", ["file:///etc/passwd", "ntfys://ntfy.sh/s3cret topic", "exec://s3cret"])
def test_an_address_that_cannot_be_used_is_an_error_that_does_not_repeat_it(tmp_path, browsers, subscriptions, address):
    with pytest.raises(BadData, match=r"sayso\.notify\[0\]") as problem:
        open_notifier(config(address), tmp_path / "sayso.json", Settings(), subscriptions, browsers)
    assert "s3cret" not in str(problem.value)
    assert open_notifier(config(), tmp_path / "sayso.json", Settings(), subscriptions, browsers) is None


@pytest.mark.parametrize("networks", [("127.0.0.1/32",), ()], ids=["allowed", "private"])
async def test_a_message_arrives_unless_its_address_is_private(tmp_path, browsers, subscriptions, networks):
    with Receiver() as received:
        settings = Settings(reminder_schemes=("json",), reminder_networks=networks)
        address = f"json://127.0.0.1:{received.port}/"
        notifier = open_notifier(config(address), tmp_path / "sayso.json", settings, subscriptions, browsers)
        ((name, sent),) = await notifier.attempt("local", "https://inbox.example.org/inbox")
        await notifier.close()
        assert name == "json://…"
        if networks:
            assert sent.outcome == "sent"
            assert "https://inbox.example.org/inbox" in received.messages.get(timeout=5)["message"]
        else:
            assert (sent.outcome, sent.detail) == ("refused", "private_network")
            assert received.messages.empty()


class Receiver:
    """An HTTP server that keeps what it is sent."""

    def __enter__(self):
        self.messages = messages = queue.Queue()

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                messages.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_):
                pass

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_port
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
