"""Signing in on the page: with a provider that is really asked, in development by name, and never by force."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from uuid import uuid4

import httpx2
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from oidc_server import CLIENT, SECRET, Provider
from pydantic import SecretStr

from sayso.chat.signin.oidc import check_provider
from sayso.chat.signin.routes import local
from sayso.chat.signin.session import Sessions
from sayso.errors import BadSetting
from sayso.identity.development import issue
from sayso.identity.principal import Principal
from sayso.settings import Settings

pytestmark = pytest.mark.anyio

FROM_PAGE = {"X-Sayso-Page": "1", "Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def provider():
    started = Provider()
    started.user |= {"sub": f"ada-{uuid4().hex[:12]}"}
    yield started
    started.close()


@pytest.fixture
def with_provider(open_client, provider):
    """A browser that nobody has signed in with, at a service that knows the provider."""

    @asynccontextmanager
    async def opened(**changed):
        known = {
            "oidc_issuer": provider.address,
            "oidc_audience": "sayso",
            "oidc_jwks_url": f"{provider.address}/keys",
            "oidc_client_id": CLIENT,
            "oidc_client_secret": SecretStr(SECRET),
            "public_url": "http://sayso.test",
        }
        async with open_client(token="", **known | changed) as browser:
            yield browser

    return opened


@pytest.fixture
async def browser(with_provider, anyio_backend):  # noqa: ARG001  one event loop for both
    async with with_provider() as opened:
        yield opened


async def visit(address):
    """What a browser does at the provider; where it is sent back to."""
    async with httpx2.AsyncClient(timeout=60) as elsewhere:
        return (await elsewhere.get(address)).headers["location"]


async def sign_in(browser, **asked):
    left = await browser.get("/auth/login", params=asked)
    assert left.status_code == 303
    return await browser.get(await visit(left.headers["location"]))


async def who(browser):
    return (await browser.get("/v1/session")).json()


async def test_a_person_signs_in_with_the_provider_and_is_who_it_says(browser, provider):
    assert await who(browser) | {"version": ""} == {
        "signed_in": False, "user": None, "development": False, "login": True, "machines": False, "version": ""
    }  # fmt: skip
    back = await sign_in(browser, next="/tasks?filter=pending")
    assert (back.status_code, back.headers["location"]) == (303, "/tasks?filter=pending")
    user = (await who(browser))["user"]
    assert user == {"id": provider.user["sub"], "name": "Ada", "lang": "it", "zone": "Europe/Rome"}
    assert (await browser.get("/v1/tasks")).status_code == 200
    assert (await browser.post("/v1/conversations", headers=FROM_PAGE)).status_code == 201


@pytest.mark.parametrize(("how", "secret"), [("client_secret_post", SecretStr(SECRET)), ("none", None)])
async def test_a_client_proves_itself_as_the_provider_wants_it(with_provider, provider, how, secret):
    provider.how, provider.metadata = how, {"token_endpoint_auth_methods_supported": [how]}
    async with with_provider(oidc_client_secret=secret) as browser:
        assert (await sign_in(browser)).headers["location"] == "/"
        assert (await who(browser))["signed_in"]


async def test_a_client_with_a_wrong_secret_signs_nobody_in(with_provider):
    async with with_provider(oidc_client_secret=SecretStr("wrong")) as browser:
        assert (await sign_in(browser)).headers["location"] == "/?login=refused"


async def test_the_session_ends_when_the_person_signs_out(browser):
    await sign_in(browser)
    assert (await browser.post("/auth/logout", headers=FROM_PAGE)).status_code == 204
    assert not (await who(browser))["signed_in"]
    assert (await browser.get("/v1/tasks")).status_code == 401


async def test_the_cookie_is_for_the_server_alone_and_for_this_host(with_provider):
    async with with_provider() as browser:
        (session,) = [line for line in (await sign_in(browser)).headers.get_list("set-cookie") if "session" in line]
    assert session.startswith("sayso-session=")
    for part in ("HttpOnly", "SameSite=lax", "Path=/", "Max-Age=43200"):
        assert part in session
    settings = Settings(env="production", oidc_issuer="https://id.example.org", state_keys=("k" * 32,))
    response = httpx2.Response(204)
    made = []
    response.set_cookie = lambda name, value, **how: made.append((name, value, how))
    Sessions(settings).begin(response, Principal(id="ada"))
    ((name, _value, how),) = made
    assert name == "__Host-sayso-session"
    assert how == {"max_age": 43200, "path": "/", "secure": True, "httponly": True, "samesite": "lax"}


async def test_nobody_is_signed_in_by_a_link_that_somebody_else_made(with_provider):
    """Login CSRF: the attacker begins a sign-in, and has the victim's browser end it."""
    async with with_provider() as attacker, with_provider() as victim:
        left = await attacker.get("/auth/login")
        link = await visit(left.headers["location"])
        back = await victim.get(link)
        assert back.headers["location"] == "/?login=expired"
        assert not (await who(victim))["signed_in"]
        await victim.get("/auth/login")  # now it waits for an answer of its own
        assert (await victim.get(link)).headers["location"] == "/?login=expired"
        assert not (await who(victim))["signed_in"]


