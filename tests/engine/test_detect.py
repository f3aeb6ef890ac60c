"""Detect: the best sense alone is the first of all senses; frames are traced back in order of how well they fit."""

from __future__ import annotations

import pytest

from sayso.engine.clauses.detect import best, detect
from sayso.engine.grammar.moods import moods
from sayso.engine.grammar.sheet import Stretch
from sayso.engine.pipeline import run
from talk import DECIDER, case, tasks

THINGS = tasks("Call the dentist", "Water the plants", "Finire la relazione", "Buy milk for Anna", "Today it is")
SENTENCES = [
    "add a task to buy stamps tomorrow, it's urgent",
    "could you please mark call the dentist as done",
    "I need to ring the plumber on friday at 5",
    "the dentist is done and push the plants to sunday",
    "what do I have to do this week?",
    "set milk for anna to high priority",
    "rename water the plants to feed the fish",
    "dentist",
    "did I water the plants?",
    "aggiungi comprare il pane per domani",
    "ho finito la relazione",
    "sposta la relazione a lunedì e segna il dentista come fatto",
    "che cosa devo fare oggi?",
    "nothing that anybody understands",
]


@pytest.mark.parametrize("said", SENTENCES)
def test_the_best_sense_is_the_first_of_all(said):
    done = run(case(said, entities=THINGS), DECIDER.pack("tasks").languages)
    words = len(done.sheet.words)
    for start in range(words):
        senses = detect(Stretch(done.sheet, start, words), done.scene)
        assert best(Stretch(done.sheet, start, words), done.scene) == (senses[0] if senses else None)


@pytest.mark.parametrize("said", SENTENCES)
def test_sentences_that_fit_come_best_first_and_once_each(said):
    done = run(case(said, entities=THINGS), DECIDER.pack("tasks").languages)
    end = len(done.sheet.words)
    for mood in moods(Stretch(done.sheet, 0, end)):
        found = list(done.grammar.frames.match(("command", "statement"), mood.start, end, done.sheet.view))
        assert [match.score for match in found] == sorted((match.score for match in found), reverse=True)
        keys = [
            (match.act, match.literal, tuple(slot for slot, _, _ in match.slots), match.slots[:1] and match.slots[0][1])
            for match in found
        ]
        assert len(keys) == len(set(keys))
        assert all(match.act for match in found)
