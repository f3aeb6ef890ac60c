"""The packs: what is installed is right, and what is wrong is named by file and key."""

from __future__ import annotations

import re
import shutil
from datetime import UTC, datetime

import pytest
import yaml

from sayso.decider import Decider
from sayso.engine.grammar.pack import Phrasebook
from sayso.engine.text.tokens import normalise
from sayso.errors import BadData
from sayso.files import datafile
from sayso.files.yamlfile import parse
from sayso.languages import load as languages
from sayso.packs.load import check_pack, installed_packs, load_pack, pack_folder

NOW = datetime(2026, 3, 10, 9, tzinfo=UTC)


@pytest.mark.parametrize("name", installed_packs())
def test_an_installed_pack_has_nothing_wrong_with_it(name):
    assert check_pack(pack_folder(name)) == []


@pytest.fixture
def copy(tmp_path):
    """A copy of the tasks pack that may be spoilt."""
    return shutil.copytree(pack_folder("tasks"), tmp_path / "mine")


def spoil(folder, file, old, new):
    path = folder / file
    text = path.read_text("utf-8")
    assert old in text, "the pack has changed: spoil something else"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_an_unspoilt_copy_is_a_pack_of_its_own(copy):
    assert check_pack(copy) == []
    assert set(load_pack(copy).pack.tools) == set(load_pack(pack_folder("tasks"), check=False).pack.tools)


SPOILT = {
    "a slot that is not there": (
        "pack.yaml",
        "title: {slot: title,",
        "title: {slot: titel,",
        "tools.add_task.params.title.slot",
        'no slot is called "titel"',
    ),
    "an act of no tool": (
        "pack.yaml",
        "add: {tool: add_task}",
        "add: {tool: ad_task}",
        "acts.add.tool",
        'no tool is called "ad_task"',
    ),
    "an act that sets no parameter": (
        "pack.yaml",
        "set: {due: today}",
        "set: {dew: today}",
        "acts.today.set",
        '"dew" is not a parameter of list_tasks',
    ),
    "an entity that is not there": (
        "pack.yaml",
        "task: {type: entity, of: task}",
        "task: {type: entity, of: machine}",
        "slots.task.of",
        'no entity is called "machine"',
    ),
    "a choice that is no slot": (
        "pack.yaml",
        "choices: [due,",
        "choices: [dew,",
        "slots.change.choices",
        'no slot is called "dew"',
    ),
    "a parameter that at_least_one only imagines": (
        "pack.yaml",
        "at_least_one: [new_title,",
        "at_least_one: [newer_title,",
        "tools.update_task.at_least_one",
        '"newer_title" is not a parameter',
    ),
    "a page of no parameter": (
        "pack.yaml",
        "paging: {start: offset,",
        "paging: {start: ofset,",
        "tools.list_tasks.paging",
        '"ofset" is not an optional parameter',
    ),
    "pages of a tool that has none": (
        "pack.yaml",
        "next_page: {tool: list_tasks,",
        "next_page: {tool: get_user_info,",
        "acts.next_page.pages",
        "get_user_info has no paging",
    ),
    "a risk that is none": ("pack.yaml", "risk: write", "risk: harmless", "tools", "harmless"),
    "a wrong type": ("pack.yaml", "at_least_one: [new_title,", "at_least_one: 7 # [new_title,", "tools", "array"),
    "a key that nobody knows": (
        "pack.yaml",
        "add: {tool: add_task}",
        "add: {tool: add_task, colour: red}",
        "acts",
        "colour",
    ),
    "bad YAML": ("pack.yaml", "pack: tasks", "pack: [tasks", "line ", ""),
    "a slot that no pattern may name": (
        "en/finish.yaml",
        "<finish> {task}",
        "<finish> {tsak}",
        "acts.finish[0]",
        "no slot is called {tsak}",
    ),
    "a class that is not there": (
        "en/finish.yaml",
        "<finish> {task}",
        "<finnish> {task}",
        "acts.finish[0]",
        "no class or verb is called <finnish>",
    ),
    "a bracket that is never closed": (
        "en/bulk.yaml",
        "(<delete>|<drop>) <whole_list>",
        "(<delete>|<drop> <whole_list>",
        "acts.bulk[",
        "never closed",
    ),
    "an act that pack.yaml lacks": (
        "en/finish.yaml",
        "\n  finish_noun:",
        "\n  finish_nuon:",
        "acts.finish_nuon",
        "no act",
    ),
    "a class in a list of words": (
        "en/narrow.yaml",
        "    - of those\n",
        "    - of <those>\n",
        "classes.of_those[0]",
        "only words",
    ),
    "a class in a class, too often": (
        "en/narrow.yaml",
        "    - of those\n",
        "    - <to_list> <to_list> <to_list> <to_list> <to_list> <to_list> <to_list> <to_list>\n",
        "classes.of_those[0]",
        "stands for more than",
    ),
    "a noun that is no class": ("en/language.yaml", "nouns: [task_noun,", "nouns: [task_nuon,", "nouns", '"task_nuon"'),
    "bad YAML in a language": ("it/language.yaml", "language: it", "language: [it", "line ", ""),
    "a wrong type in a language": ("it/language.yaml", "nouns: [task_noun, tasks]", "nouns: 7", "nouns", "array"),
    "a text that is missing": ("it/say.yaml", "  more: e altre {count}\n", "", "say", "more"),
}


