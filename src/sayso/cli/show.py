"""Prints a decision in a terminal without loading heavy modules.

call      add_task   95%
          title   buy groceries   said: "buy groceries"
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, assert_never

import msgspec
import typer
from msgspec import UNSET

from sayso.case import Case
from sayso.decision import Answer, Call, Clarify, Confirm, Decision, Evidence, Nothing
from sayso.unseen import spelled

INDENT = " " * 10
COLOURS = {"call": "green", "confirm": "yellow", "clarify": "cyan", "none": "magenta"}


def show(case: Case, answer: Answer) -> None:
    """Print every decision, then what the person may want next. Colours are left out where no terminal is."""
    for decision in answer.decisions:
        typer.echo(headline(decision))
        for line in details(case, decision):
            typer.echo(INDENT + line)
    if answer.next is not UNSET and answer.next:
        labels = " · ".join(visible(offer.label) for offer in answer.next)
        typer.echo(typer.style(f"{'next':<10}", bold=True) + labels)


def headline(decision: Decision) -> str:
    """Kind, tool and confidence, in one line."""
    kind, what = _name(decision)
    mark = typer.style(f"{kind:<10}", fg=COLOURS[kind], bold=True)
    return f"{mark}{typer.style(what, bold=True)}   {typer.style(f'{decision.confidence:.0%}', dim=True)}"


def details(given: Case, decision: Decision) -> Iterator[str]:
    """The lines under the headline."""
    match decision:
        case Call():
            yield from _arguments(given, decision.arguments, decision.evidence)
        case Confirm():
            yield visible(decision.question)
            yield from _arguments(given, decision.arguments, decision.evidence)
        case Clarify():
            yield visible(decision.question)
            yield from _arguments(given, decision.arguments, {})
            for number, option in enumerate(decision.options, 1):
                yield f"{typer.style(f'{number}.', fg='cyan')} {visible(option.label)}"
        case Nothing():
            if decision.reply is not UNSET:
                yield visible(decision.reply)
        case _:
            assert_never(decision)


def visible(text: str) -> str:
    """The text with control letters spelled out, so that what is shown is what is there."""
    return spelled(text, lambda letter: letter.encode("unicode_escape").decode())


def _name(decision: Decision) -> tuple[str, str]:
    match decision:
        case Call():
            return "call", visible(decision.tool)
        case Confirm():
            return "confirm", f"{visible(decision.tool)} ({decision.reason})"
        case Clarify():
            return "clarify", f"{visible(decision.tool or 'which tool?')} ({decision.reason.replace('_', ' ')})"
        case Nothing():
            return "none", decision.reason.replace("_", " ")
        case _:
            assert_never(decision)


def _arguments(given: Case, arguments: dict[str, Any], evidence: dict[str, Evidence]) -> Iterator[str]:
    rows = [(name, visible(_value(value)), source_of(given, evidence.get(name))) for name, value in arguments.items()]
    name_width = max((len(name) for name, _, _ in rows), default=0)
    value_width = min(max((len(value) for _, value, _ in rows), default=0), 60)
    for name, value, source in rows:
        label = typer.style(f"{name:<{name_width}}", fg="cyan")
        yield f"{label}   {value:<{value_width}}   {typer.style(source, dim=True)}" if source else f"{label}   {value}"


def _value(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def source_of(given: Case, evidence: Evidence | None) -> str:
    """Where a value comes from: the words themselves, or the thing that was meant."""
    if evidence is None:
        return ""
    words = "" if evidence.span is UNSET else f'"{given.message[slice(*evidence.span)]}"'
    thing = "" if evidence.entity is UNSET else _label(given, evidence.entity)
    source = "said" if evidence.source == "message" else evidence.source
    return visible(": ".join(filter(None, (source, " → ".join(filter(None, (words, thing)))))))


def _label(given: Case, entity_id: str) -> str:
    for entity in given.entities:
        if entity.id == entity_id:
            return entity.text("title") or entity.text("name") or entity_id
    return entity_id
