"""Writes the answer after a tool has run, using only the tool's result.

`answers = load_answers(pack_folder("tasks"))`
`answers.deed("en", "complete_task", arguments, result, now).text` → 'Well done: "Buy milk" is completed.'
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

from sayso.files import datafile
from sayso.languages.load import installed_tags
from sayso.languages.spoken import spoken
from sayso.packs.repeats import RepeatWords
from sayso.packs.wording import Head, Items, Telling, Wording, fits, part_of, visible

DEFAULT = "en"
LONGEST_UNDO = 80  # characters; a longer message asks for something else
LONGEST_REMARK = 200  # characters of a message that asks for an undo and says more
MOST_LISTED = 100
_PAUSES = re.compile(r"[.,;:!?…\n]+|\s[-–—]\s")
_QUOTED = re.compile(r'("(?:[^"\\]|\\.)*")')
_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|t\d+")

Json = Mapping[str, Any]
Phrases = Mapping[str, frozenset[tuple[str, ...]]]  # by their first word


class Saying(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Sentences that can be the whole message, and phrases that may come before or after them."""

    sentences: tuple[str, ...]
    around: tuple[str, ...]


class Several(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The texts of one question about several things."""

    heading: dict[str, str]  # by tool; "tool.name" if all calls set the same values, "tool.new" for a new list
    item: str  # a line below the heading: the thing as it is, or as it would be added
    changed: str = ""  # the same for a change that the heading does not state: {changes}
    parts: dict[str, str] = {}


class AnswerBook(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The answers of a pack in one language."""

    language: str
    prompt: str
    phrases: dict[str, str]
    undo: Saying  # asks to undo the last call
    drop: Saying | None = None  # the same, right after something was created
    every: Saying | None = None  # a yes to all open questions
    reminds: tuple[str, ...] = ()  # phrases that ask for a reminder
    moments: dict[str, str]  # fields that hold a moment: worded as `when`, as `clock` (time only) or as `repeat`
    repeats: RepeatWords | None = None
    tools: dict[str, Telling]  # "*" for any other
    errors: dict[str, str]  # by reason, "tool.reason" first; with ".options" if the result lists options
    named: str  # the argument that names the thing
    longest: dict[str, int] = {}  # characters, by argument
    never_empty: tuple[str, ...] = ()  # arguments
    option: str
    several: Several | None = None  # without it, each question of a group is a separate card
    claims: Any = None


class Worded(NamedTuple):
    """The text of an answer, and the ids of the things that it shows, in their order."""

    text: str
    shown: tuple[str, ...]


class Proposed(NamedTuple):
    """A call that requires confirmation, and the current state of the thing that it changes, if there is one."""

    tool: str
    arguments: Json
    thing: Json


class Together(NamedTuple):
    """A question about several things: its heading, and a line for each."""

    heading: str
    lines: tuple[str, ...]


class Answers:
    """The answers of a pack, in each of its languages."""

    def __init__(self, books: Mapping[str, AnswerBook]) -> None:
        self._books = books

    def book(self, lang: str) -> AnswerBook:
        """The answers in this language if the pack has them, otherwise in English."""
        return self._books.get(lang) or self._books[DEFAULT]

    def deed(self, lang: str, tool: str, arguments: Json, result: Json, now: datetime, message: str = "") -> Worded:
        """The answer for a call: the change, that nothing had to change, or the reason of the error. If the call or the
        message asks for a reminder, the answer says whether it will arrive."""
        book = self.book(lang)
        words = Wording(spoken(book.language), book.moments, now, book.repeats)
        if result.get("status") != "success":
            return _error(book, words, tool, arguments, result)
        telling = book.tools.get(tool) or book.tools["*"]
        fields = _fields(result) | {"rings": self._rings(arguments, result, message)}
        if telling.items is not None:
            return _several(words, telling, telling.items, arguments, fields)
        if result.get("changed") is False and telling.unchanged:
            return Worded(words.fill(telling.unchanged, fields, telling.parts), _shown(result))
        return Worded(_done(words, telling, arguments, fields), _shown(result))

    def _rings(self, arguments: Json, result: Json, message: str) -> str | None:
        """Whether the requested reminder will arrive, as the result of the call says; "nowhere" if the result does not
        say. None if no reminder is set or none was requested."""
        task = result.get("task") or {}
        if not task.get("remind") or task.get("status") == "completed":
            return None
        if not (arguments.get("remind") or arguments.get("new_remind") or self.asks_reminder(message)):
            return None
        return str(result.get("rings") or "nowhere")

    def asks_reminder(self, message: str) -> bool:
        """Whether a message asks for a reminder, in any language of the pack."""
        said = f" {' '.join(_plain(message))} "
        return any(phrase in said for phrase in self._reminds)

    def undone(self, lang: str, result: Json) -> Worded:
        """The answer for an undo: the thing is as it was before, or deleted if the call had created it."""
        if result.get("status") != "success":
            is_down = result.get("reason") == "unavailable"
            return Worded(self.phrase(lang, "unavailable" if is_down else "undone_stale"), ())
        name, title = "undone" if result.get("task") else "undone_new", _fields(result).get("title")
        return Worded(self.phrase(lang, name, title=title) if title else self.phrase(lang, "undone"), _shown(result))

    def question(self, lang: str, text: str, tool: str, arguments: Json, now: datetime) -> str:
        """The question before a call, with every value that the call would store. Dates and repeats are in words."""
        book = self.book(lang)
        words = Wording(spoken(book.language), book.moments, now, book.repeats)
        telling = book.tools.get(tool) or book.tools["*"]
        for name, value in arguments.items():
            field = name.removeprefix("new_")
            if isinstance(value, str) and words.is_moment(field):
                text = _unquoted(text, value, words.told(field, value))
        given = {name: arguments.get(name) for name in _names_of(telling.shows)}
        left = {name: value for name, value in given.items() if f'"{visible(str(value))}"' not in text}
        parts = [part_of(telling.shows, name, value) for name, value in left.items()]
        told = [words.fill(part, arguments, {}) for part in parts if part]
        missing = [part for part in told if part.strip(", ") not in text]
        return f"{text[:-1]}{''.join(missing)}?" if missing and text.endswith("?") else text

    def again(self, lang: str, tool: str, arguments: Json, thing: Json, now: datetime) -> str | None:
        """The question before a thing is created whose name is already in use; None if the pack does not ask in this
        case."""
        book = self.book(lang)
        again = (book.tools.get(tool) or book.tools["*"]).again
        if again is None or any(thing.get(name) != value for name, value in again.where.items()):
            return None
        words = Wording(spoken(book.language), book.moments, now, book.repeats)
        return self.question(lang, words.fill(again.question, thing, {}), tool, arguments, now)

    def together(self, lang: str, calls: Sequence[Proposed], now: datetime, *, starts: bool = False) -> Together:
        """One question about several calls. `starts`: the calls add things to a list that does not exist yet."""
        book = self.book(lang)
        if book.several is None:
            raise TypeError(f"the answers in {book.language} have no words for several questions at once")
        words = Wording(spoken(book.language), book.moments, now, book.repeats)
        forms, tools = book.several.heading, {each.tool for each in calls}
        tool = calls[0].tool if len(tools) == 1 else "*"
        shared = {} if tool == "*" else _shared([each.arguments for each in calls])
        key = f"{tool}.new" if starts else ".".join((tool, *sorted(shared)))
        told = frozenset(("list",) if starts else shared) if key in forms else frozenset[str]()
        heading = words.fill(forms.get(key) or forms.get(tool) or forms["*"], _unprefixed(shared), {})
        return Together(heading, tuple(_line(book, book.several, words, each, told) for each in calls))

    def asks_together(self, lang: str) -> bool:
        """Whether the pack has texts for one question about several calls."""
        return self.book(lang).several is not None

    def phrase(self, lang: str, name: str, **values: str) -> str:
        """A fixed phrase. `undone` with a title is the phrase `undone.title`, if the pack has it."""
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
        """Whether the whole message asks to undo the last call, in any language of the pack."""
        return _is_said(message, *self._undo)

    def beside_undo(self, message: str) -> str | None:
        """The rest of a message in which a sentence or clause asks to undo the last call; None if none does."""
        parts = [part for part in _PAUSES.split(message) if _plain(part)] if len(message) <= LONGEST_REMARK else []
        rest = [part for part in parts if not _is_said(part, *self._undo)]
        return ", ".join(rest) if 0 < len(rest) < len(parts) else None

    def drops(self, message: str) -> bool:
        """Whether the whole message drops the thing that was just created: "scratch that"."""
        return _is_said(message, *self._drop)

    def agrees_to_all(self, message: str) -> bool:
        """Whether the whole message is a yes to all open questions: "both"."""
        return _is_said(message, *self._every)

    @cached_property
    def _reminds(self) -> tuple[str, ...]:
        return tuple(f" {' '.join(_plain(one))} " for book in self._books.values() for one in book.reminds)

    @cached_property
    def _undo(self) -> tuple[Phrases, Phrases]:
        return _gathered([book.undo for book in self._books.values()])

    @cached_property
    def _drop(self) -> tuple[Phrases, Phrases]:
        return _gathered([book.drop for book in self._books.values() if book.drop is not None])

    @cached_property
    def _every(self) -> tuple[Phrases, Phrases]:
        return _gathered([book.every for book in self._books.values() if book.every is not None])


def _names_of(parts: Json) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key.partition(".")[0] for key in parts))


