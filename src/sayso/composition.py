"""Settings of composing, from the environment. An invalid value stops the program."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from sayso.engine.decide.room import Thresholds
from sayso.errors import BadSetting

_SWITCH = {"on": True, "true": True, "1": True, "off": False, "false": False, "0": False}
_MOST_SUGGESTIONS = 20
_USUAL = Thresholds()


class Variable(NamedTuple):
    """A variable of the environment, as the reference has it."""

    name: str
    takes: str
    default: str
    meaning: str


VARIABLES = (
    Variable(
        name="SAYSO_COMPOSITION",
        takes="`on` or `off`",
        default="on" if _USUAL.compose else "off",
        meaning="`off` ignores proposed calls",
    ),
    Variable(
        name="SAYSO_COMPOSITION_THRESHOLD",
        takes=f"number, {_USUAL.act} to 1",
        default=f"{_USUAL.inferred}",
        meaning="a write with a value from the context requires confirmation below this confidence",
    ),
    Variable(
        name="SAYSO_MAX_SUGGESTIONS",
        takes=f"whole number, 1 to {_MOST_SUGGESTIONS}",
        default=f"{_USUAL.options}",
        meaning="options per question",
    ),
)


def thresholds(environment: Mapping[str, str] = os.environ) -> Thresholds:
    """When to act, when to ask and how much to offer, as this environment has it."""
    switch, share, count = (variable.name for variable in VARIABLES)
    return _USUAL._replace(
        compose=_switch(environment, switch, _USUAL.compose),
        inferred=_share(environment, share, _USUAL.inferred, _USUAL.act),
        options=_count(environment, count, _USUAL.options),
    )


def _switch(environment: Mapping[str, str], name: str, default: bool) -> bool:
    text = environment.get(name, "")
    if text and text.casefold() not in _SWITCH:
        raise _unusable(name, text, "on or off")
    return _SWITCH[text.casefold()] if text else default


def _share(environment: Mapping[str, str], name: str, default: float, least: float) -> float:
    text = environment.get(name, "")
    if not text:
        return default
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not least <= value <= 1:  # lower, a guess would run with less confidence than a stated value
        raise _unusable(name, text, f"a number from {least} to 1")
    return value


def _count(environment: Mapping[str, str], name: str, default: int) -> int:
    text = environment.get(name, "")
    if text and not (text.isascii() and text.isdigit() and 1 <= int(text[:4]) <= _MOST_SUGGESTIONS):
        raise _unusable(name, text, f"a whole number from 1 to {_MOST_SUGGESTIONS}")
    return int(text) if text else default


def _unusable(name: str, value: str, wanted: str) -> BadSetting:
    return BadSetting(name, f'is "{value}", and takes {wanted}. Correct it, or unset it for the default.')
