"""Every error is a problem detail: one text for a kind, in the person's language, and nothing from inside."""

from __future__ import annotations

from uuid import uuid4

import jwt
import pytest

from sayso.chat.guards import problems
from sayso.chat.guards.guard import LARGEST
from sayso.chat.guards.problems import STATUS, language_from, problem_of, texts
from sayso.chat.turns.service import ChatService
from sayso.database.pool import Unavailable
from sayso.ledger.errors import TurnInProgress

pytestmark = pytest.mark.anyio

SOMEWHERE = "/v1/conversations/00000000-0000-4000-8000-000000000000/messages"
MESSAGE = {"client_message_id": "m-1", "content": "add buy milk"}
JSON = {"Content-Type": "application/json"}


def check(answer, status, kind):
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json"), answer.text
    body = answer.json()
    assert body["type"] == f"urn:sayso:problem:{kind}"
    assert body["status"] == status
    assert (body["title"], body["detail"]) == (texts("en")[kind].title, texts("en")[kind].detail)
    assert "request-id" in str(answer.headers).lower()
    return body


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("path", ["/v1/tasks", "/v1/undo", "/v1/decide", "/v1/nowhere", SOMEWHERE])
async def test_without_a_token_there_is_nothing_under_v1(open_client, method, path):
    async with open_client(token="") as client:
        refused = await client.request(method, path, content=b"{", headers=JSON)
        check(refused, 401, "unauthorised")
        assert refused.headers["www-authenticate"] == 'Bearer realm="sayso"'


@pytest.mark.parametrize("scheme", ["Bearer", "bearer"])
async def test_a_token_that_proves_nothing_is_refused(open_client, sign_in, scheme):
    forged = jwt.encode({"sub": "ada", "exp": 9999999999}, "0" * 32, algorithm="HS256")
    for token in (forged, "nonsense", "a" * 20_000, sign_in(hours=-1)):
        async with open_client(token="") as client:
            refused = await client.get("/v1/tasks", headers={"Authorization": f"{scheme} {token}"})
            check(refused, 401, "unauthorised")
            assert refused.headers["www-authenticate"] == 'Bearer realm="sayso", error="invalid_token"'


async def test_an_address_where_nothing_is_says_so(client):
    for path in ("/v1/nowhere", "/nowhere", "/v1/tasks/"):
        check(await client.get(path), 404, "not_found")


async def test_a_method_that_is_not_taken_says_which_are(client):
    refused = await client.delete("/v1/tasks")
    check(refused, 405, "method_not_allowed")
    assert refused.headers["allow"] == "GET, POST"
    both = await client.put(SOMEWHERE)
    check(both, 405, "method_not_allowed")
    assert set(both.headers["allow"].replace(" ", "").split(",")) == {"GET", "POST"}


async def test_a_conversation_that_is_not_there_is_not_there(client, open_client):
    check(await client.post(SOMEWHERE, json=MESSAGE), 404, "no_conversation")
    check(await client.get(SOMEWHERE), 404, "no_conversation")
    mine = f"/v1/conversations/{(await client.post('/v1/conversations')).json()['id']}/messages"
    assert (await client.get(mine)).json()["turns"] == []
    async with open_client() as other:
        check(await other.get(mine), 404, "no_conversation")


@pytest.mark.parametrize("size", [LARGEST + 1, 10 * LARGEST])
async def test_a_body_that_says_it_is_too_large_is_not_read(client, size):
    check(await client.post(SOMEWHERE, content=b" " * size, headers=JSON), 413, "too_large")


async def test_a_body_that_does_not_say_how_large_it_is_is_counted(client):
    sent = 0

    async def chunks():
        nonlocal sent
        for _ in range(1000):
            sent += 1
            yield b" " * 1024

    check(await client.post(SOMEWHERE, content=chunks(), headers=JSON), 413, "too_large")
    assert sent <= LARGEST // 1024 + 2


async def test_a_case_may_be_larger(client):
    padded = b'{"message": "show my tasks"' + b" " * (2 * LARGEST) + b"}"
    assert (await client.post("/v1/decide", content=padded, headers=JSON)).status_code == 200
    check(await client.post("/v1/decide", content=b" " * (2**21 + 1), headers=JSON), 413, "too_large")


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
async def test_only_json_is_taken(client, kind):
    for path in (SOMEWHERE, f"/v1/confirmations/{uuid4()}", "/v1/decide", "/v1/compose"):
        refused = await client.post(path, content=b"{}", headers={"Content-Type": kind} if kind else {})
        check(refused, 415, "unsupported_media_type")


