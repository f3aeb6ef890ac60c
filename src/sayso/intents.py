"""The table from an intent's name to its tool.

tool_for("identity_query") → "get_user_info". No guessing: another case, a typo or an empty text matches no intent.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from sayso.packs.load import installed_packs, load_tools


@cache
def _table() -> dict[str, str]:
    found: dict[str, str] = {}
    for pack in installed_packs():
        for name, tool in load_tools(pack).items():
            if tool.intent:
                found[tool.intent] = name
    return found


def tool_for(intent: object, registry: Collection[str] | None = None) -> str | None:
    """The tool for an intent, or None. `registry` names the tools that are live; without it the packs' own count."""
    name = _table().get(intent) if isinstance(intent, str) else None
    if name is None or (registry is not None and name not in registry):
        return None
    return name
