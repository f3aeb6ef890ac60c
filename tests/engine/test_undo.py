"""Undo: the last deed is taken back where one sentence can do that, and nothing is undone by a guess."""

from __future__ import annotations

import pytest

from sayso.decision import Call
from talk import assistant, decide, say, task, user

TOOLS_THAT_READ = ("list_tasks", "get_user_info")
LIST = (task("t1", "Sweep the yard", status="completed"), task("t2", "Order flour"), task("t3", "Renew the lease"))
CHANGED = {
    "renamed": (user("rename sweep the yard to rake the yard"), assistant("It is called that now.", "t1")),
    "moved": (user("move the yard to friday"), assistant('"Sweep the yard" is due on Friday.', "t1")),
    "noted": (user("add a note to the yard: bring gloves"), assistant("Noted.", "t1")),
    "added": (user("add sweep the yard"), assistant('Added "Sweep the yard".', "t1")),
    "asked": (user("when is the yard due?"), assistant("It has no date.", "t1")),
    "listed": (user("show my tasks"), assistant("1. 2. 3.", "t1", "t2", "t3")),
    "other": (user("complete order flour"), assistant('"Order flour" and "Sweep the yard" are done.', "t1")),
    "unread": (user("hm, you know"), assistant("Very well.", "t1")),
}
ENGLISH = [
    "undo that",
    "undo",
    "undo it",
    "please undo that",
    "undo the last one",
    "undo the last change",
    "undo my last action",
    "undo what you just did",
    "can you undo that?",
    "that was a mistake, undo it",
    "no wait, undo that",
    "oops, undo",
    "take that back",
    "revert that",
    "roll it back",
    "put it back",
    "oops, bring it back",
    "put it back the way it was",
    "change it back",
    "never mind, undo",
    "I didn't mean that",
    "undo it please, that was wrong",
]
ITALIAN = [
    "annulla",
    "annulla per favore",
    "annullalo",
    "annulla l'ultima modifica",
    "annulla l'ultima azione",
    "annulla l'ultima cosa",
    "annulla quello che hai fatto",
    "ho sbagliato, annulla",
    "no aspetta, annulla",
    "ops, annulla",
    "puoi annullare?",
    "disfa",
    "disfalo",
    "disfa l'ultima modifica",
    "rimettilo com'era",
    "rimetti com'era",
    "riportalo come prima",
    "mi sono sbagliato, rimettilo",
    "come non detto",
    "non volevo, annullalo",
    "annulla domani",
]


@pytest.mark.parametrize("history", CHANGED)
@pytest.mark.parametrize(("lang", "message"), [*(("en", one) for one in ENGLISH), *(("it", one) for one in ITALIAN)])
def test_what_cannot_be_undone_in_one_sentence_is_never_written(message, lang, history):
    decisions = decide(message, LIST, CHANGED[history], lang=lang)
    assert [one for one in decisions if isinstance(one, Call) and one.tool not in TOOLS_THAT_READ] == []


@pytest.mark.parametrize(
    "history",
    [
        (user("the yard is swept"), assistant('Marked "Sweep the yard" as done.', "t1")),
        (user("complete sweep the yard"), assistant("Done.", "t1")),
        (user("yard: sorted at last"), assistant('Marked "Sweep the yard" as done.', "t1")),  # only told
    ],
)
@pytest.mark.parametrize("message", ["undo that", "hang on, undo it", "put it back", "undo the last change"])
def test_a_completion_that_came_last_is_undone(message, history):
    assert say(message, LIST, history) == ["call update_task t1 new_status=pending"]


@pytest.mark.parametrize("message", ["annulla", "rimettilo com'era", "ops, annulla", "annulla l'ultima modifica"])
def test_a_completion_that_came_last_is_undone_in_italian(message):
    history = (user("completa sweep the yard"), assistant("Fatto.", "t1"))
    assert say(message, LIST, history, lang="it") == ["call update_task t1 new_status=pending"]


@pytest.mark.parametrize("message", ["undo sweep the yard", "put the yard back"])
def test_what_is_named_is_put_back_whatever_came_last(message):
    assert say(message, LIST, CHANGED["renamed"]) == ["call update_task t1 new_status=pending"]


def test_what_is_named_is_put_back_in_italian():
    yard = (task("t1", "Spazzare il cortile", status="completed"),)
    history = (user("chiama spazzare il cortile pulire il cortile"), assistant("Ora si chiama così.", "t1"))
    assert say("rimetti il cortile com'era", yard, history, lang="it") == ["call update_task t1 new_status=pending"]


def test_whoever_cannot_undo_says_so():
    (one,) = decide("undo that", LIST, CHANGED["renamed"])
    assert one.reason == "unsupported"
    assert "undo" in one.reply
