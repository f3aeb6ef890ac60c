"""Expressions of rules: compiled once, evaluated with limits, and read for the names that they mention.

An expression sees `args`, `tool`, `server`, `risk`, `user` and `words` (`text` and `source`). It ends: CEL has no
recursion, loops go over the elements of a value, no loop is inside another, and arguments are limited in size and
depth.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from sayso.gateway.rules.engine import Program, engine
from sayso.gateway.rules.paths import FUNCTIONS

VARIABLES = ("args", "tool", "server", "risk", "user", "words")
WORDS = ("text", "source")
_TYPES = ("bool", "bytes", "double", "int", "list", "map", "null_type", "string", "type", "uint")
_TIMES = ("Date", "DayOfMonth", "DayOfWeek", "DayOfYear", "FullYear", "Hours", "Minutes", "Month", "Seconds")
KNOWN_FUNCTIONS = (
    *("contains", "double", "duration", "dyn", "endsWith", "int", "matches", "size", "startsWith", "string"),
    *("timestamp", "type", "uint", *FUNCTIONS, *(f"get{each}" for each in _TIMES)),
)
_LOOPS = ("all", "exists", "exists_one", "filter", "map")
LONGEST = 2_000  # characters of an expression
DEEPEST, MOST_VALUES = 32, 10_000  # of the arguments of a call

_TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*)
      | (?P<text>[bB]?[rR]?(?:'''(?:\\.|[^\\])*?'''|\"\"\"(?:\\.|[^\\])*?\"\"\"|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"))
      | (?P<name>[A-Za-z_]\w*)
      | (?P<sign>==|!=|[^\s\w]|\w+)""",
    re.VERBOSE | re.DOTALL,
)
_PLACE = re.compile(r"<input>:(\d+):(\d+): ([^\n]*)")


class BadExpression(ValueError):
    """An expression that cannot be used: the column where, and why."""

    def __init__(self, column: int, problem: str) -> None:
        self.column, self.problem = column, problem
        super().__init__(f"column {column}: {problem}")


class Token(NamedTuple):
    """A part of an expression. A text is without its quotes."""

    kind: str
    value: str
    column: int


class Named(NamedTuple):
    """A name that an expression mentions, and where."""

    name: str
    column: int


class Expression:
    """A compiled expression."""

    def __init__(self, source: str) -> None:
        if len(source) > LONGEST:
            raise BadExpression(LONGEST, f"is longer than {LONGEST} characters")
        self.source, self._program = source, _compiled(source)
        self.tokens = list(_tokens(source))
        self._bound = {each.name for each in _bound(self.tokens)}
        _refuse_nested_loops(self.tokens)

    def applies(self, context: Any) -> bool:
        """Whether it is true. Raises ValueError if it has no answer, for any reason."""
        try:
            found = self._program.execute(context)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as problem:
            raise ValueError(type(problem).__name__) from problem
        if not isinstance(found, bool):
            raise ValueError("the result is not true or false")
        return found

    def unknown(self) -> Iterator[tuple[Named, tuple[str, ...]]]:
        """Variables and functions that do not exist, with those that do."""
        names, functions = set(self._program.variables()), set(self._program.functions())
        for token in self.tokens:
            if token.kind == "name" and token.value in names - {*VARIABLES, *_TYPES} - self._bound:
                yield Named(token.value, token.column), VARIABLES
            if token.kind == "name" and token.value in functions - {*KNOWN_FUNCTIONS}:
                yield Named(token.value, token.column), KNOWN_FUNCTIONS
        for each in self.members("words"):
            if each.name not in WORDS:
                yield each, WORDS

    def members(self, variable: str) -> list[Named]:
        """The keys that it takes from a variable, as `args.path`, `args["path"]` or `"path" in args`."""
        return [found for found, _ in self._members(variable)]

    def guarded(self) -> set[str]:
        """The arguments whose presence it tests, with `has(args.path)` or `"path" in args`."""
        tests = ([self._texts(at - 2, at), self._texts(at - 1, at)] for _, at in self._members("args"))
        named = (each.name for each, _ in self._members("args"))
        return {name for name, before in zip(named, tests, strict=True) if ["has", "("] in before or ["in"] in before}

    def compared(self, variable: str) -> list[Named]:
        """The texts that it compares a variable with, or `words.source`, by `==`, `!=` or `in`."""
        owner, dot, _ = variable.rpartition(".")
        parts = [owner, dot, variable.removeprefix(f"{owner}.")] if dot else [variable]
        found: list[Named] = []
        for at in range(len(self.tokens) - len(parts) + 1):
            end = at + len(parts)
            if self._texts(at, end) == parts and self.tokens[at].kind == "name" and self._texts(at - 1, at) != ["."]:
                found += self._beside(at, end)
        return found

    def _beside(self, start: int, end: int) -> Iterator[Named]:
        if self._texts(end, end + 1) in (["=="], ["!="]):
            yield from _named(self.tokens[end + 1 : end + 2])
        if self._texts(start - 1, start) in (["=="], ["!="]):
            yield from _named(self.tokens[max(start - 2, 0) : start - 1])
        if self._texts(end, end + 2) == ["in", "["]:
            close = next((n for n in range(end, len(self.tokens)) if self.tokens[n].value == "]"), end)
            yield from _named(self.tokens[end + 2 : close])

    def _members(self, variable: str) -> Iterator[tuple[Named, int]]:
        """The keys, and where the variable is."""
        for at, token in enumerate(self.tokens):
            if token.kind != "name" or token.value != variable or self._texts(at - 1, at) == ["."]:
                continue
            after = self.tokens[at + 1 : at + 4]
            kinds = [each.kind if each.kind != "sign" else each.value for each in after]
            if (kinds[:2] == [".", "name"] and kinds[2:] != ["("]) or kinds == ["[", "text", "]"]:
                yield Named(after[1].value, after[1].column), at
            elif self._texts(at - 1, at) == ["in"]:
                for each in _named(self.tokens[max(at - 2, 0) : at - 1]):
                    yield each, at

    def _texts(self, start: int, end: int) -> list[str]:
        return [token.value for token in self.tokens[start:end]] if start >= 0 else []


