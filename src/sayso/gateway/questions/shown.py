"""Formats a call for the person in one line: server, tool and every value.

A text stands in quotation marks that it cannot end, and what cannot be seen is spelled out, long stretches of blanks
among it: nothing hides behind them. Of what is longer than anybody reads the middle is left out, and it says how much.
What a parameter is called comes from whoever calls, so that is quoted as well unless it is a plain name.
"""

from __future__ import annotations

import re

import msgspec

from sayso.gateway.values import Arguments
from sayso.unseen import spelled

_LONGEST = 4_000  # characters of one value
_BLANKS = re.compile(r" {9,}")
_PLAIN = re.compile(r"[A-Za-z_][\w.-]{0,60}", re.ASCII)


def shown_call(server: str, tool: str, arguments: Arguments) -> str:
    """ "notes.add_note (text: "Buy milk")"."""
    values = ", ".join(f"{_name(name)}: {_value(value)}" for name, value in arguments.items())
    call = f"{_name(server)}.{_name(tool)}" if server else _name(tool)
    return f"{call} ({values})" if values else call


def _name(name: str) -> str:
    return name if _PLAIN.fullmatch(name) else _value(name)


def _value(value: object) -> str:
    """A text in quotation marks; anything else as JSON, which has its own."""
    if not isinstance(value, str):
        return _visible(msgspec.json.encode(value).decode())
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{_visible(escaped)}"'


def _visible(text: str) -> str:
    blanks = _BLANKS.sub(lambda found: f"<U+0020 × {len(found[0])}>", text)
    shown = spelled(blanks, lambda letter: f"<U+{ord(letter):04X}>")
    left_out = len(shown) - _LONGEST
    if left_out <= 0:
        return shown
    half = _LONGEST // 2
    return f"{shown[:half]}<… {left_out} …>{shown[-half:]}"
