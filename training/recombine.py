"""Makes further messages out of frames and fillers, and out of messages whose values are exchanged.

"[title] goes on there by [due]" with "call mum" and "friday" teaches where a title begins and ends. Machines are given
other names, among other machines, so that the reader learns how people speak of a machine, whatever it is called.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from training.notation import CORPUS, ID_MARK, Batch, Machine, Message, Span
from training.packed import texts

_SLOT = re.compile(r"\[(\w+)(?::([nv]))?\]")
_ARTICLES = {"en": ("the ", "the ", "my ", "that ", ""), "it": ("il ", "la ", "", "quella cosa: ", "")}
_SAME = {"new_title": "title", "new_description": "description", "new_priority": "priority", "new_due": "due",
         "new_repeat": "repeat", "new_list": "list", "new_remind": "remind"}  # fmt: skip
_KEPT = frozenset({"task", "new_status", "filter", "device", "command", "metric", "value"})  # not exchanged
_DETERMINERS = {
    "en": ("the", "my", "our", "that"),
    "it": ("il", "lo", "la", "i", "gli", "le", "del", "della", "dello", "al", "alla", "quella", "quel"),
}
_SHORTENED = 0.4  # the share of machines that are called by a part of their name
_BY_ID = 0.04  # the share of things that are named by their id
_EXCHANGED = 0.6  # the share of values that are exchanged


class Frame(NamedTuple):
    """What a person says around the values."""

    act: str
    text: str


Fillers = Mapping[str, Sequence[str]]  # by slot; titles also by kind: title:v, title:n


def read_frames(language: str, folder: Path = CORPUS) -> list[Frame]:
    """The frames of a language."""
    found = (text for name, text in texts(folder).items() if name.startswith(f"frames/{language}-"))
    lines = (line for text in found for line in text.decode().splitlines())
    return [Frame(*line.split("\t")[:2]) for line in lines if line.count("\t") >= 1]


def read_fillers(language: str, batches: Iterable[Batch], folder: Path = CORPUS) -> Fillers:
    """The fillers of a language: those written as such, and the values of these batches."""
    found: dict[str, list[str]] = defaultdict(list)
    named = re.compile(rf"fillers/(\w+)-{language}\b")
    for name, text in texts(folder).items():
        of = named.match(name)
        if of is None:
            continue
        slot = of[1]
        for line in text.decode().splitlines():
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


def renamed(batch: Batch, message: Message, others: Sequence[Machine], dice: random.Random) -> Batch:
    """The message as a batch of its own, among other machines, and the machine that it names under another name."""
    spoken = {span: _meant(message.text[span.start : span.end], batch.machines)
              for span in message.spans if span.slot == "device"}  # fmt: skip
    meant = {machine for machine in spoken.values() if machine is not None}
    names = {one: dice.choice(others) for one in batch.machines if one in meant and dice.random() < _EXCHANGED}
    text, at = "", 0
    spans: list[Span] = []
    for span in sorted(message.spans, key=lambda one: one.start):
        words = message.text[span.start : span.end]
        machine = spoken.get(span)
        if machine is not None and machine in names:
            words = _called(words, names[machine].name, batch.language, dice)
        text += message.text[at : span.start]
        moved = len(text)
        text += words
        spans.append(Span(span.slot, moved, len(text)))
        at = span.end
    text += message.text[at:]
    shown = set(message.last_titles)
    near = [one for one in batch.machines if one in meant or one.name in shown or dice.random() < _EXCHANGED]
    machines = [one._replace(name=names[one].name, place=names[one].place) if one in names else one for one in near]
    machines += dice.sample(others, dice.randrange(5))
    dice.shuffle(machines)
    titles = tuple(
        next((names[one].name for one in names if one.name == title), title) for title in message.last_titles
    )
    clauses = () if names else message.clauses
    made = message._replace(text=text, spans=tuple(spans), clauses=clauses, last_titles=titles)
    return Batch(f"renamed-{batch.name}", batch.pack, batch.language, tuple(machines), (made,))


def _meant(words: str, machines: Sequence[Machine]) -> Machine | None:
    """The machine that these words name, where they share more with its name than with any other."""
    said = set(words.casefold().split())
    shared = {one: len(said & set(one.name.casefold().split())) for one in machines}
    most = max(shared.values(), default=0)
    best = [one for one, count in shared.items() if count == most]
    return best[0] if most and len(best) == 1 else None


def _called(words: str, name: str, language: str, dice: random.Random) -> str:
    """Another name in place of these words, with their article."""
    first = words.split(maxsplit=1)[0]
    parts = name.split()
    if len(parts) > 1 and dice.random() < _SHORTENED:
        parts = parts[-1:] if language == "en" else parts[:1]
    spelt = " ".join(parts) if dice.random() < 0.3 else " ".join(parts).lower()
    return f"{first} {spelt}" if first.casefold() in _DETERMINERS[language] else spelt
