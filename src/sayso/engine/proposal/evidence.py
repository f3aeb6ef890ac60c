"""Searches the user's words for each value of a call, by the role of its parameter.

A path, a recipient, a date or a record must have been said. Text that the model composes need not, but the addresses
in it must. Settings that users do not say are free.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

from sayso.engine.grammar.catalogue import VERB, Catalogue, Profile, Role
from sayso.engine.grammar.grammar import Grammar
from sayso.engine.grammar.pack import Param
from sayso.engine.lexicon.lexicon import Edges
from sayso.engine.proposal.against import Against
from sayso.engine.proposal.telling import Telling
from sayso.engine.text.tokens import bare, normalise

_DEEPEST = 6
_MOST = 100  # entries of a list that are compared with the words next to them
_PATH = re.compile(r"[\w.~@+-]*(?:/[\w.~@+*-]*)+|[\w-]+\.[a-z][a-z0-9]{0,4}\b")
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|https?://[^\s\"'<>)]+")
_KEY = re.compile(r"-----BEGIN|\b(?:sk|pk|ghp|gho|xox[bp]|AKIA|eyJ)[-_A-Za-z0-9]{10,}")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.*)?|\d{4}/\d{2}/\d{2}")
_DATES = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_PARTS = re.compile(r"[^\w]+|_+")
_FILE = re.compile(r"[\w-]+\.[a-z][a-z0-9]{0,4}\b")
_USUAL = (30.0, 60.0)  # the minutes of an event if the user does not say how long
_ID_NAME = re.compile(r"(?:^|_)(?:ids?|ts|timestamp|uuid|key|identifier|ref)$")
_CODES = re.compile(r"[A-Za-z0-9]+")
_CODE = 4  # letters and figures of an id
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_CHANNEL = re.compile(r"#[\w-]+")
_SLASHED = re.compile(r"[\w.~-]+(?:/[\w.~-]+)+")
_QUOTED = re.compile(r"(?:^|(?<=[\s:(]))['\"“«]([^'\"“”«»]{3,})['\"”»](?=$|[\s,.;:!?)])")
_FIGURES = re.compile(r"\d{1,15}")
_NUMBERS = re.compile(r"(?<![\w.,:/-])\d{1,15}(?![\w:/-]|[.,]\d)")
_NOTE = 200  # characters of a text in which every figure counts
_CLOCK = re.compile(r"T(\d{2}):(\d{2})")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_LONG = 8  # a number with this many figures is not an accident
_FIRST = 2  # words with which a message shows that it asks to read


class Finding(NamedTuple):
    """The result for the values of a call."""

    said: tuple[str, ...]  # parameters whose values were said
    unsaid: tuple[str, ...]  # whose values should have been said and were not
    contrary: tuple[str, ...]  # of these, those that contradict the words or give access to secrets


class Evidence:
    """The user's words, in a form that can be searched for the values of calls."""

    def __init__(
        self, grammar: Grammar, catalogue: Catalogue, texts: Sequence[str], now: datetime, *, exact: bool = True
    ) -> None:
        self._catalogue, self._grammar, self._exact = catalogue, grammar, exact
        self._text, self._message = "\n".join(texts), texts[-1] if texts else ""
        self._telling = Telling(grammar, texts, now, exact=exact)
        self._against = Against(grammar, catalogue, texts, now)
        self._given: Mapping[str, Any] = {}
        self._year = now.year

    def of(
        self,
        arguments: dict[str, Any],
        profile: Profile,
        params: Mapping[str, Param],
        needed: Container[str] = (),
        *,
        reads: bool = False,
    ) -> Finding:
        """Finds the values that were said, and those that should have been. Texts count only if they are `needed`."""
        roles, self._given = profile.roles, arguments
        against = self._spoken_against(arguments, profile, params, reads=reads) if self._exact else frozenset()
        begin = next((value for name, value in arguments.items() if _is_beginning(name, roles, value)), None)
        found = {name: self._was_said(arguments, name, roles.get(name, "target"), begin, needed) for name in arguments}
        unsaid = tuple(name for name, one in found.items() if one is False or name in against)
        contrary = (
            name for name in unsaid if name in against or self._is_contrary(arguments[name], roles.get(name, "target"))
        )
        return Finding(tuple(name for name, one in found.items() if one), unsaid, tuple(contrary))

    def _spoken_against(
        self, arguments: Mapping[str, Any], profile: Profile, params: Mapping[str, Param], *, reads: bool
    ) -> frozenset[str]:
        """The parameters whose values the message contradicts. A read may be a step of the request."""
        if not reads:
            return self._against.of(arguments, profile, params)
        if not self._asks_to_look:
            return frozenset()
        options = self._against.other_options(arguments, profile, params)
        return frozenset((*options, *self._other_days(arguments, profile)))

    def _other_days(self, arguments: Mapping[str, Any], profile: Profile) -> Iterator[str]:
        """The times of a call, if none of them is on a day that the message names."""
        found = {name: _day(value) for name, value in arguments.items() if profile.roles.get(name) == "when"}
        days = sorted(day for day in found.values() if day is not None)
        if days and self._against.speaks_against(days[0], days[-1]):
            yield from found

    def _was_said(
        self, arguments: Mapping[str, Any], name: str, role: Role, begin: str | None, needed: Container[str]
    ) -> bool | None:
        """Whether a value was said, or follows from other values that were; `None` if it need not be said."""
        value = arguments[name]
        found = self._checked(value, role, name)
        if found is False:
            found = self._ends(begin, value, role) or (not self._exact and self._telling.supports(value, name))
        elif found is None and role == "content" and name in needed:
            found = self._telling.supports(value, name)
        if self._exact and found is not False and self._leaves_out(arguments, name, role):
            return False
        return found

    def _leaves_out(self, arguments: Mapping[str, Any], name: str, role: Role) -> bool:
        """Whether the call lacks a quotation, or one of several things of the same shape, that the message has."""
        given = repr(arguments).casefold()
        if role == "content":
            return any(one.casefold() not in given for one in _QUOTED.findall(self._message))
        if role not in ("target", "recipient"):
            return False
        value = arguments[name]
        if isinstance(value, str):
            return self._is_outdated(value, given)
        return isinstance(value, list) and self._is_incomplete(value, given)

    def _is_incomplete(self, values: Sequence[Any], given: str) -> bool:
        """Whether the message has another file or address beside those of a list, and the call lacks it."""
        texts = [one for one in values if isinstance(one, str)]
        if any(self._goes_on(one, given) for one in texts[:_MOST]):
            return True
        same = (shape for shape in (_FILE, _MAIL) if any(map(shape.search, texts)))
        return any(one.casefold() not in given for shape in same for one in shape.findall(self._message))

    def _goes_on(self, text: str, given: str) -> bool:
        """Whether the message has one more entry beside an entry of a list: "bug and p1"."""
        links = "|".join(map(re.escape, self._grammar.language.words.classes.get("link", ())))
        pattern = rf"(?<!\w){re.escape(text)}['\"”»]?(?:,\s|\s(?:{links})\s)['\"“«]?([\w#@-]+)(?=$|[\s'\"”».,;!?])"
        after = [found[1] for found in re.finditer(pattern, self._message, re.IGNORECASE)]
        return any(one.casefold() not in given and self._is_name(one) for one in after)

    def _is_name(self, word: str) -> bool:
        """Whether a word is neither a verb of the language nor a function word."""
        _, edges, stems = self._grammar.look_at(normalise(word))
        known = self._grammar.vocabulary
        if known is None or any(stem in self._grammar.little for stem in stems):
            return known is None
        return not any(edge.keys() & (known.verbs.keys() | known.gerunds.keys()) for edge in edges)

    def _is_outdated(self, value: str, given: str) -> bool:
        """Whether a value was said only earlier, and the message has another of its shape that the call lacks."""
        if value.casefold() in self._message.casefold():
            return False
        shape = next((one for one in (_MAIL, _CHANNEL, _SLASHED, _FILE) if one.fullmatch(value)), None)
        return shape is not None and any(one.casefold() not in given for one in shape.findall(self._message))

    def _is_contrary(self, value: Any, role: Role) -> bool:
        """Whether a value that was not said must not even be read: the words name another place or another year, or it
        gives access to secrets."""
        if role == "place":
            return self._names_place or bool(self._folders[0])
        if isinstance(value, (dict, list, tuple)):
            inner = value.values() if isinstance(value, dict) else value
            return any(self._is_contrary(one, role) for one in inner)
        if isinstance(value, int) and not isinstance(value, bool):
            return self._exact and self._asks_to_look and self._is_other_number(str(value))
        if not isinstance(value, str):
            return False
        if role == "when" or (self._exact and role == "content" and _DATES.search(value)):
            return self._is_other_year(value)
        return (
            self._is_sensitive(value)
            or self._is_other_revision(value)
            or (self._exact and self._asks_to_look and self._is_other(value))
        )

    @cached_property
    def _asks_to_look(self) -> bool:
        """Whether the message begins with a question or a verb of reading. If not, a read is a step of another act."""
        looks = tuple(sorted(f"{VERB}{purpose}" for purpose in self._catalogue.looks))
        wanted = self._grammar.together(("wh", "mood:question", *looks))
        return any(not wanted.isdisjoint(edges) for edges in self._edges[:_FIRST])

    def _is_other(self, text: str) -> bool:
        """Whether the message names another id of the same shape, or the same file in another folder."""
        low = self._message.casefold()
        shape = next((one for one in (_MAIL, _CHANNEL) if one.fullmatch(text)), None)
        if shape is not None:
            return bool(shape.search(low))
        if _SLASHED.fullmatch(text):
            folder, _, name = text.casefold().rpartition("/")
            others = [one.rpartition("/") for one in _SLASHED.findall(low)]
            beside = _FILE.fullmatch(name) and any(one[0] == folder and _FILE.fullmatch(one[2]) for one in others)
            return bool(beside) or any(one[2] == name for one in others)
        codes = [one for one in _CODES.findall(low) if len(one) == len(text) and _is_code(one)]
        return _is_code(text) and bool(codes)

    def _is_other_revision(self, text: str) -> bool:
        """Whether a value means the current revision, and the message has an id that the call lacks."""
        if not self._exact or text.casefold() not in self._catalogue.current:
            return False
        given = repr(self._given).casefold()
        return any(_is_code(one) and one not in given for one in _CODES.findall(self._message.casefold()))

    def _is_other_number(self, number: str) -> bool:
        """Whether the message has another number with as many figures, and not this one."""
        said = _NUMBERS.findall(self._message)
        return number not in said and any(len(one) == len(number) > 1 for one in said)

    def _is_other_year(self, moment: str) -> bool:
        years = _YEAR.findall(self._message)
        return bool(years) and not any(year in moment for year in years)

    def _is_sensitive(self, text: str) -> bool:
        """Whether a part of a path gives access to secrets, and was not said."""
        parts = (part for path in text.casefold().split("/") for part in (path, *_PARTS.split(path)))
        return any(part in self._catalogue.sensitive and not self._holds(part) for part in parts)

    def _checked(self, value: Any, role: Role, name: str, depth: int = 0) -> bool | None:
        """Whether a value was said; `None` if it need not be said."""
        if depth > _DEEPEST:
            return False
        if value is None or value == "" or role in ("technical", "operation", "flag"):
            return None
        if isinstance(value, dict):
            inner = ((self._inner(role, key), key, one) for key, one in value.items())
            return _together(self._checked(one, role, key, depth + 1) for role, key, one in inner)
        if isinstance(value, (list, tuple)):
            return _together(self._checked(one, role, name, depth + 1) for one in value)
        return self._checked_single(value, role, name)

    def _checked_single(self, value: Any, role: Role, name: str) -> bool | None:
        """The same for a value that contains no others."""
        if isinstance(value, bool):
            return None
        if isinstance(value, (int, float)):
            return self._telling.supports(value, name) or (None if role == "content" else False)
        return self._said(value, role, name) if isinstance(value, str) else False

    def _inner(self, role: Role, key: str) -> Role:
        """The role of a key within a value. Within a record, each field describes the record."""
        return self._catalogue.keys.get(_HUMPS.sub("_", key).casefold(), role) if role != "record" else role

    def _said(self, value: str, role: Role, name: str) -> bool | None:
        text = value.strip()
        if text.casefold() in self._catalogue.neutral:
            if role == "target" and self._is_other_revision(text):
                return False
            return False if text.casefold() in self._catalogue.everything and self._names_some(role, text) else None
        if self._is_given(text, name):
            return True
        if role == "content":
            return None if self._is_composed(text) else False
        if role == "when" or _DATE.fullmatch(text):
            return self._has_moment(text, name)
        return self._has_place(text) if role == "place" else self._has_target(text, name)

    def _is_given(self, text: str, name: str) -> bool:
        return self._holds(text) or self._holds_figures(text) or self._implies(text, name)

    def _has_moment(self, text: str, name: str) -> bool:
        return self._telling.supports(text, name) or self._has_clock(text)

    def _has_clock(self, text: str) -> bool:
        """Whether the time of a moment was said in figures, and its day in any form."""
        found = _CLOCK.search(text)
        if found is None:
            return False
        hour = str(int(found[1]))
        said = any(self._holds(f"{way}{mark}{found[2]}") for way in (hour, found[1]) for mark in ":.")
        return said and self._telling.supports(text[: len("2026-01-01")], "")

    def _has_target(self, text: str, name: str) -> bool | None:
        """Whether the object that a value selects was said. An id that cannot be compared is free."""
        if any(True for _ in self._places(text)):
            return False  # the words exclude it
        if "@" in text and _ADDRESS.fullmatch(text):
            return False
        if _PATH.fullmatch(text):
            return self._has_path(text)
        if self._has_name(text):
            return True
        return None if self._is_opaque(text, name) or self._is_part(text) else False

    def _is_part(self, text: str) -> bool:
        """Whether a value is the kind within an id of the same call: climate, in climate.office."""
        return self._exact and text in self._catalogue.kinds and f"'{text}." in repr(self._given)

    def _has_place(self, place: str) -> bool | None:
        """Whether the place of the work is the one that was named. It is free if none was named."""
        if "/" in place or "~" in place:
            roots, _ = self._folders
            return None if not roots else any(one.startswith(place.rstrip("/")) for one in roots)
        return True if self._has_name(place) else False if self._names_place else None

    @cached_property
    def _names_place(self) -> bool:
        return any(token.count("/") == 1 and token[0].isalnum() for token in self._message.split())

    def _is_opaque(self, text: str, name: str) -> bool:
        """Whether a value is an id that means nothing to people, and the words name no id either."""
        if not _ID_NAME.search(_HUMPS.sub("_", name).casefold()) or not any(map(_is_code, _CODES.findall(text))):
            return False
        others = repr([value for key, value in self._given.items() if key != name]).casefold()
        return not any(_is_code(token) and token.casefold() not in others for token in _CODES.findall(self._text))

    def _ends(self, begin: str | None, end: Any, role: Role) -> bool:
        """Whether a time is the end of an event that begins at another one."""
        return begin is not None and role == "when" and end != begin and self._has_length(begin, end)

    def _has_length(self, begin: str, end: Any) -> bool:
        """Whether a time comes after another by a duration that was said, or by a usual one if none was."""
        try:
            minutes = (datetime.fromisoformat(str(end)) - datetime.fromisoformat(begin)).total_seconds() / 60
        except (ValueError, TypeError):
            return False
        said = minutes > 0 and (self._telling.supports(minutes, "") or self._telling.supports(minutes / 60, ""))
        return said or minutes in _USUAL

    def _names_some(self, role: Role, text: str) -> bool:
        """Whether the value means everything, but the words do not: they name certain files, or they do not mention
        "all" if the value is a word for it."""
        if role not in ("target", "record", "recipient") or self._has_class("all"):
            return False
        return text.isalpha() or (role == "target" and bool(_FILE.search(self._message)))

    def _implies(self, text: str, name: str) -> bool:
        """Whether a verb of the message implies a value, which may be one to remove."""
        taken = "delete" in self._catalogue.named.get(next(iter(_words(name)), ""), ())
        purposes = self._catalogue.constants.get(f"{'-' if taken else ''}{text.casefold()}", ())
        return bool(purposes) and self._has_class(*(f"{VERB}{purpose}" for purpose in purposes))

    def _has_class(self, *names: str) -> bool:
        wanted = self._grammar.together(names)
        return any(not wanted.isdisjoint(edges) for edges in self._edges)

    @cached_property
    def _edges(self) -> list[Edges]:
        return self._grammar.look_at(normalise(self._message))[1]

    def _has_numbers(self, text: str) -> bool:
        """Whether every number of a text was said, in figures or in words."""
        return all(map(self._has_figure, _FIGURES.findall(text))) and self._telling.has_numbers_of(text)

    def _has_figure(self, figure: str) -> bool:
        return self._holds(figure) or int(figure) == self._year or self._telling.supports(int(figure), "")

    def _holds_figures(self, text: str) -> bool:
        """Whether the same figures were said with other marks between them."""
        figures = re.sub(r"\D", "", text)
        return len(figures) >= _LONG and len(figures) > len(text) // 2 and figures in re.sub(r"[^\d\s]", "", self._text)

    def _is_composed(self, text: str) -> bool:
        """Whether the model may have composed a text: it contains no key, and no address that was not said."""
        secret = any(word in self._catalogue.sensitive and not self._has_word(word) for word in _words(text))
        if self._exact and len(text) <= _NOTE and not self._has_numbers(text):
            return False
        return not secret and not _KEY.search(text) and all(self._holds(one) for one in _ADDRESS.findall(text))

    @cached_property
    def _low(self) -> str:
        return self._text.casefold()

    def _holds(self, text: str) -> bool:
        """Whether the exact text was said as separate words, and is not excluded."""
        return any(not self._is_rejected(at) for at in self._places(text))

    def _places(self, text: str) -> Iterator[int]:
        """Where a text occurs in the user's words, as separate words."""
        low, wanted = self._low, text.casefold()
        at = low.find(wanted)
        while at >= 0:
            after = at + len(wanted)
            if not (_joins(low, at - 1, wanted[0]) or _joins(low, after, wanted[-1])):
                yield at
            at = low.find(wanted, at + 1)

    def _is_rejected(self, at: int) -> bool:
        """Whether the words before a place say that the following words are not meant."""
        return self._exact and f" {self._low[:at]}".replace("\n", " ").rstrip(" '\"“«").endswith(self._instead)

    @cached_property
    def _instead(self) -> tuple[str, ...]:
        """The words before something that is not meant: "main, not develop"."""
        return tuple(f" {phrase}" for phrase in self._catalogue.denials)

    def _has_path(self, path: str) -> bool:
        """Whether the last part of a path was said, and the folders that were named are in it."""
        parts = [part for part in path.split("/") if part not in ("", ".", "**", "*", "~")]
        unsaid = [part for part in parts if not (self._holds(part) or self._has_name(part))]
        if not unsaid or (unsaid == parts[-1:] and self._has_file(parts[-1])):
            return bool(parts)
        return self._may_be_known(unsaid, parts[-1]) and self._is_in_folders(path)

    def _has_file(self, part: str) -> bool:
        """Whether a file was named without its extension, and none of that name with another one."""
        stem, _, ending = part.rpartition(".")
        if not self._exact or not _FILE.fullmatch(part.casefold()) or not all(map(self._has_own_word, _words(stem))):
            return False
        return not re.search(rf"(?<!\w){re.escape(stem.casefold())}\.(?!{re.escape(ending.casefold())})\w", self._low)

    def _has_own_word(self, word: str) -> bool:
        """Whether a word was said separately, and not as part of a name."""
        return bool(re.search(rf"(?<![\w./-]){re.escape(word)}(?![\w/-]|\.\w)", self._low))

    def _may_be_known(self, unsaid: Sequence[str], last: str) -> bool:
        """Whether the rest of a path need not be said. A folder needs its full name; a file's place may be known."""
        if unsaid[-1] == last or (self._exact and not _FILE.fullmatch(last)):
            return False
        kept = self._catalogue.system | self._catalogue.sensitive
        return not any(part.casefold() in kept for part in unsaid)

    def _is_in_folders(self, path: str) -> bool:
        """Whether a path is in one of the folders that were named, if any were."""
        roots, folders = self._folders
        if path[0] in "~/" and roots:
            return any(path.startswith(root) or root.startswith(path) for root in roots)
        return not folders or any(f"/{folder}/" in f"/{path}/" for folder in folders)

    @cached_property
    def _folders(self) -> tuple[list[str], list[str]]:
        """The paths that were named, from a root and from elsewhere; the latter only from the message."""
        named = [token.strip(".,;:!?()'\"") for token in self._text.split()]
        here = [token.strip(".,;:!?()'\"") for token in self._message.split()]
        roots = [one.rstrip("/") for one in named if one.startswith(("~/", "/")) and len(one) > 2]
        return roots, [
            one.strip("/") for one in here if "/" in one.strip("/") and not one.startswith(("~", "/", "http"))
        ]

    def _has_name(self, name: str) -> bool:
        """Whether a name was said, or consists of words that were."""
        kind, _, rest = name.partition(".")  # of an id such as light.kitchen
        known = bool(rest) and (kind in self._catalogue.generic or kind in self._catalogue.kinds)
        telling = _words(rest if known else name) or _words(name)
        said = bool(telling) and all(self._has_word(bare(word)) for word in telling)
        return said or self._names_kind(name) or self._is_joined(name)

    def _names_kind(self, name: str) -> bool:
        """Whether a value is a kind of things, and the message names a thing of this kind."""
        kind = self._catalogue.kinds.get(name.casefold()) if self._exact else None
        return kind is not None and f"concept:{kind}" in self._grammar.cls and self._has_class(f"concept:{kind}")

    def _is_joined(self, name: str) -> bool:
        """Whether said words form a name when they are joined: "thumbs up", thumbsup."""
        joined = re.sub(r"[\W_]+", "", name.casefold())
        return self._exact and len(joined) >= _LONG and joined in self._pairs

    @cached_property
    def _pairs(self) -> frozenset[str]:
        words = [word for word in _PARTS.split(self._message.casefold()) if word]
        return frozenset(f"{one}{other}" for one, other in pairwise(words))

    def _has_word(self, word: str) -> bool:
        return word in self._words or self._telling.has_word(word)

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(bare(word) for word in _PARTS.split(self._low) if word)


def _words(text: str) -> list[str]:
    """The words of a text or of a name in code."""
    return [word.casefold() for word in _PARTS.split(_HUMPS.sub(" ", text)) if word]


def _is_code(token: str) -> bool:
    """Whether a word is an id: letters and figures mixed, or a long number."""
    figures = sum(letter.isdecimal() for letter in token)
    return len(token) >= _CODE and figures > 0 and (figures < len(token) or figures >= _LONG)


def _day(value: Any) -> date | None:
    try:
        return datetime.fromisoformat(str(value)).date()
    except ValueError:
        return None


def _is_beginning(name: str, roles: Mapping[str, Role], value: Any) -> bool:
    return roles.get(name) == "when" and isinstance(value, str) and "start" in name.casefold()


def _joins(text: str, at: int, edge: str) -> bool:
    """Whether the letter here continues a word that has this edge."""
    return 0 <= at < len(text) and text[at].isalnum() and edge.isalnum()


def _together(found: Iterator[bool | None]) -> bool | None:
    """Said if one value was said and none is missing; missing if one is missing; otherwise free."""
    all_found = [one for one in found if one is not None]
    return all(all_found) if all_found else None
