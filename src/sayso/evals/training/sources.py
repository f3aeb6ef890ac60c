"""Reads rows of public data in place. Each source keeps its own split, so that "dev" never contains a test row.

{"text": "take milk off my list", "domain": "todo", "intent": "DeleteToDo", "split": "train"} → Row(…, split "dev")
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec

from sayso.files.datafile import read

Split: TypeAlias = Literal["test", "dev"]
HOME = Path(__file__).parent


class Row(NamedTuple):
    """A sentence with its intent; `marks` are the entities that its source marks, as (name, text)."""

    source: str
    lang: str
    intent: str
    text: str
    marks: tuple[tuple[str, str], ...] = ()


class Domain(msgspec.Struct, frozen=True):
    """Which intents of a source are ours, and which count on neither side."""

    ours: tuple[str, ...] = ()
    either: tuple[str, ...] = ()


Side = Literal["ours", "either", "out"]


@cache
def domains() -> dict[str, Domain]:
    """The mapping in sources.yaml."""
    return read(HOME / "sources.yaml", dict[str, Domain])


def side(row: Row) -> Side:
    """On which side of our domain's border a row lies."""
    domain = domains()[row.source]
    if any(fnmatchcase(row.intent, pattern) for pattern in domain.ours):
        return "ours"
    return "either" if any(fnmatchcase(row.intent, pattern) for pattern in domain.either) else "out"


def rows(data: Path, source: str, split: Split) -> list[Row]:
    """The rows of a source, each text once for each intent; none where the source is not there."""
    if not (data / source).is_dir():
        return []
    return list(dict.fromkeys(_READERS[source](data / source, split)))


def out_of_domain(found: Iterable[Row]) -> list[Row]:
    """Those that have no business with us: a text that also carries a label on another side is left out."""
    known = list(found)
    doubtful = {row.text.casefold() for row in known if side(row) != "out"}
    return [row for row in known if row.text.casefold() not in doubtful]


def _clinc(folder: Path, split: Split) -> Iterator[Row]:
    data = msgspec.json.decode((folder / "data_full.json").read_bytes(), type=dict[str, list[tuple[str, str]]])
    for part in ("test", "oos_test") if split == "test" else ("train", "val", "oos_train", "oos_val"):
        for text, intent in data[part]:
            yield Row("clinc150", "en", intent, text)


def _skills(folder: Path, split: Split) -> Iterator[Row]:
    for lang in ("en", "it"):
        for line in _lines(folder / f"{lang}.jsonl"):
            if (line["split"] == "test") == (split == "test"):
                marks = tuple((mark["entity"], mark["value"]) for mark in line["entities"])
                yield Row("ms-skills-lu", lang, f"{line['domain']}/{line['intent']}", line["text"], marks)


def _xsid(folder: Path, split: Split) -> Iterator[Row]:
    for lang in ("en", "it"):
        file = folder / f"{lang}.{'test' if split == 'test' else 'valid'}.conll"
        for block in file.read_text("utf-8").split("\n\n"):
            heads = dict(
                line[2:].split(" = ", 1) for line in block.split("\n") if line.startswith("# ") and " = " in line
            )
            if "text" in heads:
                yield Row("xsid", lang, heads["intent"], heads["text"])


def _hwu64(folder: Path, split: Split) -> Iterator[Row]:
    for line in _lines(folder / ("test.jsonl" if split == "test" else "train.jsonl")):
        yield Row("hwu64", "en", line["intent"], line["text"])


def _chatterbot(folder: Path, split: Split) -> Iterator[Row]:
    """All of it is for testing."""
    for lang in ("en", "it") if split == "test" else ():
        for line in _lines(folder / f"{lang}.jsonl"):
            yield Row("chatterbot-smalltalk", lang, line["topic"], line["text"])


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    for line in file.read_bytes().split(b"\n"):
        if line.strip():
            yield msgspec.json.decode(line, type=dict[str, Any])


_READERS: dict[str, Callable[[Path, Split], Iterator[Row]]] = {
    "clinc150": _clinc,
    "ms-skills-lu": _skills,
    "xsid": _xsid,
    "hwu64": _hwu64,
    "chatterbot-smalltalk": _chatterbot,
}
SOURCES = tuple(_READERS)