@pytest.mark.parametrize("body", [b"{", b"", b"\xff\xfe", b"nonsense", b"[" * 50_000])
async def test_what_is_no_json_says_so(client, body):
    refused = await client.post(SOMEWHERE, content=body, headers=JSON)
    if body:
        check(refused, 400, "malformed")
    else:
        check(refused, 422, "invalid")


@pytest.mark.parametrize(
    ("wrong", "pointer"),
    [
        ({"content": ""}, "/content"),
        ({"content": "a" * 10_001}, "/content"),
        ({"content": "nul \x00"}, "/content"),
        ({"content": 7}, "/content"),
        ({"content": None}, "/content"),
        ({"client_message_id": ""}, "/client_message_id"),
        ({"client_message_id": "a" * 201}, "/client_message_id"),
        ({"more": 1}, "/more"),
    ],
)
async def test_an_invalid_message_says_where_and_repeats_nothing(client, wrong, pointer):
    refused = await client.post(SOMEWHERE, json=MESSAGE | wrong)
    assert [fault["pointer"] for fault in check(refused, 422, "invalid")["errors"]] == [pointer]
    assert "aaaa" not in refused.text


@pytest.mark.parametrize(
    "query",
    ["limit=0", "limit=101", "limit=x", "offset=-1", "filter=none", "due=soon", "due=2026-02-30", "due=0", "nothing=1"],
)
async def test_a_list_that_cannot_be_made_says_where(client, query):
    faults = check(await client.get(f"/v1/tasks?{query}"), 422, "invalid")["errors"]
    assert {fault["where"] for fault in faults} == {"query"}


async def test_an_id_that_is_none_says_so(client):
    faults = check(await client.post("/v1/conversations/42/messages", json=MESSAGE), 422, "invalid")["errors"]
    assert faults[0]["where"] == "path"


async def test_an_error_comes_in_the_language_that_is_asked_for(open_client, client):
    async with open_client(token="") as nobody:
        refused = await nobody.get("/v1/tasks", headers={"Accept-Language": "de, it-IT;q=0.8, en;q=0.5"})
        assert refused.json()["detail"] == texts("it")["unauthorised"].detail
        assert refused.headers["content-language"] == "it"
    missing = await client.get("/nowhere", headers={"Accept-Language": "it"})
    assert missing.json()["title"] == texts("it")["not_found"].title
    assert language_from("*") is None


async def test_a_turn_under_way_says_when_to_come_back(open_client):
    class Busy(ChatService):
        async def message(self, *_, **__):
            raise TurnInProgress(1, 2.6)

    async with open_client(service=Busy) as client:
        refused = await client.post(SOMEWHERE, json=MESSAGE)
        check(refused, 409, "turn_in_progress")
        assert refused.headers["retry-after"] == "3"


async def test_without_a_database_requests_can_be_sent_again_later(open_client, url):
    gone = url.replace("dbname=", "dbname=no_")
    async with open_client(database_url=gone, database_deadline=0.2) as client:
        for path in ("/v1/tasks", "/readyz"):
            refused = await client.get(path)
            check(refused, 503, "unavailable")
            assert int(refused.headers["retry-after"]) > 0
            assert "no_sayso" not in refused.text
        assert (await client.get("/healthz")).text == "ok"


async def test_a_fault_of_ours_says_nothing_of_its_cause(open_client, logged):
    class Broken(ChatService):
        async def tasks(self, *_):
            raise RuntimeError("a secret: add buy milk")

    async with open_client(service=Broken) as client:
        failed = await client.get("/v1/tasks")
        check(failed, 500, "failed")
        assert "secret" not in failed.text + str(logged())


def test_every_kind_has_its_texts_in_every_language():
    assert set(problems._all_texts()) == {"en", "it"}
    for language in ("en", "it"):
        assert set(texts(language)) == set(STATUS)
    assert len({text.title for text in texts("it").values()}) == len(STATUS)


def test_what_the_database_says_stays_inside():
    assert "10.0.0.7" not in str(problem_of(Unavailable("connection to 10.0.0.7 failed")).body("en"))
