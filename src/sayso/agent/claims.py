"""Finds claims in a model's text that something was done which no tool call did.

"I've added milk" is refused if no add_task ran, and so is "I'll delete it now", because nothing will run. Questions,
offers ("shall I …", "I can …"), negations and plain talk claim nothing. A text that cannot be checked is refused, and
Sayso answers in its own words. All languages of the pack are checked, because a model may answer in another language.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from sayso.agent.speech import Claims, More, Sheet
from sayso.assistant.values import Deed
from sayso.errors import BadData
from sayso.files.datafile import read
from sayso.unseen import spelled

_QUOTES = frozenset("\"'`*_«»“”„‟‘’‹›")
_BULLETS = frozenset("-•*–—·)")


def load_claims(folder: Path, *others: Path) -> tuple[Claims, ...]:
    """What may be claimed, in each language of the pack in this folder; with what packs beside it add."""
    files = sorted((folder / "claims").glob("*.yaml"))
    if not files:
        problem = "the folder is missing or empty, so the model's texts cannot be checked"
        raise BadData(str(folder), "claims", problem, "Write claims/en.yaml, as in the tasks pack.")
    return tuple(Claims(_with(read(file, Sheet), [other / "claims" / file.name for other in others])) for file in files)


def _with(sheet: Sheet, files: Sequence[Path]) -> Sheet:
    for more in (read(file, More) for file in files):
        also = [tuple(one for tool in group.tools for one in more.also.get(tool, ())) for group in sheet.claims]
        claims = (
            msgspec.structs.replace(group, tools=(*group.tools, *tools))
            for group, tools in zip(sheet.claims, also, strict=True)
        )
        sheet = msgspec.structs.replace(sheet, claims=(*claims, *more.claims))
    return sheet


def is_supported(text: str, claims: Sequence[Claims], deeds: Sequence[Deed]) -> bool:
    """Whether a successful call supports every claim in the text."""
    ran = {deed.tool for deed in deeds if deed.succeeded}
    plain = _without_names(spelled_out(text), [name for deed in deeds for name in _texts(deed.arguments, deed.result)])
    if not _is_readable(plain):
        return False
    return all(ran.intersection(group.tools) for one in claims for group in one.claimed(plain))


def spelled_out(text: str) -> str:
    """As a person sees it: nothing hidden between letters, wide and styled letters as plain ones."""
    return "\n".join(spelled(unicodedata.normalize("NFKC", line), lambda _: "") for line in text.split("\n"))


def _is_readable(text: str) -> bool:
    """No letter of another script: what is written in those, or with look-alikes from them, cannot be checked."""
    return all(letter.isascii() or not letter.isalpha() or "LATIN" in unicodedata.name(letter, "") for letter in text)


def _texts(*values: Any) -> Iterator[str]:
    for value in values:
        if isinstance(value, str) and value.strip():
            yield spelled_out(value)
        elif isinstance(value, dict):
            yield from _texts(*value.values())
        elif isinstance(value, list | tuple):
            yield from _texts(*value)


def _without_names(text: str, names: list[str]) -> str:
    """Replace names from the calls by "…" if they are quoted or are list items, because a title may say anything."""
    for name in sorted(set(names), key=len, reverse=True):
        at = text.find(name)
        while at >= 0:
            end = at + len(name)
            if (text[at - 1 : at] in _QUOTES and text[end : end + 1] in _QUOTES) or _is_listed(text, at, end):
                text, end = f"{text[:at]}…{text[end:]}", at + 1
            at = text.find(name, end)
    return text


def _is_listed(text: str, start: int, end: int) -> bool:
    """Whether it is a line of a list, after its number: "2. Deleted scenes (due Friday)"."""
    before = text[text.rfind("\n", 0, start) + 1 : start].strip()
    after = text[end : end + 2].strip()
    numbered = before.rstrip(".)").isdecimal() or (before != "" and set(before) <= _BULLETS)
    return numbered and (after == "" or after[0] in "(,;:—–-" or "\n" in text[end : end + 2])
