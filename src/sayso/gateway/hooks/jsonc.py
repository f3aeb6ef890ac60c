"""Edits JSON with comments as text: what it does not touch stays as it is, to the byte.

Clients keep hooks in files that people write by hand, some with comments. `add` puts a value into a list, `drop` takes
values out of it; both make and remove the objects around it as needed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple

_SPACE = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_SCALAR = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s,\]}/]+')


class Node(NamedTuple):
    """A value and where it is; `inside` has the values of a list, and those of an object with their keys."""

    start: int
    end: int
    value: Any
    inside: tuple[tuple[int, str | int, Node], ...] = ()  # where it begins with its key, the key, the value


class Malformed(ValueError):
    """The text is not JSON."""


def parse(text: str) -> Node:
    """The whole text; an empty one is an object without content. Malformed if it is not JSON."""
    try:
        at = _skip(text, 0)
        if at == len(text):
            return Node(at, at, {})
        node = _node(text, at)
        if _skip(text, node.end) != len(text):
            raise Malformed(f"there is more after the end, at character {node.end}")
    except (IndexError, json.JSONDecodeError, RecursionError) as problem:
        raise Malformed(str(problem)) from problem
    return node


def add(text: str, path: tuple[str, ...], value: Any) -> str:
    """The text with the value at the end of the list at this path."""
    root, indent = parse(text), _indent(text)
    if root.start == root.end:
        return json.dumps(_nested(path, [value]), indent=indent, ensure_ascii=False) + "\n"
    node, depth = root, 0
    for key in path:
        found = next((inner for _, name, inner in node.inside if name == key), None)
        if found is None:
            inner = _nested(path[depth + 1 :], [value])
            return _insert(text, node, f"{json.dumps(key)}: {_dump(inner, indent, depth + 1)}", indent, depth)
        node, depth = found, depth + 1
    if not isinstance(node.value, list):
        raise Malformed(f"{'.'.join(path)} is not a list")
    return _insert(text, node, _dump(value, indent, depth + 1), indent, depth)


def drop(text: str, path: tuple[str, ...], is_ours: Callable[[Any], bool]) -> str:
    """The text without our values in the list at this path, and without containers that become empty."""
    while True:
        node = _at(parse(text), path)
        found = [n for n, (_, _, inner) in enumerate(node.inside if node else ()) if node and is_ours(inner.value)]
        if node is None or not isinstance(node.value, list) or not found:
            return text
        text = _without(text, node, found[-1])
        for length in range(len(path), 0, -1):
            emptied, above = _at(parse(text), path[:length]), _at(parse(text), path[: length - 1])
            if emptied is None or emptied.inside or above is None:
                break
            place = next(n for n, (_, key, _) in enumerate(above.inside) if key == path[length - 1])
            text = _without(text, above, place)


def _at(node: Node, path: tuple[str, ...]) -> Node | None:
    found: Node | None = node
    for key in path:
        found = next((inner for _, name, inner in found.inside if name == key), None) if found else None
    return found


def _nested(path: tuple[str, ...], value: Any) -> Any:
    for key in reversed(path):
        value = {key: value}
    return value


def _insert(text: str, node: Node, member: str, indent: int | str, depth: int) -> str:
    """With one more member, after the last."""
    if not isinstance(node.value, dict | list):
        raise Malformed("there is a value in the place of an object or a list")
    unit = indent if isinstance(indent, str) else " " * indent
    line = "\n" + unit * (depth + 1)
    if node.inside:
        end = node.inside[-1][2].end
        return f"{text[:end]},{line}{member}{text[end:]}"
    return f"{text[: node.start + 1]}{line}{member}\n{unit * depth}{text[node.end - 1 :]}"


def _without(text: str, node: Node, place: int) -> str:
    """Without one member, and without the comma that it needed."""
    start, _, inner = node.inside[place]
    if len(node.inside) == 1:
        return text[: node.start + 1] + text[node.end - 1 :]
    if place == 0:
        return text[:start] + text[node.inside[1][0] :]
    return text[: node.inside[place - 1][2].end] + text[inner.end :]


def _dump(value: Any, indent: int | str, depth: int) -> str:
    unit = indent if isinstance(indent, str) else " " * indent
    return json.dumps(value, indent=indent, ensure_ascii=False).replace("\n", "\n" + unit * depth)


def _indent(text: str) -> int | str:
    """How the text is indented: its first indented line says so."""
    found = re.search(r'\n([ \t]+)["{\[]', text)
    return found[1] if found and "\t" in found[1] else len(found[1]) if found else 2


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _node(text: str, at: int) -> Node:
    if text[at] not in "{[":
        found = _SCALAR.match(text, at)
        if found is None:
            raise Malformed(f"there is no value at character {at}")
        return Node(at, found.end(), json.loads(found[0]))
    is_object, closing = text[at] == "{", "}" if text[at] == "{" else "]"
    inside: list[tuple[int, str | int, Node]] = []
    here = _skip(text, at + 1)
    while text[here] != closing:
        start = here
        key: str | int = len(inside)
        if is_object:
            name = _node(text, here)
            here = _skip(text, name.end)
            if not isinstance(name.value, str) or text[here] != ":":
                raise Malformed(f"there is no key at character {here}")
            key, here = name.value, _skip(text, here + 1)
        inner = _node(text, here)
        inside.append((start, key, inner))
        here = _skip(text, inner.end)
        if text[here] == ",":
            here = _skip(text, here + 1)
        elif text[here] != closing:
            raise Malformed(f"there is no comma at character {here}")
    value: Any = {key: inner.value for _, key, inner in inside} if is_object else [inner.value for *_, inner in inside]
    return Node(at, here + 1, value, tuple(inside))
