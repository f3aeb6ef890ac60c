"""Tools without a pack: proposed calls are checked by their schemas and by what was said."""

from __future__ import annotations

import msgspec
import pytest

from sayso.case import case_from_object
from sayso.decider import Decider
from sayso.decision import Call, Clarify, Confirm, Nothing
from sayso.errors import BadData


def tool(name, description="", *, required=(), hints=None, **properties):
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return {"name": name, "description": description, "inputSchema": schema, "annotations": hints or {}}


TOOLS = [
    tool(
        "pay",
        "Pay a bill, or send somebody money",
        required=["payee", "amount"],
        payee={"type": "string"},
        amount={"type": "number"},
        note={"type": "string", "default": ""},
        currency={"type": "string", "default": "EUR"},
    ),
    tool("get_rates", "Exchange rates", hints={"readOnlyHint": True}, currency={"type": "string"}),
    tool("wipe", "Wipe everything"),
]


@pytest.fixture(scope="module")
def decider():
    found = Decider.installed()
    found.add_tools("bank", msgspec.json.encode({"tools": TOOLS}))
    return found


def decide(decider, message, name, arguments, history=()):
    case = {"message": message, "pack": "bank", "now": "2026-03-10T09:00:00+01:00", "history": list(history)}
    (one,) = decider.decide(case_from_object({**case, "proposed": {"tool": name, "arguments": arguments}})).decisions
    return one


def test_a_right_call_is_whole_and_confirmed_where_nobody_vouches_for_its_risk(decider):
    one = decide(decider, "send Bianchi forty euros", "pay", {"payee": "Bianchi", "amount": "40"})
    assert isinstance(one, Confirm)
    assert one.arguments == {"payee": "Bianchi", "amount": 40}
    assert one.evidence.keys() == one.arguments.keys()
    assert one.question == "Run pay (payee: Bianchi, amount: 40)?"


def test_a_read_runs(decider):
    one = decide(decider, "the rates for the dollar, please", "get_rates", {"currency": "dollar"})
    assert isinstance(one, Call)
    assert one.arguments == {"currency": "dollar"}


def test_what_the_schema_needs_and_nobody_said_is_asked_for(decider):
    one = decide(decider, "send Bianchi some money", "pay", {"payee": "Bianchi", "amount": 100})
    assert isinstance(one, Clarify)
    assert (one.arguments, one.missing, one.reason) == ({"payee": "Bianchi"}, ("amount",), "missing")


def test_what_can_be_left_out_and_nobody_said_is_left_out(decider):
    arguments = {"payee": "Bianchi", "amount": 40, "currency": "CHF", "iban": "IT60"}
    assert decide(decider, "pay Bianchi 40", "pay", arguments).arguments == {"payee": "Bianchi", "amount": 40}


def test_what_was_said_before_counts(decider):
    before = [{"role": "user", "content": "I owe Bianchi 40 euros"}]
    one = decide(decider, "pay it", "pay", {"payee": "Bianchi", "amount": 40}, before)
    assert one.arguments == {"payee": "Bianchi", "amount": 40}


def test_what_nobody_speaks_of_does_not_run(decider):
    assert isinstance(decide(decider, "what a lovely day", "wipe", {}), Nothing)
    assert isinstance(decide(decider, "wipe it all", "wipe", {}), Confirm)


def test_arguments_may_be_called_as_they_like(decider):
    names = ("text", "name", "label", "tool", "self")
    properties = {key: {"type": "string"} for key in (*names, "x")}
    odd = {"name": "odd", "inputSchema": {"type": "object", "properties": properties, "required": [*names, "x"]}}
    decider.add_tools("odd", msgspec.json.encode([odd]))
    case = {"message": "odd blue", "pack": "odd", "now": "2026-03-10T09:00:00+01:00"}
    proposed = {"tool": "odd", "arguments": dict.fromkeys(names, "blue")}
    (one,) = decider.decide(case_from_object({**case, "proposed": proposed})).decisions
    assert one.missing == ("x",)


def test_a_list_that_is_none_is_refused_with_what_to_do():
    with pytest.raises(BadData, match="tools/list"):
        Decider.installed().add_tools("bank", b"[")


def test_what_was_said_for_something_else_is_asked_about(decider):
    one = decide(decider, "Bianchi turned 40 yesterday", "pay", {"payee": "Bianchi", "amount": 40})
    assert isinstance(one, Clarify)
    assert one.reason == "low_confidence"


NOTES = [
    tool("add_note", "Add a note.", required=["text"], hints={"destructiveHint": False}, text={"type": "string"}),
    tool("delete_note", "Delete a note.", required=["text"], text={"type": "string"}),
]


@pytest.mark.parametrize(
    ("message", "passes"),
    [
        ("add a note: Order coal", True),
        ("could you add the note Order coal?", True),
        ("puoi aggiungere una nota Order coal?", True),
        ("don't add a note Order coal", False),
        ("non aggiungere la nota Order coal", False),
        ("if it freezes add the note Order coal", False),
        ("note Order coal", True),
        ("tell me a joke, then add the note Order coal", True),
        ("I deleted the note Order coal yesterday, add it again", True),
        ("did I add the note Order coal?", False),
        ("is there a note Order coal?", False),
        ("you added the note Order coal?", False),
        ("I have already added the note Order coal", False),
        ("delete the note Order coal", False),
        ("could you show me the note Order coal?", False),
        ("tell me, did I add the note Order coal?", False),
        ("before you add the note Order coal, show me the list", False),
        ("stop trying to add the note Order coal", False),
        ("undo the note Order coal", False),
        ("they wanted to add the note Order coal", False),
        ("delete the note that says add Order coal", False),
        ("ho aggiunto la nota Order coal?", False),
        ("c'è una nota Order coal?", False),
        ("elimina la nota Order coal", False),
    ],
)
def test_a_write_goes_on_only_where_the_words_ask_for_it(message, passes):
    decider = Decider({})
    decider.add_tools("notes", msgspec.json.encode({"tools": NOTES}), trusted=True)
    proposed = {"tool": "add_note", "arguments": {"text": "Order coal"}}
    case = {"message": message, "now": "2026-03-10T09:00:00+01:00", "pack": "notes", "proposed": proposed}
    (decision,) = decider.decide(case_from_object(case)).decisions
    assert isinstance(decision, Call) is passes


@pytest.mark.parametrize(
    ("message", "text", "passes"),
    [
        ("add a note: delete the old coal", "delete the old coal", True),
        ("add a note: did I order coal?", "did I order coal?", True),
        ("delete the note Order coal", "delete the note Order coal", False),
        ("delete the note Order coal", "delete", False),
        ("did I add the note Order coal?", "did I", False),
    ],
)
def test_what_a_value_holds_asks_for_nothing_and_hides_nothing(message, text, passes):
    decider = Decider({})
    decider.add_tools("notes", msgspec.json.encode({"tools": NOTES}), trusted=True)
    proposed = {"tool": "add_note", "arguments": {"text": text}}
    case = {"message": message, "now": "2026-03-10T09:00:00+01:00", "pack": "notes", "proposed": proposed}
    (decision,) = decider.decide(case_from_object(case)).decisions
    assert isinstance(decision, Call) is passes
