"""The public names of the package: each is documented, and the examples in the docstrings run."""

from __future__ import annotations

import doctest
from datetime import datetime

import pytest

import sayso
from sayso import case, decider, decision, intents
from sayso.tasks import conversation

NOW = datetime.fromisoformat("2026-11-16T09:30:00+01:00")


@pytest.mark.parametrize(
    "module", [sayso, case, decider, decision, intents, conversation], ids=lambda one: one.__name__
)
def test_the_examples_of_the_docstrings_run(module):
    found = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert found.failed == 0
    if module in (sayso, decider, conversation):
        assert found.attempted > 0


@pytest.mark.parametrize("name", sayso.__all__)
def test_every_public_name_is_there_and_documented(name):
    assert (getattr(sayso, name).__doc__ or "").strip(), name


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'decided'"):
        _ = sayso.decided


def test_a_message_alone_is_decided_like_a_case_without_context():
    ours = sayso.Decider.installed()
    alone = ours.decide("add a task to buy milk")
    whole = ours.decide(sayso.Case(message="add a task to buy milk", now=NOW))
    assert alone.decisions == whole.decisions


def test_anything_else_is_refused_with_what_to_pass():
    with pytest.raises(TypeError, match="a Case or a message as str, not dict"):
        sayso.Decider.installed().decide({"message": "add milk"})


@pytest.mark.anyio
async def test_a_conversation_keeps_its_list_in_a_file(tmp_path):
    file = tmp_path / "tasks.json"
    first = sayso.todo_conversation(file, clock=lambda: NOW)
    await first.say("call the dentist tomorrow at 10")
    again = sayso.todo_conversation(str(file), clock=lambda: NOW)
    assert "call the dentist" in (await again.say("show my tasks")).reply
