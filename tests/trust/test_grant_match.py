"""Which calls a grant covers, and which answers a question offers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from sayso.decision import Clarify, Confirm
from sayso.gateway.grants.grant import Call, Grant, covers, digest, is_in
from sayso.gateway.grants.offers import allows, chosen, make_grant, offers, words_of
from sayso.gateway.values import Question, Wanted, Words

NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)
HOUR = Grant(
    id="0" * 12,
    user="ada",
    server="files",
    tool="write",
    definition="f" * 64,
    scope="hour",
    made=NOW,
    until=NOW + timedelta(hours=1),
)
CALL = Call("ada", "files", "write", "f" * 64, {"path": "/srv/notes/a.txt"}, "")


def question(arguments, *, reason="uncertain", words=""):
    wanted = Wanted(server="files", tool="write", arguments=arguments, words=Words(message=words, trusted=bool(words)))
    asks = Confirm(tool="write", arguments=arguments, confidence=1, question="?", reason=reason)
    return Question(id="q", wanted=wanted, asks=asks, definition="f" * 64)


def always(arguments, value):
    asked = question(arguments)
    grant = make_grant(chosen(value, offers(asked, "always", "write", "en")), "ada", asked, NOW)
    assert grant is not None
    return lambda given: covers(grant, CALL._replace(arguments=given), NOW)


def test_a_grant_is_bound_to_user_server_tool_and_definition():
    assert covers(HOUR, CALL, NOW)
    for field in ("user", "server", "tool", "definition"):
        for other in ("", "x", getattr(CALL, field).upper() + "x"):
            assert not covers(HOUR, CALL._replace(**{field: other}), NOW)
    assert not covers(msgspec.structs.replace(HOUR, definition=""), CALL._replace(definition=""), NOW)


def test_it_counts_from_when_it_was_made_until_it_ends():
    for seconds, counts in ((-1, False), (0, True), (3599, True), (3600, False)):
        assert covers(HOUR, CALL, NOW + timedelta(seconds=seconds)) is counts


def test_a_task_counts_for_the_same_message_of_the_user():
    grant = msgspec.structs.replace(HOUR, scope="task", words=digest("tidy my notes"))
    for words, counts in (("tidy my notes", True), ("Tidy my notes", False), ("tidy my notes ", False)):
        assert covers(grant, CALL._replace(words=digest(words)), NOW) is counts
    assert not covers(grant, CALL, NOW)
    assert words_of(Words(message="tidy my notes", trusted=False)) == ""


@pytest.mark.parametrize(
    "path",
    [
        "/srv/notes",
        "/srv/notes/",
        "/srv/notesx/a",
        "/srv/notes/../other",
        "/srv/notes/a/../../other",
        "/srv/notes/./a",
        "/srv/notes//a",
        "//srv/notes/a",
        "/srv/notes/a/",
        "/srv/notes/.git/config",
        "/srv/notes/..",
        "/srv/notes/a\n",
        "/srv/notes/a\x00",
        "/srv/notes/a\u200b",
        "/srv/notes/..\\other",
        "/SRV/notes/a",
        "srv/notes/a",
        "file:///srv/notes/a",
        "",
        None,
        ["/srv/notes/a"],
        {"path": "/srv/notes/a"},
    ],
)
def test_what_is_not_plainly_in_the_folder_is_not_covered(path):
    assert is_in("/srv/notes", "/srv/notes/deep/a.txt")
    assert not is_in("/srv/notes", path)
    covered = always({"path": "/srv/notes/a.txt", "content": "x"}, "folder")
    assert covered({"path": "/srv/notes/deep/b.txt", "content": "anything\n/etc/passwd"})
    assert not covered({"path": path, "content": "x"})


def test_every_path_of_a_call_must_be_in_the_folder():
    covered = always({"source": "/srv/notes/a", "destination": "/srv/notes/b"}, "folder")
    assert covered({"source": "/srv/notes/c", "destination": "/srv/notes/d"})
    assert not covered({"source": "/srv/notes/c", "destination": "/etc/d"})
    assert not covered({"source": "/srv/notes/c", "destination": "../d"})
    assert not covered({"source": "/srv/notes/c"})
    mixed = {"source": "/srv/notes/a", "destination": "/srv/other/b"}
    assert chosen("folder", offers(question(mixed), "always", "write", "en")) is None


@pytest.mark.parametrize("free", ["/etc/passwd", " /etc/passwd", "~/x", "../x", "C:\\x", "\\\\host\\x", "FILE:///x"])
def test_a_path_in_another_argument_is_not_covered(free):
    covered = always({"path": "/srv/notes/a", "content": "x"}, "folder")
    assert not covered({"path": "/srv/notes/a", "content": free})


def test_amounts_and_switches_stay_as_they_were_and_no_argument_is_added():
    covered = always({"to": "bob", "amount": 50, "urgent": True}, "value:to")
    assert covered({"to": "bob", "amount": 50, "urgent": True})
    for change in ({"to": "eve"}, {"amount": 51}, {"amount": 50.5}, {"urgent": 1}, {"urgent": False}, {"copy": "eve"}):
        assert not covered({"to": "bob", "amount": 50, "urgent": True} | change)
    assert not covered({"amount": 50, "urgent": True})
    assert always({"to": "bob", "text": "hi"}, "value:to")({"to": "bob", "text": "something else"})


def test_there_are_no_offers_for_what_destroys_and_for_other_questions():
    asked = question({"path": "/srv/notes/a"})
    assert offers(asked, "always", "write", "en")
    for risk in ("destructive", "read"):
        assert offers(asked, "always", risk, "en") == ()
    for reason in ("destructive", "several"):
        assert offers(question({}, reason=reason), "always", "write", "en") == ()
    clarify = Clarify(tool="write", confidence=1, question="?", reason="missing")
    assert offers(msgspec.structs.replace(asked, asks=clarify), "always", "write", "en") == ()
    assert offers(asked, "once", "write", "en") == ()


def test_offers_follow_the_operators_limit():
    asked = question({"path": "/srv/notes/a", "title": "x", "content": "one\ntwo", "note": "zero\u200bwidth"})
    values = {
        most: [offer.value for offer in offers(asked, most, "write", "en")] for most in ("task", "hour", "always")
    }
    assert values["task"] == ["once", "task"]
    assert values["hour"] == ["once", "task", "hour"]
    assert values["always"] == ["once", "task", "hour", "folder", "value:title"]
    assert [scope for scope in ("task", "hour", "folder", "value") if allows("hour", scope)] == ["task", "hour"]
    assert "/srv/notes" in chosen("folder", offers(asked, "always", "write", "it")).title


@pytest.mark.parametrize("path", ["/a.txt", "relative/a", "/srv/../a", "~/a"])
def test_no_folder_is_offered_for_what_has_none(path):
    assert chosen("folder", offers(question({"path": path}), "always", "write", "en")) is None
