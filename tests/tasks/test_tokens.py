"""Bearer tokens: only those of the issuer, for us, in time, with a signature that its keys prove."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from typer.testing import CliRunner

from sayso.cli.main import app
from sayso.errors import BadSetting
from sayso.identity.development import issue
from sayso.identity.principal import Principal, principal_from
from sayso.identity.tokens import ALGORITHMS, PublishedKeys
from sayso.identity.trust import id_tokens, trusted_tokens
from sayso.settings import DEVELOPMENT_ISSUER, Settings, database_url, read_settings

KEY = "0123456789abcdef0123456789abcdef"
ISSUER = "https://id.example.org"
RSA = rsa.generate_private_key(public_exponent=65537, key_size=2048)
CURVE = ec.generate_private_key(ec.SECP256R1())
STRANGER = rsa.generate_private_key(public_exponent=65537, key_size=2048)


def jwk(key, kid, algorithm):
    maker = jwt.algorithms.RSAAlgorithm if algorithm == "RS256" else jwt.algorithms.ECAlgorithm
    return json.loads(maker.to_jwk(key.public_key())) | {"kid": kid, "alg": algorithm, "use": "sig"}


@pytest.fixture(scope="module")
def provider():
    """An identity provider's keys, published on a port of this machine; counts how often they are fetched."""

    class Keys(BaseHTTPRequestHandler):
        fetched = 0

        def do_GET(self):
            Keys.fetched += 1
            body = json.dumps({"keys": [jwk(RSA, "one", "RS256"), jwk(CURVE, "two", "ES256")]}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Keys)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/jwks", Keys
    server.shutdown()
    server.server_close()


@pytest.fixture
def tokens(provider):
    settings = Settings(
        env="development", oidc_issuer=ISSUER, oidc_audience="sayso", oidc_jwks_url=provider[0], state_keys=(KEY,)
    )
    return trusted_tokens(settings)


def token(key=RSA, kid="one", algorithm="RS256", **changes):
    claims = {
        "iss": ISSUER,
        "aud": ["sayso", "others"],
        "sub": "ada",
        "exp": datetime.now(UTC) + timedelta(hours=1),
        "zoneinfo": "Europe/Rome",
        "locale": "it-IT",
    }
    kept = {name: value for name, value in (claims | changes).items() if value is not None}
    return jwt.encode(kept, key, algorithm=algorithm, headers={"kid": kid})


@pytest.mark.anyio
@pytest.mark.parametrize("made", [token(), token(CURVE, "two", "ES256")])
async def test_a_token_of_the_issuer_proves_who_it_is(tokens, made):
    verified = await tokens.verify(made)
    assert verified.principal == Principal(id="ada", zone="Europe/Rome", language="it")


@pytest.mark.anyio
@pytest.mark.parametrize(
    "made",
    [
        token(STRANGER),
        token(kid="three"),
        token(CURVE, "one", "ES256"),
        token(aud="others"),
        token(aud=None),
        token(iss="https://id.example.com"),
        token(iss=DEVELOPMENT_ISSUER),
        token(exp=datetime.now(UTC) - timedelta(minutes=5)),
        token(exp=None),
        token(nbf=datetime.now(UTC) + timedelta(days=2)),
        token(sub=""),
        token(sub=None),
        token(sub="a" * 256),
        token(sub="sayso:erasures"),
        token(sub="Sayso:anything"),
        jwt.encode({"iss": ISSUER, "aud": "sayso", "sub": "ada"}, "x" * 32, algorithm="HS256", headers={"kid": "one"}),
        jwt.encode({"iss": ISSUER, "aud": "sayso", "sub": "ada"}, None, algorithm="none", headers={"kid": "one"}),
        token()[:-4] + "AAAA",
        "not a token",
        "",
    ],
)
async def test_any_other_token_proves_nobody(tokens, made):
    assert await tokens.verify(made) is None


@pytest.mark.anyio
async def test_unknown_keys_do_not_make_us_ask_the_provider_again_and_again(tokens, provider):
    await tokens.verify(token())
    before = provider[1].fetched
    for number in range(50):
        await tokens.verify(token(kid=f"unknown {number}"))
    assert provider[1].fetched == before


@pytest.mark.anyio
async def test_keys_that_cannot_be_fetched_again_count_for_a_while(provider):
    now = 0.0
    keys = PublishedKeys(provider[0], stale=24 * 3600, clock=lambda: now)
    assert await keys.find("one")
    keys._client.uri = "http://127.0.0.1:1/gone"
    now = 23 * 3600.0
    assert await keys.find("one")
    now = 25 * 3600.0
    assert await keys.find("one") is None
    keys._client.uri = provider[0]
    now += 60
    assert await keys.find("one")


@pytest.mark.anyio
async def test_a_token_that_was_proved_is_not_good_for_longer_than_it_says(tokens, monkeypatch):
    made = token()
    assert await tokens.verify(made)
    later = time.time() + 2 * 3600
    monkeypatch.setattr("sayso.identity.tokens.time.time", lambda: later)
    assert [until <= later for until, _ in tokens._proved.values()] == [True]


