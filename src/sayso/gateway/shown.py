"""A call as a person is shown it, in one line: the server, the tool and every value, so that none can pass for another.

A text stands in quotation marks that it cannot end, what cannot be seen is spelled out, and a long one says how long it
is. What a parameter is called comes from whoever calls, so that is quoted as well unless it is a plain name.
"""

from __future__ import annotations

import re

import msgspec

from sayso.gateway.values import Arguments
from sayso.unseen import spelled

_LONGEST = 500  # characters of one value
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
        return _cut(_visible(msgspec.json.encode(value).decode()))
    inner = _visible(value.replace("\\", "\\\\").replace('"', '\\"'))
    return f'"{inner}"' if len(inner) <= _LONGEST else f'"{inner[:_LONGEST]}…" ({len(value)})'


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text)})"


def _visible(text: str) -> str:
    return spelled(text, lambda letter: f"<U+{ord(letter):04X}>")
