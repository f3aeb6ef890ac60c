"""Signing in to servers by OAuth, against a real authorization server on this machine."""

from __future__ import annotations

import asyncio

import httpx2
import pytest
from behind import NEW, Serving
from fronts import connected, in_memory, write
from mcp.client.auth import OAuthFlowError
from oauth_behind import Provider, free_port, oauth_app

from sayso.gateway.config import OAuthSettings, read_config, state_folder
from sayso.gateway.login.flow import Callback, sign_in
from sayso.gateway.login.tokens import Logins, Saved
from sayso.gateway.seals.key import Key
from sayso.gateway.serve import open_sealed

pytestmark = pytest.mark.anyio
TOOLS = {"tools": {"list_keys": {"risk": "read"}}}


@pytest.fixture
def provider():
    return Provider()


@pytest.fixture
def vault(provider):
    port = free_port()
    with Serving(oauth_app(provider, port), port) as serving:
        yield serving


@pytest.fixture
def file(vault, tmp_path):
    return write(tmp_path, vault={"url": vault.url, "sayso": TOOLS})


def login_of(file, url, user="ada"):
    config = read_config(file)
    return Logins(state_folder(config, file) / "logins", open_sealed(config, file).key).of("vault", url, user)


class Browser:
    """The user's browser: it follows the page to the callback."""

    def __init__(self):
        self.visits = []

    def open(self, page):
        self.visits.append(asyncio.create_task(self.visit(page)))

    async def visit(self, page):
        async with httpx2.AsyncClient(timeout=60, follow_redirects=True) as http:
            return await http.get(page)


async def signed_in(file, url, user="ada"):
    login, browser = login_of(file, url, user), Browser()
    needed = await sign_in(url, login, OAuthSettings(), "en", browser.open)
    (came,) = await asyncio.gather(*browser.visits)
    assert (came.status_code, came.text) == (200, "You are signed in. You can close this page.")
    assert needed
    return login


async def call(file):
    async with in_memory(file) as gateway, connected(gateway, NEW) as caller:
        return await caller.call("list_keys")


async def test_a_call_says_how_to_sign_in_and_runs_after_that(file, vault):
    refused = await call(file)
    assert refused.structured_content["status"] == "unreachable"
    assert "sayso gateway login vault" in refused.structured_content["message"]
    await signed_in(file, vault.url, user="bob")
    assert (await call(file)).is_error  # that was another user
    await signed_in(file, vault.url)
    result = await call(file)
    assert not result.is_error
    assert result.content[0].text == "two keys"


async def test_a_gateway_that_runs_takes_the_tokens_once_they_are_there(file, vault):
    async with in_memory(file) as gateway, connected(gateway, NEW) as caller:
        assert (await caller.call("list_keys")).is_error
        await signed_in(file, vault.url)
        assert not (await caller.call("list_keys")).is_error


async def test_tokens_are_renewed_after_a_restart_and_kept(file, vault, provider):
    provider.lives = 1  # it counts as expired at once
    await signed_in(file, vault.url)
    await asyncio.sleep(1.1)
    provider.lives = 3600
    assert not (await call(file)).is_error
    assert provider.refreshed == 1
    assert not (await call(file)).is_error
    assert provider.refreshed == 1


async def test_if_tokens_cannot_be_renewed_the_user_has_to_sign_in_again(file, vault, provider):
    await signed_in(file, vault.url)
    provider.tokens.clear()
    provider.refreshing.clear()
    refused = await call(file)
    assert "sayso gateway login vault" in refused.structured_content["message"]


async def test_tokens_are_encrypted_and_only_the_owner_can_read_them(file, vault, provider):
    login = await signed_in(file, vault.url)
    (kept,) = (file.parent / "gateway.sayso" / "logins").iterdir()
    assert (kept.stat().st_mode & 0o777, kept.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    for folder in (file.parent / "gateway.sayso").rglob("*"):
        if folder.is_file():
            assert not any(token.encode() in folder.read_bytes() for token in (*provider.tokens, *provider.refreshing))
    kept.write_bytes(kept.read_bytes()[:-1] + b"x")
    assert login.read() == Saved()
    assert login.remove()
    assert not login.remove()


async def test_tokens_are_for_one_address_one_server_and_one_user(tmp_path):
    logins = Logins(tmp_path, Key([b"k" * 32]))
    logins.of("a", "https://a.example/mcp", "ada").write(Saved(ends=1.0))
    assert logins.of("a", "https://a.example/mcp", "ada").read().ends == 1.0
    for other in (
        ("a", "https://evil.example/mcp", "ada"),
        ("b", "https://a.example/mcp", "ada"),
        ("a", "https://a.example/mcp", "bob"),
    ):
        assert not logins.of(*other).exists
    rotated = Logins(tmp_path, Key([b"n" * 32, b"k" * 32]))
    assert rotated.of("a", "https://a.example/mcp", "ada").read().ends == 1.0
    (kept,) = tmp_path.iterdir()
    other = logins.of("b", "https://a.example/mcp", "ada")
    other._file.write_bytes(kept.read_bytes())  # moved to another server's place
    assert other.read() == Saved()


async def test_a_no_at_the_authorization_server_saves_nothing(file, vault, provider):
    provider.refuses = True
    login, browser = login_of(file, vault.url), Browser()
    with pytest.raises((OAuthFlowError, ExceptionGroup)):
        await sign_in(vault.url, login, OAuthSettings(), "en", browser.open)
    (came,) = await asyncio.gather(*browser.visits)
    assert came.text == "The server refused the sign-in. The terminal says why. You can close this page."
    assert login.read().tokens is None


@pytest.mark.parametrize("page", ["javascript:alert(1)", "file:///etc/passwd", "http://example.org/page", "ftp://x"])
async def test_no_browser_is_sent_to_an_address_that_is_no_page(page):
    with pytest.raises(OAuthFlowError, match="not https"):
        Callback("en").expect(page)


async def test_the_port_takes_only_the_answer_to_its_own_page():
    callback = Callback("en")
    assert callback._take("GET /callback?code=x&state= HTTP/1.1") == ("404 Not Found", "login_unknown")
    callback.expect("https://issuer.example/authorize?state=mine")
    for line in (
        "GET /callback?code=x&state=other HTTP/1.1",
        "POST /callback?code=x&state=mine HTTP/1.1",
        "GET /other?code=x&state=mine HTTP/1.1",
    ):
        assert callback._take(line) == ("404 Not Found", "login_unknown")
    assert callback._take("GET /callback?code=x&state=mine HTTP/1.1") == ("200 OK", "login_done")
    assert callback._take("GET /callback?code=y&state=mine HTTP/1.1") == ("404 Not Found", "login_unknown")
    assert (await callback.wait()).code == "x"
