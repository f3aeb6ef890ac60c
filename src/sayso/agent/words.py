"""Builds what the model reads: instructions, conversation and tool results. Reads what it says to the person.

A title that says "ignore your instructions" comes back as <data>… "ignore your instructions" …</data>: marked as data,
with nothing in it that could end the mark and nothing that cannot be seen.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import msgspec
from agents.items import TResponseInputItem

from sayso.case import Turn
from sayso.files.datafile import read
from sayso.unseen import spelled

OPEN, CLOSE = "<data>", "</data>"
# What models of one's own machine let slip when their server does not know their template.
_THOUGHT = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.IGNORECASE | re.DOTALL)
_MACHINE = re.compile(r"</?think|<\||\|>|</?tool|</?function|\[TOOL_CALLS\]|</?data\b", re.IGNORECASE)
_MARK = re.compile(r"<(?=\s{0,9}/?\s{0,9}data\b)", re.IGNORECASE)


@cache
def _rules() -> dict[str, str]:
    return read(Path(__file__).with_name("rules.yaml"), dict[str, str])


def instructions(prompt: str) -> str:
    """The pack's instructions, and after them the rule about data."""
    return f"{prompt.rstrip()}\n\n{_rules()['data'].format(open=OPEN, close=CLOSE)}"


def conversation(history: Sequence[Turn], message: str) -> list[TResponseInputItem]:
    """Earlier turns as they were said, our own as the assistant's, and what the person says now."""
    said: list[TResponseInputItem] = []
    for turn in history:
        if not turn.content.strip():
            continue
        if turn.role == "assistant":
            said.append({"role": "assistant", "content": seen(turn.content)})
        else:
            said.append({"role": "user", "content": seen(turn.content)})
    said.append({"role": "user", "content": seen(message)})
    return said


def as_data(text: str) -> str:
    """Between marks that the text itself can neither open nor close."""
    return f"{OPEN}\n{_MARK.sub('‹', seen(text))}\n{CLOSE}"


def spoken(text: str) -> str:
    """What the model says to the person: without what it thought aloud before, "" where it speaks to a machine."""
    text = seen(_THOUGHT.sub("", text, count=1)).strip()
    return "" if _MACHINE.search(text) or _is_json(text) else text


def _is_json(text: str) -> bool:
    try:
        return isinstance(msgspec.json.decode(text), dict | list)
    except (msgspec.DecodeError, RecursionError):
        return False


def seen(text: str) -> str:
    """With every character that cannot be seen spelled out; lines stay lines."""
    return "\n".join(spelled(line, lambda letter: f"[U+{ord(letter):04X}]") for line in text.split("\n"))
