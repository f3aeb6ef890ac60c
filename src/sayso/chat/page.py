"""Serves the built page from memory.

Only files of the build are served, by their exact paths; no path of a request is looked up on disk. Browsers cache
files with a hash in their names permanently, and revalidate all others.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

FOLDER = Path(__file__).with_name("page")
INDEX = "index.html"
VIEWS = ("/", "/trail")  # paths that the page itself renders
NOT_BUILT = "The page is not built. Run `make web` in a checkout, which needs Node; the API is at /openapi.json.\n"
FOREVER = "public, max-age=31536000, immutable"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/vnd.microsoft.icon",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
}
_COMPRESSED = {".png", ".ico", ".woff2"}  # already
_ENCODINGS = {"br": ".br", "gzip": ".gz"}  # the better compression first


class File(NamedTuple):
    """A file to serve: its type, cache policy and content in each encoding."""

    kind: str
    kept: str
    etag: str
    content: dict[str, bytes]


class _Route(NamedTuple):
    """The name of the route in metrics and logs."""

    path: str


class Page:
    """Serves the files of the page, and passes all other requests to the app."""

    def __init__(self, app: ASGIApp, folder: Path = FOLDER) -> None:
        self._app, self._folder = app, folder
        self._built, self._files = -1, dict[str, File]()
        self._reload()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = self._response(scope) if scope["type"] == "http" and scope["method"] in ("GET", "HEAD") else None
        if response is None:
            await self._app(scope, receive, send)
            return
        scope["route"] = _Route("page")
        await response(scope, receive, send)

    def _response(self, scope: Scope) -> Response | None:
        path: str = scope["path"]
        if path in VIEWS:
            self._reload()
            path = f"/{INDEX}"
            if path not in self._files:
                return PlainTextResponse(NOT_BUILT, 404)
        file = self._files.get(path)
        return _answer(file, Headers(scope=scope)) if file else None

    def _reload(self) -> None:
        """Read the files again if the page was rebuilt."""
        try:
            built = (self._folder / INDEX).stat().st_mtime_ns
        except OSError:
            built = -1
        if built != self._built:
            self._files = dict(_files(self._folder)) if built != -1 else {}
            self._built = built


def _files(folder: Path) -> Iterator[tuple[str, File]]:
    for path in sorted(folder.rglob("*")):
        if path.suffix not in TYPES or not path.is_file():
            continue
        plain = path.read_bytes()
        content = {"": plain}
        for encoding, suffix in _ENCODINGS.items():
            beside = path.with_name(path.name + suffix)
            if beside.is_file():
                content[encoding] = beside.read_bytes()
        if "gzip" not in content and path.suffix not in _COMPRESSED:
            content["gzip"] = gzip.compress(plain, mtime=0)
        name = f"/{path.relative_to(folder).as_posix()}"
        kept = FOREVER if name.startswith("/assets/") else "no-cache"
        yield name, File(TYPES[path.suffix], kept, sha256(plain).hexdigest()[:32], content)


def _answer(file: File, asked: Headers) -> Response:
    taken = _taken(asked.get("accept-encoding", ""))
    encoding = next((each for each in _ENCODINGS if each in taken and each in file.content), "")
    etag = f'"{file.etag}{"-" + encoding if encoding else ""}"'
    headers = {"Cache-Control": file.kept, "ETag": etag, "Vary": "Accept-Encoding"}
    if etag in asked.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if encoding:
        headers["Content-Encoding"] = encoding
    return Response(file.content[encoding], headers=headers, media_type=file.kind)


def _taken(header: str) -> set[str]:
    """The encodings that a client accepts."""
    parts = (part.strip().replace(" ", "").lower() for part in header.split(","))
    return {name for name, _, weight in (part.partition(";") for part in parts) if weight not in ("q=0", "q=0.0")}
