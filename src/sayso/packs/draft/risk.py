"""Rates a tool's risk from the server's annotations and the tool's name.

What the protocol leaves open counts as destructive. The hints of a server that nobody vouches for never lower a risk:
a tool reads only where its name says so too. Those of a trusted server count, unless the name says the opposite.
"""

from __future__ import annotations

from typing import NamedTuple

from sayso.engine.grammar.pack import Risk
from sayso.packs.draft.catalogue import ListedTool
from sayso.packs.draft.naming import Named
from sayso.packs.draft.words import names, words_in

_ORDER: tuple[Risk, ...] = ("read", "write", "destructive")


class Judged(NamedTuple):
    """A risk, and the note that explains what the operator may decide otherwise."""

    risk: Risk
    note: str = ""


def seems_to_read(tool: ListedTool, named: Named) -> bool:
    """Whether every verb of its name reads."""
    return _likely(tool.name, named) == "read"


def judge(tool: ListedTool, named: Named, *, trusted: bool) -> Judged:
    likely = _likely(tool.name, named)
    if tool.reads:
        return _said_to_read(likely, trusted=trusted)
    if tool.destroys is False:
        return _said_to_spare(likely, trusted=trusted)
    if tool.destroys is None:
        return Judged("destructive", "risk_unhinted" if likely == "read" else _unset(likely))
    return Judged("destructive")


def _likely(name: str, named: Named) -> Risk | None:
    """The worst that a verb of the name makes likely: `find_or_create_user` writes. A word that is as often a thing
    counts where no verb was found."""
    known = [word for word in words_in(name) if names().purpose_of(word) is not None]
    clear = [word for word in known if word not in names().also_things]
    purposes = [names().purpose_of(word) or "" for word in (clear if named.known else known)]
    found = [names().purposes[one].risk for one in (*purposes, *([named.purpose] if named.known else []))]
    return max(found, key=_ORDER.index, default=None)


def _said_to_read(likely: Risk | None, *, trusted: bool) -> Judged:
    if likely in ("write", "destructive"):
        return Judged("destructive", "risk_contradicted")
    if likely is None and not trusted:
        return Judged("destructive", "risk_hint_alone")
    return Judged("read")


def _said_to_spare(likely: Risk | None, *, trusted: bool) -> Judged:
    if likely == "destructive":
        return Judged("destructive", "risk_contradicted")
    return Judged("write") if trusted else Judged("destructive", "risk_untrusted")


def _unset(likely: Risk | None) -> str:
    return "" if likely == "destructive" else "risk_unset"
