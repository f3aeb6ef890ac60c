"""Writes a draft as the files of a pack, with each open question beside its subject."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from string import Template
from typing import Any, NamedTuple

import yaml

from sayso.errors import BadData
from sayso.packs.draft.book import FRAGMENT, NAMED, UNSERVED, Book, Noted, book_for
from sayso.packs.draft.guess import Draft, Guess, Kind
from sayso.packs.draft.places import Note, Place
from sayso.packs.draft.sentences import by_name_alone, fragments
from sayso.packs.draft.words import names, talks

_MARK = "# to decide:"
_WIDTH = 120


class Question(NamedTuple):
    """An open decision: its file, its key and the question."""

    file: str
    key: str
    text: str


class Written(NamedTuple):
    """The files of a pack by name, and the open decisions in them."""

    files: dict[str, str]
    questions: tuple[Question, ...]


def write(draft: Draft, pack: str) -> Written:
    """The files of a drafted pack of this name."""
    page = _Page("pack.yaml")
    page.extend(_pack(page, draft, pack))
    pages = [page]
    for talk in talks():
        page = _Page(f"{talk.language}.yaml")
        page.extend(_book(page, book_for(draft, talk), pack))
        pages.append(page)
    files = {page.file: "\n".join(page.lines) + "\n" for page in pages}
    return Written(files, tuple(question for page in pages for question in page.questions))


def save(written: Written, folder: Path, *, force: bool = False) -> None:
    """Write the files into the folder. Existing files are overwritten only with `force`, since they may be edited by
    hand."""
    there = [name for name in written.files if (folder / name).exists()]
    if there and not force:
        raise BadData(
            str(folder), there[0], "the file is there already", "Give another folder, or --force to write over it."
        )
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in written.files.items():
        (folder / name).write_text(text, encoding="utf-8")


class _Page:
    """A file that is being written, and the questions in it."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.lines: list[str] = []
        self.questions: list[Question] = []

    def extend(self, lines: Iterable[str]) -> None:
        self.lines.extend(lines)

    def ask(self, notes: Iterable[Note], key: str, indent: int) -> Iterator[str]:
        for note in notes:
            told = {name: _printable(value) for name, value in note.filled.items()}
            text = Template(names().notes[note.name]).safe_substitute(told)
            self.questions.append(Question(self.file, _printable(key), text))
            yield f"{' ' * indent}{_MARK} {text}"


def _pack(page: _Page, draft: Draft, pack: str) -> Iterator[str]:
    yield f"# {pack}: drafted from the tools of an MCP server; see docs/packs.md for every key."
    yield f"# Open decisions are marked: {_MARK.removeprefix('# ')} …"
    yield f"pack: {_flow(pack)}"
    yield from _entities(page, draft.kinds)
    yield ""
    yield "tools:"
    for guess in draft.guesses:
        yield from _tool(page, guess)
    yield ""
    yield from _section("slots", _slots(draft))
    yield ""
    yield from _section("acts", _acts(draft))


def _entities(page: _Page, kinds: dict[str, Kind]) -> Iterator[str]:
    yield ""
    yield "entities:" if kinds else "entities: {}"
    for name, kind in kinds.items():
        yield from page.ask(kind.notes, f"entities.{name}", 2)
        yield f"  {_flow(name)}: {_flow({'name': kind.name, **({'also': list(kind.also)} if kind.also else {})})}"


def _tool(page: _Page, guess: Guess) -> Iterator[str]:
    tool, key = guess.tool, f"tools.{guess.tool.name}"
    yield f"  {_flow(tool.name)}:"
    yield from page.ask(guess.notes, key, 4)
    yield f"    risk: {guess.risk}"
    if tool.description:
        yield f"    description: {_flow(tool.description)}"
    if guess.places:
        yield "    params:"
    for place in guess.places:
        yield from page.ask(place.notes, f"{key}.params.{place.param.name}", 6)
        yield f"      {_flow(place.param.name)}: {_flow(_param(place))}"
    changes = [place.param.name for place in guess.places if place.type and not place.param.required]
    if guess.form == "change" and changes:
        yield f"    at_least_one: {_flow(changes)}"