@pytest.mark.anyio
async def test_a_token_that_was_proved_is_known_without_its_key(tokens, monkeypatch):
    made = token()
    first = await tokens.verify(made)
    monkeypatch.setattr(tokens, "_keys", None)
    assert await tokens.verify(made) is first


@pytest.mark.anyio
async def test_of_many_proved_tokens_the_oldest_are_forgotten(tokens, monkeypatch):
    monkeypatch.setattr("sayso.identity.tokens._MOST", 2)
    made = [token(sub=name) for name in ("ada", "bob", "cleo")]
    for each in made:
        assert await tokens.verify(each)
    assert list(tokens._proved) == made[1:]


def test_every_algorithm_is_an_asymmetric_one_of_the_library():
    assert set(ALGORITHMS) <= set(jwt.algorithms.get_default_algorithms())
    assert not [name for name in ALGORITHMS if name.startswith("HS") or name == "none"]


@pytest.mark.anyio
async def test_tokens_that_come_while_the_keys_are_fetched_wait_for_them(tokens):
    assert all(await asyncio.gather(*(tokens.verify(token()) for _ in range(20))))


@pytest.mark.anyio
async def test_a_development_token_is_good_in_development_alone():
    development = Settings(env="development", state_keys=(KEY,))
    made = issue(development, "ada", zone="Europe/Rome")
    assert (await trusted_tokens(development).verify(made)).principal.id == "ada"
    other = Settings(env="development", state_keys=(KEY[::-1],))
    assert await trusted_tokens(other).verify(made) is None
    with pytest.raises(BadSetting):
        issue(Settings(state_keys=(KEY,)), "ada")


@pytest.mark.parametrize(
    ("variables", "missing"),
    [
        ({}, "SAYSO_OIDC_ISSUER"),
        ({"oidc_issuer": ISSUER}, "SAYSO_OIDC_AUDIENCE"),
        ({"oidc_issuer": ISSUER, "oidc_audience": "sayso"}, "SAYSO_OIDC_JWKS_URL"),
        ({"oidc_issuer": ISSUER, "oidc_audience": "sayso", "oidc_jwks_url": "http://id.example.org"}, "https"),
        ({"env": "development"}, "SAYSO_STATE_KEYS"),
    ],
)
def test_settings_that_prove_nobody_are_refused(variables, missing):
    with pytest.raises(BadSetting, match=f"{missing}[:/]"):
        trusted_tokens(Settings(**variables))


@pytest.mark.parametrize("given", [{}, {"oidc_issuer": ISSUER}, {"oidc_issuer": ISSUER, "oidc_client_id": "sayso"}])
def test_id_tokens_need_an_issuer_a_client_and_keys(given):
    with pytest.raises(BadSetting) as refused:
        id_tokens(Settings(**given))
    assert refused.value.name == "SAYSO_OIDC_CLIENT_ID"


def test_production_refuses_the_development_issuer(monkeypatch):
    monkeypatch.setenv("SAYSO_OIDC_ISSUER", DEVELOPMENT_ISSUER)
    with pytest.raises(BadSetting, match="which production refuses"):
        read_settings()


@pytest.mark.parametrize(
    ("name", "value"), [("SAYSO_ENV", "staging"), ("SAYSO_STATE_KEYS", "short"), ("SAYSO_DATABASE_POOL", "0")]
)
def test_a_setting_that_is_wrong_is_named(monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    with pytest.raises(BadSetting, match=name):
        read_settings()


def test_the_command_prints_a_token_in_development(monkeypatch):
    monkeypatch.setenv("SAYSO_ENV", "development")
    monkeypatch.setenv("SAYSO_STATE_KEYS", KEY)
    printed = CliRunner().invoke(app, ["token", "--user", "ada"])
    assert printed.exit_code == 0
    assert jwt.decode(printed.stdout.strip(), options={"verify_signature": False})["sub"] == "ada"
    assert CliRunner().invoke(app, ["token", "--user", "ada", "--zone", "Mars/Olympus"]).exit_code == 2
    monkeypatch.setenv("SAYSO_ENV", "production")
    assert CliRunner().invoke(app, ["token", "--user", "ada"]).exit_code == 2


@pytest.mark.parametrize("zone", ["../../etc/passwd", "Mars/Olympus", "", 7, "/etc/localtime"])
def test_a_zone_that_is_none_is_left_out(zone):
    assert principal_from({"sub": "ada", "zoneinfo": zone}) == Principal(id="ada")


@pytest.mark.parametrize("subject", ["", "a" * 256, "a\x00", "a\ud800"])
def test_a_name_that_cannot_be_stored_is_nobody(subject):
    assert principal_from({"sub": subject}) is None


def test_a_subject_of_the_greatest_length_is_somebody():
    assert principal_from({"sub": "a" * 255}) == Principal(id="a" * 255)


def test_a_database_url_that_cannot_be_read_is_refused_without_its_password():
    with pytest.raises(BadSetting, match="SAYSO_DATABASE_URL") as refused:
        database_url(Settings(database_url="postgresql://ada:hun%zzter2@127.0.0.1/tasks"))
    assert "ter2" not in str(refused.value)
    assert refused.value.__suppress_context__
