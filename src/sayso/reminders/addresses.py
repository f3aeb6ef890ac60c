"""Checks the addresses that users give for reminders: `ntfys://ntfy.sh/my-topic`,
`mailtos://user:password@example.com`. They are Apprise addresses, and the operator sets the list of allowed schemes."""

from __future__ import annotations

import re
from collections.abc import Collection
from urllib.parse import parse_qsl, urlsplit

LONGEST_ADDRESS = 500
LONGEST_ENDPOINT = 1_000
_PLAIN = re.compile(r"[!-~]+")
# Other Apprise parameters can read local files, attach files or turn off certificate checks.
_PARAMETERS = frozenset({"smtp", "from", "to", "name", "mode", "priority", "tags", "auth", "token", "format"})
_KEY = re.compile(r"[A-Za-z0-9_-]{20,200}={0,2}")


class BadAddress(ValueError):
    """An address cannot be used; the text says why."""


def check_address(text: str, schemes: Collection[str]) -> str:
    """The scheme of an address, or BadAddress. The host is checked later, when a connection to it is opened."""
    if not _PLAIN.fullmatch(text) or len(text) > LONGEST_ADDRESS:
        raise BadAddress(f"an address has 1 to {LONGEST_ADDRESS} visible ASCII characters and no spaces")
    try:
        parts = urlsplit(text)
        scheme, _ = parts.scheme.lower(), parts.port if "@" not in parts.netloc else None
    except ValueError as problem:
        raise BadAddress("this is not an address") from problem
    if scheme not in schemes or not text.lower().startswith(f"{scheme}://"):
        raise BadAddress(f"use one of: {', '.join(f'{each}://' for each in sorted(schemes))}")
    unknown = [name for name, _ in parse_qsl(parts.query, keep_blank_values=True) if name not in _PARAMETERS]
    if unknown or "?" in parts.fragment or ";" in parts.query:
        raise BadAddress(f"use only these parameters: {', '.join(sorted(_PARAMETERS))}")
    return scheme


def check_subscription(endpoint: str, p256dh: str, auth: str) -> None:
    """Raise BadAddress if a browser's subscription is not valid."""
    try:
        parts = urlsplit(endpoint)
        usable = parts.scheme == "https" and bool(parts.hostname) and "@" not in parts.netloc and parts.port != 0
    except ValueError:
        usable = False
    if not usable or not _PLAIN.fullmatch(endpoint) or len(endpoint) > LONGEST_ENDPOINT:
        raise BadAddress("the endpoint must be an https:// address")
    if not _KEY.fullmatch(p256dh) or not _KEY.fullmatch(auth):
        raise BadAddress("the keys must be base64url")
