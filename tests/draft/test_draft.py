"""Drafted packs: they are sound whatever a server lists, they understand plain commands, they never lower a risk."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from sayso.case import case_from_object
from sayso.decider import Decider
from sayso.decision import Call, Clarify, Confirm
from sayso.errors import BadData
from sayso.files import datafile
from sayso.packs.draft.catalogue import read_catalogue
from sayso.packs.draft.guess import guess
from sayso.packs.draft.words import names, singular, talks, words_in
from sayso.packs.draft.write import save, write
from sayso.packs.load import check_pack, load_pack

HERE = Path(__file__).parent
SERVERS = sorted(path.stem for path in HERE.glob("servers/*.json"))
SHEET = datafile.read(HERE / "said.yaml", dict)
SAID = [
    pytest.param(server, lang, said, id=f"{server}/{lang} {said['say'][:60]}")
    for server, languages in SHEET["said"].items()
    for lang, sentences in languages.items()
    for said in sentences
]
ENGLISH = next(talk for talk in talks() if talk.own_names)


def catalogue(server):
    return read_catalogue((HERE / "servers" / f"{server}.json").read_bytes(), server)


def drafted(tools, folder, *, trusted=False):
    """The pack of these tools, written and checked."""
    written = write(guess(tools, trusted=trusted), folder.name)
    save(written, folder, force=True)
    assert check_pack(folder) == []
    return written


@pytest.fixture(scope="module")
def deciders(tmp_path_factory):
    home = tmp_path_factory.mktemp("packs")
    for server in SERVERS:
        drafted(catalogue(server), home / server, trusted=True)
    return {server: Decider.installed(home / server) for server in SERVERS}


@pytest.mark.parametrize(("server", "lang", "said"), SAID)
def test_a_plain_command_works_at_once(deciders, server, lang, said):
    things = SHEET["things"][server] if said.get("having") else []
    case = {"pack": server, "lang": lang, "message": said["say"], "now": SHEET["now"], "entities": things}
    (decision,) = deciders[server].decide(case_from_object(case)).decisions
    match decision:
        case Call() | Confirm():
            kind = "call" if isinstance(decision, Call) else "confirm"
            found = {kind: decision.tool, "with": decision.arguments}
        case Clarify():
            found = {"clarify": decision.tool, "with": decision.arguments, "missing": list(decision.missing)}
        case _:
            found = {"none": decision.reason}
    assert found == {key: value for key, value in said.items() if key not in ("say", "having")}


def test_every_tool_is_told_apart_in_some_command():
    asked = {said.get(kind) for *_, said in (param.values for param in SAID) for kind in ("call", "confirm", "clarify")}
    tools = {tool.name for server in SERVERS if server != "sloppy" for tool in catalogue(server)}
    assert tools - asked == {"edit_file", "get-free-busy"}  # what nobody says; and what nobody would call it


@pytest.mark.parametrize("verb", ["undo", "burn", "frobnicate", "return", "unlock", "wash", "sell"])
@pytest.mark.parametrize("server", [server for server in SERVERS if server != "sloppy"])
def test_what_no_tool_does_changes_nothing(deciders, server, verb):
    tools = deciders[server].pack(server).pack.tools
    for one in guess(catalogue(server), trusted=True).guesses:
        if one.verb == verb or not one.thing:
            continue
        message = f"{verb} {one.thing.replace('_', ' ')} 42"
        case = case_from_object({"pack": server, "lang": "en", "message": message, "now": SHEET["now"]})
        for decision in deciders[server].decide(case).decisions:
            assert not isinstance(decision, Call) or tools[decision.tool].risk == "read", message


@pytest.mark.parametrize("trusted", [False, True], ids=["untrusted", "trusted"])
@pytest.mark.parametrize("server", SERVERS)
def test_a_draft_is_a_pack_with_every_tool_and_parameter(tmp_path, server, trusted):
    tools = catalogue(server)
    drafted(tools, tmp_path / server, trusted=trusted)
    pack = load_pack(tmp_path / server).pack
    assert set(pack.tools) == {tool.name for tool in tools}
    for tool in tools:
        assert set(pack.tools[tool.name].params) == {param.name for param in tool.params}
        required = {name for name, param in pack.tools[tool.name].params.items() if param.required}
        assert required == {param.name for param in tool.params if param.required}


@pytest.mark.parametrize("server", SERVERS)
def test_what_could_not_be_guessed_stands_in_its_file(tmp_path, server):
    written = drafted(catalogue(server), tmp_path / server)
    for question in written.questions:
        assert f"# to decide: {question.text}\n" in written.files[question.file]
    marks = sum(text.count("# to decide:") for text in written.files.values())
    assert marks == len(written.questions)


def tool(name, **hints):
    return {"name": name, "inputSchema": {"type": "object"}, "annotations": hints}


def risk_of(name, *, trusted, **hints):
    (found,) = guess(read_catalogue(json.dumps([tool(name, **hints)]), "test"), trusted=trusted).guesses
    return found.risk


@pytest.mark.parametrize(
    ("name", "hints", "untrusted", "trusted"),
    [
        ("list_notes", {"readOnlyHint": True}, "read", "read"),
        ("list_notes", {}, "destructive", "destructive"),
        ("list_notes", {"readOnlyHint": False}, "destructive", "destructive"),
        ("air_quality", {"readOnlyHint": True}, "destructive", "read"),
        ("create_note", {"destructiveHint": False}, "destructive", "write"),
        ("create_note", {}, "destructive", "destructive"),
        ("create_note", {"readOnlyHint": True}, "destructive", "destructive"),
        ("delete_note", {"readOnlyHint": True}, "destructive", "destructive"),
        ("delete_note", {"destructiveHint": False}, "destructive", "destructive"),
        ("note_wipe", {"readOnlyHint": True, "destructiveHint": False}, "destructive", "destructive"),
        ("list_notes", {"readOnlyHint": "yes"}, "destructive", "destructive"),
        ("find_or_create_note", {"readOnlyHint": True}, "destructive", "destructive"),
        ("get_and_delete_note", {"readOnlyHint": True}, "destructive", "destructive"),
        ("list_open_notes", {"readOnlyHint": True}, "read", "read"),
    ],
)
def test_hints_never_lower_what_a_name_says(name, hints, untrusted, trusted):
    assert risk_of(name, trusted=False, **hints) == untrusted
    assert risk_of(name, trusted=True, **hints) == trusted


WRITES = sorted(word for purpose in names().purposes.values() if purpose.risk != "read" for word in purpose.named)


@given(
    verb=st.sampled_from(WRITES),
    thing=st.sampled_from(["note", "disk_image", "users"]),
    first=st.booleans(),
    hints=st.fixed_dictionaries({}, optional={"readOnlyHint": st.booleans(), "destructiveHint": st.booleans()}),
    trusted=st.booleans(),
)
def test_no_tool_that_its_name_makes_write_is_drafted_as_one_that_reads(verb, thing, first, hints, trusted):
    name = f"{verb}_{thing}" if first else f"{thing}_{verb}"
    assert risk_of(name, trusted=trusted, **hints) != "read"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
WORDS = ["create", "list", "get", "delete", "move", "note", "notes", "id", "to", "of", "cancel", "it", "yes", "name"]
ODD = ["{x}", "é", "#", "a:b", "user.name", "<b>", "[x|y]"]
WORD = st.sampled_from([*WORDS, *ODD])
NAME = st.lists(WORD, min_size=1, max_size=4).map("_".join) | st.text(min_size=1, max_size=12)
SCHEMA = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["string", "integer", "number", "boolean", "array", "object", "null", "any", 3])
        | st.lists(st.sampled_from(["string", "null", "integer"]), max_size=2),
        "enum": st.lists(JSON, max_size=3) | JSON,
        "format": st.sampled_from(["date", "date-time", "email", 1]),
        "default": JSON,
        "minimum": JSON,
        "anyOf": st.lists(st.sampled_from([{"type": "string"}, {"type": "null"}, 7, {"$ref": "#/x"}]), max_size=3),
        "$ref": st.sampled_from(["#", "#/properties/a", "nowhere", "#/$defs/b"]),
        "description": JSON,
    },
)
TOOL = st.fixed_dictionaries(
    {"name": NAME.filter(str.strip)},
    optional={
        "description": JSON | st.text(max_size=40),
        "inputSchema": JSON
        | st.fixed_dictionaries(
            {"properties": st.dictionaries(NAME, SCHEMA, max_size=4)}, optional={"required": st.lists(NAME) | JSON}
        ),
        "outputSchema": JSON,
        "annotations": JSON | st.fixed_dictionaries({"readOnlyHint": JSON, "destructiveHint": JSON}),
    },
)


@settings(max_examples=40, deadline=None, phases=(Phase.generate,), suppress_health_check=list(HealthCheck))
@given(tools=st.lists(TOOL, min_size=1, max_size=5), trusted=st.booleans())
@pytest.mark.long
def test_whatever_a_server_lists_the_draft_is_a_pack_that_decides(tmp_path_factory, tools, trusted):
    folder = tmp_path_factory.mktemp("any") / "any"
    found = read_catalogue(json.dumps({"tools": tools}), "any")
    drafted(found, folder, trusted=trusted)
    decider = Decider.installed(folder)
    for message in ("list notes", "create a note", "delete note 7", "elimina la nota 7"):
        case = case_from_object({"pack": "any", "message": message, "now": SHEET["now"]})
        for decision in decider.decide(case).decisions:
            risks = {name: one.risk for name, one in decider.pack("any").pack.tools.items()}
            assert not isinstance(decision, Call) or risks[decision.tool] != "destructive"


@pytest.mark.parametrize(
    "data", ["[TOOL]", '{"tools": [TOOL]}', '{"jsonrpc": "2.0", "id": 1, "result": {"tools": [TOOL]}}']
)
def test_a_catalogue_may_come_as_a_list_an_object_or_a_whole_answer(data):
    (found,) = read_catalogue(data.replace("TOOL", json.dumps(tool("list_notes", readOnlyHint=True))), "test")
    assert (found.name, found.reads, found.destroys) == ("list_notes", True, None)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ("", "not valid JSON"),
        ("{}", "no list"),
        ("[]", "empty"),
        ('{"tools": [{}]}', "has no name"),
        ("3", "no list"),
        ('{"tools": [{"name": "x"}], "nextCursor": "2"}', "more tools"),
    ],
)
def test_what_is_no_catalogue_is_refused_with_what_to_do(data, problem):
    with pytest.raises(BadData, match=problem) as refused:
        read_catalogue(data, "tools.json")
    assert refused.value.remedy


def test_references_unions_and_nulls_are_resolved():
    (_, listed, *_) = catalogue("tickets")
    status = next(param for param in listed.params if param.name == "status")
    assert status.schema == {"type": ["string", "null"], "enum": ["open", "in_progress", "done", None]}
    assert not status.required


def test_names_that_come_to_the_same_words_have_acts_of_their_own():
    found = guess(read_catalogue(json.dumps([tool("list_notes"), tool("listNotes")]), "test")).guesses
    assert [one.act for one in found] == ["list_notes", "list_notes_2"]


def test_a_parameter_that_is_a_number_here_and_a_text_there_has_two_slots():
    def taking(name, kind):
        return {"name": name, "inputSchema": {"properties": {"size": {"type": kind}}}}

    found = guess(read_catalogue(json.dumps([taking("add_box", "integer"), taking("add_shirt", "string")]), "test"))
    assert [place.slot for one in found.guesses for place in one.places] == ["size", "size_text"]


def test_a_text_that_another_tool_lists_may_want_one_of_these():
    create = {"name": "create_invoice", "inputSchema": {"properties": {"customer": {"type": "string"}}}}
    tools = read_catalogue(json.dumps([create, tool("list_customers", readOnlyHint=True)]), "test")
    asked = [question.text for question in write(guess(tools), "test").questions if "customer" in question.key]
    assert any("list_customers lists them" in text for text in asked)


def test_a_cursor_is_no_date():
    schema = {"properties": {"after": {"type": "string", "description": "Cursor of the page before"}}}
    (found,) = guess(read_catalogue(json.dumps([{"name": "list_notes", "inputSchema": schema}]), "test")).guesses
    assert [place.type for place in found.places] == ["text"]


def test_where_the_same_words_ask_for_two_tools_only_the_first_is_asked_for(tmp_path):
    tools = [tool("archive_note"), tool("archive_notes"), tool("archiveNote2")]
    written = drafted(read_catalogue(json.dumps(tools), "test"), tmp_path / "twins")
    assert [question.key for question in written.questions if "same words" in question.text] == ["tools.archive_notes"]


@pytest.mark.parametrize(
    ("names_of", "purposes"),
    [
        (["turn_on_light", "turn_off_light"], ["enable", "disable"]),
        (["check_in_guest", "check_out_guest"], ["check_in", "check_out"]),
        (["refund_order", "pay_order"], ["refund", "pay"]),
        (["launch_job", "trigger_job"], ["launch", "trigger"]),
        (["add_note", "create_note"], ["add", "create"]),
    ],
)
def test_tools_that_do_different_things_are_not_asked_for_by_the_same_verb(names_of, purposes):
    found = guess(read_catalogue(json.dumps([tool(name) for name in names_of]), "test")).guesses
    assert [one.purpose for one in found] == purposes


def test_a_file_that_was_edited_is_not_written_over(tmp_path):
    written = drafted(catalogue("weather"), tmp_path / "weather")
    (tmp_path / "weather" / "en.yaml").write_text("mine", encoding="utf-8")
    with pytest.raises(BadData, match="there already"):
        save(written, tmp_path / "weather")
    assert (tmp_path / "weather" / "en.yaml").read_text("utf-8") == "mine"


def test_what_another_language_lacks_is_asked_for(tmp_path):
    written = drafted(catalogue("calendar"), tmp_path / "calendar")
    asked = {(question.file, question.key) for question in written.questions}
    assert ("it.yaml", "classes.free_busy_noun") in asked
    assert ("it.yaml", "classes.event_noun") not in asked


@pytest.mark.parametrize(
    "name", ["createInvoice", "create-invoice", "create_invoice", "Create.Invoice", "CREATE_INVOICE"]
)
def test_names_are_words_however_they_are_joined(name):
    assert words_in(name) == ("create", "invoice")


@pytest.mark.parametrize(
    ("many", "one"),
    [("invoices", "invoice"), ("boxes", "box"), ("directories", "directory"), ("people", "person"),
     ("status", "status"), ("addresses", "address"), ("news", "news"), ("weather", "weather")],
)  # fmt: skip
def test_several_become_one(many, one):
    assert singular(many, ENGLISH) == one
