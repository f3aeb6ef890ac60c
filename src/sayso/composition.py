"""The settings of composing, from the environment. A value that cannot be used stops the program: nothing is guessed.

SAYSO_COMPOSITION            on    off: a proposed call is not looked at, the words alone decide
SAYSO_COMPOSITION_THRESHOLD  0.9   from this confidence on, a call runs in which a value was filled in
SAYSO_MAX_SUGGESTIONS        5     how many options a question offers
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from sayso.engine.decide import Thresholds
from sayso.errors import BadSetting

_SWITCH = {"on": True, "true": True, "1": True, "off": False, "false": False, "0": False}
_MOST_SUGGESTIONS = 20


def thresholds(environment: Mapping[str, str] = os.environ) -> Thresholds:
    """When to act, when to ask and how much to offer, as this environment has it."""
    usual = Thresholds()
    return usual._replace(
        compose=_switch(environment, "SAYSO_COMPOSITION", usual.compose),
        inferred=_share(environment, "SAYSO_COMPOSITION_THRESHOLD", usual.inferred, usual.act),
        options=_count(environment, "SAYSO_MAX_SUGGESTIONS", usual.options),
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
    if not least <= value <= 1:  # lower would let a guess run that would be asked about if it had been said
        raise _unusable(name, text, f"a number from {least} to 1")
    return value


def _count(environment: Mapping[str, str], name: str, default: int) -> int:
    text = environment.get(name, "")
    if text and not (text.isascii() and text.isdigit() and 1 <= int(text[:4]) <= _MOST_SUGGESTIONS):
        raise _unusable(name, text, f"a whole number from 1 to {_MOST_SUGGESTIONS}")
    return int(text) if text else default


def _unusable(name: str, value: str, wanted: str) -> BadSetting:
    return BadSetting(name, f'is "{value}", and takes {wanted}. Correct it, or unset it for the default.')
