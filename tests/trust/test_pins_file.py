"""Pins without a server: what is pinned, what differs, and files that are not ours."""

from __future__ import annotations

from hashlib import sha256

import pytest

from sayso.gateway.seals.key import Key
from sayso.gateway.seals.pins import Difference, Pins, Unsealed, differences, fingerprint

OLD, NEW = b"o" * 32, b"n" * 32
KEPT = Key([OLD], is_kept=True)
READ, WRITE = {"name": "read", "title": "Read"}, {"name": "write", "title": "Write"}
OTHER = {"name": "read", "title": "Read all"}


@pytest.fixture
def file(tmp_path):
    return tmp_path / "deep" / "pins.json"


def test_a_fingerprint_ignores_the_order_of_keys_only():
    assert fingerprint({"a": 1, "b": [1, 2]}) == fingerprint({"b": [1, 2], "a": 1})
    assert fingerprint({"a": 1, "b": [1, 2]}) != fingerprint({"a": 1, "b": [2, 1]})
    assert fingerprint({"name": "x"}) == sha256(b'sayso tool 1\n{"name":"x"}').hexdigest()


def test_a_server_is_pinned_as_it_is_met_first(file):
    pins = Pins(file, Key([OLD]))
    assert pins.read() == {}
    assert pins.meet("one", [READ]) == {"read": READ}
    assert pins.meet("one", [OTHER, WRITE]) == {"read": READ}
    assert pins.meet("two", [WRITE]) == {"write": WRITE}
    assert Pins(file, Key([OLD])).read() == {"one": {"read": READ}, "two": {"write": WRITE}}
    assert [each.name for each in file.parent.iterdir()] == ["pins.json"]
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_gateway_with_a_kept_key_starts_its_file_and_misses_it_afterwards(file):
    pins = Pins(file, KEPT)
    with pytest.raises(Unsealed):
        pins.read()
    assert pins.meet("one", [READ]) == {}
    pins.start()
    assert pins.read() == {}
    assert pins.meet("one", [READ]) == {"read": READ}
    pins.start()
    assert pins.read() == {"one": {"read": READ}}
    file.unlink()
    with pytest.raises(Unsealed):
        pins.read()


@pytest.mark.parametrize("content", [b"", b"{}", b'{"seal": "", "servers": {}}', b'{"servers": {"one": {}}}'])
def test_a_file_that_is_not_ours_holds_every_tool_back(file, content):
    pins = Pins(file, Key([OLD]))
    pins.meet("one", [READ])
    file.write_bytes(content)
    with pytest.raises(Unsealed, match="was not sealed by this gateway"):
        pins.read()
    assert pins.meet("one", [READ]) == {}
    assert pins.meet("two", [READ]) == {}
    assert file.read_bytes() == content


def test_a_changed_pin_is_not_ours(file):
    pins = Pins(file, Key([OLD]))
    pins.meet("one", [READ])
    file.write_text(file.read_text().replace('"Read"', '"Read all"'))
    assert pins.meet("one", [OTHER]) == {}


def test_a_restart_approves_nothing_and_leaves_what_is_ours(file):
    pins = Pins(file, KEPT)
    pins.restart(["one", "two"])
    assert pins.read() == {"one": {}, "two": {}}
    pins.approve("one", [READ])
    pins.restart(["one", "two"])
    assert pins.read() == {"one": {"read": READ}, "two": {}}


def test_pins_of_an_older_key_are_sealed_with_the_new_one_when_met(file):
    Pins(file, Key([OLD])).meet("one", [READ])
    before = file.read_bytes()
    both = Pins(file, Key([NEW, OLD]))
    assert both.read() == {"one": {"read": READ}}
    assert file.read_bytes() == before
    assert both.meet("one", []) == {"read": READ}
    assert Pins(file, Key([NEW])).read() == {"one": {"read": READ}}
    stamp = file.stat().st_ino
    both.meet("one", [])
    assert file.stat().st_ino == stamp


def test_all_tools_or_only_named_ones_are_approved(file):
    pins = Pins(file, Key([OLD]))
    pins.meet("one", [READ, WRITE])
    pins.meet("two", [READ])
    new = {"name": "new"}
    pins.approve("one", [OTHER, new], ["new"])
    assert pins.read()["one"] == {"read": READ, "write": WRITE, "new": new}
    pins.approve("one", [OTHER, new], ["read"])
    assert pins.read()["one"] == {"read": OTHER, "write": WRITE, "new": new}
    pins.approve("one", [OTHER, new], ["write"])  # gone, and that is approved
    assert pins.read()["one"] == {"read": OTHER, "new": new}
    pins.approve("one", [READ])
    assert pins.read() == {"one": {"read": READ}, "two": {"read": READ}}
    pins.approve("three", [READ, WRITE], ["write"])
    assert pins.read()["three"] == {"write": WRITE}


def test_differences_are_named():
    assert differences("one", {"read": READ}, [dict(reversed(READ.items()))]) == []
    assert differences("one", {"read": READ}, [OTHER]) == [Difference("one", "read", "changed", READ, OTHER)]
    assert differences("one", {"read": READ}, []) == [Difference("one", "read", "gone", READ, None)]
    assert differences("one", {}, [WRITE, READ]) == [
        Difference("one", "read", "added", None, READ),
        Difference("one", "write", "added", None, WRITE),
    ]


def test_of_a_tool_that_is_listed_twice_neither_may_be_another():
    for listed in ([READ, OTHER], [OTHER, READ], [READ, OTHER, READ]):
        assert differences("one", {"read": READ}, listed) == [Difference("one", "read", "changed", READ, OTHER)]
    assert differences("one", {"read": READ}, [READ, READ]) == []
