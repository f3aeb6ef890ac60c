"""The principal: an authenticated person and the claims about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

LONGEST_ID = 255
RESERVED = "sayso:"  # ids that begin like this are ours: no person has one


@dataclass(frozen=True, kw_only=True)
class Principal:
    """`id` is the issuer's subject; the rest may be unknown."""

    id: str
    name: str | None = None
    email: str | None = None
    zone: str | None = None
    language: str | None = None


def principal_from(claims: Mapping[str, Any]) -> Principal | None:
    """The principal of a verified token's claims; None where they name nobody that can be stored, or a reserved id."""
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
    """Whether an id is kept for Sayso itself, however it is written."""
    return user_id.strip().casefold().startswith(RESERVED)


def known_zone(name: object) -> str | None:
    """The name of a time zone that exists, or None."""
    if not isinstance(name, str) or not name:
        return None
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
    return name


def is_storable(text: str) -> bool:
    """Whether PostgreSQL can keep it: no NUL, and no half of a surrogate pair."""
    return "\x00" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)


def _text(value: object) -> str | None:
    return value[:200] if isinstance(value, str) and value and is_storable(value) else None
