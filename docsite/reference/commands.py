"""Every command of `sayso`, with its arguments and options."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

import typer

from docsite.reference.markdown import code, codes, page, sentence, table
from sayso.cli.main import app

ABOUT = """Every command with its arguments and options, as in `sayso COMMAND --help`. Exit status: 0 on success, 1
if a check failed, 2 if the command is wrong."""
SHARED = "Options of several commands:"

KINDS = {"int": "integer", "float": "number", "str": "text"}


class Command(NamedTuple):
    """A command, and what it is called."""

    name: str
    itself: Any


def all_commands() -> Iterator[Command]:
    """From the first to the last, as help lists them."""
    yield from _from(Command("sayso", typer.main.get_command(app)))


def markdown() -> str:
    listed = list(all_commands())
    return page("Commands", ABOUT, *(_section(one, listed) for one in listed))


def paragraphs(command: Command) -> list[str]:
    return [sentence(part) for part in (command.itself.help or "").split("\n\n")]


def _from(command: Command) -> Iterator[Command]:
    yield command
    if hasattr(command.itself, "list_commands"):
        for name in command.itself.list_commands(None):
            one = command.itself.get_command(None, name)
            if not one.hidden:
                yield from _from(Command(f"{command.name} {name}", one))


def shared(listed: list[Command]) -> dict[str, list[tuple[str, ...]]]:
    """By the first word of commands ("gateway", or none), the rows of options that several of them have."""
    counted: dict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)
    for command in listed:
        counted[_group(command)].update(row for _one, row in _rows(command))
    return {group: [row for row, times in rows.items() if times > 1] for group, rows in counted.items()}


def _section(command: Command, listed: list[Command]) -> str:
    """A command. Options of several commands are explained at their group, and named at each of them."""
    common = shared(listed)[_group(command)]
    parts = [f"## {command.name}", *paragraphs(command)]
    rows = [row for _one, row in _rows(command) if row not in common]
    if rows:
        parts.append(table(("option", "meaning"), rows))
    also = [name for one, row in _rows(command) if row in common for name in _names(one)]
    if also:
        parts.append(f"{'Also' if rows else 'Options:'} {codes(also)}.")
    if command.name == f"sayso {_group(command)}".strip() and common:
        parts += [SHARED, table(("option", "meaning"), common)]
    return "\n\n".join(parts)


def _names(one: Any) -> list[str]:
    return [called(one)] if one.param_type_name == "argument" else list(one.opts)


def _group(command: Command) -> str:
    words = command.name.split()
    return words[1] if len(words) > 2 or (words[1:] and hasattr(command.itself, "list_commands")) else ""


def _rows(command: Command) -> list[tuple[Any, tuple[str, ...]]]:
    shown = [one for one in command.itself.params if not getattr(one, "hidden", False)]
    return [(one, _argument(one) if one.param_type_name == "argument" else _option(one)) for one in shown]


def _argument(one: Any) -> tuple[str, ...]:
    return _typed(code(called(one)), one), sentence(one.help) + (" **Required.**" if one.required else "")


def _option(one: Any) -> tuple[str, ...]:
    names = codes([*one.opts, *one.secondary_opts])
    meaning = sentence(one.help or "")
    if one.envvar:
        meaning += f" Also as {code(one.envvar)}."
    if one.multiple and "repeat" not in meaning:
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
        return f"{words}, {low}–{high}" if high is not None else f"{words}, at least {low}"
    return str(words)
