"""Resources, prompts and completions pass through the gateway as they are, from one server or from several."""

from __future__ import annotations

import pytest
from behind import NEW, OLD, Serving, http_app
from fronts import behind_http, connected, in_memory, write
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import PromptReference, ResourceTemplateReference

pytestmark = pytest.mark.anyio

ERAS = pytest.mark.parametrize("era", [NEW, OLD])


@pytest.fixture(scope="module")
def urls(log):
    with Serving(http_app(NEW, log, "first")) as first, Serving(http_app(OLD, log, "second")) as second:
        yield first.url, second.url


async def everything(client, uri, template, prompt):
    """All that a client can see of a server beside its tools."""
    return [
        (await client.list_resources()).resources,
        (await client.list_resource_templates()).resource_templates,
        (await client.read_resource(uri)).contents,
        (await client.list_prompts()).prompts,
        (await client.get_prompt(prompt, {"day": "Monday"})).messages,
        (await client.complete(PromptReference(name=prompt), {"name": "day", "value": "Mo"})).completion,
        (await client.complete(ResourceTemplateReference(uri=template), {"name": "id", "value": "1"})).completion,
    ]


@ERAS
async def test_what_one_server_offers_is_seen_as_it_is(tmp_path, urls, era):
    seen = ("task://first/7", "task://first/{id}", "plan")
    async with (
        Client(urls[0], cache=None) as direct,
        in_memory(write(tmp_path, one=behind_http(urls[0]))) as gateway,
        connected(gateway, era) as caller,
    ):
        theirs, ours = await everything(direct, *seen), await everything(caller.client, *seen)
    assert [resource.uri for resource in ours[0]] == ["list://first/1", "list://first/2", "list://first/3"]
    assert ours[0][:1] == theirs[0]  # a page of them
    assert ours[1:] == theirs[1:]


@ERAS
async def test_what_several_servers_offer_is_joined(tmp_path, urls, era):
    file = write(tmp_path, a=behind_http(urls[0]), b=behind_http(urls[1]))
    async with in_memory(file) as gateway, connected(gateway, era) as caller:
        for name, prompt in (("first", "a__plan"), ("second", "b__plan")):
            seen = await everything(caller.client, f"task://{name}/7", f"task://{name}/{{id}}", prompt)
            assert len(seen[0]) == 6
            assert [template.uri_template for template in seen[1]] == ["task://first/{id}", "task://second/{id}"]
            assert seen[2][0].text == f"{name} reads task://{name}/7"
            assert [prompt.name for prompt in seen[3]] == ["a__plan", "b__plan"]
            assert seen[4][0].content.text == f"{name} plans Monday"
            assert seen[5].values == [f"{name} plan day Mo"]
            assert seen[6].values == [f"{name} task://{name}/{{id}} id 1"]
        listed = await caller.client.read_resource("list://second/3")
        assert listed.contents[0].text == "second reads list://second/3"


async def test_what_nobody_lists_is_asked_of_nobody(tmp_path, urls):
    file = write(tmp_path, a=behind_http(urls[0]), b=behind_http(urls[1]))
    async with in_memory(file) as gateway, connected(gateway, NEW) as caller:
        with pytest.raises(MCPError, match="No server lists"):
            await caller.client.read_resource("file:///etc/passwd")
        with pytest.raises(MCPError, match="No tool is called"):
            await caller.client.get_prompt("plan", {"day": "Monday"})


async def test_a_server_that_is_gone_leaves_the_others_as_they_are(tmp_path, urls):
    gone = {"url": "http://127.0.0.1:9/mcp"}
    file = write(tmp_path, a=behind_http(urls[0]), gone=gone)
    async with in_memory(file) as gateway, connected(gateway, NEW) as caller:
        assert [prompt.name for prompt in (await caller.client.list_prompts()).prompts] == ["a__plan"]
        assert len((await caller.client.list_resources()).resources) == 3


async def test_an_error_of_the_server_passes_as_it_is(tmp_path, urls):
    async with in_memory(write(tmp_path, one=behind_http(urls[0]))) as gateway, connected(gateway, NEW) as caller:
        with pytest.raises(MCPError, match="not mine: task://other/1"):
            await caller.client.read_resource("task://other/1")
