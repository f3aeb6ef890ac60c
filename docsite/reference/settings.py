"""Every variable of the environment that Sayso reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from docsite.reference.commands import all_commands, kind_of
from docsite.reference.comments import comments
from docsite.reference.markdown import code, link, page, sentence, table
from docsite.reference.shapes import default, takes
from sayso import composition
from sayso.settings import SECRETS_FOLDER, Secret, Settings

ABOUT = """Sayso reads these environment variables when a program starts. If a value is not valid, the program stops and
names the variable and the fix. An empty variable counts as unset. Keep secrets out of files that others can read."""
HEADS = ("variable", "takes", "meaning")


class Variable(NamedTuple):
    """A variable, as its row has it."""

    name: str
    takes: str
    default: str
    secret: bool
    meaning: str

    def row(self) -> tuple[str, ...]:
        told = sentence(self.meaning)
        shown = self.takes if self.default == "none" else f"{self.takes}, default {self.default}"
        return code(self.name), shown, f"**Secret.** {told}" if self.secret else told


def of_services() -> Iterator[Variable]:
    """The settings of `serve`, `mcp`, `gateway`, `db`, `devices` and `token`."""
    described, told = Settings.model_json_schema()["properties"], comments(Settings)
    for name, field in Settings.model_fields.items():
        schema: dict[str, Any] = described[name]
        kept = [each for each in schema.get("anyOf", [schema]) if each.get("type") != "null"]
        words = " or ".join("list, separated by commas" if one.get("type") == "array" else takes(one) for one in kept)
        secret = Secret in field.metadata or any(one.get("format") == "password" for one in kept)
        yield Variable(f"SAYSO_{name.upper()}", words, default(schema), secret, told[name])
    files = "a folder with one file per secret, named like the variable in lower case: `sayso_state_keys`"
    yield Variable(SECRETS_FOLDER, "folder", "none", secret=False, meaning=files)


def of_composing() -> Iterator[Variable]:
    """Those of deciding about a proposed call."""
    for one in composition.VARIABLES:
        yield Variable(one.name, one.takes, code(one.default), secret=False, meaning=one.meaning)


def of_commands() -> Iterator[Variable]:
    """Those that stand for an option."""
    for command in all_commands():
        for one in command.itself.params:
            if getattr(one, "envvar", None):
                instead = (
                    f"{sentence(one.help)} Instead of {code(one.opts[0])} of {link(command.name, page='commands.md')}"
                )
                yield Variable(one.envvar, kind_of(one), "none", one.name == "token", instead)


def markdown() -> str:
    return page(
        "Settings",
        ABOUT,
        "## Services\n\nFor `sayso serve`, `mcp`, `gateway`, `db`, `devices` and `token`.",
        table(HEADS, (one.row() for one in of_services())),
        "## Deciding about a proposed call\n\n"
        "Used when Sayso [checks a model's call](../explain/decisions.md#check-a-models-call).",
        table(HEADS, (one.row() for one in of_composing())),
        "## Commands",
        table(HEADS, (one.row() for one in of_commands())),
    )
