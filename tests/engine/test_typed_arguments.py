"""Arguments in the types that a server's schemas want: ids that nobody listed, numbers, flags, lists, stretches."""

from __future__ import annotations

import pytest

from sayso.case import case_from_object
from sayso.decider import Decider
from sayso.decision import Call, Clarify, Confirm
from sayso.engine.slots.validate import suited

PACK = """
pack: rooms
entities:
  booking: {name: title}
tools:
  list_bookings:
    risk: read
    params:
      since: {slot: since, default: null, schema: {type: string, format: date}}
      until: {slot: until, default: null, schema: {type: string, format: date}}
      cancelled: {slot: cancelled, default: false, schema: {type: boolean}}
  cancel_booking:
    risk: destructive
    params:
      booking_id: {slot: booking, schema: {type: integer}}
  invite:
    risk: write
    params:
      people: {slot: who, schema: {type: array, items: {type: string}}}
      room: {slot: room, default: null, schema: {type: string}}
      since: {slot: since, default: null, schema: {type: string}}
slots:
  booking: {type: entity, of: booking, open: OPEN}
  since: {type: date}
  until: {type: date, of: since}
  cancelled: {type: value, of: cancelled}
  who: {type: text}
  room: {type: text}
acts:
  list: {tool: list_bookings, mood: [command, question]}
  cancel: {tool: cancel_booking}
  invite: {tool: invite}
"""
ENGLISH = """
language: en
classes:
  booking_noun: [booking]
nouns: [booking_noun]
values:
  cancelled: {"true": [cancelled]}
acts:
  list: ["(list|show) bookings"]
  cancel: ["cancel [<booking_noun>] {booking}"]
  invite: ["invite {who} [(in|at) {room}]"]
say:
  confirm: {"*": 'Cancel "{label}"?'}
  ask: {"*": "Which {name}?"}
  which: "Which: {options}?"
  not_found: No "{said}".
  near: No "{said}".
  low_confidence: Did you mean {options}?
  invalid: {"*": "Not {name}."}
  more: more
  reply: {}
"""


def pack(folder, open_ids):
    folder.mkdir()
    (folder / "pack.yaml").write_text(PACK.replace("OPEN", open_ids), encoding="utf-8")
    (folder / "en.yaml").write_text(ENGLISH, encoding="utf-8")
    return Decider.installed(folder)


@pytest.fixture
def rooms(tmp_path):
    return pack(tmp_path / "rooms", "true")


def decide(decider, message, **more):
    case = {"pack": "rooms", "message": message, "now": "2026-03-10T09:00:00+01:00", **more}
    (decision,) = decider.decide(case_from_object(case)).decisions
    return decision


def test_an_id_that_nobody_listed_is_taken_as_it_was_said(rooms):
    decision = decide(rooms, "cancel booking 42")
    assert isinstance(decision, Confirm)
    assert decision.arguments == {"booking_id": 42}
    assert decision.question == 'Cancel "42"?'
    assert decision.evidence["booking_id"].span == (15, 17)


def test_an_id_of_a_listed_thing_has_the_type_of_the_schema(rooms):
    listed = [{"kind": "booking", "id": "42", "title": "Board room"}]
    decision = decide(rooms, "cancel the board room booking", entities=listed)
    assert (decision.arguments, decision.question) == ({"booking_id": 42}, 'Cancel "Board room"?')


def test_yes_to_a_question_about_an_id_that_nobody_listed(rooms):
    asked = {"kind": "confirm", "tool": "cancel_booking", "arguments": {"booking_id": 42}, "confidence": 0.97,
             "question": 'Cancel "42"?', "reason": "destructive"}  # fmt: skip
    decision = decide(rooms, "yes", pending=asked)
    assert isinstance(decision, Call)
    assert decision.arguments == {"booking_id": 42}


@pytest.mark.parametrize("said", ["cancel the big one", "cancel booking lunch"])
def test_words_are_no_id(rooms, said):
    assert isinstance(decide(rooms, said), Clarify)


def test_a_slot_that_is_not_open_knows_only_what_was_listed(tmp_path):
    decision = decide(pack(tmp_path / "rooms", "false"), "cancel booking 42")
    assert isinstance(decision, Clarify)
    assert decision.reason == "not_found"


def test_an_id_of_the_wrong_type_is_asked_about(rooms):
    decision = decide(rooms, "cancel booking B42")
    assert isinstance(decision, Clarify)
    assert decision.reason == "invalid"


def test_a_flag_is_true_where_it_is_said(rooms):
    assert decide(rooms, "list cancelled bookings").arguments == {"cancelled": True}


@pytest.mark.parametrize(
    ("said", "since", "until"),
    [
        ("show bookings this week", "2026-03-09", "2026-03-15"),
        ("show bookings from monday to friday", "2026-03-16", "2026-03-20"),
    ],
)
def test_a_stretch_fills_its_beginning_and_its_end(rooms, said, since, until):
    assert decide(rooms, said).arguments == {"since": since, "until": until}


def test_a_day_is_no_stretch(rooms):
    assert decide(rooms, "show bookings tomorrow").arguments == {"since": "2026-03-11"}


def test_the_end_of_a_date_is_no_place(rooms):
    decision = decide(rooms, "invite Marco tomorrow at 3pm")
    assert decision.arguments == {"people": ["Marco"], "since": "2026-03-11T15:00"}


@pytest.mark.parametrize(
    ("value", "schema", "wanted"),
    [
        ("42", {"type": "integer"}, 42),
        ("42", {"type": ["integer", "null"]}, 42),
        ("42", {"type": "string"}, "42"),
        ("42", {"type": ["string", "integer"]}, "42"),
        ("forty", {"type": "integer"}, "forty"),
        ("1" * 30, {"type": "integer"}, "1" * 30),
        ("false", {"type": "boolean"}, False),
        ("7", {"type": "array", "items": {"type": "integer"}}, [7]),
        (["a"], {"type": "array"}, ["a"]),
        ("on", {}, "on"),
        (None, {"type": "integer"}, None),
    ],
)
def test_what_was_said_suits_the_schema(value, schema, wanted):
    assert suited(value, schema) == wanted
