"""Every command of `sayso`, with its arguments and options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import typer

from docsite.reference.markdown import code, codes, link, page, sentence, table
from sayso.cli.main import app

ABOUT = """The help of every command on one page. Exit status: 0 on success, 1 if a check failed, 2 if the command was
used incorrectly."""

KINDS = {"int": "whole number", "integer": "whole number", "float": "number", "str": "text"}


class Command(NamedTuple):
    """A command, and what it is called."""

    name: str
    itself: Any


def all_commands() -> Iterator[Command]:
    """From the first to the last, as help lists them."""
    yield from _from(Command("sayso", typer.main.get_command(app)))


def markdown() -> str:
    found = list(all_commands())
    summary = table(
        ("command", "does"),
        ((link(one.name, code(one.name)), sentence(paragraphs(one)[0])) for one in found if one.name != "sayso"),
    )
    return page("Commands", ABOUT, summary, *(_section(one) for one in found))


def paragraphs(command: Command) -> list[str]:
    return [sentence(part) for part in (command.itself.help or "").split("\n\n")]


def _from(command: Command) -> Iterator[Command]:
    yield command
    if hasattr(command.itself, "list_commands"):
        for name in command.itself.list_commands(None):
            one = command.itself.get_command(None, name)
            if not one.hidden:
                yield from _from(Command(f"{command.name} {name}", one))


def _section(command: Command) -> str:
    shown = [one for one in command.itself.params if not getattr(one, "hidden", False)]
    arguments = [one for one in shown if one.param_type_name == "argument"]
    options = [one for one in shown if one.param_type_name == "option"]
    parts = [f"## {command.name}", *paragraphs(command), f"```text\n{_usage(command, arguments, bool(options))}\n```"]
    if arguments:
        parts.append(table(("argument", "takes", "", "meaning"), map(_argument, arguments)))
    if options:
        parts.append(table(("option", "takes", "default", "meaning"), map(_option, options)))
    return "\n\n".join(parts)


def _usage(command: Command, arguments: list[Any], options: bool) -> str:
    words = [command.name, *(["[OPTIONS]"] if options else [])]
    words += [name if one.required else f"[{name}]" for one in arguments for name in [called(one)]]
    if hasattr(command.itself, "list_commands"):
        words.append("[COMMAND]" if getattr(command.itself, "invoke_without_command", False) else "COMMAND")
    return " ".join(words)


def _argument(one: Any) -> tuple[str, ...]:
    return code(called(one)), kind_of(one), "**needed**" if one.required else "may be left out", sentence(one.help)


def _option(one: Any) -> tuple[str, ...]:
    names = [*one.opts, *one.secondary_opts]
    preset = code(one.default) if one.default not in (None, False, ()) else "none"
    if one.is_flag:
        preset = "on" if one.default else "off"
    meaning = sentence(one.help or "")
    if one.envvar:
        meaning += f" Also as {code(one.envvar)}."
    if one.multiple and "again" not in meaning and "repeated" not in meaning and "several" not in meaning:
        meaning += " May be given again."
    return codes(names), "" if one.is_flag else kind_of(one), "**needed**" if one.required else preset, meaning


def called(one: Any) -> str:
    """The name of an argument."""
    return str(one.metavar or one.name.upper())


def kind_of(one: Any) -> str:
    """What an argument or an option takes, in words."""
    kind = one.type
    if getattr(kind, "choices", None):
        return codes(getattr(choice, "value", choice) for choice in kind.choices)
    words = KINDS.get(kind.name.removesuffix(" range"), kind.name)
    low, high = getattr(kind, "min", None), getattr(kind, "max", None)
    if low is not None:
        return f"{words}, {low} to {high}" if high is not None else f"{words}, at least {low}"
    return str(words)