async def test_a_code_counts_once_and_for_the_browser_that_asked(browser, provider):
    left = await browser.get("/auth/login")
    link = await visit(left.headers["location"])
    assert (await browser.get(link)).headers["location"] == "/"
    assert (await browser.get(link)).headers["location"] == "/?login=expired"
    assert len(provider.used) == 1


@pytest.mark.parametrize(
    "bend",
    [
        {"nonce": "of another sign-in"},
        {"aud": "another client"},
        {"aud": [CLIENT, "another"], "azp": "another"},
        {"iss": "https://id.example.org"},
        {"exp": 1},
        {"sub": ""},
    ],
)
async def test_an_id_token_that_was_not_made_for_this_sign_in_proves_nobody(browser, provider, bend):
    provider.bend = bend
    assert (await sign_in(browser)).headers["location"] == "/?login=refused"
    assert not (await who(browser))["signed_in"]


async def test_a_token_signed_with_another_key_proves_nobody(browser, provider):
    await sign_in(browser)  # the provider's keys are known from here on
    await browser.post("/auth/logout", headers=FROM_PAGE)
    provider.key = ec.generate_private_key(ec.SECP256R1())
    assert (await sign_in(browser)).headers["location"] == "/?login=refused"


async def test_an_answer_of_another_provider_is_refused(browser):
    left = await browser.get("/auth/login")
    link = await visit(left.headers["location"])
    mixed = httpx2.URL(link).copy_set_param("iss", "https://other.example.org")
    assert (await browser.get(str(mixed))).headers["location"] == "/?login=refused"


async def test_who_does_not_agree_at_the_provider_is_not_signed_in(browser, provider):
    provider.refuses = True
    assert (await sign_in(browser)).headers["location"] == "/?login=refused"


async def test_a_provider_that_is_away_or_says_it_is_another_leads_back_to_the_page(with_provider, provider):
    provider.metadata = {"issuer": "https://id.example.org"}
    async with with_provider() as browser:
        assert (await browser.get("/auth/login")).headers["location"] == "/?login=unavailable"
    provider.close()
    async with with_provider() as browser:
        assert (await browser.get("/auth/login")).headers["location"] == "/?login=unavailable"


ELSEWHERE = [
    "https://evil.example", "//evil.example", "/\\evil.example", "\\\\evil.example", "javascript:alert(1)",
    "/\t/evil.example", "/ /evil", "evil.example", "", "http:evil", "/\r\nSet-Cookie: a=b", "/auth/login", "///evil",
    "/" + "a" * 500,
]  # fmt: skip


@pytest.mark.parametrize("following", ELSEWHERE)
async def test_nobody_is_sent_elsewhere_after_signing_in(browser, following):
    assert local(following) == "/"
    left = await browser.get("/auth/login", params={"next": following})
    if left.status_code == 422:
        return
    assert (await browser.get(await visit(left.headers["location"]))).headers["location"] == "/"


@pytest.fixture
async def page(open_client, anyio_backend):  # noqa: ARG001  one event loop for both
    """A browser at a service in development."""
    async with open_client(token="", public_url="http://sayso.test") as opened:
        yield opened


async def be(page, name=None, **more):
    name = name or f"ada-{uuid4().hex[:12]}"
    given = {"name": name, "zone": "Europe/Rome", "lang": "it-IT"} | more
    return name, await page.post("/auth/development", json=given, headers=FROM_PAGE)


async def test_in_development_one_is_who_one_says(page):
    assert (await who(page))["development"]
    name, answer = await be(page)
    assert answer.status_code == 204
    assert (await who(page))["user"] == {"id": name, "name": name, "lang": "it", "zone": "Europe/Rome"}


async def test_with_an_identity_provider_nobody_can_say_who_they_are(browser):
    _, answer = await be(browser)
    assert answer.status_code == 404
    assert not (await who(browser))["signed_in"]


