"""Passes resources, templates, prompts and completions of the servers through unchanged.

They are read and not run, so nothing is judged. With several servers the lists are joined; a prompt bears its server's
name, as tools do, and a resource is known by its address.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Protocol, TypeVar

import mcp_types as types
from mcp.client.session import ClientSession
from mcp.shared.exceptions import MCPError
from mcp.shared.uri_template import InvalidUriTemplate, UriTemplate
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS

from sayso.gateway.guarded import Guarded
from sayso.gateway.messages import say
from sayso.gateway.upstream.server import Connection, Unreachable
from sayso.protocol import Context, can_ask, is_modern

R = TypeVar("R")
Page = types.PaginatedRequestParams | None
MOST = 10_000


class Door(Protocol):
    """The part of the gateway that forwarding needs."""

    def connections(self) -> dict[str, tuple[Guarded, Connection]]: ...
    def shown(self, server: Guarded, name: str) -> str: ...
    def meant(self, name: str) -> tuple[Guarded, str]: ...


class Passing:
    """The handlers."""

    def __init__(self, door: Door, lang: str | None) -> None:
        self._door, self._lang = door, lang

    async def list_resources(self, _ctx: Context, _params: Page) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=[each for _, each in await self._all(_resources)])

    async def list_templates(self, _ctx: Context, _params: Page) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=[each for _, each in await self._all(_templates)])

    async def list_prompts(self, _ctx: Context, _params: Page) -> types.ListPromptsResult:
        found = await self._all(_prompts)
        renamed = [
            prompt.model_copy(update={"name": self._door.shown(server, prompt.name)}) for server, prompt in found
        ]
        return types.ListPromptsResult(prompts=renamed)

    async def read_resource(
        self, ctx: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult | types.InputRequiredResult:
        server = await self._owner(params.uri)
        result = await self._ask(
            server,
            lambda on: on.read_resource(
                params.uri,
                input_responses=params.input_responses,
                request_state=params.request_state,
                allow_input_required=True,
            ),
        )
        return self._askable(ctx, server, result)

    async def get_prompt(
        self, ctx: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult | types.InputRequiredResult:
        server, name = self._door.meant(params.name)
        result = await self._ask(
            server,
            lambda on: on.get_prompt(
                name,
                params.arguments,
                input_responses=params.input_responses,
                request_state=params.request_state,
                allow_input_required=True,
            ),
        )
        return self._askable(ctx, server, result)

    async def complete(self, _ctx: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        ref = params.ref
        if isinstance(ref, types.PromptReference):
            server, name = self._door.meant(ref.name)
            ref = ref.model_copy(update={"name": name})
        else:
            server = await self._owner(ref.uri)
        argument = {"name": params.argument.name, "value": params.argument.value}
        context = params.context.arguments if params.context else None
        return await self._ask(server, lambda on: on.complete(ref, argument, context))

    def _askable(self, ctx: Context, server: Guarded, result: R) -> R:
        """The result, unless it is a question for a person whom this client cannot ask."""
        if isinstance(result, types.InputRequiredResult) and not (is_modern(ctx) and can_ask(ctx)):
            raise MCPError(code=INVALID_PARAMS, message=say(self._lang, "cannot_ask", question=server.name))
        return result

    async def _owner(self, uri: str) -> Guarded:
        """The server that lists this address, or one like it; nobody else hears of it."""
        servers = [server for server, _ in self._door.connections().values()]
        if len(servers) == 1:
            return servers[0]
        for server, resource in await self._all(_resources):
            if resource.uri == uri:
                return server
        for server, template in await self._all(_templates):
            if uri == template.uri_template or _fits(template.uri_template, uri):
                return server
        raise MCPError(code=INVALID_PARAMS, message=say(self._lang, "unknown_resource", uri=uri))

    async def _all(self, listing: Callable[[ClientSession], Awaitable[list[R]]]) -> list[tuple[Guarded, R]]:
        """What all servers list. One that cannot be reached leaves the others as they are."""
        found: list[tuple[Guarded, R]] = []
        several = self._door.connections()
        for server, connection in several.values():
            try:
                found += [(server, each) for each in await connection.ask(listing)]
            except (Unreachable, MCPError) as problem:
                if len(several) == 1:
                    raise MCPError(code=INTERNAL_ERROR, message=str(problem)) from problem
        return found

    async def _ask(self, server: Guarded, what: Callable[[ClientSession], Awaitable[R]]) -> R:
        _, connection = self._door.connections()[server.name]
        try:
            return await connection.ask(what)
        except Unreachable as problem:
            raise MCPError(code=INTERNAL_ERROR, message=str(problem)) from problem


async def _resources(on: ClientSession) -> list[types.Resource]:
    return await _pages(on.list_resources, "resources") if _offers(on, "resources") else []


async def _templates(on: ClientSession) -> list[types.ResourceTemplate]:
    return await _pages(on.list_resource_templates, "resource_templates") if _offers(on, "resources") else []


async def _prompts(on: ClientSession) -> list[types.Prompt]:
    return await _pages(on.list_prompts, "prompts") if _offers(on, "prompts") else []


def _offers(on: ClientSession, what: str) -> bool:
    return getattr(on.server_capabilities, what, None) is not None


async def _pages(listing: Callable[..., Awaitable[Any]], name: str) -> list[Any]:
    found: list[Any] = []
    cursor = None
    while True:
        page = await listing(params=types.PaginatedRequestParams(cursor=cursor) if cursor else None)
        items: Iterable[Any] = getattr(page, name)
        found += items
        cursor = page.next_cursor
        if not cursor or len(found) > MOST:
            return found


def _fits(template: str, uri: str) -> bool:
    try:
        return UriTemplate.parse(template).match(uri) is not None
    except InvalidUriTemplate:
        return False
