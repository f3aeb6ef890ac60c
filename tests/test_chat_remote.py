"""`sayso chat --url`: over HTTP, with a service that loses answers, is busy, refuses, or sends the caller elsewhere."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
from contextlib import contextmanager
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import msgspec
import pytest

from sayso.assistant.conversation import Conversation
from sayso.assistant.converse import Assistant
from sayso.assistant.values import Card
from sayso.decider import Decider
from sayso.packs.answers import load_answers
from sayso.packs.load import pack_folder
from sayso.tasks.store.memory import MemoryTasks
from terminal import NOW, environment

BEARER = "of-ada"


class Service:
    """The chat service's contract over a conversation in memory, with faults to order: each is spent by one request."""

    def __init__(self):
        clock = lambda: datetime.fromisoformat(NOW)  # noqa: E731
        assistant = Assistant(Decider.installed(), load_answers(pack_folder("tasks")))
        self.hands = MemoryTasks(clock)
        self.conversation = Conversation(assistant, self.hands, clock=clock)
        self.card = None
        self.answered = {}
        self.faults = []
        self.seen = []

    def answer(self, path, body):
        match path.split("/")[2:]:
            case ["conversations"]:
                return 201, {"id": "c1"}
            case ["conversations", "c1", "messages"]:
                if body["client_message_id"] not in self.answered:
                    self.answered[body["client_message_id"]] = self.run(self.conversation.say(body["content"]))
                return 200, self.answered[body["client_message_id"]]
            case ["confirmations", card]:
                shown = Card(id=card, digest=body["digest"], card="", expires_at="")
                return 200, self.run(self.conversation.settle(shown, yes=body["answer"] == "yes"))
            case ["undo"]:
                return 200, self.run(self.conversation.undo())
        return 404, {"type": "urn:sayso:problem:not_found", "detail": "There is nothing here."}

    def run(self, turn):
        return json.loads(msgspec.json.encode(asyncio.run(turn)))

    def titles(self):
        return [thing.text("title") for thing in asyncio.run(self.hands.things(""))]


def handler_of(service):
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            service.seen.append((self.path, self.headers["Authorization"], body))
            fault = service.faults.pop(0) if service.faults else None
            if fault == "lost":
                service.answer(self.path, body)
                self.close_connection = True
                return
            if self.headers["Authorization"] != f"Bearer {BEARER}":
                self.send(401, {"type": "urn:sayso:problem:unauthorised", "detail": "The token is not accepted."})
            elif isinstance(fault, tuple):
                self.send(*fault)
            elif fault == "garbage":
                self.send(200, "nothing to read")
            else:
                self.send(*service.answer(self.path, body))

        def send(self, status, body, **headers):
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            text = json.dumps(body).encode()
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_):
            pass

    return Handler


@contextmanager
def served(handler):
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def service():
    return Service()


@pytest.fixture
def url(service):
    with served(handler_of(service)) as address:
        yield address


@pytest.fixture
def chat(root, url):
    def run(*lines, status=0, to=url, bearer=BEARER, options=()):
        done = subprocess.run(
            [sys.executable, "-m", "sayso.cli", "chat", "--url", to, "--now", NOW, *options],
            input="".join(f"{line}\n" for line in lines),
            capture_output=True,
            encoding="utf-8",
            env=environment(root, SAYSO_TOKEN=bearer, NO_PROXY="127.0.0.1"),
            check=False,
        )
        assert done.returncode == status, done.stderr
        return done.stdout if status == 0 else done.stderr

    return run


def test_a_conversation_over_http(chat, service):
    printed = chat("add buy milk", "/why", "delete buy milk", "/yes", "/undo", "/list")
    added, decided, *more = printed.splitlines()
    assert (added, decided[:18]) == ('I\'ve added "buy milk" to your list.', "call      add_task")
    assert more == [
        '          title   buy milk   said: "buy milk"',
        'Delete "buy milk"?',
        "yes or no?",
        'I\'ve deleted "buy milk".',
        'I\'ve undone that. "buy milk" is as it was.',
        "You have one task:",
        "1. buy milk",
    ]
    assert {token for _, token, _ in service.seen} == {f"Bearer {BEARER}"}


def test_a_lost_answer_is_asked_for_again_and_nothing_is_done_twice(chat, service):
    service.faults = [None, "lost", "lost"]
    assert chat("add buy milk").splitlines() == ['I\'ve added "buy milk" to your list.']
    assert service.titles() == ["buy milk"]
    sent = [body for path, _, body in service.seen if path.endswith("messages")]
    assert len(sent) == 3
    assert sent[0] == sent[1] == sent[2]


def test_a_busy_service_is_waited_for(chat, service):
    busy = {"type": "urn:sayso:problem:turn_in_progress", "detail": "Still busy."}
    service.faults = [None, (409, busy), (503, {})]
    assert "I've added" in chat("add buy milk")


def test_an_undo_is_not_sent_twice(chat, service):
    service.faults = [None, None, None, "lost"]
    assert "is not reachable" in chat("add buy milk", "add buy bread", "/undo", status=1)
    assert service.titles() == ["buy milk"]


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ((409, {"type": "urn:sayso:problem:refused", "detail": "It cannot be used."}), "It cannot be used."),
        ((500, {"detail": "It \x1b[31mfailed."}), "It \\x1b[31mfailed."),
        ((404, {}), "HTTP 404"),
        ("garbage", "sent an invalid answer"),
    ],
)
def test_a_problem_is_told_and_ends_a_script(chat, service, fault, said):
    service.faults = [None, fault]
    assert said in chat("add buy milk", "add buy bread", status=1)
    assert len(service.seen) == 2


def test_a_token_that_is_not_accepted_is_told(chat):
    assert "The token is not accepted." in chat("add buy milk", status=1, bearer="another")


def test_a_service_that_is_not_there_is_told_in_the_persons_language(chat):
    printed = chat("ciao", status=1, to="http://127.0.0.1:9", options=["--lang", "it"])
    assert printed.startswith("il servizio all'indirizzo http://127.0.0.1:9 non è raggiungibile")


def test_the_token_goes_nowhere_else(chat, service, url):
    class Elsewhere(BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(302)
            self.send_header("Location", f"{url}/v1/conversations")
            self.end_headers()

        def log_message(self, *_):
            pass

    with served(Elsewhere) as address:
        assert "HTTP 302" in chat("add buy milk", status=1, to=address)
    assert service.seen == []
