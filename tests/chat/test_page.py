"""The built page: served as it is, kept as long as it may be, and with strict headers on every answer."""

from __future__ import annotations

import gzip
import os

import pytest

from sayso.chat import page

pytestmark = pytest.mark.anyio

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'"
)


@pytest.fixture
def built(tmp_path, monkeypatch):
    """A page, as a build leaves it; a file beside the folder is none of it."""
    folder = tmp_path / "page"
    (folder / "assets").mkdir(parents=True)
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "index.html").write_text("<!doctype html><title>Sayso</title>")
    (folder / "sw.js").write_text("// worker")
    (folder / "manifest.webmanifest").write_text("{}")
    (folder / "assets" / "main-1a2b.js").write_text("console.log(1)")
    (folder / "assets" / "main-1a2b.js.gz").write_bytes(gzip.compress(b"console.log(1)"))
    (folder / "assets" / "main-1a2b.js.br").write_bytes(b"brotli")
    (folder / "assets" / "main-1a2b.js.map").write_text("{}")
    monkeypatch.setattr(page.Page.__init__, "__defaults__", (folder,))
    return folder


async def test_without_a_build_it_says_how_to_build_it(tmp_path, open_client, monkeypatch):
    monkeypatch.setattr(page.Page.__init__, "__defaults__", (tmp_path,))
    async with open_client(token="") as opened:
        answer = await opened.get("/")
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/plain")
    assert "make web" in answer.text


@pytest.fixture
async def opened(built, open_client, anyio_backend):  # noqa: ARG001  one event loop for both
    async with open_client(token="") as client:
        yield client


@pytest.mark.parametrize("path", ["/", "/trail", "/?login=expired"])
async def test_the_page_is_asked_for_again_each_time_and_sent_when_it_changed(opened, path):
    answer = await opened.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert answer.headers["cache-control"] == "no-cache"
    again = await opened.get(path, headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


async def test_what_is_named_by_its_hash_is_kept_for_good_and_sent_small(opened):
    plain = await opened.get("/assets/main-1a2b.js", headers={"Accept-Encoding": "identity"})
    assert plain.text == "console.log(1)"
    assert plain.headers["cache-control"] == "public, max-age=31536000, immutable"
    small = await opened.get("/assets/main-1a2b.js", headers={"Accept-Encoding": "gzip, deflate"})
    assert (small.headers["content-encoding"], small.text) == ("gzip", "console.log(1)")
    async with opened.stream("GET", "/assets/main-1a2b.js", headers={"Accept-Encoding": "gzip, br"}) as smaller:
        assert smaller.headers["content-encoding"] == "br"
    refused = await opened.get("/assets/main-1a2b.js", headers={"Accept-Encoding": "gzip;q=0"})
    assert "content-encoding" not in refused.headers
    worker = await opened.get("/sw.js", headers={"Accept-Encoding": "gzip"})
    assert (worker.headers["cache-control"], worker.headers["content-encoding"]) == ("no-cache", "gzip")
    assert (await opened.get("/manifest.webmanifest")).headers["content-type"] == "application/manifest+json"
    head = await opened.head("/assets/main-1a2b.js")
    assert (head.status_code, head.content) == (200, b"")


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt", "/assets/../../secret.txt", "/%2e%2e/secret.txt", "/assets/%2e%2e%2f%2e%2e%2fsecret.txt",
        "/assets/main-1a2b.js.map", "/assets/main-1a2b.js.gz", "/assets/", "/assets", "/secret.txt",
        "/assets\\main-1a2b.js", "/assets/main-1a2b.js%00",
    ],
)  # fmt: skip
async def test_nothing_but_the_build_is_served(opened, path):
    await opened.get("/")
    answer = await opened.get(path)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"


async def test_a_page_that_is_built_anew_is_served_without_a_restart(opened, built):
    assert "Sayso" in (await opened.get("/")).text
    (built / "index.html").write_text("<!doctype html><title>Newer</title>")
    os.utime(built / "index.html", (1, 1))
    assert "Newer" in (await opened.get("/")).text


@pytest.mark.parametrize(
    "path", ["/", "/assets/main-1a2b.js", "/v1/session", "/v1/tasks", "/nowhere", "/healthz", "/auth/login"]
)
async def test_every_answer_has_the_strict_headers(opened, path):
    await opened.get("/")
    headers = (await opened.get(path)).headers
    assert headers["content-security-policy"] == POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["permissions-policy"].startswith("microphone=(self), camera=()")


HOSTILE = "<script>alert(1)</script>"


async def test_what_is_sent_never_comes_back_as_html(opened, sign_in):
    bearer = {"Authorization": f"Bearer {sign_in()}"}
    answers = [
        await opened.get(f"/{HOSTILE}"),
        await opened.get("/auth/callback", params={"error": HOSTILE, "state": HOSTILE}),
        await opened.get("/auth/login", params={"next": HOSTILE}),
        await opened.get("/v1/tasks", params={"due": HOSTILE, "search": HOSTILE}, headers=bearer),
        await opened.get(f"/v1/conversations/{HOSTILE}/messages", headers=bearer),
        await opened.post("/v1/conversations", headers=bearer | {"X-Request-ID": HOSTILE}),
    ]
    for answer in answers:
        assert "html" not in answer.headers.get("content-type", "")
        assert HOSTILE not in str(answer.headers)
    made = await opened.post("/v1/conversations", headers=bearer)
    said = {"client_message_id": HOSTILE, "content": f'add "{HOSTILE}"'}
    reply = await opened.post(f"/v1/conversations/{made.json()['id']}/messages", json=said, headers=bearer)
    assert reply.headers["content-type"] == "application/json"
    assert HOSTILE in reply.json()["reply"]
