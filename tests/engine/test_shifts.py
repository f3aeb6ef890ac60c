"""Lengths of time that move a thing: from the date that it has, and in the direction that was said."""

from __future__ import annotations

import pytest

from talk import say, task

DENTIST = task("t1", "Dentist", due="2026-03-12T15:00")
DAY_ONLY = task("t1", "Dentist", due="2026-03-12")
TODAY = task("t1", "Dentist", due="2026-03-10")
UNDATED = task("t1", "Dentist")
WHEN = ["clarify missing new_due"]


@pytest.mark.parametrize(
    ("message", "lang", "due"),
    [
        ("move the dentist an hour earlier", "en", "2026-03-12T14:00"),
        ("bring the dentist forward by two hours", "en", "2026-03-12T13:00"),
        ("the dentist has been brought forward by half an hour", "en", "2026-03-12T14:30"),
        ("move the dentist an hour later", "en", "2026-03-12T16:00"),
        ("anticipa il dentista di mezz'ora", "it", "2026-03-12T14:30"),
        ("il dentista è stato anticipato di mezz'ora", "it", "2026-03-12T14:30"),
        ("il dentista va anticipato di un giorno", "it", "2026-03-11T15:00"),
        ("il dentista è stato rinviato di un'ora", "it", "2026-03-12T16:00"),
    ],
)
def test_a_length_moves_in_the_direction_that_was_said(message, lang, due):
    thing = DENTIST if lang == "en" else task("t1", "Dentista", due="2026-03-12T15:00")
    assert say(message, (thing,), lang=lang) == [f"call update_task t1 new_due={due}"]


@pytest.mark.parametrize("message", ["move the dentist a day earlier", "bring the dentist forward an hour"])
def test_a_thing_without_a_date_cannot_be_earlier(message):
    assert say(message, (UNDATED,)) == WHEN


def test_hours_need_a_time_to_move_from():
    assert say("move the dentist two hours later", (DAY_ONLY,)) == WHEN
    assert say("move the dentist two days later", (DAY_ONLY,)) == ["call update_task t1 new_due=2026-03-14"]


def test_later_without_a_time_is_later_than_now():
    assert say("move the dentist two hours later", (TODAY,)) == ["call update_task t1 new_due=2026-03-10T11:00"]
    assert say("push the dentist back a week", (UNDATED,)) == ["call update_task t1 new_due=2026-03-17"]
