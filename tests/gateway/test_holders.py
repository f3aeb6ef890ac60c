"""The gateway over HTTP for the holders of tokens: each is who the token proves, and answers their own questions."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager

import httpx2
import pytest
from behind import NEW, OLD
from fronts import KEY, connected, over_http, write
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitResult

from sayso.identity.development import issue
from sayso.settings import Settings

pytestmark = pytest.mark.anyio

SETTINGS = Settings(env="development", state_keys=(KEY,))
YES = ElicitResult(action="accept", content={"answer": True})
DELETING = ("delete_task", {"task_identifier": "Buy milk"})


@asynccontextmanager
async def gateway(folder, servers, *, sessions=False):
    async with over_http(write(folder, one=servers["new_http"]), sessions=sessions, settings=SETTINGS) as url:
        yield url


@asynccontextmanager
async def as_user(url, name, era=NEW):
    headers = {"Authorization": f"Bearer {issue(SETTINGS, name)}"}
    async with (
        httpx2.AsyncClient(timeout=60, headers=headers) as http,
        connected(streamable_http_client(url, http_client=http), era) as caller,
    ):
        yield caller


@pytest.mark.parametrize("token", [None, "nonsense", "ey.ey.ey"])
async def test_without_a_token_there_is_no_way_in(tmp_path, servers, token):
    async with gateway(tmp_path, servers) as url, httpx2.AsyncClient(timeout=60) as http:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        refused = await http.post(url, json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, headers=headers)
        assert refused.status_code == 401
        assert "resource_metadata" in refused.headers["www-authenticate"]
        alive = await http.get(url.replace("/mcp", "/healthz"))
        assert alive.status_code == 200


@pytest.mark.parametrize(("era", "sessions"), [(NEW, False), (OLD, True)])
async def test_the_holder_of_a_token_is_served_in_either_era(tmp_path, servers, ran, era, sessions):
    async with gateway(tmp_path, servers, sessions=sessions) as url, as_user(url, "ada", era) as ada:
        ada.answer = lambda _params: YES
        result = await ada.call(*DELETING, "delete buy milk")
        assert not result.is_error
    assert [name for name, _ in ran()] == ["delete_task"]


async def test_a_yes_of_one_person_is_none_of_another(tmp_path, servers, ran):
    async with gateway(tmp_path, servers) as url, as_user(url, "ada") as ada, as_user(url, "eve") as eve:
        asked = await ada.client.session.call_tool(*DELETING, allow_input_required=True)
        answer = {"input_responses": {"answer": YES}, "request_state": asked.request_state}
        with pytest.raises(MCPError, match="requestState"):
            await eve.client.session.call_tool(*DELETING, **answer, allow_input_required=True)
        assert ran() == []
        assert not (await ada.client.session.call_tool(*DELETING, **answer)).is_error
    assert [name for name, _ in ran()] == ["delete_task"]


async def test_each_user_reaches_a_server_with_their_own_credentials(tmp_path, servers, log):
    users = {"ada": {"X-Who": "ada's key"}}
    server = {"url": servers["new_http"]["url"], "headers": {"X-Who": "nobody's"}}
    server["sayso"] = servers["new_http"]["sayso"] | {"users": users}
    log.write_text("")
    async with over_http(write(tmp_path, one=server), sessions=False, settings=SETTINGS) as url:
        for name in ("ada", "eve"):
            async with as_user(url, name) as caller:
                await caller.call("list_tasks")
    assert [json.loads(line)[2] for line in log.read_text().splitlines()] == ["ada's key", "nobody's"]
