"""Loads a pack: a folder with pack.yaml and, for each language, a file or a folder of files.

It rejects a pack that would not work, so that the error does not appear later in a conversation.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from sayso.engine.decide.trained import Trained, Training
from sayso.engine.grammar.facts import in_order
from sayso.engine.grammar.grammar import Grammar, Table
from sayso.engine.grammar.pack import Pack, Phrasebook, Tool
from sayso.engine.lexicon.words import Language
from sayso.engine.pack_languages import PackLanguage, PackLanguages
from sayso.engine.reader.compare import PARTS
from sayso.engine.reader.decisions import slots_of
from sayso.engine.reader.network import weights_of
from sayso.engine.reader.read import Reader
from sayso.engine.text.patterns import BadPattern, parse, symbols, words_in
from sayso.errors import BadData, UnknownPack
from sayso.files import datafile
from sayso.languages.load import installed_language, installed_tags, language_folders, telling_words

HOME = Path(__file__).parent
TRAINED = "trained.json"  # written by `sayso pack train`
READER = "reader.bin"  # the weights of the learned reader, written by `make reader`
TABLE = ".table.json"  # after the language tag: the expanded patterns, written when the wheel is built
MOST_WORDS = 2_000  # of a class, including the classes in it, because nested classes grow quickly
_REMEDY = "See docs/packs.md for the schema."


class LoadedPack(NamedTuple):
    """A pack, ready in each of its languages."""

    pack: Pack
    languages: PackLanguages


def installed_packs() -> tuple[str, ...]:
    """The names of the packs that came with Sayso."""
    return tuple(sorted(path.parent.name for path in HOME.glob("*/pack.yaml")))


def pack_folder(name: str) -> Path:
    """The folder of an installed pack."""
    if name not in installed_packs():
        raise UnknownPack(name, installed_packs())
    return HOME / name


def merged_folders() -> list[Path]:
    """The folders of installed packs and languages whose files are merged into one."""
    books = [path for name in installed_packs() for path in language_files(pack_folder(name)).values()]
    return [path for path in (*books, *language_folders()) if path.is_dir()]


def load_tools(name: str) -> dict[str, Tool]:
    """The tools of an installed pack, without its languages."""
    return datafile.read(pack_folder(name) / "pack.yaml", Pack).tools


def load_pack(folder: Path, *, check: bool = True, trained: bool = True) -> LoadedPack:
    """The pack in this folder, or BadData for the first problem.

    Sayso's tests check the packs that come with it. Use `check=False` for those: the check doubles the loading time.
    """
    if check:
        for problem in _problems(folder):
            raise problem
    pack = datafile.read(folder / "pack.yaml", Pack)
    languages = {tag: _language(pack, path, tag) for tag, path in language_files(folder).items()}
    known = _trained(folder) if trained else None
    trust = PARTS if any(kind.parts for kind in pack.entities.values()) else None
    return LoadedPack(pack, PackLanguages(languages, known, lambda: _reader(folder, pack) if trained else None, trust))


def _reader(folder: Path, pack: Pack) -> Reader | None:
    """The learned reader of a pack, or None if its weights are not installed."""
    file = folder / READER
    if not file.exists():
        return None
    return Reader(weights_of(file.read_bytes()), slots_of(pack))


def _trained(folder: Path) -> Trained:
    """The file that training wrote into the pack's folder, if there is one."""
    file = folder / TRAINED
    return Trained(msgspec.json.decode(file.read_bytes(), type=Training) if file.exists() else None)


def _language(pack: Pack, path: Path, tag: str) -> PackLanguage:
    return PackLanguage(telling_words(tag), lambda: _grammar(pack, path, tag))