def _unquoted(text: str, value: str, said: str) -> str:
    """The text with `value` replaced by its spoken form, except inside quotation marks."""
    pieces = _QUOTED.split(text)
    return "".join(piece if at % 2 else piece.replace(value, said) for at, piece in enumerate(pieces))


def _shared(given: Sequence[Json]) -> dict[str, Any]:
    """The arguments that have the same value in all calls."""
    first, *others = given
    return {name: value for name, value in first.items() if all(each.get(name) == value for each in others)}


def _unprefixed(arguments: Json) -> dict[str, Any]:
    """The arguments by the names of the fields that they set: `new_due` as `due`."""
    return {name.removeprefix("new_"): value for name, value in arguments.items()}


def _line(book: AnswerBook, several: Several, words: Wording, call: Proposed, told: frozenset[str]) -> str:
    """The line for one of several calls: the thing as it is, as it would be added, or with its changes."""
    telling = book.tools.get(call.tool) or book.tools["*"]
    own = {name: value for name, value in call.arguments.items() if name not in told}
    if not call.thing:
        return words.fill(several.item, own, several.parts, quoted=False)
    fields = {**call.thing, **_unprefixed(own)}
    parts = (part_of(telling.parts, name, value) for name, value in _asked(telling, own, fields).items())
    changes = ", ".join(words.fill(part, fields, telling.parts) for part in parts if part)
    form = several.changed if changes and several.changed else several.item
    return words.fill(form, call.thing, several.parts, quoted=False, ready={"changes": changes})


