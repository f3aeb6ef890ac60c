"""The chain of a trail without a database: known hashes, every part of an entry, receipts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256
from uuid import UUID

import msgspec
import pytest

from sayso.ledger.chain import (
    ERASURE,
    Event,
    Head,
    Verified,
    Walk,
    blank,
    body_hash,
    body_hash_1,
    can_be_erased,
    chained,
    entries,
    first_hash,
    wrong,
)

AT = datetime(2026, 3, 10, 8, 0, 0, 250, tzinfo=UTC)
WHERE = UUID(int=7)
ENCODER = msgspec.json.Encoder(order="deterministic")


def chain(*events, user="ada"):
    return list(entries(Head(0, first_hash(user)), AT, WHERE, events, ENCODER))


def walked(made, user="ada"):
    walk = Walk(user)
    for entry in made:
        if not walk.step(entry):
            break
    return walk.verified()


def test_hashes_are_those_of_the_format_that_is_stored():
    """Another format would make every stored trail invalid: these bytes may never change."""
    assert first_hash("ada") == sha256(b"sayso trail 1\nada").digest()
    lengths = bytes(7) + b"\4" + bytes(7) + b"\2"
    assert body_hash(b"salt", "é") == sha256(b"sayso entry 2\n" + lengths + b"salt\xc3\xa9").digest()
    assert body_hash_1(b"salt", "é") == sha256(b"sayso entry 1\nsalt\xc3\xa9").digest()
    parts = b'[3,"2026-03-10T08:00:00.000250+00:00","call","00000000-0000-0000-0000-000000000007","626f6479"]'
    assert chained(b"before", 3, AT, "call", WHERE, b"body") == sha256(b"before" + parts).digest()
    parts = b'[3,"2026-03-10T08:00:00.000250+00:00","call","","626f6479"]'
    assert chained(b"before", 3, AT, "call", None, b"body") == sha256(b"before" + parts).digest()
    elsewhere = AT.astimezone(timezone(timedelta(hours=5)))
    assert chained(b"before", 3, elsewhere, "call", None, b"body") == sha256(b"before" + parts).digest()


def test_entries_are_numbered_from_the_head_and_salted():
    one, two = chain(Event("message", {"b": 1, "a": 2}), Event("call", None))
    assert (one.number, two.number) == (1, 2)
    assert (one.kind, one.body, two.body) == ("message", '{"a":2,"b":1}', "null")
    assert (one.at, one.conversation_id) == (AT, WHERE)
    assert one.salt != two.salt
    assert len(one.salt) == len(two.salt) == 16
    assert two.hash == chained(one.hash, 2, AT, "call", WHERE, body_hash(two.salt, "null"))
    (next_one,) = entries(Head(2, two.hash), AT, None, [Event("call", 1)], ENCODER)
    assert next_one.number == 3
    assert wrong(next_one, Head(2, two.hash)) is None


def test_a_whole_chain_verifies():
    made = chain(*(Event("message", number) for number in range(3)))
    found = walked(made)
    assert (found.intact, found.entries, found.erased, found.problem) == (True, 3, 0, None)
    assert found.head == made[-1].hash.hex()
    assert walked([]).head == first_hash("ada").hex()
    assert Verified(intact=True, entries=0, head="").erased == 0
    assert walked([]).intact


@pytest.mark.parametrize(
    "change",
    [
        {"number": 3},
        {"number": 1},
        {"at": AT + timedelta(microseconds=1)},
        {"kind": "call"},
        {"conversation_id": None},
        {"body": '"other"'},
        {"salt": bytes(16)},
        {"body": None},
        {"salt": None},
        {"body_hash": bytes(32)},
        {"hash": bytes(32)},
    ],
    ids=str,
)
def test_every_part_of_an_entry_is_bound(change):
    one, two, three = chain(Event("message", 1), Event("message", 2), Event("message", 3))
    found = walked([one, msgspec.structs.replace(two, **change), three])
    assert not found.intact
    assert (found.entries, found.head) == (1, one.hash.hex())
    assert found.problem


def test_a_problem_names_its_entry():
    one, two, three = chain(Event("message", 1), Event("message", 2), Event("message", 3))
    assert walked([one, three]).problem == "entry 3 follows entry 1: entries are missing or out of order"
    assert walked([one, msgspec.structs.replace(two, body="7")]).problem == "the content of entry 2 was changed"
    changed = msgspec.structs.replace(two, kind="call")
    assert walked([one, changed]).problem == "entry 2 was changed or replaced (its hash does not match)"
    assert not walked([one, two, three], user="bob").intact


def version_1(salt):
    hashed = body_hash_1(salt, "1")
    (entry,) = chain(Event("message", 1))
    before = first_hash("ada")
    whole = chained(before, 1, AT, "message", WHERE, hashed)
    return msgspec.structs.replace(entry, salt=salt, body_hash=hashed, hash=whole)


def test_version_1_counts_with_a_salt_of_16_bytes_only():
    assert walked([version_1(bytes(16))]).intact
    for length in (0, 15, 17):
        assert not walked([version_1(bytes(length))]).intact


def receipt(*numbers):
    return Event(ERASURE, {"numbers": numbers})


def test_a_blank_entry_needs_a_receipt_that_names_it():
    made = chain(Event("message", 1), Event("message", 2), Event("message", 3), receipt(2))
    one, two, three, erased = made
    found = walked([one, blank(two), three, erased])
    assert (found.intact, found.entries, found.erased) == (True, 4, 1)
    found = walked([one, blank(two), three])
    assert (found.intact, found.entries, found.head) == (False, 1, one.hash.hex())
    assert found.problem == "entry 2 is blank, and no erasure names it"
    assert found.erased == 0
    found = walked([blank(one), blank(two), three, erased])
    assert (found.intact, found.entries, found.erased) == (False, 0, 1)


def test_a_receipt_covers_only_entries_before_it_and_only_blank_ones():
    made = chain(receipt(2, 3), Event("message", 2), Event("message", 3))
    found = walked([made[0], blank(made[1]), made[2]])
    assert not found.intact
    made = chain(Event("message", 1), receipt(1))
    assert walked(made).erased == 0
    assert walked(made).intact


def test_what_is_not_a_receipt_covers_nothing():
    for event in (Event(ERASURE, {"numbers": "1"}), Event("message", {"numbers": [1]}), Event(ERASURE, None)):
        one, two = chain(Event("message", 1), event)
        found = walked([blank(one), two])
        assert (found.intact, found.erased) == (False, 0), event


def test_a_problem_names_ten_blank_entries_at_most():
    ten = walked([blank(entry) for entry in chain(*[Event("message", 1)] * 10)])
    assert ten.problem == "10 entries are blank, and no erasure names them: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10"
    more = walked([blank(entry) for entry in chain(*[Event("message", 1)] * 11)])
    assert more.problem == "11 entries are blank, and no erasure names them: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …"


def test_a_problem_of_the_end_is_told_after_one_of_the_chain():
    made = chain(Event("message", 1))
    walk = Walk("ada")
    assert walk.step(made[0])
    found = walk.verified("the end is another")
    assert (found.intact, found.problem, found.entries) == (False, "the end is another", 1)
    assert walk.step(made[0]) is False
    assert walk.verified("the end is another").problem == "entry 1 follows entry 1: entries are missing or out of order"


def test_receipts_and_blank_entries_cannot_be_erased():
    message, erased = chain(Event("message", 1), receipt(1))
    assert can_be_erased(message)
    assert not can_be_erased(erased)
    assert not can_be_erased(blank(message))
    assert blank(message).hash == message.hash
    assert (blank(message).body, blank(message).salt) == (None, None)
