"""Resources and completions: lists that a client can attach to a conversation, and titles that complete the user's
input."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from urllib.parse import unquote

import mcp_types as types
import msgspec
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS

from sayso.database.pool import Unavailable
from sayso.identity.principal import Principal, is_storable
from sayso.protocol import Context
from sayso.tasks import definitions
from sayso.tasks.messages import say
from sayso.tasks.service import TaskService
from sayso.tasks.values import ListTasks, Result

MOST_COMPLETIONS = 100
_LISTS = {
    "tasks://pending": ListTasks(filter="pending", limit=100),
    "tasks://today": ListTasks(filter="pending", due="today", limit=100),
    "tasks://overdue": ListTasks(filter="overdue", limit=100),
}
_ONE = "tasks://task/"


class Resources:
    """The handlers. They call the service for the signed-in user."""

    def __init__(self, service: TaskService, who: Callable[[], Principal]) -> None:
        self._service, self._who = service, who

    async def list_templates(
        self, _ctx: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=[definitions.template()])

    async def read(self, _ctx: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        who = self._who()
        try:
            result = await self._find(who, params.uri)
        except Unavailable as problem:
            raise MCPError(code=INTERNAL_ERROR, message=say(who.language, "unavailable")) from problem
        if result is None or result.status == "error":
            message = (result.error_message if result else None) or "no such resource"
            raise MCPError(code=INVALID_PARAMS, message=message, data={"uri": params.uri})
        text = msgspec.json.encode(result).decode()
        contents = types.TextResourceContents(uri=params.uri, mime_type=definitions.JSON, text=text)
        return types.ReadResourceResult(contents=[contents])

    async def _find(self, who: Principal, uri: str) -> Result | None:
        if uri in _LISTS:
            return await self._service.call(who, "list_tasks", _LISTS[uri])
        if uri.startswith(_ONE) and (said := unquote(uri.removeprefix(_ONE)).strip()) and is_storable(said):
            return await self._service.find(who, said[:500])
        return None

    async def complete(self, _ctx: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        who = self._who()
        titles: list[str] = []
        typed = params.argument.value[:200]
        wanted = isinstance(params.ref, types.ResourceTemplateReference) and params.argument.name == "title"
        if wanted and is_storable(typed):
            with suppress(Unavailable):  # offer no completions, and let the user continue to type
                titles = await self._service.titles(who, typed, MOST_COMPLETIONS + 1)
        values = titles[:MOST_COMPLETIONS]
        return types.CompleteResult(completion=types.Completion(values=values, has_more=len(titles) > MOST_COMPLETIONS))

    async def list(self, _ctx: Context, _params: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=definitions.resources())