def load_answers(folder: Path) -> Answers:
    """The answers of the pack in this folder, or BadData naming the file and the key."""
    return Answers(load_books(folder))


def load_books(folder: Path) -> dict[str, AnswerBook]:
    """The answer book of each language of the pack."""
    files = {tag: folder / "answers" / f"{tag}.yaml" for tag in installed_tags()}
    return {tag: datafile.read(file, AnswerBook) for tag, file in files.items() if file.exists()}


def _gathered(sayings: Sequence[Saying]) -> tuple[Phrases, Phrases]:
    """The sentences of all languages, and the phrases that may come before or after them."""
    sentences = _by_first_word(one for each in sayings for one in each.sentences)
    return sentences, _by_first_word(one for each in sayings for one in each.around)


def _is_said(message: str, sentences: Phrases, around: Phrases) -> bool:
    if len(message) > LONGEST_UNDO:
        return False
    words = _plain(message)
    begun = _reach(words, {0}, around)
    return len(words) in _reach(words, _steps(words, begun, sentences), around)


def _plain(text: str) -> tuple[str, ...]:
    """The words of a text without case, accents and punctuation."""
    bare = (letter for letter in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(letter))
    return tuple(re.findall(r"\w+", "".join(bare)))


def _by_first_word(texts: Iterable[str]) -> Phrases:
    phrases: dict[str, frozenset[tuple[str, ...]]] = {}
    for words in map(_plain, texts):
        phrases[words[0]] = phrases.get(words[0], frozenset()) | {words}
    return phrases


