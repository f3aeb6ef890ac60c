"""The languages: their word classes are data, and a wrong name is an error that names file, key and fix."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sayso.case import Case
from sayso.decider import Decider
from sayso.engine.grammar.grammar import Grammar
from sayso.engine.grammar.pack import Pack, Phrasebook
from sayso.engine.lexicon.words import Stems
from sayso.engine.text.tokens import normalise
from sayso.errors import BadData
from sayso.files import datafile
from sayso.languages import load

NOTES = Path(__file__).parents[1] / "examples" / "notes"
NOW = datetime(2026, 3, 10, 9, tzinfo=UTC)


@pytest.fixture
def languages(tmp_path, monkeypatch):
    """A copy of the installed languages that may be changed."""
    home = shutil.copytree(load.HOME, tmp_path / "languages")
    monkeypatch.setattr(load, "HOME", home)
    cached = (load._names, load._words, load.installed_language, load.telling_words)
    for function in cached:
        function.cache_clear()
    yield home
    for function in cached:
        function.cache_clear()


def change(path, old, new):
    text = path.read_text("utf-8")
    assert old in text, "the language has changed: change something else"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.parametrize("tag", load.installed_tags())
def test_a_language_has_every_class_of_the_engine_in_the_same_order(tag):
    words = load.installed_language(tag).words
    names = load._names()
    assert list(words.classes) == [*names.classes.required, *names.classes.optional]
    assert list(words.moods) == [*names.moods.required, *names.moods.optional]
    assert all(words.classes[name] for name in names.classes.required)


def test_a_misspelt_class_is_an_error_with_a_suggestion(languages):
    file = languages / "en" / "words" / "classes" / "courtesy.yaml"
    change(file, "  farewell:", "  farwell:")
    with pytest.raises(BadData) as refused:
        load.installed_language("en")
    problem = refused.value
    assert (problem.file, problem.key) == (str(file), "classes.farwell")
    assert problem.problem == 'no class is called "farwell"'
    assert problem.remedy.startswith('Did you mean "farewell"?')


def test_a_misspelt_mood_is_an_error_with_a_suggestion(languages):
    change(languages / "en" / "words" / "moods.yaml", "  indirect:", "  indirekt:")
    with pytest.raises(BadData, match='Did you mean "indirect"'):
        load.installed_language("en")


def test_a_missing_class_is_named_with_what_it_is_for(languages):
    file = languages / "en" / "words" / "classes" / "no.yaml"
    file.unlink()
    with pytest.raises(BadData) as refused:
        load.installed_language("en")
    assert refused.value.key == "classes.no"
    assert "missing" in refused.value.problem


def test_an_optional_class_may_be_left_out(languages):
    change(languages / "en" / "words" / "classes" / "pointing.yaml", "  top:", "  bottom_too:")
    change(languages / "classes.yaml", "    top:", "    bottom_too: a class of this test\n    top:")
    assert load.installed_language("en").words.classes["top"] == ()


def test_a_new_class_is_data(languages):
    """Its name goes into classes.yaml, its words into a language, and a sentence may use it: no Python."""
    change(languages / "classes.yaml", "  optional:\n", "  optional:\n    weather: sun, rain and the like\n")
    (languages / "en" / "words" / "classes" / "weather.yaml").write_text("classes:\n  weather: [rain, snow]\n", "utf-8")
    pack, book = datafile.read(NOTES / "pack.yaml", Pack), datafile.read(NOTES / "en.yaml", Phrasebook)
    grammar = Grammar(pack, book, load.installed_language("en"))
    assert grammar.read(normalise("snow today"), NOW).has(0, "weather") == 1


def test_synonyms_are_compared_as_the_same_word():
    for tag, one, other in (("en", "mum", "mom"), ("en", "mtg", "meeting"), ("it", "telefonare", "chiamare")):
        words = load.installed_language(tag).words
        stems = Stems(words.stems, words.synonyms)
        assert stems.stem(one) == stems.stem(other)
        assert one not in words.stems.irregular


def test_a_refusal_is_in_the_language_that_the_message_is_in():
    decider = Decider.installed()
    for message, lang in [("can you order me a pizza", "en"), ("mi ordini una pizza", "it")]:
        answer = decider.decide(Case(message=message, pack="tasks", now=NOW))
        assert (answer.lang, [one.reason for one in answer.decisions]) == (lang, ["out_of_scope"])
