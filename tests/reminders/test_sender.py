"""Sending for real: a push service that checks the token and decrypts, a mail server, an ntfy-like server; and
addresses that lead into private networks, to which nothing leaves."""

from __future__ import annotations

import base64
import json
import os
import socket
import ssl
import threading
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address

import http_ece
import pytest
from aiosmtpd.controller import Controller
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from py_vapid import Vapid02
from pydantic import SecretStr

from benchmarks.attacks.addresses import hostile_addresses
from sayso.reminders.addresses import BadAddress, check_address, check_subscription
from sayso.reminders.network import Networks
from sayso.reminders.push_keys import new_key, public_key
from sayso.reminders.sender import Sender
from sayso.settings import Settings

pytestmark = pytest.mark.anyio
HERE = ("127.0.0.0/8",)


class Server:
    """An HTTP server of the tests' own, which keeps what comes."""

    def __init__(self, certificate=None):
        self.came, self.status, self.location = [], 201, None
        kept = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                kept.came.append((self.path, self.headers, body))
                self.send_response(kept.status)
                if kept.location:
                    self.send_header("Location", kept.location)
                self.send_header("Content-Length", "0")
                self.end_headers()

            do_GET = do_PUT = do_POST  # noqa: N815  the names of http.server

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.port = self._server.server_port
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def web():
    server = Server()
    yield server
    server.close()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A certificate for 127.0.0.1, which the sending process trusts."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "push")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path_factory.mktemp("tls") / "push.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(made.public_bytes(serialization.Encoding.PEM) + private)
    return file


@pytest.fixture
def push_service(certificate, monkeypatch):
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certificate))
    server = Server(certificate)
    yield server
    server.close()


@asynccontextmanager
async def sending(**changed):
    sender = Sender(Settings(env="development", **changed))
    try:
        yield sender
    finally:
        await sender.close()


def browser():
    """A browser's subscription, and its private half."""
    key, auth = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
    point = key.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    return key, auth, {"p256dh": _text(point), "auth": _text(auth)}


def _text(raw):
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


async def test_a_push_is_signed_and_only_the_browser_can_read_it(push_service):
    key, auth, keys = browser()
    private = new_key()
    target = {"endpoint": f"https://127.0.0.1:{push_service.port}/push/1", "keys": keys}
    message = {"id": "r1", "task_id": "t1", "title": "Call mom", "body": "Due.", "due": "2026-03-10", "language": "en"}
    config = {"push_key": SecretStr(private), "push_contact": "mailto:ops@example.com", "reminder_networks": HERE}
    async with sending(**config) as sender:
        sent = await sender.send("push", target, title="x", body="x", payload=json.dumps(message), topic="a" * 32)
    assert sent.outcome == "sent", sent
    ((path, headers, body),) = push_service.came
    assert path == "/push/1"
    assert json.loads(http_ece.decrypt(body, private_key=key, auth_secret=auth, version="aes128gcm")) == message
    assert (headers["Topic"], headers["Urgency"], headers["Content-Encoding"]) == ("a" * 32, "high", "aes128gcm")
    assert Vapid02.verify(headers["Authorization"])
    assert f"k={public_key(private)}" in headers["Authorization"]
    claims = headers["Authorization"].split("t=")[1].split(".")[1]
    claims = json.loads(base64.urlsafe_b64decode(claims + "=="))
    assert claims["aud"] == f"https://127.0.0.1:{push_service.port}"
    assert claims["sub"] == "mailto:ops@example.com"
    assert b"Call mom" not in body


@pytest.mark.parametrize(("status", "outcome"), [(410, "gone"), (404, "gone"), (500, "failed"), (302, "failed")])
async def test_a_push_service_that_refuses_is_told_apart(push_service, web, status, outcome):
    _, _, keys = browser()
    push_service.status, push_service.location = status, f"http://127.0.0.1:{web.port}/elsewhere"
    target = {"endpoint": f"https://127.0.0.1:{push_service.port}/push/1", "keys": keys}
    async with sending(push_key=SecretStr(new_key()), reminder_networks=HERE) as sender:
        sent = await sender.send("push", target, title="x", body="x", payload="{}", topic="x")
    assert sent.outcome == outcome
    assert len(push_service.came) == 1
    assert web.came == []  # no redirect is followed