def _grammar(pack: Pack, path: Path, tag: str) -> Grammar:
    """Build a grammar without garbage collection: its tens of thousands of small values all stay in use."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        kept = path.with_name(f"{tag}{TABLE}")
        table = msgspec.json.decode(kept.read_bytes(), type=Table) if kept.exists() else None
        return Grammar(pack, datafile.read(path, Phrasebook), installed_language(tag), table)
    finally:
        if collecting:
            gc.enable()


def check_pack(folder: Path) -> list[BadData]:
    """All problems of the pack in this folder."""
    return list(_problems(folder))


def language_files(folder: Path) -> dict[str, Path]:
    """For each language of a pack its file, `en.yaml`, or its folder of files, `en`."""
    found = {tag: datafile.find(folder, tag) for tag in installed_tags()}
    return {tag: path for tag, path in found.items() if path is not None}


def _problems(folder: Path) -> Iterator[BadData]:
    path = folder / "pack.yaml"
    try:
        pack = datafile.read(path, Pack)
    except BadData as problem:
        yield problem
        return
    yield from _pack_problems(pack, path)
    try:
        files = language_files(folder)
    except BadData as problem:
        yield problem
        return
    if not files:
        known = ", ".join(installed_tags())
        remedy = f"Add one, such as en.yaml, or a folder of files, such as en; languages: {known}."
        yield BadData(str(folder), "(folder)", "no language file", remedy)
    for tag, path in files.items():
        try:
            book = datafile.read(path, Phrasebook)
        except BadData as problem:
            yield problem
            continue
        yield from _book_problems(pack, book, installed_language(tag), path)


def _pack_problems(pack: Pack, path: Path) -> Iterator[BadData]:
    for key, problem, names in (*_tool_faults(pack), *_slot_faults(pack), *_act_faults(pack)):
        yield BadData(str(path), key, problem, _names(names))


_Fault = tuple[str, str, Iterable[str]]


def _tool_faults(pack: Pack) -> Iterator[_Fault]:
    for name, tool in pack.tools.items():
        for param_name, param in tool.params.items():
            if param.slot is not None and param.slot not in pack.slots:
                yield f"tools.{name}.params.{param_name}.slot", f'no slot is called "{param.slot}"', pack.slots
        paging = (tool.paging.start, tool.paging.size) if tool.paging is not None else ()
        for param_name in paging:
            if param_name not in tool.params or tool.params[param_name].required:
                yield f"tools.{name}.paging", f'"{param_name}" is not an optional parameter of this tool', tool.params
        for param_name in tool.at_least_one:
            if param_name not in tool.params:
                yield f"tools.{name}.at_least_one", f'"{param_name}" is not a parameter of this tool', tool.params


def _slot_faults(pack: Pack) -> Iterator[_Fault]:
    for name, slot in pack.slots.items():
        if slot.type == "entity" and slot.of not in pack.entities:
            yield f"slots.{name}.of", f'no entity is called "{slot.of}"', pack.entities
        if (slot.type == "quote" or (slot.type == "date" and slot.of)) and slot.of not in pack.slots:
            yield f"slots.{name}.of", f'no slot is called "{slot.of}"', pack.slots
        for choice in slot.choices:
            if choice not in pack.slots:
                yield f"slots.{name}.choices", f'no slot is called "{choice}"', pack.slots


def _act_faults(pack: Pack) -> Iterator[_Fault]:
    for name, act in pack.acts.items():
        if act.tool is not None and act.tool not in pack.tools:
            yield f"acts.{name}.tool", f'no tool is called "{act.tool}"', pack.tools
            continue
        if act.pages and (act.tool is None or pack.tools[act.tool].paging is None):
            yield f"acts.{name}.pages", f"{act.tool} has no paging", (n for n, t in pack.tools.items() if t.paging)
        params = pack.tools[act.tool].params if act.tool else {}
        for key, names in (("set", act.set), ("asks", act.asks), ("append", act.append), ("clears", act.clears)):
            for param_name in names:
                if param_name not in params:
                    yield f"acts.{name}.{key}", f'"{param_name}" is not a parameter of {act.tool}', params


def _book_problems(pack: Pack, book: Phrasebook, language: Language, path: Path) -> Iterator[BadData]:
    file_of = datafile.key_finder(path)

    def bad(key: str, problem: str, remedy: str = _REMEDY) -> BadData:
        return BadData(str(file_of(key)), key, problem, remedy)

    yield from _class_problems(book, bad)
    known = _class_names(book, language)
    for act, patterns in book.acts.items():
        key = f"acts.{act}"
        if act not in pack.acts:
            yield bad(key, "pack.yaml has no act of this name", _names(pack.acts))
            continue
        yield from _pattern_problems(patterns, key, bad, parse)
        yield from _symbol_problems(patterns, key, bad, known, frozenset(pack.slots))
    for key, names in (("nouns", book.nouns), ("continues", book.continues)):
        for name in names:
            if name not in known:
                yield bad(key, f'no class is called "{name}"', "Define it under classes.")
    for slot in book.leads:
        if slot not in pack.slots:
            yield bad(f"leads.{slot}", "pack.yaml has no slot of this name", _names(pack.slots))


def _class_problems(book: Phrasebook, bad: Callable[..., BadData]) -> Iterator[BadData]:
    groups: list[tuple[str, Sequence[str]]] = [
        *((f"verbs.{name}", patterns) for name, patterns in book.verbs.items()),
        *((f"classes.{name}", patterns) for name, patterns in in_order(book.classes).items()),
        *((f"leads.{name}", patterns) for name, patterns in book.leads.items()),
        *(
            (f"values.{name}.{value}", patterns)
            for name, values in book.values.items()
            for value, patterns in values.items()
        ),
    ]
    sizes: dict[str, int] = {}
    for key, patterns in groups:
        yield from _pattern_problems(patterns, key, bad, lambda pattern: _check_words(pattern, sizes))
        if key.startswith("classes."):
            sizes[key.removeprefix("classes.")] = sum(_size(pattern, sizes) for pattern in patterns)


def _check_words(pattern: str, sizes: dict[str, int]) -> None:
    """Raise BadPattern unless the pattern has only words and classes whose sizes are known. A class that contains the
    pattern has no known size yet."""
    parse(pattern)
    if any(
        symbol.kind == "slot" or (symbol.kind == "class" and symbol.name not in sizes) for symbol in symbols(pattern)
    ):
        raise BadPattern(f'only words and other classes of the pack may be in "{pattern}", no {{slot}}')
    if _size(pattern, sizes) > MOST_WORDS:
        raise BadPattern(f'"{pattern}" stands for more than {MOST_WORDS} words, with the classes that it names')


def _size(pattern: str, sizes: dict[str, int]) -> int:
    """The number of words in a pattern, including those of the classes that it names."""
    inside = re.findall(r"<([\w:.]+)>", pattern)
    return len(words_in(pattern)) + sum(sizes.get(name, 0) for name in inside)


def _pattern_problems(
    patterns: Sequence[str], key: str, bad: Callable[..., BadData], read: Callable[[str], object]
) -> Iterator[BadData]:
    for number, pattern in enumerate(patterns):
        try:
            read(pattern)
        except BadPattern as problem:
            yield bad(f"{key}[{number}]", str(problem))


def _symbol_problems(
    patterns: Sequence[str], key: str, bad: Callable[..., BadData], classes: frozenset[str], slots: frozenset[str]
) -> Iterator[BadData]:
    for number, pattern in enumerate(patterns):
        try:
            named = symbols(pattern)
        except BadPattern:
            continue
        for symbol in sorted(named):
            if symbol.kind == "class" and symbol.name not in classes:
                yield bad(
                    f"{key}[{number}]",
                    f"no class or verb is called <{symbol.name}>",
                    "Define it under classes or verbs.",
                )
            if symbol.kind == "slot" and symbol.name not in slots:
                yield bad(f"{key}[{number}]", f"no slot is called {{{symbol.name}}}", _names(slots))


def _class_names(book: Phrasebook, language: Language) -> frozenset[str]:
    forms = [form for form in language.words.forms if form != "base"]
    verbs = {*book.verbs, *(f"{verb}:{form}" for verb in book.verbs for form in forms)}
    return frozenset({*book.classes, *verbs, *language.words.classes})


def _names(names: Iterable[str]) -> str:
    listed = ", ".join(sorted(names))
    return f"There are: {listed}." if listed else _REMEDY
