"""The risk of each tool as `sayso gateway review` shows it, and where the risk comes from."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from sayso.gateway.config import Config, ServerSettings
from sayso.gateway.guarded import Guarded
from sayso.gateway.seals.instructions import INSTRUCTIONS
from sayso.gateway.seals.pins import Definition, Pins

_LEGEND = """\
=  as approved    +  new, held back    ~  changed, held back    -  gone
read         forwarded without a question
write        forwarded if the user's own words ask for it, otherwise confirmed first
destructive  always confirmed first
hidden       neither listed nor run"""
_SOURCES = {
    "your setting": 'you set "risk" in the file',
    "pack": "the pack that the file names says so",
    "annotation": "the server says so",
    "annotation and name": "the server says that it reads, and the tool's name says the same",
    "annotation not trusted": 'the server declares a lower risk; set "trusted" or "risk" to accept it',
    "name contradicts annotation": 'the server declares a lower risk than the name suggests; set "risk" to accept it',
    "name": 'you trust the server, it has no annotations, and the name suggests a read; set "risk" if it does more',
    "no annotation": 'there is no annotation, so it counts as destructive; set "risk" if it is less',
}
_INSTRUCTIONS = f"{INSTRUCTIONS}  the server's text for the model; clients get it only as approved"
_IN_BROWSER = ", confirmed in the browser"


def legend(shown: str, names: Iterable[str]) -> str:
    """What the signs, the risks and those sources mean that are in the text."""
    sources = [f"[{source}]  {meaning}" for source, meaning in _SOURCES.items() if f"[{source}]" in shown]
    return "\n".join([_LEGEND, *sources, *([_INSTRUCTIONS] if INSTRUCTIONS in names else [])])


def risks(config: Config, file: Path, name: str, pins: Pins, listed: list[Definition]) -> dict[str, str]:
    """What each tool of a server may cost, as the gateway would judge it once it is approved."""
    settings = config.servers[name].sayso
    guarded = Guarded(name, config.servers[name], pins, file.parent, config.sayso.lang)
    guarded.know(listed)
    found = {}
    for each in listed:
        tool = str(each["name"])
        if tool != INSTRUCTIONS:
            found[tool] = _shown(settings, each, str(guarded.judge.risk(tool)))
    return found


def _shown(settings: ServerSettings, definition: Definition, risk: str) -> str:
    told = settings.tools.get(str(definition["name"]))
    if told is not None and told.hidden:
        return "hidden"
    browser = _IN_BROWSER if told is not None and told.confirm == "browser" else ""
    return f"{risk}{browser} [{source(settings, definition, risk)}]"


def source(settings: ServerSettings, definition: Definition, risk: str) -> str:
    """Where a risk comes from, in a few words that the legend explains."""
    told = settings.tools.get(str(definition["name"]))
    if told is not None and told.risk is not None:
        return "your setting"
    if settings.pack is not None:
        return "pack"
    said = _said(definition)
    if said is None:
        return "name" if risk == "read" else "no annotation"
    if said == risk:
        return "annotation" if risk != "read" or settings.trusted else "annotation and name"
    return "name contradicts annotation" if settings.trusted else "annotation not trusted"


def _said(definition: Definition) -> str | None:
    """The risk that the annotations claim; None if they claim nothing."""
    hints = definition.get("annotations") or {}
    if hints.get("readOnlyHint"):
        return "read"
    if hints.get("destructiveHint") is False:
        return "write"
    return "destructive" if hints.get("destructiveHint") else None