def facts(variables: dict[str, Any]) -> Any:
    """The variables, made ready for any number of expressions. ValueError where the arguments are too large."""
    if not _is_small(variables["args"]):
        raise ValueError("the arguments are too large or too deep")
    try:
        return engine().Context(variables, FUNCTIONS)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as problem:
        raise ValueError(type(problem).__name__) from problem


def _is_small(value: Any) -> bool:
    """Whether it is within the limits; the engine goes down as deep as the value is."""
    level, count = [value], 0
    for _ in range(DEEPEST):
        inner: list[Any] = []
        for each in level:
            inner += each.values() if isinstance(each, dict) else each if isinstance(each, list | tuple) else ()
        count += len(inner)
        if not inner or count > MOST_VALUES:
            return count <= MOST_VALUES
        level = inner
    return False


def _compiled(source: str) -> Program:
    try:
        return engine().compile(source)
    except ValueError as problem:
        found = _PLACE.search(str(problem))
        if found is None:
            raise BadExpression(1, "cannot be read") from problem
        line, column, told = int(found[1]), int(found[2]), found[3]
        before = source.split("\n")[: line - 1]
        told = told.removeprefix("Syntax error: ").split(" expecting {")[0]
        raise BadExpression(sum(len(each) + 1 for each in before) + column, told) from problem


def _tokens(source: str) -> Iterator[Token]:
    for found in _TOKEN.finditer(source):
        kind = str(found.lastgroup)
        if kind != "skip":
            yield Token(kind, _unquoted(found[0]) if kind == "text" else found[0], found.start() + 1)


def _unquoted(text: str) -> str:
    """A text without its quotes. Its escapes are left as they are: no name that is looked for contains one."""
    plain = text.lstrip("bBrR")
    quotes = 3 if plain[:3] in ("'''", '"""') else 1
    return plain[quotes:-quotes]


def _bound(tokens: list[Token]) -> Iterator[Named]:
    """The names that loops give to elements."""
    for at in range(1, len(tokens) - 2):
        if tokens[at].value in _LOOPS and tokens[at - 1].value == "." and tokens[at + 1].value == "(":
            yield Named(tokens[at + 2].value, tokens[at + 2].column)


def _refuse_nested_loops(tokens: list[Token]) -> None:
    loops: list[int] = []  # how deep the brackets of the loops that are open are
    depth = 0
    for at, token in enumerate(tokens):
        if token.value in ("(", "[", "{") and token.kind == "sign":
            depth += 1
            if at >= 2 and tokens[at - 1].value in _LOOPS and tokens[at - 2].value == ".":
                if loops:
                    raise BadExpression(tokens[at - 1].column, "a loop inside a loop is not supported")
                loops.append(depth)
        elif token.value in (")", "]", "}") and token.kind == "sign":
            if loops and loops[-1] == depth:
                loops.pop()
            depth -= 1


def _named(tokens: Iterable[Token]) -> Iterator[Named]:
    for token in tokens:
        if token.kind == "text" and "\\" not in token.value:
            yield Named(token.value, token.column)
