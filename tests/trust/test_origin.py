"""Which requests come from our own page, and under our own name: every header on its own."""

from __future__ import annotations

import pytest

from sayso.chat.guards.origin import SAFE, has_own_name, is_from_page, origin_of
from sayso.settings import Settings

OURS = Settings(env="development", public_url="https://Sayso.example:8443/app", allowed_hosts="Other.example inside:80")
NONE = Settings(env="development")


def scope(scheme="http", **headers):
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {"type": "http", "scheme": scheme, "headers": raw}


@pytest.mark.parametrize(
    ("headers", "settings", "expected"),
    [
        ({"x_sayso_page": "1", "sec_fetch_site": "same-origin"}, NONE, True),
        ({"x_sayso_page": "1", "sec_fetch_site": "same-site"}, NONE, False),
        ({"x_sayso_page": "1", "sec_fetch_site": "cross-site"}, NONE, False),
        ({"x_sayso_page": "1", "sec_fetch_site": "none"}, NONE, False),
        ({"x_sayso_page": "1", "sec_fetch_site": ""}, NONE, False),
        ({"x_sayso_page": "0", "sec_fetch_site": "same-origin"}, NONE, False),
        ({"sec_fetch_site": "same-origin"}, NONE, False),
        # a browser that says where it is from in `Origin` only
        ({"x_sayso_page": "1", "origin": "http://here:1", "host": "here:1"}, NONE, True),
        ({"x_sayso_page": "1", "origin": "HTTP://Here:1", "host": "here:1"}, NONE, True),
        ({"x_sayso_page": "1", "origin": "http://here:2", "host": "here:1"}, NONE, False),
        ({"x_sayso_page": "1", "origin": "https://here:1", "host": "here:1"}, NONE, False),
        ({"x_sayso_page": "1", "origin": "null", "host": "here:1"}, NONE, False),
        ({"x_sayso_page": "1", "host": "here:1"}, NONE, False),
        ({"x_sayso_page": "1"}, NONE, False),
        ({"x_sayso_page": "1", "origin": ""}, NONE, False),
        ({"origin": "http://here:1", "host": "here:1"}, NONE, False),
        # the public address counts, and not the name that the request came under
        ({"x_sayso_page": "1", "origin": "https://sayso.example:8443", "host": "inside"}, OURS, True),
        ({"x_sayso_page": "1", "origin": "http://inside", "host": "inside"}, OURS, False),
        # what the browser says outweighs `Origin`
        ({"x_sayso_page": "1", "sec_fetch_site": "cross-site", "origin": "http://here", "host": "here"}, NONE, False),
        ({"x_sayso_page": "1", "sec_fetch_site": "same-origin", "origin": "http://elsewhere"}, NONE, True),
    ],
)
def test_only_our_page_acts_with_a_cookie(headers, settings, expected):
    assert is_from_page(scope(**headers), settings) is expected


def test_the_scheme_of_the_request_counts():
    headers = {"x_sayso_page": "1", "origin": "https://here", "host": "here"}
    assert is_from_page(scope("https", **headers), NONE)
    assert not is_from_page(scope("http", **headers), NONE)
    plain = scope(**headers | {"origin": "http://here"})
    del plain["scheme"]
    assert is_from_page(plain, NONE)


def test_an_empty_origin_is_not_that_of_an_empty_address():
    assert not is_from_page(scope(x_sayso_page="1", origin=""), Settings(env="development", public_url="x"))


@pytest.mark.parametrize(
    ("host", "settings", "expected"),
    [
        ("sayso.example:8443", OURS, True),
        ("SAYSO.example:8443", OURS, True),
        ("sayso.example", OURS, False),
        ("sayso.example:1", OURS, False),
        ("other.example", OURS, True),
        ("other.example:99", OURS, True),
        ("inside:80", OURS, True),
        ("inside", OURS, False),
        ("evil.example", OURS, False),
        ("evil.example", NONE, False),
        ("localhost", NONE, True),
        ("localhost:8000", NONE, True),
        ("ada.localhost:8000", NONE, True),
        ("notlocalhost", NONE, False),
        ("localhost.evil.example", NONE, False),
        ("127.0.0.1:8000", NONE, True),
        ("[::1]:8000", NONE, True),
        ("10.1.2.3", NONE, True),
        ("127.0.0.1.evil.example", NONE, False),
        ("[::1", NONE, False),
        ("", NONE, False),
    ],
)
def test_a_name_that_is_not_ours_is_refused(host, settings, expected):
    assert has_own_name(scope(host=host), settings) is expected


def test_a_request_without_a_name_is_refused():
    assert has_own_name(scope(), OURS) is False


def test_an_origin_is_scheme_host_and_port():
    assert origin_of("HTTPS://Here.example:8443/path?q#f") == "https://here.example:8443"


def test_only_methods_that_change_nothing_are_safe():
    assert set(SAFE) == {"GET", "HEAD", "OPTIONS"}
