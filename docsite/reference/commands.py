"""Every command of `sayso`, with its arguments and options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import typer

from docsite.reference.markdown import code, codes, page, sentence, table
from sayso.cli.main import app

ABOUT = """Every command with its arguments and options, as in `sayso COMMAND --help`. Exit status: 0 on success, 1
if a check failed, 2 if the command is wrong."""

KINDS = {"int": "whole number", "integer": "whole number", "float": "number", "str": "text"}


class Command(NamedTuple):
    """A command, and what it is called."""

    name: str
    itself: Any


def all_commands() -> Iterator[Command]:
    """From the first to the last, as help lists them."""
    yield from _from(Command("sayso", typer.main.get_command(app)))


def markdown() -> str:
    return page("Commands", ABOUT, *(_section(one) for one in all_commands()))


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
    parts = [f"## {command.name}", *paragraphs(command)]
    if shown:
        rows = (_argument(one) if one.param_type_name == "argument" else _option(one) for one in shown)
        parts.append(table(("argument or option", "meaning"), rows))
    return "\n\n".join(parts)


def _argument(one: Any) -> tuple[str, ...]:
    return _typed(code(called(one)), one), sentence(one.help) + (" **Required.**" if one.required else "")


def _option(one: Any) -> tuple[str, ...]:
    names = codes([*one.opts, *one.secondary_opts])
    meaning = sentence(one.help or "")
    if one.envvar:
        meaning += f" Also as {code(one.envvar)}."
    if one.multiple and "again" not in meaning and "repeated" not in meaning and "several" not in meaning:
        meaning += " You can repeat it."
    if one.required:
        meaning += " **Required.**"
    elif one.default not in (None, False, ()):
        meaning += " On by default." if one.is_flag else f" Default: {code(one.default)}."
    return names if one.is_flag else _typed(names, one), meaning


def _typed(names: str, one: Any) -> str:
    """The names, with what they take unless that is any text."""
    kind = kind_of(one)
    return names if kind == "text" else f"{names} ({kind})"


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
