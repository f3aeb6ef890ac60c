"""Answers: what is said back once a tool has run, from what it gave and from nothing else.

answers = load_answers(pack_folder("tasks"))
answers.deed("en", "complete_task", arguments, result, now).text → 'Well done: "Buy milk" is completed.'
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from sayso import datafile
from sayso.languages.load import installed_tags
from sayso.languages.spoken import spoken
from sayso.packs.wording import Head, Items, Telling, Wording, fits, part_of, visible

DEFAULT = "en"
LONGEST_UNDO = 80  # characters; whoever says more wants something else
MOST_LISTED = 100
_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|t\d+")

Json = Mapping[str, Any]
Phrases = Mapping[str, frozenset[tuple[str, ...]]]  # by their first word


class Saying(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Sentences that all of a message may be, and what may stand around them."""

    sentences: tuple[str, ...]
    around: tuple[str, ...]


class AnswerBook(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One language's answers of a pack."""

    language: str
    prompt: str
    phrases: dict[str, str]
    undo: Saying  # asks to take the last thing back
    every: Saying | None = None  # a yes to all the questions that are open
    moments: dict[str, str]  # fields that hold a moment: told as `when` or as the `clock` alone
    tools: dict[str, Telling]  # "*" for any other
    errors: dict[str, str]  # by reason, "tool.reason" first; ".options" where there are some to choose from
    named: str  # the argument that names the thing
    longest: dict[str, int] = {}  # characters, by argument
    never_empty: tuple[str, ...] = ()  # arguments
    option: str
    claims: Any = None


class Worded(NamedTuple):
    """What is said, and the ids that it puts before the person, in the order shown."""

    text: str
    shown: tuple[str, ...]


class Answers:
    """What a pack says back, in each of its languages."""

    def __init__(self, books: Mapping[str, AnswerBook]) -> None:
        self._books = books

    def book(self, lang: str) -> AnswerBook:
        """That language where we have it, else English."""
        return self._books.get(lang) or self._books[DEFAULT]

    def deed(self, lang: str, tool: str, arguments: Json, result: Json, now: datetime) -> Worded:
        """What came of a call: what was done, what was already so, or why it was not done."""
        book = self.book(lang)
        words = Wording(spoken(book.language), book.moments, now)
        if result.get("status") != "success":
            return _error(book, words, tool, arguments, result)
        telling = book.tools.get(tool) or book.tools["*"]
        fields = _fields(result)
        if telling.items is not None:
            return _several(words, telling, telling.items, arguments, fields)
        if result.get("changed") is False and telling.unchanged:
            return Worded(words.fill(telling.unchanged, fields, telling.parts), _shown(result))
        return Worded(_done(words, telling, arguments, fields), _shown(result))

    def undone(self, lang: str, result: Json) -> Worded:
        """What came of taking something back: the thing is as it was, or gone where it was new."""
        if result.get("status") != "success":
            is_down = result.get("reason") == "unavailable"
            return Worded(self.phrase(lang, "unavailable" if is_down else "undone_stale"), ())
        name, title = "undone" if result.get("task") else "undone_new", _fields(result).get("title")
        return Worded(self.phrase(lang, name, title=title) if title else self.phrase(lang, "undone"), _shown(result))

    def phrase(self, lang: str, name: str, **values: str) -> str:
        """A fixed phrase; `undone` with a title is `undone.title` where there is one."""
        phrases = self.book(lang).phrases
        text = phrases.get(".".join((name, *sorted(values))), phrases[name])
        return text.format(**{key: visible(value) for key, value in values.items()})

    def prompt(self, lang: str) -> str:
        """The instructions for a language model."""
        return self.book(lang).prompt

    def claims(self, lang: str) -> Any:
        """How this language says that something was done."""
        return self.book(lang).claims

    def wants_undo(self, message: str) -> bool:
        """Whether the whole message asks to take the last thing back, in any language of the pack."""
        return _is_said(message, *self._undo)

    def agrees_to_all(self, message: str) -> bool:
        """Whether the whole message is a yes to all the questions that are open: "both"."""
        return _is_said(message, *self._every)

    @cached_property
    def _undo(self) -> tuple[Phrases, Phrases]:
        return _gathered([book.undo for book in self._books.values()])

    @cached_property
    def _every(self) -> tuple[Phrases, Phrases]:
        return _gathered([book.every for book in self._books.values() if book.every is not None])


def load_answers(folder: Path) -> Answers:
    """The answers of the pack in this folder, or BadData naming the file and the key."""
    files = {tag: folder / "answers" / f"{tag}.yaml" for tag in installed_tags()}
    return Answers({tag: datafile.read(file, AnswerBook) for tag, file in files.items() if file.exists()})


def _gathered(sayings: Sequence[Saying]) -> tuple[Phrases, Phrases]:
    """The sentences of all languages, and what may stand around them."""
    sentences = _by_first_word(one for each in sayings for one in each.sentences)
    return sentences, _by_first_word(one for each in sayings for one in each.around)


def _is_said(message: str, sentences: Phrases, around: Phrases) -> bool:
    if len(message) > LONGEST_UNDO:
        return False
    words = _plain(message)
    begun = _reach(words, {0}, around)
    return len(words) in _reach(words, _steps(words, begun, sentences), around)


def _plain(text: str) -> tuple[str, ...]:
    """The words alone: no case, no accents, no punctuation."""
    bare = (letter for letter in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(letter))
    return tuple(re.findall(r"\w+", "".join(bare)))


def _by_first_word(texts: Iterable[str]) -> Phrases:
    phrases: dict[str, frozenset[tuple[str, ...]]] = {}
    for words in map(_plain, texts):
        phrases[words[0]] = phrases.get(words[0], frozenset()) | {words}
    return phrases


def _steps(words: tuple[str, ...], starts: set[int], phrases: Phrases) -> set[int]:
    """Where the words are once one of the phrases is said from one of these places."""
    said = ((start, one) for start in starts if start < len(words) for one in phrases.get(words[start], ()))
    return {start + len(one) for start, one in said if words[start : start + len(one)] == one}


def _reach(words: tuple[str, ...], starts: set[int], phrases: Phrases) -> set[int]:
    """The same for any number of phrases, none included."""
    reached, new = set(starts), starts
    while new := _steps(words, new, phrases) - reached:
        reached |= new
    return reached


def _fields(result: Json) -> dict[str, Any]:
    """What a result says, with what it says of the thing itself."""
    return {**result, **(result.get("task") or {})}


def _shown(result: Json) -> tuple[str, ...]:
    thing = (result.get("task") or {}).get("id") or result.get("device_id")
    return (thing,) if thing else ()


def _done(words: Wording, telling: Telling, arguments: Json, fields: Json) -> str:
    asked = _asked(telling, arguments, fields)
    parts = (part_of(telling.parts, name, value) for name, value in asked.items())
    changes = ", ".join(words.fill(part, fields, {}) for part in parts if part)
    return words.fill(fits(telling.done, asked), fields, telling.parts, ready={"changes": changes})


def _asked(telling: Telling, arguments: Json, fields: Json) -> dict[str, Any]:
    """The arguments that count, each with what came of it: `new_due` with the task's `due`."""
    return {
        name: fields.get(name.removeprefix("new_"), arguments[name])
        for name in telling.asked
        if name in arguments and _counts(telling, name, arguments[name])
    }


def _counts(telling: Telling, name: str, value: Any) -> bool:
    return name in telling.cleared if value is None else bool(value != telling.usual.get(name))


def _several(words: Wording, telling: Telling, items: Items, arguments: Json, fields: Json) -> Worded:
    found = list(fields.get(items.field) or ())[:MOST_LISTED]
    asked = _asked(telling, arguments, {})
    if not found:
        return Worded(words.fill(fits(items.none, asked), {**fields, **asked}, items.of_one), _shown(fields))
    line = items.alone if items.alone and len(found) == 1 and items.sought in asked else items.line
    lines = (
        words.fill(line, {**item, "number": number}, items.parts, quoted=False) for number, item in enumerate(found, 1)
    )
    ready = {
        "items": items.joined.join(lines),
        "head": _head(words, items, len(found), arguments, fields, asked),
        "more": items.more if fields.get("next_offset") else "",
    }
    text = words.fill(fits(telling.done, {}), fields, telling.parts, ready=ready)
    return Worded(text, tuple(item["id"] for item in found if "id" in item) or _shown(fields))


def _head(words: Wording, items: Items, count: int, arguments: Json, fields: Json, asked: Json) -> str:
    one = count == 1
    parts = items.of_one if one else {**items.of_one, **items.of_many}
    return words.fill(items.head.get(_kind(arguments, fields, one=one), ""), {**asked, "count": count}, parts)


def _kind(arguments: Json, fields: Json, *, one: bool) -> Head:
    """Where there are more than these, these are not said to be all."""
    if fields.get("nearest"):
        return "near"
    if arguments.get("offset"):
        return "next_one" if one else "next"
    if fields.get("next_offset"):
        return "first_one" if one else "first"
    return "one" if one else "many"


def _error(book: AnswerBook, words: Wording, tool: str, arguments: Json, result: Json) -> Worded:
    """Why nothing was done, and what to do next."""
    reason = _reason(book, arguments, result)
    options = list(result.get("options") or ())[:MOST_LISTED]
    reasons = (f"{reason}.options", reason) if options else (reason,)
    keys = [key for each in reasons for key in (f"{tool}.{each}", each)]
    key = next((key for key in keys if key in book.errors), "*")
    lines = [
        words.fill(book.option, {**option, "number": number}, {}, quoted=False)
        for number, option in enumerate(options, 1)
    ]
    text = words.fill(book.errors[key], {**arguments, **result}, {}, ready={"options": "\n".join(lines)})
    return Worded(text, tuple(option["id"] for option in options) if "{options}" in book.errors[key] else ())


def _reason(book: AnswerBook, arguments: Json, result: Json) -> str:
    """The tool's reason, and what the arguments tell about it."""
    reason = str(result.get("reason") or "*")
    if reason == "invalid":
        if any(not str(arguments[name] or "").strip() for name in book.never_empty if name in arguments):
            return "empty"
        if any(len(str(arguments.get(name) or "")) > longest for name, longest in book.longest.items()):
            return "long"
        return "invalid.told" if result.get("error_message") else reason
    if reason == "not_found" and _ID.fullmatch(str(arguments.get(book.named))):
        return "gone"  # it was there when it was spoken of
    return reason
