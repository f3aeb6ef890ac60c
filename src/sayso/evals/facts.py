"""What the scorer needs to know about a tool, taken from the pack."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from msgspec import UNSET

from sayso.engine.grammar.pack import Pack, Param, Tool


class ToolFacts(NamedTuple):
    """`free` are the parameters that users word freely. `instead` maps a name to the id that is compared instead."""

    defaults: Mapping[str, Any] = {}
    reads: bool = False
    destructive: bool = False
    free: frozenset[str] = frozenset()
    instead: Mapping[str, str] = {}


UNKNOWN = ToolFacts()


def facts_of(pack: Pack) -> dict[str, ToolFacts]:
    """The facts of every tool of a pack."""
    return {
        name: ToolFacts(
            defaults=_defaults(tool),
            reads=tool.risk == "read",
            destructive=tool.risk == "destructive",
            free=frozenset(key for key, param in tool.params.items() if _worded_freely(pack, param)),
        )
        for name, tool in pack.tools.items()
    }


def facts_of_all(packs: Iterable[Pack]) -> dict[str, ToolFacts]:
    """The facts of the tools of several packs."""
    return {name: facts for pack in packs for name, facts in facts_of(pack).items()}


def _defaults(tool: Tool) -> dict[str, Any]:
    """Without those of which one at least must be given: there, null says something, such as to clear a date."""
    return {
        key: param.default
        for key, param in tool.params.items()
        if param.default is not UNSET and key not in tool.at_least_one
    }


def _worded_freely(pack: Pack, param: Param) -> bool:
    slot = pack.slots.get(param.slot or "")
    return slot is not None and slot.type == "text"
