"""Forms: what a person is shown, and what counts as their answer."""

from __future__ import annotations

import pytest
from mcp_types import ElicitResult

from sayso.gateway.questions.asking import given


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (ElicitResult(action="accept", content={"answer": True}), True),
        (ElicitResult(action="accept", content={"answer": False}), False),
        (ElicitResult(action="accept", content={"answer": "the second"}), "the second"),
        (ElicitResult(action="accept", content={}), None),
        (ElicitResult(action="accept"), None),
        (ElicitResult(action="accept", content={"other": True}), None),
        (ElicitResult(action="decline", content={"answer": True}), None),
        (ElicitResult(action="cancel"), None),
    ],
)
def test_only_what_was_answered_counts(answer, said):
    assert given(answer) == said
