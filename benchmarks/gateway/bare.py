"""A gateway that only passes on: the floor of what any gateway over HTTP costs.

python bare.py PORT URL
"""

from __future__ import annotations

import sys
from typing import Any

import httpx2
import uvicorn

PASSED_ON = (b"accept", b"content-type", b"mcp-")


class Bare:
    """Every request goes on as it came, every answer comes back as it was; nothing is looked at."""

    def __init__(self, url: str) -> None:
        self._url, self._http = url, httpx2.AsyncClient()

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        body = b""
        while (message := await receive()).get("more_body"):
            body += message["body"]
        headers = [(name, value) for name, value in scope["headers"] if name.startswith(PASSED_ON)]
        answer = await self._http.request(scope["method"], self._url, content=body + message["body"], headers=headers)
        kind = answer.headers.get("content-type", "application/json").encode()
        length = str(len(answer.content)).encode()
        told = [(b"content-type", kind), (b"content-length", length)]
        await send({"type": "http.response.start", "status": answer.status_code, "headers": told})
        await send({"type": "http.response.body", "body": answer.content})


if __name__ == "__main__":
    app = Bare(sys.argv[2])
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), lifespan="off", access_log=False, log_level="error")
