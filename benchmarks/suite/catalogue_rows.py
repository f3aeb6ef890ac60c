"""Proposed calls for tools that have no pack: rows of BFCL and ACEBench, each with a call that a script proposes.

A right call is the row's own gold. Where the gold is to ask, the call that becomes possible only after the answer is
proposed too early; where no tool fits, one is proposed with values that a script makes up from its schema, or takes
from the message. No language model is asked.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

Kind = Literal["right", "missing", "irrelevant, made up", "irrelevant, taken"]
_TYPES = {"dict": "object", "float": "number", "tuple": "array", "any": None}
_RIGHT = ("simple_python", "multiple", "live_simple", "live_multiple")
_IRRELEVANT = ("irrelevance", "live_irrelevance")
_SAMPLES: dict[str, Any] = {
    "integer": 7,
    "number": 7.5,
    "boolean": True,
    "array": ["sample"],
    "object": {"key": "sample"},
}


class Row(NamedTuple):
    """What the person said, oldest first, and the call that is proposed."""

    kind: Kind
    source: str
    id: str
    texts: tuple[str, ...]
    tool: dict[str, Any]  # as a server lists it
    arguments: dict[str, Any]


def rows(data: Path) -> Iterator[Row]:
    """The rows of those sources that are there."""
    if (data / "bfcl").is_dir():
        yield from _right(data / "bfcl")
        yield from _too_early(data / "bfcl")
        yield from _no_tool(data / "bfcl")
    if (data / "acebench").is_dir():
        yield from _incomplete(data / "acebench")


def _lines(file: Path) -> list[dict[str, Any]]:
    return [msgspec.json.decode(line) for line in file.read_bytes().splitlines() if line.strip()]


def listed(function: dict[str, Any]) -> dict[str, Any]:
    """A function of these sources as a server lists it."""
    schema = _schema(function.get("parameters", {}))
    return {"name": function["name"], "description": function.get("description", ""), "inputSchema": schema}


def _schema(given: Any) -> Any:
    if isinstance(given, list):
        return [_schema(one) for one in given]
    if not isinstance(given, dict):
        return given
    found = {key: _schema(value) for key, value in given.items()}
    if isinstance(found.get("type"), str) and found["type"] in _TYPES:
        found["type"] = _TYPES[found["type"]]
        if found["type"] is None:
            del found["type"]
    return found


def _texts(question: Any) -> tuple[str, ...]:
    return tuple(turn["content"] for turns in question for turn in turns if turn["role"] == "user")


def _right(folder: Path) -> Iterator[Row]:
    for name in _RIGHT:
        gold = {row["id"]: row["ground_truth"] for row in _lines(folder / "possible_answer" / f"BFCL_v4_{name}.json")}
        for row in _lines(folder / f"BFCL_v4_{name}.json"):
            called, given = next(iter(gold[row["id"]][0].items()))
            function = next((one for one in row["function"] if one["name"] == called), None)
            if function is not None:
                arguments = {key: _first(ways) for key, ways in given.items() if ways and "" not in ways}
                yield Row("right", name, row["id"], _texts(row["question"]), listed(function), arguments)


def _first(ways: Any) -> Any:
    """The first of the acceptable values; in objects each field has its own."""
    value = ways[0] if isinstance(ways, list) and ways else ways
    if isinstance(value, dict):
        given = {key: inner for key, inner in value.items() if inner and not (isinstance(inner, list) and "" in inner)}
        return {key: _first(inner) for key, inner in given.items()}
    return value


def _too_early(folder: Path) -> Iterator[Row]:
    """The turn in which something is missing, with the first call of the turn after it."""
    functions = {one["name"]: one for file in (folder / "multi_turn_func_doc").glob("*.json") for one in _lines(file)}
    file = "BFCL_v4_multi_turn_miss_param.json"
    gold = {row["id"]: row["ground_truth"] for row in _lines(folder / "possible_answer" / file)}
    for row in _lines(folder / file):
        turns = gold[row["id"]]
        for number, calls in enumerate(turns[:-1]):
            if calls or not turns[number + 1]:
                continue
            before, after = _texts(row["question"][: number + 1]), _texts(row["question"][number + 1 : number + 2])
            called, arguments = _parsed(turns[number + 1])
            if called in functions and _is_new(arguments, before, after):
                names = list(functions[called]["parameters"].get("properties", {}))
                named = {names[key] if isinstance(key, int) else key: value for key, value in arguments.items()}
                yield Row("missing", "miss_param", f"{row['id']}-{number}", before, listed(functions[called]), named)


def _parsed(calls: list[str]) -> tuple[str, dict[Any, Any]]:
    """The call of a turn that has the most arguments."""
    found = []
    for text in calls:
        call = ast.parse(text, mode="eval").body
        if isinstance(call, ast.Call):
            name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
            given: dict[Any, Any] = {number: ast.literal_eval(value) for number, value in enumerate(call.args)}
            given |= {word.arg: ast.literal_eval(word.value) for word in call.keywords}
            found.append((name, given))
    return max(found, key=lambda one: len(one[1]), default=("", {}))


def _is_new(arguments: dict[Any, Any], before: tuple[str, ...], after: tuple[str, ...]) -> bool:
    """Whether the call holds something that was said only in the answer: else nothing was missing for it."""
    earlier, later = " ".join(before).casefold(), " ".join(after).casefold()
    return any(str(value).casefold() in later and str(value).casefold() not in earlier for value in arguments.values())


def _no_tool(folder: Path) -> Iterator[Row]:
    for name in _IRRELEVANT:
        for row in _lines(folder / f"BFCL_v4_{name}.json"):
            texts = _texts(row["question"])
            if row["function"] and texts:
                tool = listed(row["function"][0])
                yield Row("irrelevant, made up", name, row["id"], texts, tool, _made_up(tool))
                yield Row("irrelevant, taken", name, f"{row['id']}-taken", texts, tool, _taken(tool, texts[-1]))


def _incomplete(folder: Path) -> Iterator[Row]:
    name = "data_special_incomplete.json"
    gold = {row["id"]: row["ground_truth"] for row in _lines(folder / "possible_answer" / name)}
    for row in _lines(folder / name):
        function = next((one for one in row["function"] if one["name"] in gold[row["id"]]), None)
        if function is not None:
            tool = listed(function)
            yield Row("missing", "special_incomplete", row["id"], (row["question"],), tool, _made_up(tool))


def _required(tool: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    schema = tool["inputSchema"]
    for name in schema.get("required", ()):
        yield name, schema.get("properties", {}).get(name, {})


def _made_up(tool: dict[str, Any]) -> dict[str, Any]:
    """All that the schema requires, made up from it."""
    return {
        name: schema["enum"][0] if schema.get("enum") else _SAMPLES.get(str(schema.get("type")), "sample value")
        for name, schema in _required(tool)
    }


def _taken(tool: dict[str, Any], text: str) -> dict[str, Any]:
    """All that the schema requires, taken from the message where it has something of that type."""
    numbers = [float(one) for one in re.findall(r"\d+(?:\.\d+)?", text)]
    words = re.findall(r"[A-Za-z]{4,}", text) or ["sample"]
    found = _made_up(tool)
    for place, (name, schema) in enumerate(_required(tool)):
        if schema.get("type") in ("integer", "number") and numbers:
            found[name] = numbers[place % len(numbers)]
        elif schema.get("type") == "string" and not schema.get("enum"):
            found[name] = words[(place * 3) % len(words)]
    return found
