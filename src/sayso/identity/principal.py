"""The principal: an authenticated user and the claims about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

LONGEST_ID = 255
RESERVED = "sayso:"  # the prefix of Sayso's own ids; no user has one


@dataclass(frozen=True, kw_only=True)
class Principal:
    """`id` is the issuer's subject; the rest may be unknown."""

    id: str
    name: str | None = None
    email: str | None = None
    zone: str | None = None
    language: str | None = None


def principal_from(claims: Mapping[str, Any]) -> Principal | None:
    """The principal of a verified token's claims; None if the subject is missing, reserved or cannot be stored."""
    subject = claims.get("sub")
    if not isinstance(subject, str) or not 0 < len(subject) <= LONGEST_ID or not is_storable(subject):
        return None
    if is_reserved(subject):
        return None
    return Principal(
        id=subject,
        name=_text(claims.get("name")),
        email=_text(claims.get("email")),
        zone=known_zone(claims.get("zoneinfo")),
        language=(_text(claims.get("locale")) or "").replace("_", "-").partition("-")[0].lower() or None,
    )


def is_reserved(user_id: str) -> bool:
    """Whether an id is reserved for Sayso itself, ignoring case and surrounding spaces."""
    return user_id.strip().casefold().startswith(RESERVED)


def known_zone(name: object) -> str | None:
    """The name if a time zone has this name, otherwise None."""
    if not isinstance(name, str) or not name:
        return None
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
    return name


def is_storable(text: str) -> bool:
    """Whether PostgreSQL can store the text: it has no NUL and no lone surrogate."""
    return "\x00" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)


def _text(value: object) -> str | None:
    return value[:200] if isinstance(value, str) and value and is_storable(value) else None