async def test_in_production_the_development_route_does_not_exist(with_provider, provider):
    production = {
        "env": "production",
        "oidc_jwks_url": "https://id.example.org/keys",
        "oidc_issuer": "https://id.example.org",
        "public_url": "https://sayso.test",
    }
    async with with_provider(**production) as browser:
        _, answer = await be(browser)
        assert answer.status_code == 404
        assert "set-cookie" not in answer.headers
    assert provider.used == []


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8080", "sayso.test.evil.example", "localhost.evil.example"]
)
async def test_a_name_that_was_pointed_at_this_machine_signs_nobody_in(page, host):
    """DNS rebinding: the page is the attacker's, the address is ours."""
    answer = await page.post("/auth/development", json={"name": "ada"}, headers=FROM_PAGE | {"Host": host})
    assert answer.status_code == 403


@pytest.mark.parametrize("host", ["localhost:8080", "127.0.0.1:9999", "[::1]:8080", "sayso.test"])
async def test_this_machine_goes_by_its_own_names(page, host):
    answer = await page.post("/auth/development", json={"name": "ada"}, headers=FROM_PAGE | {"Host": host})
    assert answer.status_code == 204


NOT_OURS = [
    {},
    {"Sec-Fetch-Site": "same-origin"},
    {"X-Sayso-Page": "1"},
    {"X-Sayso-Page": "1", "Sec-Fetch-Site": "cross-site"},
    {"X-Sayso-Page": "1", "Sec-Fetch-Site": "same-site", "Origin": "http://sayso.test"},
    {"X-Sayso-Page": "1", "Sec-Fetch-Site": "none"},
    {"X-Sayso-Page": "1", "Origin": "http://evil.example"},
    {"X-Sayso-Page": "1", "Origin": "null"},
    {"X-Sayso-Page": "1", "Origin": "https://sayso.test"},
    {"X-Sayso-Page": "1", "Origin": "http://sayso.test.evil.example"},
    {"X-Sayso-Page": "0", "Sec-Fetch-Site": "same-origin"},
]


@pytest.mark.parametrize("headers", NOT_OURS)
async def test_what_another_page_sends_with_the_cookie_changes_nothing(page, headers):
    await be(page)
    for path in ("/v1/conversations", "/v1/undo", "/auth/logout"):
        answer = await page.post(path, headers=headers)
        assert answer.status_code == 403
        assert answer.json()["type"] == "urn:sayso:problem:forbidden"
    assert (await page.post("/auth/development", json={"name": "mallory"}, headers=headers)).status_code == 403
    assert (await who(page))["user"]["name"] != "mallory"


async def test_refusals_speak_both_languages(page):
    await be(page, lang=None)
    said = {
        (await page.post("/v1/undo", headers={"Accept-Language": lang})).json()["title"] for lang in ("en", "it-IT")
    }
    assert said == {"The request did not come from the page", "La richiesta non viene dalla pagina"}


@pytest.mark.parametrize(
    "headers", [FROM_PAGE, {"X-Sayso-Page": "1", "Origin": "http://sayso.test"}], ids=["fetch metadata", "origin"]
)
async def test_what_the_page_sends_is_done(page, headers):
    await be(page)
    assert (await page.post("/v1/conversations", headers=headers)).status_code == 201


async def test_a_bearer_token_needs_no_page(page, sign_in):
    bearer = {"Authorization": f"Bearer {sign_in()}"}
    await be(page)
    assert (await page.post("/v1/conversations", headers=bearer)).status_code == 201
    refused = await page.post("/v1/conversations", headers={"Authorization": "Bearer nonsense"})
    assert refused.status_code == 401  # a token that proves nobody is not made good by the cookie


async def test_the_page_is_answered_in_the_language_that_it_is_shown_in(page):
    await be(page, lang="it")
    shown = {"X-Sayso-Page": "1", "Accept-Language": "en"}
    assert (await page.get("/v1/tasks?limit=0", headers=shown)).headers["content-language"] == "en"
    assert (await page.get("/v1/tasks?limit=0")).headers["content-language"] == "it"


async def test_a_cookie_that_was_forged_or_altered_proves_nobody(page):
    await be(page)
    good = page.cookies["sayso-session"]
    page.cookies.clear()
    forged = ["", "a", "e30", "." * 40, good[:-1], good + "A", good * 30, "é"]
    forged += [good[:at] + ("A" if good[at] != "A" else "B") + good[at + 1 :] for at in range(len(good))]
    for cookie in forged:
        answer = await page.get("/v1/session", headers={"Cookie": f"sayso-session={cookie}".encode()})
        assert answer.json()["signed_in"] is False, cookie
    assert (await page.get("/v1/session", headers={"Cookie": f"sayso-session={good}"})).json()["signed_in"]


