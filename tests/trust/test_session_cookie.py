"""The sealed cookie of a session: what opens it, until when, and how the browser is told to keep it."""

from __future__ import annotations

import base64

import msgspec
import pytest
from starlette.responses import Response

from sayso.chat.signin.session import LONGEST_COOKIE, Cookie, Seal, Sessions, Signed
from sayso.identity.principal import Principal
from sayso.settings import Settings

OLD, NEW = "o" * 32, "n" * 32
ADA = Principal(id="ada", name="Ada", email="ada@example.org", zone="Europe/Rome", language="it")


def settings(*keys, **more):
    return Settings(**{"env": "development", "state_keys": keys or (OLD,)} | more)


class Value(msgspec.Struct, frozen=True):
    text: str


def cookie_of(response):
    return response.headers["set-cookie"]


def sent(response):
    return cookie_of(response).partition(";")[0]


def test_a_seal_opens_what_it_sealed_and_nothing_else():
    seal = Seal(settings(), "one")
    sealed = seal.seal(b"content")
    assert seal.open(sealed) == b"content"
    assert seal.seal(b"content") != sealed
    raw = base64.urlsafe_b64decode(sealed + "=" * (-len(sealed) % 4))
    assert len(raw) == 12 + len(b"content") + 16
    for place in range(len(raw)):
        other = raw[:place] + bytes([raw[place] ^ 1]) + raw[place + 1 :]
        assert seal.open(base64.urlsafe_b64encode(other).decode().rstrip("=")) is None
    for text in ("", "A", "é", sealed + "=", f"{sealed} ", sealed[:-4], "A" * 8):
        assert seal.open(text) is None


def test_a_seal_is_bound_to_purpose_environment_issuer_and_key():
    sealed = Seal(settings(), "one").seal(b"x")
    assert Seal(settings(), "one").open(sealed) == b"x"
    assert Seal(settings(), "two").open(sealed) is None
    assert Seal(settings(oidc_issuer="https://id.example.org"), "one").open(sealed) is None
    assert Seal(settings(env="production"), "one").open(sealed) is None
    assert Seal(settings(NEW), "one").open(sealed) is None
    made = Seal(settings(oidc_issuer="https://id.example.org"), "one").seal(b"x")
    assert Seal(settings(env="production", oidc_issuer="https://id.example.org"), "one").open(made) is None


def test_the_first_key_seals_and_all_open():
    both = Seal(settings(NEW, OLD), "one")
    assert both.open(Seal(settings(OLD), "one").seal(b"x")) == b"x"
    assert Seal(settings(NEW), "one").open(both.seal(b"x")) == b"x"
    assert Seal(settings(OLD), "one").open(both.seal(b"x")) is None
    assert both.usable
    assert not Seal(Settings(env="development"), "one").usable


def test_a_key_is_derived_for_sessions_alone():
    """A release that derived another key would end every session."""
    sealed = "AAAAAAAAAAAAAAAA"
    assert Seal(settings(), "one").open(sealed) is None
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415
    from cryptography.hazmat.primitives.hashes import SHA256  # noqa: PLC0415
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF  # noqa: PLC0415

    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"sayso/session/1").derive(OLD.encode())
    bound = b"one\ndevelopment\nhttps://development.sayso.invalid"
    raw = bytes(12) + AESGCM(derived).encrypt(bytes(12), b"x", bound)
    assert Seal(settings(), "one").open(base64.urlsafe_b64encode(raw).decode().rstrip("=")) == b"x"


def test_a_cookie_comes_back_until_its_end():
    now = [1000.0]
    cookie = Cookie(settings(), "c", seconds=60, clock=lambda: now[0])
    response = Response()
    cookie.put(response, Value("hello"))
    header = sent(response)
    assert cookie.find(header, Value) == Value("hello")
    now[0] = 1059.9
    assert cookie.find(header, Value) == Value("hello")
    now[0] = 1060.0
    assert cookie.find(header, Value) is None


def test_the_browser_is_told_to_keep_a_cookie_to_itself():
    response = Response()
    Cookie(settings(), "c", seconds=60).put(response, Value("x"))
    parts = {part.strip().lower() for part in cookie_of(response).split(";")[1:]}
    assert parts == {"httponly", "max-age=60", "path=/", "samesite=lax"}
    response = Response()
    secure = Cookie(settings(env="production"), "c", seconds=60)
    secure.put(response, Value("x"))
    assert secure.name == "__Host-c"
    assert cookie_of(response).startswith("__Host-c=")
    assert "secure" in {part.strip().lower() for part in cookie_of(response).split(";")}
    response = Response()
    secure.drop(response)
    assert cookie_of(response).startswith('__Host-c="";')
    assert "Max-Age=0" in cookie_of(response)


def test_a_cookie_is_found_among_others_and_the_first_counts():
    cookie = Cookie(settings(), "c", seconds=60)
    one, two = Response(), Response()
    cookie.put(one, Value("one"))
    cookie.put(two, Value("two"))
    assert cookie.find(f"a=1; {sent(one)} ; {sent(two)}", Value) == Value("one")
    name, _, value = sent(two).partition("=")
    assert cookie.find(f'{name}="{value}"', Value) == Value("two")
    assert cookie.find(f"x{sent(one)}", Value) is None
    for nothing in (None, "", "c", "c=", ";"):
        assert cookie.find(nothing, Value) is None


def test_a_cookie_that_is_too_long_or_says_something_else_is_not_read():
    cookie = Cookie(settings(), "c", seconds=60, clock=lambda: 1000.0)

    def size(text):
        response = Response()
        cookie.put(response, Value(text))
        return len(sent(response)) - len("c="), cookie.find(sent(response), Value)

    fits = max(number for number in range(2900, 3100) if size("x" * number)[0] <= LONGEST_COOKIE)
    assert size("x" * fits) == (LONGEST_COOKIE, Value("x" * fits))
    assert size("x" * (fits + 1))[1] is None
    response = Response()
    cookie.put(response, Value("x"))
    assert cookie.find(sent(response), Signed) is None


def test_a_session_says_who_and_since_which_epoch():
    now = [1000.0]
    sessions = Sessions(settings(session_hours=2), clock=lambda: now[0])
    response = Response()
    sessions.begin(response, ADA, 3)
    found = sessions.find(sent(response))
    assert found.epoch == 3
    assert found.principal == ADA
    now[0] += 7199
    assert sessions.find(sent(response)) is not None
    now[0] += 1
    assert sessions.find(sent(response)) is None
    ended = Response()
    sessions.end(ended)
    assert sessions.find(sent(ended)) is None
    assert sessions.cookie.name == "sayso-session"


def test_a_session_without_an_epoch_is_of_the_first():
    sessions, response = Sessions(settings()), Response()
    sessions.begin(response, ADA)
    assert sessions.find(sent(response)).epoch == 0
    assert Signed(id="ada").epoch == 0


@pytest.mark.parametrize("name", ["sayso:erasures", " Sayso:x"])
def test_nobody_is_signed_in_under_a_reserved_id(name):
    sessions, response = Sessions(settings()), Response()
    sessions.begin(response, Principal(id=name))
    assert sessions.find(sent(response)) is None


def test_without_keys_nobody_is_signed_in():
    response = Response()
    Sessions(settings()).begin(response, ADA)
    assert Sessions(Settings(env="development")).find(sent(response)) is None
    assert Sessions(settings()).find(None) is None
    assert Sessions(settings()).find("") is None