def _param(place: Place) -> dict[str, Any]:
    param: dict[str, Any] = {"slot": place.slot} if place.type else {}
    if not place.param.required:
        param["default"] = place.param.default
    return {**param, "schema": place.param.schema}


def _slots(draft: Draft) -> dict[str, dict[str, Any]]:
    """The slots, with `when` first: a date without an introducing word is the first of two dates."""
    places = [place for guess in draft.guesses for place in guess.places if place.type]
    places.sort(key=lambda place: ("when", "until", place.slot).index(place.slot))
    found: dict[str, dict[str, Any]] = {}
    for place in places:
        slot: dict[str, Any] = {"type": place.type}
        if place.type == "entity":
            slot |= {"of": place.of, "open": True}
        elif place.type == "value":
            slot["of"] = place.slot
        elif place.slot == "until" and "when" in found:
            slot["of"] = "when"
        found.setdefault(place.slot, slot)
    return found


def _acts(draft: Draft) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for guess in draft.guesses:
        act: dict[str, Any] = {"tool": guess.tool.name}
        kind = next((place.of for place in guess.places if place.type == "entity"), None)
        if kind is not None and len(draft.kinds) > 1:
            act["among"] = {"kind": kind}
        mood = {"mood": ["command", "question"]} if guess.reads else {}
        found[guess.act] = {**act, **mood}
        if any(by_name_alone(guess, talk) for talk in talks()):
            found[f"{guess.act}{NAMED}"] = {**act, **mood, "must_link": True}
        if any(fragments(guess, talk) for talk in talks()):
            found[f"{guess.act}{FRAGMENT}"] = {**act, "mood": ["statement", *(["question"] if guess.reads else [])]}
    return found


def _book(page: _Page, book: Book, pack: str) -> Iterator[str]:
    yield f"# {pack}: what people say. This is a draft: add the words that your users use."
    yield f"language: {book.language}"
    if book.nouns:
        yield f"nouns: {_flow(list(book.nouns))}"
    for name in ("verbs", "classes", "values", "leads"):
        section: dict[str, Noted] = getattr(book, name)
        if section:
            yield ""
            yield f"{name}:"
        for key, noted in section.items():
            if key == UNSERVED:
                yield f"  # {names().unserved}"
            yield from page.ask(noted.notes, f"{name}.{key}", 2)
            yield f"  {_flow(key)}: {_flow(_plain(noted.value))}"
    yield ""
    yield "acts:" if book.acts else "acts: {}"
    for act, noted in book.acts.items():
        yield f"  {_flow(act)}:"
        yield from (f"    - {_flow(sentence)}" for sentence in noted.value)
    yield ""
    yield from (
        yaml.safe_dump({"say": book.say}, allow_unicode=True, sort_keys=False, width=_WIDTH).rstrip("\n").split("\n")
    )


def _section(name: str, entries: dict[str, Any]) -> Iterator[str]:
    yield f"{name}:" if entries else f"{name}: {{}}"
    for key, value in entries.items():
        yield f"  {_flow(key)}: {_flow(value)}"


def _flow(value: Any) -> str:
    """A value on one line of YAML."""
    text = yaml.dump(
        value, Dumper=_Dumper, default_flow_style=True, allow_unicode=True, sort_keys=False, width=float("inf")
    )
    return text.removesuffix("\n").removesuffix("\n...").strip()


class _Dumper(yaml.SafeDumper):
    """Quotes texts of a server that have line breaks or control characters."""


def _scalar(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=None if text.isprintable() else '"')


_Dumper.add_representer(str, _scalar)


def _printable(text: str) -> str:
    """A server's text on one line without control characters, for a comment or a terminal."""
    return "".join(character if character.isprintable() else " " for character in text)


def _plain(value: Any) -> Any:
    """The value with tuples as lists, which YAML can write."""
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return list(value) if isinstance(value, tuple) else value