@pytest.mark.parametrize(("file", "old", "new", "key", "problem"), SPOILT.values(), ids=SPOILT)
def test_a_spoilt_pack_names_its_file_and_key(copy, file, old, new, key, problem):
    spoil(copy, file, old, new)
    found = check_pack(copy)
    assert any(
        one.file == str(copy / file) and one.key.startswith(key) and problem in one.problem and one.remedy
        for one in found
    ), [str(one) for one in found]


@pytest.mark.parametrize(("file", "old", "new", "key", "problem"), SPOILT.values(), ids=SPOILT)
def test_a_spoilt_pack_is_refused_when_it_is_loaded(copy, file, old, new, key, problem):
    spoil(copy, file, old, new)
    with pytest.raises(BadData) as refused:
        Decider.installed(copy).pack("mine")
    assert refused.value.file == str(copy / file)
    assert refused.value.key.startswith(key)
    assert problem in str(refused.value)


def test_several_faults_are_all_told_at_once(copy):
    spoil(copy, "pack.yaml", "title: {slot: title,", "title: {slot: titel,")
    spoil(copy, "en/finish.yaml", "<finish> {task}", "<finnish> {tsak}")
    assert len(check_pack(copy)) == 3


def test_a_missing_file_is_named(copy, tmp_path):
    (copy / "pack.yaml").unlink()
    (problem,) = check_pack(copy)
    assert (problem.file, problem.key) == (str(copy / "pack.yaml"), "(file)")
    (nowhere,) = check_pack(tmp_path / "nowhere")
    assert nowhere.file == str(tmp_path / "nowhere" / "pack.yaml")


def test_a_pack_without_a_language_is_refused(copy):
    shutil.rmtree(copy / "en")
    shutil.rmtree(copy / "it")
    (problem,) = check_pack(copy)
    assert (problem.file, problem.key, problem.problem) == (str(copy), "(folder)", "no language file")


def test_a_pack_with_one_language_decides_in_that_one(copy):
    shutil.rmtree(copy / "it")
    assert load_pack(copy).languages.tags == ("en",)


def one_file(folder, tag):
    """The files of a language as one file, as a pack of one's own may have it."""
    text = yaml.safe_dump(parse(folder / tag), allow_unicode=True, sort_keys=False)
    shutil.rmtree(folder / tag)
    (folder / f"{tag}.yaml").write_text(text, encoding="utf-8")


