"""A grammar that was kept as a table in the wheel is the one that its patterns come to."""

from __future__ import annotations

import msgspec
import pytest

from sayso.engine.grammar.grammar import Grammar, Table
from sayso.engine.grammar.pack import Phrasebook
from sayso.engine.text.automaton import Automaton, Block
from sayso.engine.text.patterns import parse
from sayso.files import datafile
from sayso.languages.load import installed_language, installed_tags
from sayso.packs.load import installed_packs, load_pack, pack_folder

LANGUAGES = [(name, tag) for name in installed_packs() for tag in installed_tags()]


def inside(automaton):
    return {name: getattr(automaton, name) for name in ("_keys", "_follow", "_labels", "_owners", "_firsts")}


@pytest.mark.parametrize(("name", "tag"), LANGUAGES)
def test_a_kept_grammar_is_the_same_as_one_made_anew(name, tag):
    folder = pack_folder(name)
    made = load_pack(folder, check=False).languages.grammar(tag)
    table = msgspec.json.decode(msgspec.json.encode(made.table()), type=Table)
    kept = Grammar(made.pack, datafile.read(folder / tag, Phrasebook), installed_language(tag), table)
    assert kept.cls == made.cls
    assert list(kept.cls) == list(made.cls)
    assert kept.lexicon.vocabulary == made.lexicon.vocabulary
    assert inside(kept.lexicon._automaton) == inside(made.lexicon._automaton)
    for moods in made.frames._starts.values():  # in any order, as messages happen to need them
        for frames in (made.frames, kept.frames):
            frames._start_of(tuple(sorted(moods)))
    assert inside(kept.frames._automaton) == inside(made.frames._automaton)


def test_patterns_that_are_grafted_stand_beside_those_that_were_there():
    first, second = Automaton(), Automaton()
    second.add("say", "late", parse("later [on] (today|tonight)"), lambda symbol: symbol.name)
    block = msgspec.json.decode(msgspec.json.encode(second.block("say")), type=Block[str])
    first.add_words("say", "now", ["right", "now"])
    first.graft("say", block)
    for words, label in (("right now", "now"), ("later on tonight", "late"), ("later today", "late")):
        state = first.start("say")
        for word in words.split():
            first.work_out(state)
            state = state.next[word]
        assert state.labels == (label,)
