"""The deployment on one machine: what compose.yaml says, and its configurations under the real nginx, Mosquitto, Redis
and PostgreSQL, with two replicas of the service behind."""

from __future__ import annotations

import asyncio
import re
import shutil
import signal
import ssl
import subprocess
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from uuid import uuid4

import aiomqtt
import httpx2
import psycopg
import pytest
import redis
import yaml
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from make_secrets import LINK, hashed, make_secrets
from standing import ROOT, SAYSO, free_port, plain_environment, wait_for

from sayso.devices.link.acl import mosquitto_acl
from sayso.devices.link.topics import Topics
from sayso.gateway.config import read_config, state_folder
from sayso.identity.development import issue
from sayso.settings import Settings

DEPLOY = ROOT / "deploy"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
SERVICES = COMPOSE["services"]
OURS = ("chat-1", "chat-2", "tasks", "devices", "gateway", "migrate")
KEY = "0123456789abcdef0123456789abcdef"


def test_every_container_is_held_to_what_it_needs():
    for name, service in SERVICES.items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert "no-new-privileges:true" in service["security_opt"], name
        assert "privileged" not in service
        assert service.get("user", "65532:65532") != "0:0"


def test_only_the_door_and_the_brokers_encrypted_port_are_open():
    opened = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}
    assert opened == {"nginx": ["80:8080", "443:8443"], "mosquitto": ["8883:8883"]}


def test_no_secret_stands_in_a_variable_and_none_has_a_default():
    text = (DEPLOY / "compose.yaml").read_text("utf-8")
    assert not re.findall(r"\$\{\w*(?:PASSWORD|SECRET|KEY)\w*", text)
    for service in SERVICES.values():
        for name in service.get("environment", {}):
            assert not re.search("(DATABASE_URL|REDIS_URL|MQTT_URL|STATE_KEYS|SECRET|API_KEY)$", name), name
    assert "PASSWORD:" not in text


def test_every_secret_that_is_used_is_declared_and_can_be_had(tmp_path):
    used = {
        each if isinstance(each, str) else each["source"] for s in SERVICES.values() for each in s.get("secrets", ())
    }
    assert used == set(COMPOSE["secrets"])
    make_secrets(tmp_path / "secrets")
    made = {path.name for path in (tmp_path / "secrets").iterdir()}
    assert used - made == {"sayso_oidc_client_secret"}, "the provider gives that one"


def test_what_only_the_operator_knows_is_asked_for_and_named_in_the_example():
    text = (DEPLOY / "compose.yaml").read_text("utf-8")
    demanded = set(re.findall(r"\$\{(\w+):\?", text))
    example = set(re.findall(r"^(\w+)=", (DEPLOY / "example.env").read_text("utf-8"), re.MULTILINE))
    assert demanded <= example
    assert demanded == {
        "SAYSO_HOST",
        "SAYSO_OIDC_ISSUER",
        "SAYSO_OIDC_AUDIENCE",
        "SAYSO_OIDC_JWKS_URL",
        "SAYSO_OIDC_CLIENT_ID",
    }


def test_every_file_that_is_mounted_is_there_or_the_operators_own():
    own = {"./tls", "./gateway.json"}
    for service in SERVICES.values():
        for volume in service.get("volumes", ()):
            source = volume["source"] if isinstance(volume, dict) else volume.split(":")[0]
            if source.startswith("."):
                assert source in own or (DEPLOY / source).exists(), source
            else:
                assert source in COMPOSE["volumes"]


