"""Connects to one OpenAI-compatible endpoint: no redirect, no proxy from the environment, no retry.

The key is put on the request here, at the wire, and is known nowhere else: no client, log or error can repeat it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import agents
import httpx2
from openai import AsyncOpenAI

from sayso.agent.runner import Agent, BadModel
from sayso.settings import Settings

MOST_BYTES = 1_000_000  # of a response
_HEADERS = ("host", "accept", "connection", "content-length", "content-type", "transfer-encoding")
_KEEPS_BY_DEFAULT = "api.openai.com"


class Endpoint(agents.OpenAIChatCompletionsModel):
    """A model that closes what it opened."""

    def __init__(self, *, base_url: str, model: str, key: str | None, deadline: float) -> None:
        wire = httpx2.AsyncClient(transport=_Wire(key), timeout=deadline, follow_redirects=False, trust_env=False)
        # The client insists on a key, and would look for one in the environment.
        client = AsyncOpenAI(api_key="unused", base_url=base_url, http_client=wire, max_retries=0, timeout=deadline)
        super().__init__(model, client)

    async def close(self) -> None:
        await self._client.close()


def open_agent(settings: Settings) -> Agent:
    """The agent of these settings, which name an endpoint and a model."""
    base_url, key = settings.model_base_url or "", settings.model_api_key
    model = Endpoint(
        base_url=base_url,
        model=settings.model or "",
        key=key.get_secret_value() if key else None,
        deadline=settings.model_deadline,
    )
    # Others refuse a request with a setting that they do not know.
    keeps = urlsplit(base_url).hostname == _KEEPS_BY_DEFAULT
    return Agent(model, settings=agents.ModelSettings(store=False if keeps else None))


class _Wire(httpx2.AsyncBaseTransport):
    """Sends what a request needs and the key; takes a body that is not packed and not too long."""

    def __init__(self, key: str | None) -> None:
        self._inner, self._key = httpx2.AsyncHTTPTransport(trust_env=False), key

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        headers = [(name, request.headers[name]) for name in _HEADERS if name in request.headers]
        headers += [("accept-encoding", "identity"), ("user-agent", "sayso")]
        if self._key:
            headers.append(("authorization", f"Bearer {self._key}"))
        request.headers = httpx2.Headers(headers)
        response = await self._inner.handle_async_request(request)
        if response.headers.get("content-encoding", "identity") != "identity":
            await response.aclose()
            raise BadModel("a packed body, which could be of any length")
        response.stream = _Measured(response.stream)
        return response

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Measured(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.SyncByteStream | httpx2.AsyncByteStream) -> None:
        assert isinstance(inner, httpx2.AsyncByteStream)  # noqa: S101  tells the types apart
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        taken = 0
        async for part in self._inner:
            taken += len(part)
            if taken > MOST_BYTES:
                raise BadModel("more than any answer")
            yield part

    async def aclose(self) -> None:
        await self._inner.aclose()