def _steps(words: tuple[str, ...], starts: set[int], phrases: Phrases) -> set[int]:
    """The positions right after a phrase that begins at one of `starts`."""
    said = ((start, one) for start in starts if start < len(words) for one in phrases.get(words[start], ()))
    return {start + len(one) for start, one in said if words[start : start + len(one)] == one}


def _reach(words: tuple[str, ...], starts: set[int], phrases: Phrases) -> set[int]:
    """The same after any number of phrases, including none."""
    reached, new = set(starts), starts
    while new := _steps(words, new, phrases) - reached:
        reached |= new
    return reached


def _fields(result: Json) -> dict[str, Any]:
    """The fields of a result, together with the fields of its task."""
    return {**result, **(result.get("task") or {})}


def _shown(result: Json) -> tuple[str, ...]:
    thing = (result.get("task") or {}).get("id") or result.get("device_id")
    return (thing,) if thing else ()


def _done(words: Wording, telling: Telling, arguments: Json, fields: Json) -> str:
    asked = _asked(telling, arguments, fields)
    parts = (part_of(telling.parts, name, value) for name, value in asked.items())
    changes = ", ".join(words.fill(part, fields, telling.parts) for part in parts if part)
    return words.fill(fits(telling.done, asked), fields, telling.parts, ready={"changes": changes})


def _asked(telling: Telling, arguments: Json, fields: Json) -> dict[str, Any]:
    """The arguments that the answer mentions, each with its value in the result: `new_due` with the task's `due`."""
    return {
        name: arguments[name] if name in telling.said else fields.get(name.removeprefix("new_"), arguments[name])
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
    told = dict.fromkeys(name for name in items.once if name in asked)
    lines = (
        words.fill(line, {**item, **told, "number": number}, items.parts, quoted=False)
        for number, item in enumerate(found, 1)
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
    """Which heading a list gets. A page with more pages after it does not say that it is complete."""
    if fields.get("nearest"):
        return "near"
    if arguments.get("offset"):
        return "next_one" if one else "next"
    if fields.get("next_offset"):
        return "first_one" if one else "first"
    return "one" if one else "many"


def _error(book: AnswerBook, words: Wording, tool: str, arguments: Json, result: Json) -> Worded:
    """The answer for an error: the reason, and what to do next."""
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
    """The reason of the error, made more specific by the arguments."""
    reason = str(result.get("reason") or "*")
    if reason == "invalid":
        if any(not str(arguments[name] or "").strip() for name in book.never_empty if name in arguments):
            return "empty"
        if any(len(str(arguments.get(name) or "")) > longest for name, longest in book.longest.items()):
            return "long"
        return "invalid.told" if result.get("error_message") else reason
    if reason == "not_found" and _ID.fullmatch(str(arguments.get(book.named))):
        return "gone"  # an id comes from an earlier answer, so the thing existed then
    return reason
