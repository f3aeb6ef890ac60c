"""What a message comes to when people talk the way they do: told in passing, joked, called out, polite, short."""

from __future__ import annotations

import pytest

from sayso.case import case_from_object
from sayso.decider import Decider

DECIDER = Decider.installed()
TASKS = [
    ("boiler", "Ring Sofia about the boiler", "2026-03-13T10:00"),
    ("edits", "Chapter 4 edits", None),
    ("report", "Submit expense report", "2026-03-12"),
    ("card", "Post nana's birthday card", "2026-03-11"),
    ("visa", "Visa form", None),
    ("gravel", "Pick up gravel", "2026-03-14T08:00"),
    ("gutters", "Clean the gutters", None),
    ("dentist", "Dentist checkup", "2026-03-20T09:00"),
    ("sofa", "Sell the old sofa", None),
]


def said(message, history=(), pending=None, lang="en"):
    """The decisions, each as its kind, its tool and what is in its arguments."""
    entities = [
        {"kind": "task", "id": name, "title": title, "status": "pending", "priority": "medium", "due": due}
        for name, title, due in TASKS
    ]
    case = {"message": message, "now": "2026-03-10T09:00:00+01:00", "pack": "tasks", "lang": lang}
    answer = DECIDER.decide(case_from_object({**case, "entities": entities, "history": history, "pending": pending}))
    return [_short(one) for one in answer.decisions]


def _short(decision):
    kind = type(decision).__name__.lower()
    if kind == "nothing":
        return "none"
    values = " ".join(str(value) for value in decision.arguments.values())
    return f"{kind} {(decision.tool or '').partition('_')[0]} {values}".strip()


@pytest.mark.parametrize(
    "message",
    [
        "so Priya says to me, just delete the gutters and be done with it, and I said no chance",
        "and then she tells me, cancel the dentist, as if",
        "he was like, scrap the visa form, we don't need it",
        "I told her, mark the visa form done, and she did nothing",
    ],
)
def test_what_somebody_else_said_in_an_anecdote_is_no_command(message):
    assert said(message) == ["none"]


def test_what_follows_from_what_somebody_said_is_one():
    assert said("Priya says, it's cancelled, so delete the dentist") == ["confirm delete dentist"]
    assert said("like I said, add milk") == ["call add milk"]


@pytest.mark.parametrize(
    "message",
    [
        "if anybody asks, the visa form is done",
        "the visa form is done!!! jk",
        "the gutters are done... I wish",
        "visa form's finished, not really though",
        "delete the gutters, just kidding",
        "the visa form is done. It isn't.",
    ],
)
def test_what_is_not_so_is_not_done(message):
    assert said(message) == ["none"]


def test_what_is_meant_in_earnest_still_counts():
    assert said("the visa form is done, no kidding") == ["call complete visa"]
    assert said("if you must know, the visa form is done") == ["call complete visa"]
