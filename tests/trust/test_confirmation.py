"""What a yes is bound to: the digest of exactly what was shown, the same in every version of Sayso."""

from __future__ import annotations

from hashlib import sha256
from uuid import UUID

import pytest

from sayso.confirmation import digest
from sayso.devices.service import Question as CommandQuestion
from sayso.tasks.service import Question as DeleteQuestion

ID = UUID("3f0c1a52-52a9-4b6e-8a3b-0d8a4c5f9e11")
DELETE = DeleteQuestion(id=ID, task=ID, version=3, title="Buy milk", due=None, completed=False)
COMMAND = CommandQuestion(id=ID, machine="m1", name="Boiler", version=3, command="off", command_name="Off")


def test_a_digest_is_over_the_kind_and_the_sorted_json():
    assert (
        digest("call 1", ["add_task", {"b": 1, "a": "é"}])
        == sha256('sayso call 1\n["add_task",{"a":"é","b":1}]'.encode()).digest()
    )


def test_the_order_of_keys_does_not_matter():
    assert digest("call 1", {"a": 1, "b": 2}) == digest("call 1", {"b": 2, "a": 1})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("call 1", ["a", "bc"]), ("call 1", ["ab", "c"])),
        (("call 1", ["a"]), ("click 1", ["a"])),
        (("call 1", [1]), ("call 1", ["1"])),
        (("call 1", [None]), ("call 1", [])),
    ],
)
def test_values_that_differ_have_other_digests(one, other):
    assert digest(*one) != digest(*other)


SHOWN_DELETE = (
    f'sayso question 1\n{{"again":false,"completed":false,"due":null,"id":"{ID}","repeats":false,"task":"{ID}",'
    '"title":"Buy milk","version":3}'
)
SHOWN_COMMAND = (
    f'sayso device question 1\n{{"again":false,"command":"off","command_name":"Off","id":"{ID}","machine":"m1",'
    '"name":"Boiler","unit":null,"value":null,"version":3}'
)


@pytest.mark.parametrize(("question", "shown"), [(DELETE, SHOWN_DELETE), (COMMAND, SHOWN_COMMAND)])
def test_a_question_has_all_that_it_shows_in_its_digest(question, shown):
    assert question.digest == sha256(shown.encode()).digest()
