"""Risk: what a tool may cost, by what its server says and by what its name says.

What the protocol leaves open counts as destructive. The hints of a server that nobody vouches for never lower a risk:
a tool reads only where its name says so too. Those of a trusted server count, unless the name says the opposite.
"""

from __future__ import annotations

from typing import NamedTuple

from sayso.engine.pack import Risk
from sayso.packs.draft.catalogue import ListedTool
from sayso.packs.draft.naming import Named
from sayso.packs.draft.words import names


class Judged(NamedTuple):
    """A risk, and the note that explains what the operator may decide otherwise."""

    risk: Risk
    note: str = ""


def judge(tool: ListedTool, named: Named, *, trusted: bool) -> Judged:
    likely = names().purposes[named.purpose].risk if named.known else None
    if tool.reads:
        return _said_to_read(likely, trusted=trusted)
    if tool.destroys is False:
        return _said_to_spare(likely, trusted=trusted)
    if tool.destroys is None:
        return Judged("destructive", "risk_unhinted" if likely == "read" else _unset(likely))
    return Judged("destructive")


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
