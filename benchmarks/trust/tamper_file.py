"""Ways to tamper with a gateway's trail, for somebody who may write to its files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgspec

from benchmarks.harness.services import Progress
from benchmarks.trust.tamper_kinds import splits
from sayso.gateway.trail.record import FileTrail
from sayso.ledger.chain import ERASURE, Entry, Event, blank, body_hash, chained


class File(NamedTuple):
    """The entries of the file, to be changed in place; what the file beside it says of their end; and chance."""

    entries: list[Entry]
    end: list[str]
    rng: Random

    @property
    def place(self) -> int:
        """That of any entry that says something."""
        return self.rng.choice([at for at, entry in enumerate(self.entries) if entry.body is not None])


FileTampering = Callable[[File], None]


def _edits(**changes: Callable[[File, Entry], Any]) -> FileTampering:
    """Sets columns of an entry to something else."""

    def edit(file: File) -> None:
        place = file.place
        entry = file.entries[place]
        values = {name: change(file, entry) for name, change in changes.items()}
        while values == {name: getattr(entry, name) for name in changes}:
            values = {name: change(file, entry) for name, change in changes.items()}
        file.entries[place] = msgspec.structs.replace(entry, **values)

    return edit


def _move(file: File) -> None:
    place = file.place
    salt, body = file.rng.choice(list(splits(file.entries[place])))
    file.entries[place] = msgspec.structs.replace(file.entries[place], salt=salt, body=body)


def _empty(file: File) -> None:
    place = file.place
    *_, (salt, body) = splits(file.entries[place])
    file.entries[place] = msgspec.structs.replace(file.entries[place], salt=salt, body=body)


def _blank(file: File) -> None:
    place = file.place
    file.entries[place] = blank(file.entries[place])


def _blank_receipt(file: File) -> None:
    place = file.rng.choice([at for at, entry in enumerate(file.entries) if entry.kind == ERASURE])
    file.entries[place] = blank(file.entries[place])


def _rewrite(file: File) -> None:
    """An entry with hashes that fit the one before it."""
    place = max(1, file.place)
    entry, salt = file.entries[place], file.rng.randbytes(16)
    hashed = body_hash(salt, "{}")
    whole = chained(file.entries[place - 1].hash, entry.number, entry.at, entry.kind, None, hashed)
    file.entries[place] = msgspec.structs.replace(entry, body="{}", salt=salt, body_hash=hashed, hash=whole)


def _delete(file: File) -> None:
    del file.entries[file.place]


def _swap(file: File) -> None:
    one, other = file.rng.sample(range(len(file.entries)), 2)
    file.entries[one], file.entries[other] = file.entries[other], file.entries[one]


def _cut(file: File) -> None:
    del file.entries[file.rng.randrange(len(file.entries)) :]


def _repeat(file: File) -> None:
    file.entries.insert(file.place, file.entries[file.place])


def _end(file: File) -> None:
    file.end[:] = file.rng.choice(
        [[file.end[0], file.rng.randbytes(32).hex()], [f"{int(file.end[0]) - 1}", file.end[1]]]
    )


def _drop_end(file: File) -> None:
    file.end.clear()


FILE_TAMPERINGS: dict[str, FileTampering] = {
    "file: edit number": _edits(number=lambda file, entry: entry.number + file.rng.randint(1, 99)),
    "file: edit at": _edits(at=lambda file, entry: entry.at + timedelta(microseconds=file.rng.randint(1, 10**9))),
    "file: edit kind": _edits(kind=lambda file, _entry: file.rng.choice(["call", "reply", ERASURE, "x"])),
    "file: edit body": _edits(body=lambda file, _entry: file.entries[file.place].body),
    "file: edit salt": _edits(salt=lambda file, _entry: file.rng.choice([None, b"", file.rng.randbytes(16)])),
    "file: edit body_hash": _edits(body_hash=lambda file, _entry: file.rng.randbytes(32)),
    "file: edit hash": _edits(hash=lambda file, _entry: file.rng.randbytes(32)),
    "file: move bytes between salt and body": _move,
    "file: move the whole body to the salt": _empty,
    "file: blank one": _blank,
    "file: blank a body and keep its salt": _edits(body=lambda _file, _entry: None),
    "file: blank the receipt of an erasure": _blank_receipt,
    "file: rewrite an entry with its hashes": _rewrite,
    "file: delete one": _delete,
    "file: swap two": _swap,
    "file: cut off the end": _cut,
    "file: repeat one": _repeat,
    "file: another end": _end,
    "file: drop the end": _drop_end,
}


async def tamper_file(entries: Sequence[Entry], rng: Random, times: int) -> list[str]:
    """Write the same entries into a gateway's file, tamper with it so often, and say which were not found."""
    progress, missed = Progress("tamperings with a file", times), []
    with TemporaryDirectory() as folder:
        file = Path(folder) / "trail.jsonl"
        trail = FileTrail(file)
        said = [Event(entry.kind, msgspec.Raw(entry.body.encode())) for entry in entries if entry.body is not None]
        await trail.add("local", [event for event in said if event.kind != ERASURE])
        trail.erase([3, 8, 21])
        trail.close()
        if not trail.verify().intact:
            raise SystemExit("the file does not verify before it is tampered with")
        written, end = list(trail.read()), file.with_suffix(".end")
        told = end.read_text().split()
        for number in range(times):
            name = list(FILE_TAMPERINGS)[number % len(FILE_TAMPERINGS)]
            tampered = File(list(written), list(told), rng)
            FILE_TAMPERINGS[name](tampered)
            file.write_bytes(b"".join(msgspec.json.encode(entry) + b"\n" for entry in tampered.entries))
            end.write_text(" ".join(tampered.end))
            if trail.verify().intact:
                missed.append(name)
            progress.step()
    return missed
