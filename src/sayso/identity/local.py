"""Checks whether a request comes from this machine; only then are metrics readable without a token."""

from __future__ import annotations

from ipaddress import ip_address

from starlette.requests import HTTPConnection

_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip")


def is_from_here(request: HTTPConnection) -> bool:
    """Whether a program on this machine sent the request for itself. A proxy on this machine adds a forwarding
    header."""
    if request.client is None or any(name in request.headers for name in _FORWARDED):
        return False
    try:
        return ip_address(request.client.host).is_loopback
    except ValueError:
        return False
