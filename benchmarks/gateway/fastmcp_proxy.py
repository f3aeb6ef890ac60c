"""fastmcp's proxy, run in fastmcp's own environment: with one session that is reused, or as it makes them by default.

python fastmcp_proxy.py PORT URL reused|default
"""

from __future__ import annotations

import asyncio
import sys

from fastmcp import Client
from fastmcp.server import create_proxy

HTTP = {"show_banner": False, "host": "127.0.0.1", "log_level": "error", "stateless_http": True, "json_response": True}


async def main(port: str, url: str, how: str) -> None:
    if how == "default":
        await create_proxy(url).run_http_async(port=int(port), **HTTP)
        return
    async with Client(url) as client:
        await create_proxy(client).run_http_async(port=int(port), **HTTP)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
