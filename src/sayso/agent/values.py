"""The values that the agent exchanges: what the model is shown, and the judge of its calls."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, TypeAlias


class ToolShape(NamedTuple):
    """A tool as the model sees it: a name, a description and a JSON Schema. There is nothing behind it to run."""

    name: str
    description: str
    schema: dict[str, Any]


class Verdict(NamedTuple):
    """The result of a call. `text` goes back to the model. `stop` ends the run, for example to ask the user."""

    text: str
    stop: bool = False


# Takes the tool's name and the arguments as the model gave them, whatever their shape; never raises.
Judge: TypeAlias = Callable[[str, Any], Awaitable[Verdict]]
