"""The layout of topics. Every topic contains the owner.

With the default layout, `sayso/{owner}/{machine}`, ada's machine `frigo` has these:

    sayso/ada/frigo/set            orders to the machine
    sayso/ada/frigo/answer/LINK    its answers to the link that sent the order
    sayso/ada/frigo/online         whether it is connected: retained, and its last will
    sayso/ada/frigo/state          its latest values: retained
    sayso/ada/frigo/metrics        its readings
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote, unquote

from sayso.errors import BadSetting

DEFAULT = "sayso/{owner}/{machine}"
SET, ANSWER, ONLINE, STATE, METRICS = "set", "answer", "online", "state", "metrics"
_SAFE = "@|"  # besides letters, digits and -._~; names in a broker's files cannot have a colon or a space


@lru_cache(maxsize=10_000)
def level(name: str) -> str:
    """A name, escaped as one level of a topic. It is also the owner's user name in the broker's ACL."""
    return quote(name, safe=_SAFE)


class Place(NamedTuple):
    """The owner and the machine of a topic, and the levels after them."""

    owner: str
    machine: str
    rest: tuple[str, ...]


class Topics:
    """The layout of the settings."""

    def __init__(self, layout: str = DEFAULT) -> None:
        self.layout, self._levels = layout, layout.split("/")
        once = self._levels.count("{owner}") == 1 and self._levels.count("{machine}") == 1
        fixed = [part for part in self._levels if part not in ("{owner}", "{machine}")]
        if not once or not all(part and not set(part) & set("+#{}$") for part in fixed):
            raise BadSetting("SAYSO_MQTT_TOPICS", f"names {{owner}} and {{machine}} once each, as in {DEFAULT}")
        self._owner, self._machine = self._levels.index("{owner}"), self._levels.index("{machine}")

    def of(self, owner: str, machine: str, *rest: str) -> str:
        """A machine's topic."""
        named = {"{owner}": level(owner), "{machine}": level(machine)}
        return "/".join([*(named.get(part, part) for part in self._levels), *rest])

    def every(self, *rest: str, owner: str | None = None) -> str:
        """A filter for this topic of all machines, or of all machines of one owner."""
        return self.pattern(level(owner) if owner else "+", "+", *rest)

    def pattern(self, owner: str, machine: str, *rest: str) -> str:
        """The layout with these two levels unescaped, for filters and for a broker's ACL."""
        named = {"{owner}": owner, "{machine}": machine}
        return "/".join([*(named.get(part, part) for part in self._levels), *rest])

    def read(self, topic: str) -> Place | None:
        """The owner and machine of a topic; None if the topic is not in the layout."""
        levels = topic.split("/")
        count = len(self._levels)
        if len(levels) <= count or any(
            ours not in ("{owner}", "{machine}") and ours != theirs
            for ours, theirs in zip(self._levels, levels[:count], strict=True)
        ):
            return None
        owner, machine = unquote(levels[self._owner]), unquote(levels[self._machine])
        return Place(owner, machine, tuple(levels[count:])) if owner and machine else None

    def reserves(self, topic: str) -> bool:
        """Whether a topic, or a topic that a filter matches, may be in the layout. Devices with their own topics may
        not use it."""
        return all(
            theirs in ("+", "#") or ours in ("{owner}", "{machine}") or ours == theirs
            for ours, theirs in zip(self._levels, topic.split("/"), strict=False)
        )