async def test_an_ntfy_like_server_and_a_web_hook_get_the_message(web):
    web.status = 200
    async with sending(reminder_networks=HERE) as sender:
        for address in (f"ntfy://127.0.0.1:{web.port}/topic", f"json://127.0.0.1:{web.port}/hook"):
            sent = await sender.send("address", address, title="Call mom", body="Due today at 5 pm.")
            assert sent.outcome == "sent", sent
    assert all(b"Call mom" in body and b"Due today at 5 pm." in body for _, _, body in web.came)
    assert len(web.came) == 2


async def test_a_redirect_is_not_followed(web):
    other = Server()
    web.status, web.location = 307, f"http://127.0.0.1:{other.port}/inside"
    try:
        async with sending(reminder_networks=HERE) as sender:
            sent = await sender.send("address", f"json://127.0.0.1:{web.port}/hook", title="Call mom", body="Due.")
        assert sent.outcome == "failed"
        assert len(web.came) == 1
        assert other.came == []
    finally:
        other.close()


async def test_a_mail_server_gets_the_message():
    came = []

    class Mail:
        async def handle_DATA(self, _server, _session, envelope):  # noqa: N802  aiosmtpd's name
            came.append((envelope.rcpt_tos, envelope.content))
            return "250 OK"

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    controller = Controller(Mail(), hostname="127.0.0.1", port=port)
    controller.start()
    try:
        address = f"mailto://127.0.0.1:{port}?from=sayso@example.com&to=ada@example.com"
        async with sending(reminder_networks=HERE) as sender:
            sent = await sender.send("address", address, title="Call mom", body="Due today at 5 pm.")
        assert sent.outcome == "sent", sent
    finally:
        controller.stop()
    ((to, content),) = came
    assert to == ["ada@example.com"]
    assert b"Call mom" in content


async def test_nothing_leaves_for_500_hostile_addresses(web):
    addresses = hostile_addresses(web.port, 500)
    assert len(set(addresses)) == 500
    schemes = (*Settings.model_fields["reminder_schemes"].default, "ntfy", "json", "mailto", "gotify")
    refused, tried = 0, 0
    async with sending() as sender:
        for address in addresses:
            try:
                check_address(address, schemes)
            except BadAddress:
                refused += 1
                continue
            tried += 1
            sent = await sender.send("address", address, title="x", body="x")
            assert sent.outcome in ("refused", "failed"), (address, sent)
    assert web.came == []
    assert refused > 100
    assert tried > 200


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.1", "224.0.0.1",
        "255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1",
        "2002:7f00:1::", "::7f00:1", "ff02::1", "fe80::1%eth0", "localhost", "", "example.com",
    ],
)  # fmt: skip
def test_private_addresses_are_not_reached(host):
    assert not Networks().may_reach(host)


@pytest.mark.parametrize("host", ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "::ffff:1.1.1.1"])
def test_public_addresses_are(host):
    assert Networks().may_reach(host)


def test_the_operator_may_open_a_network():
    networks = Networks(["10.1.0.0/16", "fd00::/8"])
    assert networks.may_reach("10.1.2.3")
    assert networks.may_reach("::ffff:10.1.2.3")
    assert networks.may_reach("fd00::1")
    assert not networks.may_reach("10.2.0.1")


@pytest.mark.parametrize(
    ("endpoint", "p256dh"),
    [
        ("http://push.example.com/x", "B" * 87), ("https://", "B" * 87), ("https://u:p@push.example.com/", "B" * 87),
        ("https://push.example.com:0/", "B" * 87), ("https://push.example.com/x", "not a key"), ("ftp://x", "B" * 87),
        ("https://[::1", "B" * 87),
    ],
)  # fmt: skip
def test_what_cannot_be_a_subscription_is_refused(endpoint, p256dh):
    with pytest.raises(BadAddress):
        check_subscription(endpoint, p256dh, "a" * 22)
