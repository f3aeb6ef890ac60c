"""Parses the corpus notation: one labelled message per line, as `corpus/README.md` describes it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from training.packed import texts

ID_MARK = "\x1f"  # between the title and the id of a thing, where a made-up message names it by its id
CORPUS = Path(__file__).parent.parent / "corpus"

NEW = frozenset({"title", "description", "priority", "due", "repeat", "list", "remind"})
CHANGES = frozenset({*(f"new_{slot}" for slot in NEW), "new_status"})
SLOTS_OF = {
    "add_task": NEW,
    "list_tasks": frozenset({"filter", "priority", "due", "list", "search", "task"}),
    "complete_task": frozenset({"task"}),
    "delete_task": frozenset({"task", "filter", "due", "list", "priority"}),
    "update_task": frozenset({"task", *CHANGES}),
    "get_user_info": frozenset(),
    "undo": frozenset({"task"}),
    "machine_command_execute": frozenset({"device", "command", "value", "metric"}),
    "metrics_read": frozenset({"device", "metric"}),
    "device_firmware_detail": frozenset({"device"}),
    "list_machines": frozenset({"search"}),
}
MOODS = ("statement", "question", "reported", "hypothetical", "negated", "unsupported", "smalltalk")
NOTHING = frozenset(f"none/{mood}" for mood in MOODS)
SLOTS = frozenset().union(*SLOTS_OF.values())

_SPAN = re.compile(r"\[(\w+) ([^\[\]]+)\]")
_CLAUSE = re.compile(r"\s*\|\|\s*")
_BATCH = re.compile(r"[a-z]+-[a-z]+-\d+\.tsv")
_LAST = ("added", "completed", "changed", "deleted", "showed", "asked")


class BadLine(ValueError):
    """A line that does not follow the notation."""


class Span(NamedTuple):
    """A value in the text: characters start to end."""

    slot: str
    start: int
    end: int


class Machine(NamedTuple):
    """A machine of a batch."""

    name: str
    place: str
    commands: tuple[str, ...]
    metrics: tuple[str, ...]


class Message(NamedTuple):
    """One labelled message."""

    acts: tuple[str, ...]
    text: str
    spans: tuple[Span, ...]
    clauses: tuple[int, ...]  # where a further clause begins
    on: tuple[str, ...] = ()  # titles on the list that the message is about
    last: str = ""  # what the turn before did: added, completed, …
    last_titles: tuple[str, ...] = ()


class Batch(NamedTuple):
    """The messages of one file."""

    name: str
    pack: str
    language: str
    machines: tuple[Machine, ...]
    messages: tuple[Message, ...]


def parse_line(line: str) -> Message:
    """The message on a line, or BadLine saying what is wrong."""
    columns = line.rstrip("\n").split("\t")
    if not 2 <= len(columns) <= 3:
        raise BadLine("expected two or three columns separated by tabs")
    acts = tuple(columns[0].split("+"))
    unknown = [act for act in acts if act not in SLOTS_OF and act not in NOTHING]
    if unknown:
        raise BadLine(f"unknown act {unknown[0]!r}")
    text, spans, clauses = _marked(columns[1].replace("⏎", "\n"))
    legal = frozenset().union(*(SLOTS_OF.get(act, frozenset()) for act in acts))
    wrong = [span.slot for span in spans if span.slot not in legal]
    if wrong:
        raise BadLine(f"slot {wrong[0]!r} does not belong to {columns[0]}")
    titles = sum(span.slot == "title" for span in spans)
    adjacent = any(one.slot == two.slot == "title" for one, two in pairwise(spans))
    if titles > max(1, acts.count("add_task")) and adjacent:  # a title may be in two pieces, with a value between them
        raise BadLine(f"{titles} titles for {acts.count('add_task')} add_task")
    return Message(acts, text, spans, clauses, *_context(columns[2] if len(columns) == 3 else ""))


def _marked(source: str) -> tuple[str, tuple[Span, ...], tuple[int, ...]]:
    """The text without its marks, where the values are, and where further clauses begin."""
    clauses: list[int] = []
    spans: list[Span] = []
    text = ""
    for number, part in enumerate(_CLAUSE.split(source)):
        if number:
            text = text.rstrip() + " "
            clauses.append(len(text))
        at = 0
        for match in _SPAN.finditer(part):
            slot, words = match.groups()
            if slot not in SLOTS:
                raise BadLine(f"unknown slot {slot!r}")
            text += part[at : match.start()]
            words = words.strip()
            spans.append(Span(slot, len(text), len(text) + len(words)))
            text += words
            at = match.end()
        text += part[at:]
    if "[" in text or "]" in text:
        raise BadLine("a bracket that marks no value")
    return text, tuple(spans), tuple(clauses)


def _context(column: str) -> tuple[tuple[str, ...], str, tuple[str, ...]]:
    on: tuple[str, ...] = ()
    last, titles = "", ()
    for part in filter(None, (part.strip() for part in re.split(r";\s*(?=on:|last:)", column))):
        key, _, value = part.partition(":")
        if key == "on":
            on = _titles(value)
        elif key == "last":
            last, _, rest = value.strip().partition(" ")
            if last not in _LAST:
                raise BadLine(f"the turn before must begin with one of {', '.join(_LAST)}")
            titles = _titles(rest)
        else:
            raise BadLine(f"unknown context {key!r}: use on: or last:")
    return on, last, titles


def _titles(text: str) -> tuple[str, ...]:
    return tuple(title.strip() for title in text.split("|") if title.strip())


def read_batch(name: str, content: bytes) -> tuple[Batch, list[tuple[int, str, str]]]:
    """A batch, and the lines of it that are wrong: number, reason, line."""
    pack, language, _ = name.split("-")
    machines: list[Machine] = []
    messages: list[Message] = []
    wrong: list[tuple[int, str, str]] = []
    for number, line in enumerate(content.decode().splitlines(), 1):
        if line.startswith("#machine\t"):
            machines.append(_machine(line))
        elif line.strip() and not line.startswith("#"):
            try:
                messages.append(parse_line(line))
            except BadLine as problem:
                wrong.append((number, str(problem), line))
    return Batch(name, pack, language, tuple(machines), tuple(messages)), wrong


def _machine(line: str) -> Machine:
    _, name, *fields = line.split("\t")
    parts = dict(field.split(": ", 1) for field in fields if ": " in field)
    listed = {key: tuple(one.strip() for one in value.split(",")) for key, value in parts.items()}
    return Machine(name, parts.get("place", ""), listed.get("commands", ()), listed.get("metrics", ()))


def batch_texts(folder: Path = CORPUS) -> dict[str, bytes]:
    """The text of each batch in a folder, plain or packed, by the batch's name and in a fixed order."""
    found = ((Path(name), content) for name, content in texts(folder).items())
    return {path.stem: content for path, content in found if _BATCH.fullmatch(path.name)}


def batches(folder: Path = CORPUS) -> Iterator[Batch]:
    """Every batch of the corpus, in a fixed order."""
    for name, content in batch_texts(folder).items():
        yield read_batch(name, content)[0]


def corpus_hash() -> str:
    """A hash over all texts of the corpus that training reads, whether they are packed or not."""
    digest = hashlib.sha256()
    for name, content in texts(CORPUS).items():
        digest.update(name.encode() + b"\0" + content + b"\0")
    return digest.hexdigest()
