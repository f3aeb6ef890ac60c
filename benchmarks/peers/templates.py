"""Our own pack written as hassil templates: the two notations are near enough for the same sentences to go into both.

Verbs stand in their base form; a slot of free text becomes a wildcard, a task one of the names, a date one of a few.
Typos, word forms, dialogue and dates have no counterpart there: what is compared is the size of what can be said.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import sayso.languages
import sayso.packs
from sayso.files.yamlfile import parse

CLASS = re.compile(r"<([\w:.]+)>")


def pack_templates(lang: str, lists: dict[str, Any]) -> dict[str, Any]:
    """The tasks pack of a language as hassil's intents, one intent for each tool."""
    folder = Path(sayso.packs.__file__).parent / "tasks"
    pack = parse(folder / "pack.yaml")
    book = parse(folder / lang)
    words = parse(Path(sayso.languages.__file__).parent / lang / "words")
    rules = {
        **phrases(words["classes"]),
        **phrases(words["moods"]),
        **phrases(book["classes"]),
        **phrases(book["verbs"]),
    }
    values = {name: [way for ways in each.values() for way in ways] for name, each in book["values"].items()}
    rules |= {f"value_{name}": joined(ways) for name, ways in values.items()}
    intents: dict[str, Any] = {}
    for act, patterns in book["acts"].items():
        tool = pack["acts"][act].get("tool")
        said = [sentence(each, pack["slots"], rules) for each in patterns if isinstance(each, str)]
        if tool not in (None, "null"):
            intents.setdefault(tool, {"data": [{"sentences": []}]})["data"][0]["sentences"] += [s for s in said if s]
    known = {"text": {"wildcard": True}, "quote": {"wildcard": True}, "number": {"range": {"from": 1, "to": 100}}}
    known["date"] = known["repeat"] = known["lead"] = known["shared"] = lists["day"]
    slots = {name: known[slot["type"]] for name, slot in pack["slots"].items() if slot["type"] in known}
    return {
        "language": lang,
        "intents": intents,
        "lists": slots,
        "expansion_rules": {name: text for name, text in rules.items() if text},
    }


def phrases(classes: dict[str, Any]) -> dict[str, str]:
    return {name: joined(ways) for name, ways in classes.items() if isinstance(ways, list)}


def joined(ways: list[Any]) -> str:
    return f"({'|'.join(plain(str(way)) for way in ways)})"


def plain(way: str) -> str:
    return CLASS.sub(lambda found: f"<{found[1].partition(':')[0]}>", way.replace(";", " "))


def sentence(pattern: str, slots: dict[str, Any], rules: dict[str, str]) -> str:
    """The pattern in hassil's notation; empty where it names what hassil has no word for."""
    text = plain(pattern)
    for name, slot in slots.items():
        if slot["type"] == "value":
            text = text.replace(f"{{{name}}}", f"<value_{slot['of']}>")
        if slot["type"] == "one_of":
            text = text.replace(f"{{{name}}}", "{due}")
    return text if all(name in rules for name in CLASS.findall(text)) else ""
