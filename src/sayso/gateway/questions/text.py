"""The text of a question, for a client that shows plain lines: the call, every value, the words, who asks, and the end.

    Run files.write_file?

      path: "/srv/notes/a.txt"
      content: 2 lines, 19 characters
        | Buy milk
        | Call mom

    You said: "save this to a.txt"
    Asked through Claude Code. Answer by 14:32.

Every line of a value begins with "|", so that no value can look like a line of ours. Invisible characters are spelled
out. A long value is folded: the question says how much is hidden, and identifies the whole value by its digest.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

import msgspec

from sayso.decision import Confirm
from sayso.gateway.messages import say
from sayso.gateway.questions.shown import shown_call, shown_name, shown_value, visible
from sayso.gateway.values import Question

MOST_LINES, MOST_LETTERS = 24, 1_600  # of one value
LONGEST_LINE = 300
FEWER_LINES, FEWER_LETTERS = 8, 600  # of a value whose changes are shown beside it
_WHOLE = 7_000  # letters of all values, shared among them if there are many
_LEAST_LETTERS = 80
_MOST_ARGUMENTS = 60
_INLINE = 100  # letters of a value that is on one line with its name
_DIGEST = 16  # hexadecimal digits
_INDENT = re.compile(r" {1,40}")


class Limits(NamedTuple):
    """How much of a value is shown."""

    lines: int = MOST_LINES
    letters: int = MOST_LETTERS


def question_text(question: Question, lang: str | None) -> str:
    """The whole question. A question about a value or a choice is short, and stays as it is."""
    if not isinstance(question.asks, Confirm):
        return question.asks.question
    parts = [heading(question), *_arguments(question, lang), question.changes, "\n".join(circumstances(question, lang))]
    return "\n\n".join(part for part in parts if part)


def heading(question: Question) -> str:
    """The question without the values, which are shown below it."""
    asks, server = question.asks, question.wanted.server
    if not isinstance(asks, Confirm):
        return asks.question
    return asks.question.replace(shown_call(server, asks.tool, asks.arguments), shown_call(server, asks.tool, {}))


def circumstances(question: Question, lang: str | None) -> list[str]:
    """The user's words, the client that asks, and the deadline, a line each."""
    found, words = [], question.wanted.words
    if words.message:
        said = say(lang, "you_said" if words.trusted else "model_said", words=shown_value(_short(words.message)))
        found.append(said)
    if question.client:
        found.append(say(lang, "asked_through", client=shown_name(_short(question.client))))
    if question.until is not None:
        found.append(say(lang, "answer_by", time=f"{question.until:%H:%M %Z}"))
    return found


def folded(text: str, limits: Limits, lang: str | None) -> list[str]:
    """The lines of a text, each with a mark; only the beginning and the end of a long text."""
    lines = text.split("\n")
    head, tail = _ends(lines, limits)
    if head + tail >= len(lines):
        return [_marked(line) for line in lines]
    hidden = lines[head : len(lines) - tail]
    count = {"lines": str(len(hidden)), "letters": f"{sum(map(len, hidden)) + len(hidden):,}"}
    gap = f"… {say(lang, 'not_shown', **count)} …"
    return [*map(_marked, lines[:head]), gap, *map(_marked, lines[len(lines) - tail :])]


def named(text: str) -> str:
    """The digest that identifies a text that is not shown completely."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST]


def is_whole(text: str, limits: Limits) -> bool:
    """Whether all of a text is shown."""
    lines = text.split("\n")
    head, tail = _ends(lines, limits)
    return head + tail >= len(lines) and all(_is_short(line) for line in lines)


def _marked(line: str) -> str:
    return f"| {_line(line)}" if line else "|"


def _arguments(question: Question, lang: str | None) -> list[str]:
    arguments = question.asks.arguments
    if not arguments:
        return []
    share = max(_LEAST_LETTERS, min(MOST_LETTERS, _WHOLE // len(arguments)))
    lines: list[str] = []
    for name, value in list(arguments.items())[:_MOST_ARGUMENTS]:
        few = bool(question.changes) and isinstance(value, str) and "\n" in value
        limits = Limits(FEWER_LINES, min(share, FEWER_LETTERS)) if few else Limits(letters=share)
        lines += [f"  {line}" for line in _argument(name, value, limits, lang)]
    rest = dict(list(arguments.items())[_MOST_ARGUMENTS:])
    if rest:
        digest = named(msgspec.json.encode(rest, order="sorted").decode())
        lines.append(f"  … {say(lang, 'more_arguments', count=str(len(rest)), digest=digest)} …")
    return ["\n".join(lines)]


def _argument(name: str, value: object, limits: Limits, lang: str | None) -> list[str]:
    """On one line with its name, or as a block below it."""
    text = value if isinstance(value, str) else _pretty(value)
    if len(text) <= _INLINE and len(inline := shown_value(value)) <= _INLINE and not _has_lines(value):
        return [f"{shown_name(name)}: {inline}"]
    lines = text.count("\n") + 1
    size = say(lang, "size" if lines > 1 else "size_line", lines=f"{lines:,}", letters=f"{len(text):,}")
    if not is_whole(text, limits):
        size += say(lang, "size_folded", digest=named(text))
    return [f"{shown_name(name)}: {size}", *(f"  {line}" for line in folded(text, limits, lang))]


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_LINE else f"{text[:LONGEST_LINE]}…"


def _pretty(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def _has_lines(value: object) -> bool:
    return isinstance(value, str) and "\n" in value


def _ends(lines: Sequence[str], limits: Limits) -> tuple[int, int]:
    """How many lines are shown from the beginning and from the end: two of three from the beginning."""
    if len(lines) <= limits.lines and sum(len(_line(line)) for line in lines) <= limits.letters:
        return len(lines), 0
    head = _fitting(lines, limits.lines * 2 // 3, limits.letters * 2 // 3)
    tail = _fitting(lines[:head:-1], limits.lines // 3, limits.letters // 3)
    return head, tail


def _fitting(lines: Sequence[str], most: int, letters: int) -> int:
    """How many lines fit; at least one, which `_line` shortens."""
    count = 0
    for line in lines[:most]:
        letters -= len(_line(line))
        if letters < 0 and count:
            break
        count += 1
    return count


def _line(line: str) -> str:
    """One line, without the middle of a long one. Of a very long line, only the ends are examined."""
    between = max(0, len(line) - 2 * LONGEST_LINE)
    begin, end = (line[:LONGEST_LINE], line[-LONGEST_LINE:]) if between else (line, "")
    begin, end = _spelled(begin), visible(end)
    left_out = len(begin) + between + len(end) - LONGEST_LINE
    if left_out <= 0:
        return begin
    head = LONGEST_LINE * 2 // 3
    return f"{begin[:head]}<… {left_out} …>{(end or begin)[-(LONGEST_LINE - head) :]}"


def _is_short(line: str) -> bool:
    return len(line) <= LONGEST_LINE and len(_spelled(line)) <= LONGEST_LINE


def _spelled(line: str) -> str:
    """The line with its indentation. Other long runs of blanks and invisible characters are spelled out."""
    indent = _INDENT.match(line)
    begin = indent.end() if indent and indent.end() < len(line) and line[indent.end()] != " " else 0
    return line[:begin] + visible(line[begin:])
