"""Turns a message into tokens, each with its place in the message.

"mark 'Buy milk' as done" → mark | «Buy milk» | as | done, where the quoted text is one token.
Full-width letters, invisible characters and odd apostrophes are read as what a person sees; spans still
count characters of the original message. One pass, no backtracking: hostile input costs linear time.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final, Literal, NamedTuple

LONGEST_READ = 2_500  # characters; a longer message is not a command
MOST_TOKENS = 160

Kind = Literal["word", "mark", "quote"]
WORD: Final = "word"
MARK: Final = "mark"
QUOTE: Final = "quote"


class Token(NamedTuple):
    """One word, mark or quotation. `low` is for matching, `bare` is `low` without accents."""

    text: str
    low: str
    bare: str
    start: int
    end: int
    kind: Kind
    broken: bool = False  # a line break comes before it


class Text(NamedTuple):
    """A message and its tokens. `cut` says that the message is longer than the part that is read.

    `dropped` are the stretches of the message that were taken back. They have no tokens.
    """

    message: str
    tokens: tuple[Token, ...]
    cut: bool = False
    dropped: tuple[tuple[int, int], ...] = ()

    def said(self, start: int, end: int) -> str:
        """The message from `start` to `end`, without the stretches that were taken back."""
        kept: list[str] = []
        for first, last in self.dropped:
            if start < last and first < end:
                kept.append(self.message[start:first])
                start = max(start, last)
        return "".join((*kept, self.message[start:end]))

    def without(self, *stretches: tuple[int, int]) -> Text:
        """The text as if these stretches of the message had not been said."""
        tokens = tuple(one for one in self.tokens if not any(a <= one.start < b for a, b in stretches))
        return self._replace(tokens=tokens, dropped=tuple(sorted((*self.dropped, *stretches))))


# A word may hold apostrophes, hyphens, dots, colons and slashes only between letters or digits. An arrow is one mark.
# A web address is one word, without the punctuation after it.
_TOKEN = re.compile(
    r"https?://[^\s\"'«»“”<>]*[\w/]|\w+(?:(?:['&._@+-]|(?<=\d)[:/,](?=\d))\w+)*|[-=–—]{1,3}>|>>|[^\w\s]",
    re.UNICODE,
)
_BETWEEN_LETTERS = re.compile(r"(?<=\w)[’‘ʼ`´′](?=\w)")
_APOSTROPHES = dict.fromkeys(map(ord, "’‘ʼ`´′"), "'")
_PAIRS = {'"': '"', "'": "'", "“": "”", "„": "“", "«": "»", "‹": "›", "‘": "’", "「": "」"}
_OPENING = re.compile(r"(?:^|[\W_])[\"'“„«‹‘「]")  # a quotation may begin
_ODD = re.compile(r"[^\x00-\x7f\w]")  # letters may have accents; any other character is examined separately
_ASCII = re.compile(r"[\x00-\x7f]+(?![^\x00-\x7f])")  # a separate accent may belong to the last letter
# Letters that look like Latin ones, and appear among them only by mistake or by malice.
_LOOKALIKES = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u0501\u04bb\u04cf\u043a\u043c\u0442\u0432\u043d"
    "\u03bf\u03b1\u03b5\u03c1\u03c4\u03c5\u03bd\u03b9\u03ba",
    "aeopcyxijsdhlkmtbhoaeptuvik",
)
_JOINERS = "\u200c\u200d"


def is_address(token: Token) -> bool:
    """Whether a token is a web address, which no step splits."""
    return "://" in token.low


def normalise(message: str) -> Text:
    """Tokens of the message; past the limits the rest is left unread and `cut` is set."""
    cut = len(message) > LONGEST_READ
    view = _visible(message[:LONGEST_READ])
    seen = view.text
    tokens: list[Token] = []
    at, length = 0, len(seen)
    closers = _closing_quotes(seen) if _OPENING.search(seen) else {}
    lines = "\n" in seen
    line_from = 0
    for match in _TOKEN.finditer(seen):
        start, end = match.span()
        if start < at:
            continue
        if len(tokens) >= MOST_TOKENS:
            return Text(message, tuple(tokens), True)
        broken = lines and "\n" in seen[line_from:start]
        close = closers.get(start)
        if close is not None:
            tokens.append(_token(view, start, close + 1, QUOTE, broken))
            at = close + 1
        else:
            kind: Kind = WORD if seen[start].isalnum() or seen[start] == "_" else MARK
            tokens.append(_token(view, start, end, kind, broken))
            at = end
        line_from = at
        if at >= length:
            break
    return Text(message, tuple(tokens), cut)


def plain_words(text: str) -> list[str] | None:
    """The words of a text that consists only of words, as in `low`; `None`: read it character by character."""
    words = text.casefold().split(" ")
    if not all(map(str.isalnum, words)) or len(words) > MOST_TOKENS or len(text) > LONGEST_READ:
        return None
    if text.isascii():
        return words
    if unicodedata.is_normalized("NFKC", text) and "ʼ" not in text:
        return [_latin(word) for word in words]
    return None


def bare(text: str) -> str:
    """Without accents: "lunedì" → "lunedi"."""
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


def fold(text: str) -> str:
    """The form in which words are compared."""
    return unicodedata.normalize("NFKC", text).translate(_APOSTROPHES).casefold()


def shown(text: str) -> str:
    """The text as a person sees it: no invisible or direction-changing characters, single spaces."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    kept = (
        c for i, c in enumerate(text) if c.isspace() or not (_invisible(text, i) or unicodedata.category(c) == "Cc")
    )
    return " ".join("".join(kept).split())


