"""What the code says of the fields of a class: the comment beside a field, or right above it."""

from __future__ import annotations

import ast
import inspect
import io
import tokenize
from textwrap import dedent


def comments(kind: type) -> dict[str, str]:
    """By field, those of the classes that it builds on among them."""
    found: dict[str, str] = {}
    for each in reversed(kind.__mro__):
        if each.__module__.startswith("sayso."):
            found |= _own(each)
    return found


def _own(kind: type) -> dict[str, str]:
    text = dedent(inspect.getsource(kind))
    words = {
        token.start[0]: (token.string.lstrip("# "), token.line.lstrip().startswith("#"))
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT
    }
    found: dict[str, str] = {}
    for field in ast.walk(ast.parse(text)):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            above: list[str] = []
            line = field.lineno - 1
            while line in words and words[line][1]:
                above.insert(0, words[line][0])
                line -= 1
            inside = range(field.lineno, (field.end_lineno or field.lineno) + 1)
            beside = [words[line][0] for line in inside if line in words and not words[line][0].startswith("noqa")]
            found[field.target.id] = " ".join(above + beside)
    return found
