"""Words the answer after a tool has run, from the tool's result alone.

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

from sayso.files import datafile
from sayso.languages.load import installed_tags
from sayso.languages.spoken import spoken
from sayso.packs.repeats import RepeatWords
from sayso.packs.wording import Head, Items, Telling, Wording, fits, part_of, visible

DEFAULT = "en"
LONGEST_UNDO = 80  # characters; a longer message wants something else
LONGEST_REMARK = 200  # characters of a message that says why as well
MOST_LISTED = 100
_PAUSES = re.compile(r"[.,;:!?…\n]+|\s[-–—]\s")
_QUOTED = re.compile(r'("(?:[^"\\]|\\.)*")')
_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|t\d+")

Json = Mapping[str, Any]
Phrases = Mapping[str, frozenset[tuple[str, ...]]]  # by their first word


class Saying(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Sentences that all of a message may be, and what may stand around them."""

    sentences: tuple[str, ...]
    around: tuple[str, ...]


class Several(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How several things are asked about in one question."""

    heading: dict[str, str]  # by tool; "tool.name" where all that is changed is the same, "tool.new" for a new list
    item: str  # a line below the heading: the thing as it is, or as it would be added
    changed: str = ""  # the same for a change that the heading does not tell: {changes}
    parts: dict[str, str] = {}


class AnswerBook(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One language's answers of a pack."""

    language: str
    prompt: str
    phrases: dict[str, str]
    undo: Saying  # asks to take the last thing back
    drop: Saying | None = None  # the same, right after something was made
    every: Saying | None = None  # a yes to all the questions that are open
    reminds: tuple[str, ...] = ()  # phrases by which a person asks to be reminded
    moments: dict[str, str]  # fields that hold a moment: told as `when`, as the `clock` alone, or as a `repeat`
    repeats: RepeatWords | None = None
    tools: dict[str, Telling]  # "*" for any other
    errors: dict[str, str]  # by reason, "tool.reason" first; ".options" where there are some to choose from
    named: str  # the argument that names the thing
    longest: dict[str, int] = {}  # characters, by argument
    never_empty: tuple[str, ...] = ()  # arguments
    option: str
    several: Several | None = None  # without it, each question of a group is a card of its own
    claims: Any = None


class Worded(NamedTuple):
    """What is said, and the ids that it puts before the person, in the order shown."""

    text: str
    shown: tuple[str, ...]


class Proposed(NamedTuple):
    """A call that is asked about, and the thing that it is about as that stands now, if there is one."""

    tool: str
    arguments: Json
    thing: Json


class Together(NamedTuple):
    """A question about several things: its heading, and a line for each."""

    heading: str
    lines: tuple[str, ...]


class Answers:
    """What a pack says back, in each of its languages."""

    def __init__(self, books: Mapping[str, AnswerBook]) -> None:
        self._books = books

    def book(self, lang: str) -> AnswerBook:
        """That language where we have it, else English."""
        return self._books.get(lang) or self._books[DEFAULT]

    def deed(self, lang: str, tool: str, arguments: Json, result: Json, now: datetime, message: str = "") -> Worded:
        """What came of a call: what was done, what was already so, or why it was not done. If the call or the message
        asks for a reminder, whether one will arrive."""
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
        """A sentence on whether the requested reminder will arrive, by the result of the call. Without that information
        it says that there will be no reminder. None if no reminder is set or none was requested."""
        task = result.get("task") or {}
        if not task.get("remind") or task.get("status") == "completed":
            return None
        if not (arguments.get("remind") or arguments.get("new_remind") or self.asks_reminder(message)):
            return None
        return str(result.get("rings") or "nowhere")

    def asks_reminder(self, message: str) -> bool:
        """Whether a message asks to be reminded, in any language of the pack."""
        said = f" {' '.join(_plain(message))} "
        return any(phrase in said for phrase in self._reminds)

    def undone(self, lang: str, result: Json) -> Worded:
        """What came of taking something back: the thing is as it was, or gone where it was new."""
        if result.get("status") != "success":
            is_down = result.get("reason") == "unavailable"
            return Worded(self.phrase(lang, "unavailable" if is_down else "undone_stale"), ())
        name, title = "undone" if result.get("task") else "undone_new", _fields(result).get("title")
        return Worded(self.phrase(lang, name, title=title) if title else self.phrase(lang, "undone"), _shown(result))

    def question(self, lang: str, text: str, tool: str, arguments: Json, now: datetime) -> str:
        """A question before a call, with all that the call would store: dates and repeats as they are said."""
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
        """The question before a thing is made of which there is one of the same name; None where that is usual."""
        book = self.book(lang)
        again = (book.tools.get(tool) or book.tools["*"]).again
        if again is None or any(thing.get(name) != value for name, value in again.where.items()):
            return None
        words = Wording(spoken(book.language), book.moments, now, book.repeats)
        return self.question(lang, words.fill(again.question, thing, {}), tool, arguments, now)

    def together(self, lang: str, calls: Sequence[Proposed], now: datetime, *, starts: bool = False) -> Together:
        """The question about several calls at once; `starts`: they put things on a list that is not there yet."""
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
        """Whether there are words for several questions at once."""
        return self.book(lang).several is not None

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

    def beside_undo(self, message: str) -> str | None:
        """The rest of a message of which one sentence or clause asks to take the last thing back; None if none does."""
        parts = [part for part in _PAUSES.split(message) if _plain(part)] if len(message) <= LONGEST_REMARK else []
        rest = [part for part in parts if not _is_said(part, *self._undo)]
        return ", ".join(rest) if 0 < len(rest) < len(parts) else None

    def drops(self, message: str) -> bool:
        """Whether the whole message drops what was just made: "scratch that"."""
        return _is_said(message, *self._drop)

    def agrees_to_all(self, message: str) -> bool:
        """Whether the whole message is a yes to all the questions that are open: "both"."""
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
    """The text with a value put as it is said, unless it is in quotation marks."""
    pieces = _QUOTED.split(text)
    return "".join(piece if at % 2 else piece.replace(value, said) for at, piece in enumerate(pieces))


def _shared(given: Sequence[Json]) -> dict[str, Any]:
    """The arguments that all of these have."""
    first, *others = given
    return {name: value for name, value in first.items() if all(each.get(name) == value for each in others)}


def _unprefixed(arguments: Json) -> dict[str, Any]:
    """The arguments by the names of the fields that they set: `new_due` as `due`."""
    return {name.removeprefix("new_"): value for name, value in arguments.items()}


def _line(book: AnswerBook, several: Several, words: Wording, call: Proposed, told: frozenset[str]) -> str:
    """One of several things that are asked about: as it is, as it would be added, or how it would change."""
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
    """The same by language."""
    files = {tag: folder / "answers" / f"{tag}.yaml" for tag in installed_tags()}
    return {tag: datafile.read(file, AnswerBook) for tag, file in files.items() if file.exists()}


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
    changes = ", ".join(words.fill(part, fields, telling.parts) for part in parts if part)
    return words.fill(fits(telling.done, asked), fields, telling.parts, ready={"changes": changes})


def _asked(telling: Telling, arguments: Json, fields: Json) -> dict[str, Any]:
    """The arguments that count, each with its result: `new_due` with the task's `due`."""
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