class Browser:
    """Keeps one cookie."""

    def set_cookie(self, name, value, **_):
        self.header = f"{name}={value}"


def session_for(settings, clock=lambda: 1_000.0):
    browser = Browser()
    Sessions(settings, clock=clock).begin(browser, Principal(id="ada", language="it"))
    return browser.header


OLD, NEW = "o" * 32, "n" * 32


def test_a_session_ends_at_its_hour_however_often_it_was_used():
    settings = Settings(env="development", state_keys=(OLD,), session_hours=2)
    header = session_for(settings)
    assert Sessions(settings, clock=lambda: 1_000.0 + 7_199).find(header).principal == Principal(
        id="ada", language="it"
    )
    assert Sessions(settings, clock=lambda: 1_000.0 + 7_200).find(header) is None


def test_keys_are_changed_one_after_the_other():
    before = Settings(env="development", state_keys=(OLD,))
    between = Settings(env="development", state_keys=(NEW, OLD))
    after = Settings(env="development", state_keys=(NEW,))
    old, new = session_for(before), session_for(between)
    found = {
        (name, settings): Sessions(settings, clock=lambda: 1_000.0).find(header) is not None
        for name, header in (("old", old), ("new", new))
        for settings in (before, between, after)
    }
    assert [found["old", each] for each in (before, between, after)] == [True, True, False]
    assert [found["new", each] for each in (before, between, after)] == [False, True, True]


def test_a_session_of_development_counts_for_nothing_in_production():
    development = Settings(env="development", state_keys=(OLD,))
    production = Settings(env="production", state_keys=(OLD,), oidc_issuer="https://id.example.org")
    header = session_for(development).removeprefix("sayso-session=")
    assert Sessions(production, clock=lambda: 1_000.0).find(f"__Host-sayso-session={header}") is None


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"oidc_issuer": None}, "SAYSO_OIDC_ISSUER"),
        ({"public_url": None}, "SAYSO_PUBLIC_URL"),
        ({"public_url": "http://sayso.test"}, "SAYSO_PUBLIC_URL"),
        ({"state_keys": ()}, "SAYSO_STATE_KEYS"),
    ],
)
def test_settings_with_which_nobody_could_sign_in_are_refused(changed, named):
    good = {
        "env": "production",
        "oidc_issuer": "https://id.example.org",
        "oidc_jwks_url": "https://id.example.org/keys",
        "oidc_client_id": CLIENT,
        "public_url": "https://sayso.test",
        "state_keys": (OLD,),
    }
    check_provider(Settings(**good))
    with pytest.raises(BadSetting) as refused:
        check_provider(Settings(**good | changed))
    assert refused.value.name == named


async def test_nobody_signs_in_under_a_reserved_name(page):
    answer = await page.post("/auth/development", json={"name": "sayso:erasures"}, headers=FROM_PAGE)
    assert answer.status_code == 403


async def test_signing_out_everywhere_ends_every_session(open_client, page, monkeypatch):
    monkeypatch.setattr("sayso.serving.epochs.FRESH", 0.5)
    name, _ = await be(page)
    async with open_client(token="", public_url="http://sayso.test") as elsewhere:  # another browser, another replica
        await be(elsewhere, name)
        kept = dict(elsewhere.cookies)
        assert (await elsewhere.get("/v1/tasks")).status_code == 200
        assert (await page.delete("/v1/sessions")).status_code == 403  # another page cannot do it
        assert (await page.delete("/v1/sessions", headers=FROM_PAGE)).status_code == 204
        page.cookies.update(kept)
        assert (await page.get("/v1/tasks")).status_code == 401
        assert not (await page.get("/v1/session")).json()["signed_in"]
        async with asyncio.timeout(8):
            while (await elsewhere.get("/v1/tasks")).status_code != 401:  # noqa: ASYNC110  there is only the answer
                await asyncio.sleep(0.2)
        await be(elsewhere, name)
        assert (await elsewhere.get("/v1/tasks")).status_code == 200


async def test_a_token_ends_the_sessions_of_its_person_alone(open_client, page, settings):
    name, _ = await be(page)
    async with open_client(token=issue(settings, "somebody else")) as other:
        assert (await other.delete("/v1/sessions")).status_code == 204
    assert (await page.get("/v1/tasks")).status_code == 200
    async with open_client(token=issue(settings, name)) as own:
        assert (await own.delete("/v1/sessions")).status_code == 204
        assert (await own.get("/v1/tasks")).status_code == 200  # a token is no session
        own.cookies.update(dict(page.cookies))
        del own.headers["Authorization"]
        assert (await own.get("/v1/tasks")).status_code == 401
