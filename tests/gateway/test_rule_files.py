"""Mistakes in rules: each is reported with the file, the key, the place and what to do."""

from __future__ import annotations

import json

import pytest

from sayso.errors import BadData
from sayso.gateway.config import read_config
from sayso.gateway.rules.check import check_rules
from sayso.gateway.rules.expression import Expression, facts
from sayso.gateway.rules.paths import host, lower, under
from sayso.gateway.rules.rulebook import make_rulebook


def tool(*names, **more):
    return {"inputSchema": {"type": "object", "properties": {name: {} for name in names}} | more}


PINNED = {
    "files": {"write_file": tool("path", "content"), "read_file": tool("path"), "list_roots": tool()},
    "bank": {"transfer": tool("amount", "to"), "free": tool("any", additionalProperties=True)},
}


def checked(tmp_path, pinned=PINNED, everywhere=(), files=(), tools=None):
    servers = {
        "files": {"command": "x", "sayso": {"rules": list(files), "tools": tools or {}}},
        "bank": {"command": "y"},
        "new": {"command": "z"},
    }
    file = tmp_path / "sayso.json"
    file.write_text(json.dumps({"mcpServers": servers, "sayso": {"rules": list(everywhere)}}))
    config = read_config(file)
    return check_rules(config, file, make_rulebook(config, file), pinned, lambda *_: "destructive")


def rule(when, effect="deny"):
    return {"effect": effect, "when": when}


@pytest.mark.parametrize(
    ("when", "problem"),
    [
        ("args.path ==", "column 13: mismatched input '<EOF>'"),
        ("args.paht == 'x'", 'column 6: "paht" is not an argument; did you mean "path"?'),
        ('args["paht"] == "x"', 'column 6: "paht" is not an argument; did you mean "path"?'),
        ('tool == "write_fil"', 'column 9: "write_fil" is not a tool; did you mean "write_file"?'),
        ('tool in ["read_file", "rite_file"]', '"rite_file" is not a tool; did you mean "write_file"?'),
        ('server != "fils"', '"fils" is not a value of server; did you mean "files"?'),
        ('risk == "writes"', '"writes" is not a value of risk; did you mean "write"?'),
        ('words.source == "clinet"', 'did you mean "client"?'),
        ("word.text == 'x'", 'column 1: "word" is not a variable or function; did you mean "words"?'),
        ("words.txt == 'x'", 'did you mean "text"?'),
        ("udner(args.path, '/srv')", 'column 1: "udner" is not a variable or function; did you mean "under"?'),
        ("args.path.all(x, args.path.all(y, x == y))", "column 28: a loop inside a loop is not supported"),
        ("x" * 2_001, "is longer than 2000 characters"),
    ],
)
def test_a_mistake_in_an_expression_is_an_error_with_its_place(tmp_path, when, problem):
    with pytest.raises(BadData) as found:
        checked(tmp_path, files=[rule("true"), rule(when)])
    assert str(tmp_path / "sayso.json") in str(found.value)
    assert "mcpServers.files.sayso.rules[1].when: column" in str(found.value)
    assert problem in str(found.value)


def test_a_rule_under_a_tool_that_does_not_exist_is_an_error(tmp_path):
    with pytest.raises(BadData, match='files has no tool write_fiel; did you mean "write_file"'):
        checked(tmp_path, tools={"write_fiel": {"rules": [rule("true")]}})
    (warning,) = checked(tmp_path, tools={"write_fiel": {"hidden": True}})
    assert 'did you mean "write_file"' in warning


def test_a_rule_for_one_tool_knows_the_arguments_of_that_tool_only(tmp_path):
    with pytest.raises(BadData, match='"content" is not an argument'):
        checked(tmp_path, tools={"read_file": {"rules": [rule("args.content == ''")]}})


@pytest.mark.parametrize("when", ["args.amount > 50", "args.nobody_knows == 1"])
def test_a_tool_that_takes_any_argument_is_not_guessed_about(tmp_path, when):
    warnings = checked(tmp_path, everywhere=[rule(when, "allow")])
    assert warnings == []


def test_a_rule_that_stops_other_tools_because_they_lack_an_argument_is_warned_about(tmp_path):
    (warning,) = checked(tmp_path, files=[rule("under(args.path, '/etc')")])
    assert "deny applies to every call of list_roots, without path" in warning
    for fine in ("has(args.path) && under(args.path, '/etc')", "'path' in args && args.path == ''"):
        assert checked(tmp_path, files=[rule(fine)]) == []
    assert checked(tmp_path, files=[rule("tool == 'read_file' && args.path == ''")]) == []