def test_secrets_are_for_their_owner_are_kept_and_are_never_the_same(tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    assert len(make_secrets(one)) == 10
    before = {path.name: path.read_text() for path in one.iterdir()}
    assert make_secrets(one) == []
    make_secrets(other)
    assert before == {path.name: path.read_text() for path in one.iterdir()}
    assert all((other / name).read_text() != text for name, text in before.items())
    assert one.stat().st_mode & 0o777 == 0o700
    settings = Settings(_secrets_dir=one)
    assert settings.database_url.startswith("postgresql://sayso_login:")
    assert len(settings.state_keys[0]) == 64


def test_the_brokers_rules_are_those_that_the_command_prints():
    assert (DEPLOY / "mosquitto" / "acl").read_text("utf-8") == mosquitto_acl(
        Topics(Settings().mqtt_topics), LINK, Settings().mqtt_discovery
    )


@pytest.fixture(scope="module")
def tls(tmp_path_factory):
    """A folder with a certificate of the tests' own."""
    folder, key = tmp_path_factory.mktemp("tls"), ec.generate_private_key(ec.SECP256R1())
    name, now = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "sayso.test")]), datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(minutes=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("sayso.test")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    (folder / "certificate.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return folder


@pytest.fixture(scope="module")
def door(needs, tls, url, redis_url, tmp_path_factory):
    """nginx with the very file, and two replicas behind it."""
    program, tmp, started = needs("nginx"), tmp_path_factory.mktemp("door"), []
    environment = plain_environment() | {
        "SAYSO_DATABASE_URL": url,
        "SAYSO_REDIS_URL": redis_url,
        "SAYSO_STATE_KEYS": KEY,
        "SAYSO_ENV": "development",
        "SAYSO_ALLOWED_HOSTS": "sayso.test",
    }
    ports = [free_port(), free_port(), free_port()]
    for command, port in zip((["serve"], ["serve"], ["mcp", "tasks", "--transport", "http"]), ports, strict=True):
        started.append(subprocess.Popen([SAYSO, *command, "--port", str(port)], env=environment))
    http, https = free_port(), free_port()
    chat = [f"server 127.0.0.1:{port} max_fails=1 fail_timeout=5s;" for port in ports[:2]]
    tasks = f"server 127.0.0.1:{ports[2]} max_fails=1 fail_timeout=5s;"
    file = rendered(
        tmp / "nginx.conf",
        SAYSO_HOST="sayso.test",
        SAYSO_HTTP_PORT=http,
        SAYSO_HTTPS_PORT=https,
        SAYSO_TLS=tls,
        SAYSO_TMP=tmp,
        SAYSO_CHAT_SERVERS=" ".join(chat),
        SAYSO_TASKS_SERVERS=tasks,
        SAYSO_DEVICES_SERVERS="server 127.0.0.1:9 down;",
        SAYSO_GATEWAY_SERVERS="server 127.0.0.1:9 down;",
    )
    for port, process in zip(ports, started, strict=True):
        wait_for(f"http://127.0.0.1:{port}", process)
    started.append(subprocess.Popen([program, "-c", file, "-g", "daemon off;"], stdout=subprocess.DEVNULL))
    context = ssl.create_default_context(cafile=tls / "certificate.pem")
    yield SimpleNamespace(http=http, https=https, replicas=started[:2], context=context)
    for process in reversed(started):
        process.terminate()
        process.wait(40)


def rendered(file, **values):
    """The template with its variables put in, as envsubst does it: those that are set, and no others."""
    text = (DEPLOY / "nginx" / "nginx.conf.template").read_text("utf-8")
    wanted = set(re.findall(r"\$\{(\w+)\}", text))
    assert wanted == set(values)
    assert wanted <= set(SERVICES["nginx"]["environment"])
    file.write_text(re.sub(r"\$\{(\w+)\}", lambda found: str(values[found[1]]), text), "utf-8")
    return file


@pytest.fixture
def opened(door):
    """A client that comes to the door under its name, with a token."""
    token = issue(Settings(env="development", state_keys=(KEY,)), f"ada {uuid4()}")
    deadline = time.monotonic() + 20
    while True:
        try:
            with httpx2.Client(timeout=60, verify=door.context, base_url="https://sayso.test") as probe:
                knock(probe, door, "GET", "/healthz")
            break
        except httpx2.TransportError:
            assert time.monotonic() < deadline
            time.sleep(0.05)
    with httpx2.Client(verify=door.context, headers={"Authorization": f"Bearer {token}"}, timeout=30) as client:
        yield client


def knock(client, door, method, path, host="sayso.test", **more):
    """A request to the door, which is called `host` and stands on this machine."""
    headers = {"Host": host, **more.pop("headers", {})}
    return client.request(
        method, f"https://127.0.0.1:{door.https}{path}", headers=headers, extensions={"sni_hostname": host}, **more
    )


def test_a_conversation_goes_through_the_door(door, opened):
    conversation = knock(opened, door, "POST", "/v1/conversations").json()["id"]
    said = {"client_message_id": "1", "content": "add a task to buy milk"}
    answer = knock(opened, door, "POST", f"/v1/conversations/{conversation}/messages", json=said)
    assert answer.json()["reply"] == 'I\'ve added "buy milk" to your list.'
    assert answer.headers["strict-transport-security"]
    assert "server" not in answer.headers or "/" not in answer.headers["server"]


def test_plain_http_is_sent_on(door, opened):
    answer = opened.get(f"http://127.0.0.1:{door.http}/page?x=1")
    assert (answer.status_code, answer.headers["location"]) == (301, "https://sayso.test/page?x=1")


def test_under_another_name_nobody_is_at_home(door, opened):
    with pytest.raises(httpx2.TransportError):
        knock(opened, door, "GET", "/healthz", host="evil.test")


def test_figures_stay_inside_and_bodies_have_an_end(door, opened):
    assert knock(opened, door, "GET", "/metrics").status_code == 404
    assert knock(opened, door, "POST", "/v1/decide", content=b" " * 1_100_000).status_code == 413


def test_the_tasks_are_reached_over_mcp_and_lead_to_their_issuer(door, opened):
    refused = knock(opened, door, "POST", "/tasks/mcp", headers={"Authorization": "Bearer none"}, json={})
    assert refused.status_code == 401
    listed = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    accepted = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}
    answer = knock(opened, door, "POST", "/tasks/mcp", headers=accepted, json=listed)
    assert "add_task" in answer.text, answer.text


def test_whoever_signs_in_too_often_is_told_to_wait(door, opened):
    statuses = [knock(opened, door, "GET", "/auth/nothing").status_code for _ in range(40)]
    assert 429 in statuses
    assert statuses[0] == 404


def test_events_come_as_they_happen(door, opened):
    request = {
        "headers": {"Host": "sayso.test", "Accept": "text/event-stream"},
        "extensions": {"sni_hostname": "sayso.test"},
    }
    with opened.stream("GET", f"https://127.0.0.1:{door.https}/v1/events", **request) as events:
        lines = events.iter_lines()
        next(line for line in lines if line.startswith("data:"))
        began = time.monotonic()
        knock(opened, door, "POST", "/v1/tasks", json={"title": "Buy milk"})
        next(line for line in lines if line.startswith("data:"))
        assert time.monotonic() - began < 5


def test_a_replica_that_is_killed_is_not_noticed(door, opened):
    conversation = knock(opened, door, "POST", "/v1/conversations").json()["id"]
    place = f"/v1/conversations/{conversation}/messages"
    for number in range(12):
        if number == 2:
            door.replicas[0].send_signal(signal.SIGKILL)
        said = {"client_message_id": str(number), "content": f'add a task "errand {number}"'}
        answer = knock(opened, door, "POST", place, json=said)
        assert answer.status_code == 200, answer.text
    listed = knock(opened, door, "GET", "/v1/tasks").json()["tasks"]
    assert len(listed) == 12


def test_redis_counts_for_whoever_has_the_password_alone(needs, tmp_path):
    make_secrets(tmp_path / "secrets")
    text, port = (DEPLOY / "redis" / "redis.conf").read_text("utf-8"), free_port()
    text = text.replace("/run/secrets", str(tmp_path / "secrets")).replace("port 6379", f"port {port}")
    text = text.replace("bind * -::*", "bind 127.0.0.1")
    (tmp_path / "redis.conf").write_text(text)
    server = subprocess.Popen([needs("redis-server"), tmp_path / "redis.conf"], cwd=tmp_path, stdout=subprocess.DEVNULL)
    try:
        address = (
            (tmp_path / "secrets" / "sayso_redis_url").read_text().strip().replace("redis:6379", f"127.0.0.1:{port}")
        )
        with redis.Redis.from_url(address) as client, redis.Redis(port=port) as stranger:
            until_reached(client.ping, redis.ConnectionError)
            assert client.incr("counted") == 1
            with pytest.raises(redis.AuthenticationError):
                stranger.get("counted")
    finally:
        server.terminate()
        server.wait(20)


def until_reached(reach, error):
    deadline = time.monotonic() + 20
    while True:
        try:
            return reach()
        except error:
            assert time.monotonic() < deadline
            time.sleep(0.05)


@pytest.fixture
def broker(needs, tls, tmp_path):
    """Mosquitto with the very file; Sayso's own link, and machines of ada and of bob."""
    program, secrets = needs("mosquitto"), tmp_path / "secrets"
    make_secrets(secrets)
    passwords = secrets / "mosquitto_passwords"
    passwords.chmod(0o600)
    with passwords.open("a") as file:
        file.writelines(f"{name}:{hashed(f'{name} password')}\n" for name in ("ada", "bob"))
    inside, outside = free_port(), free_port()
    shutil.copy(DEPLOY / "mosquitto" / "acl", tmp_path / "acl")
    text = (DEPLOY / "mosquitto" / "mosquitto.conf").read_text("utf-8")
    for before, after in {
        "/run/secrets": secrets,
        "/mosquitto/config/acl": tmp_path / "acl",
        "/mosquitto/tls": tls,
        "/mosquitto/data/": f"{tmp_path}/",
        "listener 1883": f"listener {inside} 127.0.0.1",
        "listener 8883": f"listener {outside} 127.0.0.1",
    }.items():
        assert before in text
        text = text.replace(before, str(after))
    (tmp_path / "mosquitto.conf").write_text(f"{text}user root\n")  # this machine's folders are root's
    server = subprocess.Popen([program, "-c", tmp_path / "mosquitto.conf"], stderr=subprocess.DEVNULL)
    link = (secrets / "mqtt_password").read_text().strip()
    yield SimpleNamespace(inside=inside, outside=outside, link=link)
    server.terminate()
    server.wait(20)


@pytest.mark.anyio
async def test_machines_reach_the_broker_over_tls_and_speak_for_their_owner_alone(broker, tls):
    context = ssl.create_default_context(cafile=tls / "certificate.pem")
    context.check_hostname = False  # it is called sayso.test, and stands on this machine
    v5 = aiomqtt.ProtocolVersion.V5

    def machine(name):
        return aiomqtt.Client(
            "127.0.0.1", broker.outside, username=name, password=f"{name} password", tls_context=context, protocol=v5
        )

    link = aiomqtt.Client("127.0.0.1", broker.inside, username=LINK, password=broker.link, protocol=v5)
    await _connected(
        lambda: aiomqtt.Client("127.0.0.1", broker.inside, username=LINK, password=broker.link, protocol=v5)
    )
    with pytest.raises(aiomqtt.MqttError):
        async with aiomqtt.Client("127.0.0.1", broker.inside, protocol=v5):
            pass
    async with link, machine("ada") as ada, machine("bob") as bob:
        await link.subscribe("sayso/+/+/online", qos=1)
        await bob.publish("sayso/ada/lamp/online", "forged", qos=1)
        await ada.publish("sayso/ada/lamp/online", "true", qos=1)
        async with asyncio.timeout(10):
            message = await anext(aiter(link.messages))
        assert (str(message.topic), message.payload) == ("sayso/ada/lamp/online", b"true")


async def _connected(make):
    for _ in range(200):
        try:
            async with make():
                return
        except aiomqtt.MqttError:
            await asyncio.sleep(0.05)
    raise AssertionError("no broker")


def test_the_role_of_the_services_is_made_with_its_password(server, make_database, tmp_path, needs):
    """The file that the PostgreSQL image runs, with names of the test's own: roles are a whole server's."""
    name, made = f"sayso_login_{uuid4().hex[:8]}", make_database()
    make_secrets(tmp_path / "secrets")
    text = (DEPLOY / "postgres" / "login.sql").read_text("utf-8")
    app = "CREATE ROLE sayso_app NOLOGIN NOSUPERUSER NOBYPASSRLS;"
    assert app in text
    with psycopg.connect(server, autocommit=True) as on:
        exists = on.execute("SELECT 1 FROM pg_roles WHERE rolname = 'sayso_app'").fetchone()
    text = text.replace(app, "" if exists else app).replace("sayso_login", name)
    text = text.replace("/run/secrets", str(tmp_path / "secrets"))
    done = subprocess.run(
        [needs("psql"), made, "--no-psqlrc", "--quiet"], input=text, capture_output=True, encoding="utf-8", check=False
    )
    try:
        assert (done.returncode, done.stderr) == (0, "")
        with psycopg.connect(server) as on:
            query = "SELECT rolpassword LIKE 'SCRAM%%', rolsuper, rolbypassrls FROM pg_authid WHERE rolname = %s"
            assert on.execute(query, (name,)).fetchone() == (True, False, False)
    finally:
        with psycopg.connect(server, autocommit=True) as on:
            on.execute(f"DROP ROLE IF EXISTS {name}")


def test_the_gateways_file_keeps_its_state_on_the_volume():
    file = DEPLOY / "gateway.example.json"
    state = state_folder(read_config(file), file)
    assert f"gateway:{state}" in SERVICES["gateway"]["volumes"]
    assert f" {state}\n" in (DEPLOY / "Containerfile").read_text("utf-8"), "made for the image's user"


def test_ours_run_one_image_with_a_folder_of_secrets():
    for name in OURS:
        assert SERVICES[name]["image"] == SERVICES["chat-1"]["image"]
        assert SERVICES[name]["environment"]["SAYSO_SECRETS_DIR"] == "/run/secrets"
        assert (
            "SAYSO_ENV" not in SERVICES[name]["environment"]
            or SERVICES[name]["environment"]["SAYSO_ENV"] == "production"
        )
    assert Path(SERVICES["chat-1"]["build"]["dockerfile"]).name == "Containerfile"
