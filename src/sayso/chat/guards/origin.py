"""Checks that a request comes from our own page, since browsers also send cookies with requests from other sites."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import Scope

from sayso.settings import Settings

PAGE = "X-Sayso-Page"
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


def origin_of(url: str) -> str:
    """Scheme, host and port of an address."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}".lower()


def is_from_page(scope: Scope, settings: Settings) -> bool:
    """Whether our page sent the request: it has a header that other origins can only set after a CORS preflight, and
    the browser reports the same origin."""
    headers = Headers(scope=scope)
    if headers.get(PAGE) != "1":
        return False
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    given = headers.get("origin", "").lower()
    own = settings.public_url or f"{scope.get('scheme', 'http')}://{headers.get('host', '')}"
    return bool(given) and given == origin_of(own)


def has_own_name(scope: Scope, settings: Settings) -> bool:
    """Whether the host name of a request is ours, and not a foreign name that resolves to this machine."""
    host = Headers(scope=scope).get("host", "").lower()
    named = {each.lower() for each in settings.allowed_hosts}
    if settings.public_url:
        named.add(urlsplit(settings.public_url).netloc.lower())
    if host in named:
        return True
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    return name in named or name == "localhost" or name.endswith(".localhost") or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
