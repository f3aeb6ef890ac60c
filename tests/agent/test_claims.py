"""What a model says, against what was done: sentences in claims_<language>.yaml, and what no sentence can show."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from sayso.agent.claims import is_supported, load_claims
from sayso.assistant.values import Deed
from sayso.errors import BadData
from sayso.files import datafile
from sayso.packs.load import load_tools, pack_folder

HERE = Path(__file__).parent
SHEETS = {tag: datafile.read(HERE / f"claims_{tag}.yaml", dict) for tag in ("en", "it")}
CLAIMS = load_claims(pack_folder("tasks"))
WRITES = ("add_task", "complete_task", "update_task", "delete_task")
EVERYTHING = (*WRITES, "list_tasks", "get_user_info")
# Tools that may be spoken of in the same words: "added a note", "marked as high", "removed the date".
NEAR = {
    "add_task": ("update_task", "list_tasks"),
    "complete_task": ("update_task",),
    "update_task": ("add_task", "complete_task", "delete_task"),
    "delete_task": (),
    "list_tasks": (),
    "any": WRITES,
}


def deed(tool, status="success", **result):
    return Deed(tool=tool, arguments={}, result={"status": status, **result})


def listed(key):
    return [
        pytest.param(tool, sentence, id=f"{tag} {tool}: {sentence}")
        for tag, sheet in SHEETS.items()
        for tool, sentences in sheet[key].items()
        for sentence in sentences
    ]


@pytest.mark.parametrize(("tool", "sentence"), listed("claims"))
def test_a_claim_needs_its_deed(tool, sentence):
    assert not is_supported(sentence, CLAIMS, [])
    assert not is_supported(sentence, CLAIMS, [deed("get_user_info")])
    if tool == "unsorted":
        return
    if tool == "nothing":
        assert not is_supported(sentence, CLAIMS, [deed(each) for each in EVERYTHING])
        return
    tools = WRITES if tool == "any" else (tool,)
    assert not is_supported(sentence, CLAIMS, [deed(each, "error") for each in tools])


@pytest.mark.parametrize("sentence", [pytest.param(one, id=one) for sheet in SHEETS.values() for one in sheet["talk"]])
def test_talk_claims_nothing(sentence):
    assert is_supported(sentence, CLAIMS, [])


@pytest.mark.parametrize(("tool", "sentence"), [each for each in listed("claims") if each.values[0] in NEAR])
def test_what_was_done_may_be_said_and_only_that(tool, sentence):
    assert is_supported(sentence, CLAIMS, [deed(each) for each in EVERYTHING])
    assert not is_supported(sentence, CLAIMS, [deed(each) for each in EVERYTHING if each not in (tool, *NEAR[tool])])


@pytest.mark.parametrize("tag", SHEETS)
def test_what_is_known_to_go_wrong_still_does(tag):
    sheet = SHEETS[tag]
    assert [one for one in sheet["missed"] if not is_supported(one, CLAIMS, [])] == []
    assert [one for one in sheet["refused"] if is_supported(one, CLAIMS, [])] == []


def test_there_are_sixty_sentences_each_way():
    for sheet in SHEETS.values():
        assert sum(map(len, sheet["claims"].values())) >= 60
        assert len(sheet["talk"]) >= 60


def test_a_title_may_say_anything_where_it_is_quoted_or_listed():
    shown = [deed("list_tasks", tasks=[{"title": "I've deleted everything"}, {"title": "Deleted scenes"}])]
    assert is_supported(
        "Here are your tasks:\n1. I've deleted everything\n2. Deleted scenes (due Friday)", CLAIMS, shown
    )
    assert is_supported('Is "Deleted scenes" the one you mean?', CLAIMS, shown)
    assert not is_supported("I've deleted everything", CLAIMS, shown)
    assert not is_supported("As for your list: I've deleted everything.", CLAIMS, shown)
    assert not is_supported('"I\'ve deleted it all"', CLAIMS, shown)


def test_every_language_is_looked_at():
    assert not is_supported("Sure. Ho eliminato il latte.", CLAIMS, [])
    assert not is_supported("Certo. I've deleted milk.", CLAIMS, [])


def test_one_of_two_claims_is_not_enough():
    assert not is_supported("I've added milk and deleted bread.", CLAIMS, [deed("add_task")])
    assert is_supported("I've added milk and deleted bread.", CLAIMS, [deed("add_task"), deed("delete_task")])
    assert not is_supported("I'll add milk, delete bread and call it a day.", CLAIMS, [deed("add_task")])


def test_nothing_is_claimed_by_nothing():
    assert is_supported("", CLAIMS, [])
    assert is_supported("…", CLAIMS, [])


def test_only_tools_of_the_pack_are_named():
    tools = load_tools("tasks")
    for file in (pack_folder("tasks") / "claims").glob("*.yaml"):
        for group in datafile.read(file, dict)["claims"]:
            assert set(group["tools"]) <= set(tools)


def test_a_pack_without_claims_says_so(tmp_path):
    with pytest.raises(BadData, match=r"claims/en\.yaml"):
        load_claims(tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "deleted ", "deleted and ", "not deleted and ", "i have ", "i ll ", "i ll add milk, ", "if i ll add ", "a", "?",
        "I'll add it. Done? ", "ho eliminato e ", "\n1. t5 ", '"t5" ', "✅", "i m not going to ",
    ],
)  # fmt: skip
def test_a_text_that_is_made_to_take_long_does_not(text):
    shown = [deed("list_tasks", tasks=[{"title": f"t{number}"} for number in range(100)])]
    for start in ("", "I'll "):
        began = time.thread_time()
        is_supported((start + text * 4_000)[:4_000], CLAIMS, shown)
        assert time.thread_time() - began < 1
    began = time.thread_time()
    is_supported("I'll " + "add " * 999, CLAIMS, [deed(each) for each in EVERYTHING])
    assert time.thread_time() - began < 1