def test_a_language_may_be_one_file(copy):
    before = datafile.read(copy / "en", Phrasebook)
    one_file(copy, "en")
    assert check_pack(copy) == []
    assert datafile.read(copy / "en.yaml", Phrasebook) == before
    assert load_pack(copy).languages.tags == ("en", "it")


def test_a_key_in_two_files_is_an_error_that_names_both(copy):
    (copy / "en" / "mine.yaml").write_text("classes:\n  goods: [tofu]\n", encoding="utf-8")
    (problem,) = check_pack(copy)
    assert (problem.file, problem.key) == (str(copy / "en/words/goods.yaml"), "classes.goods")
    assert problem.problem == f"{copy / 'en/mine.yaml'} has this key, too"
    assert "rename" in problem.remedy


def test_a_language_in_a_file_and_in_a_folder_is_an_error_that_names_both(copy):
    (copy / "en.yaml").write_text("language: en\n", encoding="utf-8")
    (problem,) = check_pack(copy)
    assert problem.file == str(copy / "en.yaml")
    assert str(copy / "en") in problem.problem
    assert "delete one" in problem.remedy


def test_a_missing_file_of_a_language_says_what_to_add(copy):
    (copy / "en" / "say.yaml").unlink()
    (problem,) = check_pack(copy)
    assert problem.file == str(copy / "en")
    assert "`say`" in problem.problem
    assert "add a file that has it" in problem.remedy


def test_an_empty_file_of_a_language_is_named(copy):
    (copy / "en" / "empty.yaml").write_text("# nothing yet\n", encoding="utf-8")
    (problem,) = check_pack(copy)
    assert (problem.file, problem.problem) == (str(copy / "en/empty.yaml"), "the file has no keys")


def test_a_class_may_name_one_of_a_later_file(copy):
    (copy / "en" / "a.yaml").write_text("classes:\n  early: [very <zesty>]\n", encoding="utf-8")
    (copy / "en" / "z.yaml").write_text("classes:\n  zesty: [lemon, lime]\n", encoding="utf-8")
    spoil(copy, "en/finish.yaml", "    - <finish> {task}\n", "    - <finish> {task}\n    - <finish> <early> {task}\n")
    assert check_pack(copy) == []
    grammar = load_pack(copy).languages.grammar("en")
    sheet = grammar.read(normalise("very lime"), NOW)
    assert sheet.has(0, "early") == 2


def test_classes_that_name_each_other_in_a_circle_are_refused(copy):
    (copy / "en" / "mine.yaml").write_text("classes:\n  hen: [an <egg>]\n  egg: [of a <hen>]\n", encoding="utf-8")
    (problem,) = check_pack(copy)
    assert problem.key in ("classes.hen[0]", "classes.egg[0]")
    assert problem.file == str(copy / "en/mine.yaml")


LONGEST = 120


@pytest.mark.parametrize("name", installed_packs())
def test_the_lines_of_installed_data_are_short(name):
    folders = [pack_folder(name) / tag for tag in ("en", "it")] + [languages.HOME]
    files = [file for folder in folders for file in folder.rglob("*.yaml")]
    assert len(files) > 30
    long = [
        f"{file}:{number}"
        for file in files
        for number, line in enumerate(file.read_text("utf-8").split("\n"), start=1)
        if len(line) > LONGEST
    ]
    assert long == []


def words(text):
    """All words of a text, one after the other."""
    return " ".join(re.findall(r"\w+(?:['’.:-]\w+)*", text.casefold()))


@pytest.mark.parametrize("name", installed_packs())
def test_the_packs_hold_no_sentence_of_the_benchmark(name, bench_lines):
    """What the benchmark asks about must be understood, not looked up."""
    sentences = {words(line["message"]) for line in bench_lines}
    sentences = {sentence for sentence in sentences if len(sentence.split()) >= 5}
    assert len(sentences) > 300
    held = set()
    for file in pack_folder(name).rglob("*.yaml"):
        text = f" {words(file.read_text('utf-8'))} "
        held.update(sentence for sentence in sentences if f" {sentence} " in text)
    assert held == set()
