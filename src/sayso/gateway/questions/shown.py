"""Formats a call for the user in one line: server, tool and every value.

A text is in quotation marks that it cannot end, and what cannot be seen is spelled out, long stretches of blanks
among it: nothing hides behind them. Of what is longer than anybody reads the middle is left out, and it says how much.
What a parameter is called comes from the caller, so that is quoted as well unless it is a plain name.
"""

from __future__ import annotations

import re
from hashlib import sha256

import msgspec

from sayso.gateway.values import Arguments
from sayso.unseen import spelled

_LONGEST = 4_000  # characters of one value
_BLANKS = re.compile(r" {9,}")
_PLAIN = re.compile(r"[A-Za-z_][\w.-]{0,60}", re.ASCII)


def shown_call(server: str, tool: str, arguments: Arguments) -> str:
    """ "notes.add_note (text: "Buy milk")"."""
    values = ", ".join(f"{shown_name(name)}: {shown_value(value)}" for name, value in arguments.items())
    call = f"{shown_name(server)}.{shown_name(tool)}" if server else shown_name(tool)
    return f"{call} ({values})" if values else call


def shown_name(name: str) -> str:
    """A plain name as it is, any other in quotation marks."""
    return name if _PLAIN.fullmatch(name) else shown_value(name)


def shown_value(value: object) -> str:
    """A text in quotation marks; anything else as JSON, which has its own."""
    if not isinstance(value, str):
        text = msgspec.json.encode(value).decode()
        return _cut(text, text)
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{_cut(escaped, value)}"'


def visible(text: str) -> str:
    """A text with what cannot be seen spelled out, long stretches of blanks among it."""
    blanks = _BLANKS.sub(lambda found: f"<U+0020 × {len(found[0])}>", text)
    return spelled(blanks, lambda letter: f"<U+{ord(letter):04X}>")


def _cut(text: str, whole: str) -> str:
    """A visible text, without the middle of a long one, which the digest of the whole value names."""
    shown = visible(text)
    left_out = len(shown) - _LONGEST
    if left_out <= 0:
        return shown
    half = _LONGEST // 2
    digest = sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{shown[:half]}<… {left_out}, SHA-256 {digest}… …>{shown[-half:]}"
