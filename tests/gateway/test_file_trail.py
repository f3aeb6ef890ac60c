"""The trail in a file: no change to it goes unnoticed."""

from __future__ import annotations

import asyncio
import errno
import os
import time
from pathlib import Path

import msgspec
import pytest

from sayso.gateway.trail.record import FileTrail
from sayso.ledger.chain import Entry, Event

pytestmark = pytest.mark.anyio

# As the first version of the hash wrote it.
FIRST_VERSION = r"""
{"number":1,"at":"2026-11-16T10:04:15.553781Z","kind":"judged","conversation_id":null,"body":"{\"number\":1}","salt":"0uN9nTgcnP42XLGBEDVRCg==","body_hash":"FzCzooAhgHWNtQ6ItomDvYsy/nTdZSBtHrf71GAiqIk=","hash":"P41X5s5le/gUAQfHfgsHzwby7Fb1XP3+Q/Q1S/hmJec="}
{"number":2,"at":"2026-11-16T10:04:15.553781Z","kind":"call","conversation_id":null,"body":"{\"text\":\"caffè\"}","salt":"krtprT/scC2brgUPxARcnA==","body_hash":"QeYiLhNioZWwLksNab4eGN9028NGgKuZwIRhShD+Ejs=","hash":"iO6FKwF9tNcLpEH94WVk6MM8ykw5LL82Ard2f377HLY="}
"""
FIRST_HEAD = "88ee852b017db4d70ba441fde16564e8c33cca4c392cbf3602b7767f7efb1cb6"


@pytest.fixture
def trail(tmp_path):
    trail = FileTrail(tmp_path / "trail.jsonl")
    yield trail
    trail.close()


def splits(entry):
    """The entry with its bytes divided between salt and body at every other place."""
    whole = entry.salt + entry.body.encode()
    for place in range(len(whole) + 1):
        try:
            body = whole[place:].decode()
        except UnicodeDecodeError:
            continue
        if place != len(entry.salt):
            yield msgspec.structs.replace(entry, salt=whole[:place], body=body)


def rewrite(trail, place, entry):
    """Put another entry at this place of the file."""
    lines = [msgspec.json.encode(each) for each in trail.read()]
    lines[place] = msgspec.json.encode(entry)
    trail._file.write_bytes(b"".join(line + b"\n" for line in lines))


async def test_no_byte_moves_between_salt_and_body(trail):
    await trail.add("local", [Event("judged", {"number": 1}), Event("call", {"text": "caffè"})])
    for place, entry in enumerate(list(trail.read())):
        tampered = list(splits(entry))
        assert tampered[-1].body == ""
        for each in tampered:
            rewrite(trail, place, each)
            assert trail.verify().problem == f"the content of entry {place + 1} was changed"
        rewrite(trail, place, entry)
    assert trail.verify().intact


async def test_entries_of_the_first_version_verify_and_are_held_to_their_salt(trail):
    trail._file.write_text(FIRST_VERSION.lstrip(), "utf-8")
    trail._end.write_text(f"2 {FIRST_HEAD}")
    verified = trail.verify()
    assert (verified.intact, verified.entries, verified.head) == (True, 2, FIRST_HEAD)
    first = next(trail.read())
    for each in splits(first):
        rewrite(trail, 0, each)
        assert trail.verify().problem == "the content of entry 1 was changed"
    rewrite(trail, 0, first)
    await trail.add("local", [Event("call", {"text": "new"})])
    verified = trail.verify()
    assert (verified.intact, verified.entries) == (True, 3)


async def test_a_blank_entry_without_a_receipt_is_named(trail):
    await trail.add("local", [Event("call", {"number": number}) for number in range(3)])
    entry = list(trail.read())[1]
    rewrite(trail, 1, msgspec.structs.replace(entry, body=None, salt=None))
    verified = trail.verify()
    assert (verified.intact, verified.entries) == (False, 1)
    assert verified.problem == "entry 2 is blank, and no erasure names it"
    rewrite(trail, 1, msgspec.structs.replace(entry, salt=None))
    assert trail.verify().problem == "the content of entry 2 was changed"