def test_allowing_a_destructive_tool_is_warned_about(tmp_path):
    (warning,) = checked(tmp_path, tools={"write_file": {"rules": [rule("true", "allow")]}})
    assert "allow has no effect, because write_file is destructive" in warning


def test_names_of_a_server_without_pins_are_warned_about(tmp_path):
    (warning,) = checked(tmp_path, pinned={}, files=[rule("args.paht == ''")])
    assert "files has no pinned tools yet" in warning


@pytest.mark.parametrize("effect", ["permit", None, 3])
def test_an_effect_that_does_not_exist_is_an_error(tmp_path, effect):
    with pytest.raises(BadData, match="effect"):
        checked(tmp_path, files=[{"effect": effect}])


@pytest.mark.parametrize(
    "path",
    [
        "/srv/notes",
        "/srv/notes/",
        "/srv/notes/a",
        "/srv/./notes//a b",
        "//srv/notes/a",
        "/srv/notes/...",
        "/srv/notes/~a",
    ],
)
def test_paths_under_a_folder(path):
    assert under(path, "/srv/notes")
    assert under(path, "/srv/notes/")
    assert under(path, "/")


@pytest.mark.parametrize(
    "path", ["/srv", "/srv/notes2", "/srv/note", "/etc/srv/notes", "/", "/srv/notes ", "/srv/notés"]
)
def test_paths_elsewhere(path):
    assert not under(path, "/srv/notes")


@pytest.mark.parametrize(
    "path",
    [
        *("notes/a", "", ".", "~/notes", "~root/x", "file:///srv/notes/a", "C:\\srv\\notes", "\\\\host\\share"),
        *("/srv/notes/../../etc/passwd", "/srv/notes/..", "/srv/notes/a/..", "/srv/notes/..\\..\\x", "/srv/notes/a\\b"),
        *("/SRV/notes/a", "/srv/Notes", "/srv/note\u017f", "/srv/note\uff53", "/srv/notes/a\x00b", "/srv/notes\n"),
        *(None, 3, ["/srv/notes/a"], {"path": "/srv/notes"}, True),
    ],
)
def test_paths_with_more_than_one_reading_have_no_answer(path):
    with pytest.raises(ValueError, match=r"path|texts"):
        under(path, "/srv/notes")


def test_a_folder_must_be_absolute_too():
    with pytest.raises(ValueError, match="absolute"):
        under("/srv/notes/a", "srv/notes")


def test_paths_of_windows():
    assert under("c:/Notes/a.txt", "C:\\notes")
    assert not under("C:\\notes2\\a.txt", "C:\\notes")
    assert not under("D:\\notes\\a.txt", "C:\\notes")
    for unclear in (
        "\\notes\\a",
        "C:notes",
        "C:\\notes\\..\\x",
        "C:\\notes\\a.txt:stream",
        "C:\\NOTES~1\\a",
        "C:\\notes.",
        "/x",
    ):
        with pytest.raises(ValueError, match="path"):
            under(unclear, "C:\\notes")


def test_hosts_of_addresses():
    assert host("https://Example.org:8443/a?b#c") == "example.org"
    assert host("http://[::1]/") == "[::1]"
    for unclear in (
        *("https://good.org@evil.org/", "https:/\\evil.org", "//example.org", "example.org", "https://", "https://a b"),
        *("https://good.org\\@evil.org", "https://evil.org\x00.good.org", "https://münchen.de/", None, 3),
    ):
        with pytest.raises(ValueError, match="URL"):
            host(unclear)
    assert lower("A@Example.ORG") == "a@example.org"


@pytest.mark.parametrize(
    "when",
    ["args.missing", "args.path", "args.path > 3", "1 / 0 == 1", "args.path.matches('[')", "under(1, '/')", "null"],
)
def test_an_expression_without_an_answer_raises(when):
    with pytest.raises(ValueError, match=r"."):
        Expression(when).applies(facts({"args": {"path": "/srv"}}))


def nested(depth):
    value = "x"
    for _ in range(depth):
        value = [value]
    return {"x": value}


def test_arguments_that_are_too_deep_or_too_many_are_not_looked_at():
    assert facts({"args": nested(30)})
    for large in (nested(40), nested(100_000), {"x": [0] * 20_000}, {"x": "\ud800"}):
        with pytest.raises(ValueError, match=r"."):
            facts({"args": large})