def _token(seen: _Seen, start: int, end: int, kind: Kind, broken: bool) -> Token:
    text = seen.text[start + 1 : end - 1].strip() if kind == QUOTE else seen.text[start:end]
    low = text.lower() if kind == WORD and text.isascii() else _latin(text.translate(_APOSTROPHES).casefold())
    if kind == MARK and end - start > 1 and text[-1] == ">":
        low = "→"
    if seen.starts is None or seen.ends is None:
        return Token(text, low, bare(low), start, end, kind, broken)
    return Token(text, low, bare(low), seen.starts[start], seen.ends[end - 1], kind, broken)


def _latin(low: str) -> str:
    """A Latin word with similar letters of another script, as Latin; a word of that script stays as it is."""
    if not any("a" <= character <= "z" for character in low):
        return low
    plain = low.translate(_LOOKALIKES)
    return plain if plain != low and bare(plain).isascii() else low


class _Seen(NamedTuple):
    """The message as seen, and where each of its characters begins and ends in the original (None: the same)."""

    text: str
    starts: list[int] | None
    ends: list[int] | None


def _visible(message: str) -> _Seen:
    if "`" in message or not message.isascii():
        message = _BETWEEN_LETTERS.sub("'", message)
    if _is_as_seen(message):
        return _Seen(message, None, None)
    seen: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    at, length = 0, len(message)
    while at < length and len(starts) < 2 * LONGEST_READ:
        run = _ASCII.match(message, at)
        if run is not None:
            seen.append(run[0])
            starts.extend(range(at, run.end()))
            ends.extend(range(at + 1, run.end() + 1))
            at = run.end()
            continue
        end = _cluster_end(message, at)
        if end - at > 1 or not _invisible(message, at):
            for character in _plain(message[at:end]):
                seen.append(character)
                starts.append(at)
                ends.append(end)
        at = end
    return _Seen("".join(seen), starts, ends)


def _is_as_seen(message: str) -> bool:
    return message.isascii() or (not _ODD.search(message) and unicodedata.is_normalized("NFKC", message))


def _cluster_end(message: str, at: int) -> int:
    """The end of a character with the signs that combine with it."""
    end = at + 1
    while end < len(message) and end - at < 8 and unicodedata.combining(message[end]):
        end += 1
    return end


def _plain(cluster: str) -> str:
    """The compatible form; a character that would split into several ("½") stays as it is."""
    plain = unicodedata.normalize("NFKC", cluster)
    return plain if len(plain) == 1 or plain.isalnum() else cluster if len(cluster) == 1 else plain


def _invisible(text: str, at: int) -> bool:
    """Format characters, except joiners inside scripts and emoji that need them."""
    character = text[at]
    if character.isascii():
        return False
    if character in _JOINERS:
        before, after = text[at - 1 : at], text[at + 1 : at + 2]
        return not before or not after or before.isascii() or after.isascii()
    return unicodedata.category(character) == "Cf"


def _closing_quotes(seen: str) -> dict[int, int]:
    """Opening quote → its closing quote. An apostrophe opens only before a word and closes only after one."""
    found: dict[int, int] = {}
    last = {close: seen.rfind(close) for close in set(_PAIRS.values())}
    at = 0
    while at < len(seen):
        character = seen[at]
        close = _PAIRS.get(character)
        if close is None or (at > 0 and seen[at - 1].isalnum()):
            at += 1
            continue
        end = _find_close(seen, at + 1, close, last[close])
        if end is None:
            last[close] = min(last[close], at)
            at += 1
        else:
            found[at] = end
            at = end + 1
    return found


def _find_close(seen: str, start: int, close: str, last: int) -> int | None:
    at = seen.find(close, start, last + 1)
    while at != -1:
        outside = at + 1 == len(seen) or not seen[at + 1].isalnum()
        if outside and at > start and (close != "'" or not seen[start].isspace()):
            return at
        at = seen.find(close, at + 1, last + 1)
    return None
