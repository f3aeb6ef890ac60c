"""Makes further messages out of frames and fillers, and out of messages whose values are exchanged.

"[title] goes on there by [due]" with "call mum" and "friday" teaches where a title begins and ends.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from training.notation import CORPUS, ID_MARK, Batch, Message, Span

_SLOT = re.compile(r"\[(\w+)(?::([nv]))?\]")
_ARTICLES = {"en": ("the ", "the ", "my ", "that ", ""), "it": ("il ", "la ", "", "quella cosa: ", "")}
_SAME = {"new_title": "title", "new_description": "description", "new_priority": "priority", "new_due": "due",
         "new_repeat": "repeat", "new_list": "list", "new_remind": "remind"}  # fmt: skip
_KEPT = frozenset({"task", "new_status", "filter", "device", "command", "metric", "value"})  # not exchanged
_BY_ID = 0.04  # the share of things that are named by their id
_EXCHANGED = 0.6  # the share of values that are exchanged


class Frame(NamedTuple):
    """What a person says around the values."""

    act: str
    text: str


Fillers = Mapping[str, Sequence[str]]  # by slot; titles also by kind: title:v, title:n


def read_frames(language: str, folder: Path = CORPUS) -> list[Frame]:
    """The frames of a language."""
    lines = (line for path in sorted(folder.glob(f"frames/{language}-*.tsv")) for line in path.open(encoding="utf-8"))
    return [Frame(*line.rstrip("\n").split("\t")[:2]) for line in lines if line.count("\t") >= 1]


def read_fillers(language: str, batches: Iterable[Batch], folder: Path = CORPUS) -> Fillers:
    """The fillers of a language: those written as such, and the values of these batches."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(folder.glob(f"fillers/*-{language}*")):
        slot = path.stem.split("-")[0]
        for line in path.read_text(encoding="utf-8").splitlines():
            phrase = line.split("\t")[0].strip()
            kind, colon, rest = phrase.partition(":")
            if slot == "title" and colon and kind in ("v", "n"):
                found[f"title:{kind}"].append(rest.strip())
            elif phrase:
                found[slot].append(phrase)
    verbs = {title.split()[0].casefold() for title in found["title:v"] if title}
    for slot, words in _values_of(batches, language):
        found[_kind(words, verbs) if slot == "title" else _SAME.get(slot, slot)].append(words)
    found["title"] = [*found["title:v"], *found["title:n"]]
    return {slot: tuple(dict.fromkeys(words)) for slot, words in found.items()}


def _values_of(batches: Iterable[Batch], language: str) -> Iterator[tuple[str, str]]:
    """The slots and words of the values that may be exchanged."""
    for batch in batches:
        if batch.language == language and batch.pack == "tasks":
            for message in batch.messages:
                for span in message.spans:
                    if span.slot not in _KEPT:
                        yield span.slot, message.text[span.start : span.end]


def _kind(title: str, verbs: set[str]) -> str:
    return "title:v" if title.split(maxsplit=1)[0].casefold() in verbs else "title:n"


def recombined(frames: Sequence[Frame], fillers: Fillers, language: str, dice: random.Random) -> Iterator[Message]:
    """Messages without end, each a frame with fillers."""
    while True:
        made = _filled(dice.choice(frames), fillers, language, dice)
        if made is not None:
            yield made


def _filled(frame: Frame, fillers: Fillers, language: str, dice: random.Random) -> Message | None:
    text, at = "", 0
    spans: list[Span] = []
    on: list[str] = []
    for match in _SLOT.finditer(frame.text):
        slot, kind = match.groups()
        if slot == "task":
            title = dice.choice(fillers["title"])
            words = _reference(title, language, kind, dice)
            if kind is None and dice.random() < _BY_ID:
                words = identifier = dice.choice((f"TASK-{dice.randrange(1000)}", str(dice.randrange(1, 90))))
                words = dice.choice((f"#{words}", f"'{words}'", words))
                title = f"{title}{ID_MARK}{identifier}"
            on.append(title[:1].upper() + title[1:])
        else:
            key = _SAME.get(slot, slot)
            pool = fillers.get(f"{key}:{kind}" if kind else key) or ()
            if not pool:
                return None
            words = dice.choice(pool)
        text += frame.text[at : match.start()]
        spans.append(Span(slot, len(text), len(text) + len(words)))
        text += words
        at = match.end()
    text += frame.text[at:]
    return Message((frame.act,), text, tuple(spans), (), tuple(on))


def _reference(title: str, language: str, kind: str | None, dice: random.Random) -> str:
    """How somebody may speak of a task with this title."""
    words = title.split()
    if kind == "v" or len(words) == 1 or dice.random() < 0.4:
        return title
    if len(words) > 3 and dice.random() < 0.5:
        words = words[-3:] if dice.random() < 0.5 else words[:3]
    return dice.choice(_ARTICLES[language]) + " ".join(words).strip(",.;:")


def exchanged(message: Message, fillers: Fillers, verbs: frozenset[str], dice: random.Random) -> Message | None:
    """The message with other values in place of some of its own; None where there is nothing to exchange."""
    text, at, changed = "", 0, False
    spans: list[Span] = []
    if message.clauses:
        return None
    for span in sorted(message.spans, key=lambda one: one.start):
        words = message.text[span.start : span.end]
        key = _kind(words, set(verbs)) if span.slot == "title" else _SAME.get(span.slot, span.slot)
        pool = fillers.get(key, ())
        if span.slot not in _KEPT and pool and dice.random() < _EXCHANGED:
            words, changed = dice.choice(pool), True
        text += message.text[at : span.start]
        spans.append(Span(span.slot, len(text), len(text) + len(words)))
        text += words
        at = span.end
    text += message.text[at:]
    return message._replace(text=text, spans=tuple(spans)) if changed else None
