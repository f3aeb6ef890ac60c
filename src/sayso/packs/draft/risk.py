"""Rates a tool's risk from the server's annotations and the tool's name.

A tool whose annotations leave the risk open counts as destructive. The annotations of an untrusted server never lower a
risk: a tool counts as reading only if its name agrees. The annotations of a trusted server count unless the name
contradicts them.
"""

from __future__ import annotations

from typing import NamedTuple

from sayso.engine.grammar.pack import Risk
from sayso.packs.draft.catalogue import ListedTool
from sayso.packs.draft.naming import Named
from sayso.packs.draft.words import names, words_in

_ORDER: tuple[Risk, ...] = ("read", "write", "destructive")


class Judged(NamedTuple):
    """A risk, and the note that tells the operator when to change it."""

    risk: Risk
    note: str = ""


def seems_to_read(tool: ListedTool, named: Named) -> bool:
    """Whether every verb in the tool's name is a reading verb."""
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


def reads_by_name(tool: ListedTool, named: Named) -> bool:
    """Whether a tool of a trusted server only reads, judged by its name: every verb of the name is a reading verb, the
    description does not begin with a verb of changing, and no parameter can make the tool do something else. An
    annotation that says otherwise takes precedence."""
    if tool.destroys or tool.reads is False:
        return False
    likely, words = _likely(tool.name, named), words_in(tool.name)
    if tool.reads:
        return {word for word in words if names().purpose_of(word) is not None} <= {*names().also_read}
    if tool.destroys is False or _can_do_anything(tool) or _changes(tool.description):
        return False
    return likely == "read" or (likely is None and any(word in names().reports for word in words))


def statement_of(tool: ListedTool) -> str:
    """The name of the parameter that holds a SQL statement, if the tool only runs that statement; otherwise empty."""
    if not {*words_in(tool.name)} <= {*names().runs}:
        return ""
    told = f"{tool.description} {' '.join(param.description for param in tool.params)}"
    found = [param.name for param in tool.params if "_".join(words_in(param.name)) in names().statement]
    return found[0] if len(found) == 1 and "sql" in {*words_in(f"{found[0]} {told}")} else ""


def _can_do_anything(tool: ListedTool) -> bool:
    return any(word in names().open_ended for param in tool.params for word in words_in(param.name))


def _changes(description: str) -> bool:
    """Whether a description begins with a verb of changing: "Deletes …"."""
    first = next(iter(words_in(description)), "")
    found = names().purpose_of(first) or names().purpose_of(first.removesuffix("s"))
    return found is not None and names().purposes[found].risk != "read"


def _likely(name: str, named: Named) -> Risk | None:
    """The highest risk among the verbs of the name: `find_or_create_user` writes. A word that is as often a noun counts
    only if no other verb was found."""
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
