"""Values that a word of the command gives: "remind me" with a date alone asks for a reminder."""

import pytest

from sayso import Case, Decider
from talk import NOW

DECIDER = Decider.installed()


def arguments(message: str) -> list[dict[str, object]]:
    return [one.arguments for one in DECIDER.decide(Case(message=message, now=NOW)).decisions]


@pytest.mark.parametrize("message", ["remind me on friday to prune the roses", "ricordami venerdì di potare le rose"])
def test_remind_me_with_a_date_alone_asks_for_a_reminder(message):
    (found,) = arguments(message)
    assert (found["due"], found["remind"]) == ("2026-03-13", "PT0S")


@pytest.mark.parametrize(
    "message",
    [
        "remind me on friday at 5pm to prune the roses",  # the time itself is the default
        "add prune the roses on friday",
        "remind me to prune the roses",
        "add «remind me of Ann» on friday",
    ],
)
def test_nothing_is_added_without_the_word_or_with_a_time(message):
    (found,) = arguments(message)
    assert "remind" not in found