async def test_an_erasure_blanks_with_its_receipt_while_another_process_writes(trail):
    await trail.add("local", [Event("call", {"text": f"secret {number}"}) for number in range(4)])
    other = FileTrail(trail._file)
    assert other.erase([2, 4, 9]).numbers == (2, 4)
    assert other.erase([2, 5]) is None  # an erased one, and the receipt
    await trail.add("local", [Event("call", {"text": "more"})])
    other.close()
    assert [entry.kind for entry in trail.read()] == [*["call"] * 4, "erasure", "call"]
    said = trail._file.read_text()
    assert [f"secret {number}" in said for number in range(4)] == [True, False, True, False]
    verified = trail.verify()
    assert (verified.intact, verified.entries, verified.erased) == (True, 6, 2)
    entries = list(trail.read())
    rewrite(trail, 4, msgspec.structs.replace(entries[4], body=None, salt=None))
    assert trail.verify().problem == "3 entries are blank, and no erasure names them: 2, 4, 5"


@pytest.fixture
def synced(monkeypatch):
    """The size of each file at each sync, which takes a while, as on a slow disk."""
    seen, sync = [], os.fsync

    def slowly(handle):
        seen.append((str(Path(f"/proc/self/fd/{handle}").readlink()), os.fstat(handle).st_size))
        time.sleep(0.02)
        sync(handle)

    monkeypatch.setattr("os.fsync", slowly)
    return seen


async def test_what_is_added_is_on_disk_with_its_end(trail, synced):
    for number in range(2):
        await trail.add("local", [Event("call", {"number": number})])
        size = trail._file.stat().st_size
        assert synced[-2:] == [(str(trail._file), size), (str(trail._end), trail._end.stat().st_size)]
    assert synced[0][0] == str(trail._file.parent)


async def test_calls_that_wait_at_the_same_time_share_a_sync(trail, synced):
    await asyncio.gather(*(trail.add("local", [Event("call", {"number": number})]) for number in range(32)))
    syncs = [size for file, size in synced if file == str(trail._file)]
    assert len(syncs) <= 3
    assert syncs[-1] == trail._file.stat().st_size
    assert trail.verify().entries == 32


async def test_reads_do_not_wait_and_are_on_disk_soon_in_one_group(trail, synced):
    for number in range(20):
        await trail.add("local", [Event("call", {"number": number})], wait=False)
    assert [file for file, _ in synced] == [str(trail._file.parent)]
    size = trail._file.stat().st_size
    for _ in range(500):
        if (str(trail._file), size) in synced:
            break
        await asyncio.sleep(0.01)
    assert (str(trail._file), size) in synced
    assert len([file for file, _ in synced if file == str(trail._file)]) < 10
    await trail.add("local", [Event("call", {"number": 20})], wait=False)
    size = trail._file.stat().st_size
    trail.close()
    assert (str(trail._file), size) in synced


async def test_after_a_sync_that_failed_nothing_more_is_recorded(trail, monkeypatch):
    await trail.add("local", [Event("call", {})])

    def fail(_handle):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", fail)
        waiting = (trail.add("local", [Event("call", {})]) for _ in range(3))
        failed = await asyncio.gather(*waiting, return_exceptions=True)
    assert [each.errno for each in failed] == [errno.EIO] * 3
    with pytest.raises(OSError, match="Input/output"):
        await trail.add("local", [Event("call", {})])


def test_an_entry_is_read_as_it_is_kept():
    """The lines above are what `Entry` is in a file: a field that is added here must be optional."""
    for line in FIRST_VERSION.split():
        assert msgspec.json.encode(msgspec.json.decode(line, type=Entry)) == line.encode()
