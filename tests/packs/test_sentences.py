"""The packs, sentence by sentence: <pack>/<language>/<act>.yaml says what must come of each.

The files mirror those of the pack; `scene.yaml` beside them has the time, the things and the conversations. A file such
as <pack>/en-loose.yaml has its own scene.

`call`, `confirm` and `none` say the kind; `clarify` gives the reason with what is missing or offered. The tool is the
group's unless the sentence names another, and `several` lists one outcome after the other. `after` and `asked` name
the conversation before it and the question left open; `proposed` is a call that a model proposes. Under `misses` stand
sentences that go wrong today, with what is wanted: once one comes out right, it moves up.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from sayso.case import case_from_object
from sayso.decider import Decider
from sayso.decision import Call, Clarify, Confirm, Nothing
from sayso.engine.decide.room import Thresholds
from sayso.files import datafile
from sayso.packs.load import load_tools

HERE = Path(__file__).parent
DECIDER = Decider.installed(thresholds=Thresholds(reader=False))  # the rules alone


def sheets():
    """Each file of sentences, with its scene."""
    for file in sorted(HERE.glob("*/*.yaml")):
        yield file, datafile.read(file, dict)
    for scene in sorted(HERE.glob("*/*/scene.yaml")):
        empty = {"sentences": {}, "misses": {}} | datafile.read(scene, dict)
        for file in sorted(scene.parent.glob("*.yaml")):
            if file != scene:
                yield file, empty | datafile.read(file, dict)


SHEETS = dict(sheets())
KINDS = ("call", "confirm", "clarify", "none")


def name(file):
    return str(file.relative_to(HERE).with_suffix(""))


def pack_and_language(file):
    pack, language, *_ = name(file).split("/")
    return pack, language.partition("-")[0]


def listed(key):
    return [
        pytest.param(file, tool, sentence, id=f"{name(file)} {tool}: {sentence['say'][:60]}")
        for file, sheet in SHEETS.items()
        for tool, sentences in sheet[key].items()
        for sentence in sentences
    ]


def decide(file, sentence):
    sheet = SHEETS[file]
    pack, language = pack_and_language(file)
    case = {
        "message": sentence["say"],
        "now": sheet["now"],
        "pack": pack,
        "lang": language,
        "entities": sheet["entities"],
        "history": sheet["conversations"][sentence["after"]] if "after" in sentence else [],
        "pending": sheet["questions"][sentence["asked"]] if "asked" in sentence else None,
        "proposed": sentence.get("proposed"),
    }
    return DECIDER.decide(case_from_object(case)).decisions


def wanted(tool, sentence):
    """What must come out, in the shape of `outcome`."""
    found = []
    for one in sentence.get("several", [sentence]):
        (kind,) = [key for key in KINDS if key in one]
        found.append((kind, None if kind == "none" else one.get("tool", tool), one[kind]))
    return found


def outcome(decision, like, tools):
    """A decision in the words of the sheet; of a question only what the sheet speaks of is compared."""
    match decision:
        case Call() | Confirm():
            kind = "call" if isinstance(decision, Call) else "confirm"
            return kind, decision.tool, spoken(decision.arguments, tools[decision.tool])
        case Nothing():
            return "none", None, decision.reason
        case Clarify():
            told = {
                "reason": decision.reason,
                "missing": list(decision.missing),
                "options": [_named(option.arguments) for option in decision.options],
                "arguments": decision.arguments,
            }
            return "clarify", decision.tool, {key: told[key] for key in like if key in told}


def _named(arguments):
    """What an option is about, by its most telling id."""
    keys = ("task_identifier", "machine_command_id", "device_id")
    return next((arguments[key] for key in keys if key in arguments), None)


def spoken(arguments, tool):
    """Without what equals a default, which may be left out; in a change null is a value."""
    if tool.at_least_one:
        return arguments
    return {name: value for name, value in arguments.items() if value != tool.params[name].default}


def outcomes(file, tool, sentence):
    tools = load_tools(pack_and_language(file)[0])
    expected = wanted(tool, sentence)
    likes = [like if isinstance(like, dict) else {} for _, _, like in expected]
    decisions = decide(file, sentence)
    likes += [{}] * (len(decisions) - len(likes))
    return [outcome(decision, like, tools) for decision, like in zip(decisions, likes, strict=False)], expected


@pytest.mark.parametrize(("file", "tool", "sentence"), listed("sentences"))
def test_a_sentence_comes_to_what_it_says(file, tool, sentence):
    found, expected = outcomes(file, tool, sentence)
    assert found == expected


@pytest.mark.parametrize(("file", "tool", "sentence"), listed("misses"))
def test_a_known_miss_is_still_missed(file, tool, sentence):
    found, expected = outcomes(file, tool, sentence)
    assert found != expected, "it comes out right: move it up from `misses`"


@pytest.mark.parametrize("file", SHEETS, ids=name)
def test_no_sentence_stands_twice_or_in_the_benchmark(file, bench_lines):
    said = [
        (one["say"], one.get("after"), one.get("asked"), str(one.get("proposed")))
        for key in ("sentences", "misses")
        for group in SHEETS[file][key].values()
        for one in group
    ]
    assert len(said) == len(set(said))
    long = {text.casefold() for text, *_ in said if len(text.split()) >= 4}
    assert long & {line["message"].casefold() for line in bench_lines} == set()
