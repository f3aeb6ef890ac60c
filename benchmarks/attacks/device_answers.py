"""Answers of devices that nobody gave, sent to the gateway's pages: forged, swapped, replayed, late. None may count.

python -m benchmarks device-answers
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import re
import secrets
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from html import unescape
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from uuid import uuid4

import httpx2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from starlette.applications import Starlette

from sayso.decision import Confirm
from sayso.gateway.inbox.door import Door
from sayso.gateway.inbox.page_app import page_routes
from sayso.gateway.questions.browsers import Browsers
from sayso.gateway.questions.pages import Page, Pages
from sayso.gateway.seals.key import Key
from sayso.gateway.values import Question, Wanted, Words

BASE = "https://inbox.example.org"
FIELD = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


def text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


class Device:
    """A phone: a key, a cookie, and what its script does."""

    def __init__(self, app: Starlette) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.http = httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url=BASE)

    @property
    def public(self) -> str:
        return text(self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))

    def sign(self, *lines: str) -> str:
        numbers = decode_dss_signature(self.key.sign("\n".join(lines).encode(), ec.ECDSA(SHA256())))
        return text(b"".join(number.to_bytes(32, "big") for number in numbers))

    async def pair(self, path: str, code: str) -> int:
        given = {"code": code, "key": self.public, "proof": self.sign("sayso pairing 1", BASE, code)}
        return (await self.http.post(path, data=given, headers={"Origin": BASE})).status_code

    async def form(self, page: Page) -> dict[str, str]:
        """The fields of the form, as the page shows them to this device."""
        shown = await self.http.get(path_of(page))
        fields = {name: unescape(value) for name, value in FIELD.findall(shown.text)}
        said = re.search(r'data-question="([^"]+)" data-digest="([^"]+)"', shown.text)
        return fields | ({"question": said[1], "digest": said[2]} if said else {})

    def signed(self, form: dict[str, str], said: str = "yes", **other: str) -> dict[str, str]:
        """The form with an answer and its signature; `other` are values to sign that are not those of the form."""
        told = form | other
        lines = (told.get("origin", BASE), told["question"], told["digest"], told["until"], told["nonce"])
        answer, _, scope = said.partition(" ")
        sent = {name: form[name] for name in ("token", "nonce", "until", "seal")}
        sent |= {"answer": answer, "signature": self.sign("sayso answer 1", *lines, said)}
        return sent | ({"scope": scope} if scope else {})

    async def send(self, page: Page, fields: dict[str, str], origin: str = BASE) -> int:
        return (await self.http.post(path_of(page), data=fields, headers={"Origin": origin})).status_code


def path_of(page: Page) -> str:
    return f"/confirm/{page.id}"


class House:
    """The pages, a user's device, another device of the same user, and another user's."""

    def __init__(self, folder: Path) -> None:
        self.now = 1_000_000.0
        key = Key([b"k" * 32])
        self.pages, self.browsers = (
            Pages(folder / "pages", key, self.clock),
            Browsers(folder / "pairs", key, self.clock),
        )
        self.pages.base = BASE
        self.app = Starlette(routes=page_routes(Door(self.pages, self.browsers, "en", keys=True)))
        self.number = 0

    def clock(self) -> float:
        return self.now

    def ask(self, user: str = "ada", arguments: dict[str, Any] | None = None) -> Page:
        """A question about a call that nobody has asked about."""
        self.number += 1
        given = {"id": str(self.number)} if arguments is None else arguments
        asks = Confirm(tool="drop", arguments=given, question="Drop it?", reason="uncertain", confidence=1)
        wanted = Wanted(server="notes", tool="drop", arguments=given, words=Words())
        question = Question(id=str(uuid4()), wanted=wanted, asks=asks, definition="d")
        return self.pages.put(user, question, (("once", "Once"), ("hour", "For one hour")))[0]

    async def device(self, user: str) -> Device:
        device = Device(self.app)
        page = self.ask(user)
        status = await device.pair(path_of(page), self.browsers.issue(user))
        if status != 303:
            raise RuntimeError(f"pairing failed: {status}")
        return device


class People(NamedTuple):
    """Who sends answers."""

    house: House
    mine: Device
    second: Device
    stranger: Device
    chance: Random


Attack = Callable[[People], Any]


async def forged_value(people: People) -> Page:
    """Random bytes, all zero, or a valid signature with one bit changed."""
    page = people.house.ask()
    fields = people.mine.signed(await people.mine.form(page))
    raw = bytearray(base64.urlsafe_b64decode(fields["signature"] + "=="))
    raw[people.chance.randrange(64)] ^= 1 << people.chance.randrange(8)
    values = (bytes(raw), secrets.token_bytes(64), bytes(64), bytes(raw[:63]), ORDER.to_bytes(32, "big") * 2, b"")
    await people.mine.send(page, fields | {"signature": text(people.chance.choice(values))})
    return page


async def forged_by_another_key(people: People) -> Page:
    """Signed by a device that is not the one with this cookie."""
    page = people.house.ask()
    form = await people.mine.form(page)
    other = people.chance.choice((people.second, people.stranger, Device(people.house.app)))
    await people.mine.send(page, other.signed(form))
    return page


async def swapped_value(people: People) -> Page:
    """A signature over another question, call, origin, time, nonce or answer."""
    page, other = people.house.ask(), people.house.ask()
    form, theirs = await people.mine.form(page), await people.mine.form(other)
    name = people.chance.choice(("question", "digest", "origin", "until", "nonce", "answer", "scope"))
    if name == "answer":
        fields = people.mine.signed(form, "no") | {"answer": "yes"}
    elif name == "scope":
        fields = people.mine.signed(form, "yes") | {"scope": "hour"}
    else:
        values = {**theirs, "origin": "https://evil.example.org", "until": str(int(form["until"]) + 600)}
        fields = people.mine.signed(form, **{name: values[name]})
    await people.mine.send(page, fields)
    return page


async def swapped_form(people: People) -> Page:
    """The whole signed form of another page, or of another device, or its challenge with this page's token."""
    page, other = people.house.ask(), people.house.ask()
    form, theirs = await people.mine.form(page), await people.mine.form(other)
    moved = people.mine.signed(theirs)
    seconds = people.second.signed(await people.second.form(page))
    mixed = people.mine.signed(form | {name: theirs[name] for name in ("nonce", "until", "seal")})
    later = people.mine.signed(form | {"until": str(int(form["until"]) + 600)})
    unsigned = {name: form[name] for name in ("token", "nonce", "until", "seal")} | {"answer": "yes"}
    given = people.chance.choice((moved, moved | {"token": form["token"]}, seconds, mixed, later, unsigned))
    await people.mine.send(page, given)
    return page


async def stolen(people: People) -> Page:
    """A right answer that another browser sends, or one that comes from another site."""
    page = people.house.ask()
    fields = people.mine.signed(await people.mine.form(page))
    if people.chance.random() < 0.5:
        await people.chance.choice((people.second, people.stranger)).send(page, fields)
    else:
        await people.mine.send(page, fields, origin="https://evil.example.org")
    return page


async def replayed(people: People) -> Page:
    """A yes that was used, sent to the next question about the same call."""
    house = people.house
    page = house.ask(arguments={"id": f"again {house.number}"})
    fields = people.mine.signed(await people.mine.form(page))
    await people.mine.send(page, fields)
    if page.answer is not True:
        raise RuntimeError("a right answer was refused")
    house.pages.close(page)  # as the gateway does when it has acted on it
    again = house.ask(arguments=dict(page.question.asks.arguments))
    await people.mine.send(page, fields)
    await people.mine.send(again, fields)
    fresh = await people.mine.form(again)
    await people.mine.send(again, fields | {"token": fresh["token"]})
    return again


async def late(people: People) -> Page:
    """A right answer after its ten minutes, also to the question that is asked then."""
    house = people.house
    page = house.ask(arguments={"id": f"late {house.number}"})
    fields = people.mine.signed(await people.mine.form(page))
    house.now += people.chance.choice((600, 601, 3600))
    await people.mine.send(page, fields)
    again = house.ask(arguments=dict(page.question.asks.arguments))
    fresh = await people.mine.form(again)
    await people.mine.send(again, fields | {"token": fresh["token"]})
    return again if page.answer is None else page


ATTACKS: tuple[Attack, ...] = (
    forged_value,
    forged_by_another_key,
    swapped_value,
    swapped_form,
    stolen,
    replayed,
    late,
)


async def prove(folder: Path, tries: int, seed: int = 1) -> tuple[Counter[str], list[str], int]:
    """How often each attack was tried, those that were accepted, and how many right answers were."""
    house = House(folder)
    people = People(house, *[await house.device(user) for user in ("ada", "ada", "eve")], Random(seed))
    tried: Counter[str] = Counter()
    accepted: list[str] = []
    right = 0
    for number in range(tries):
        attack = ATTACKS[number % len(ATTACKS)]
        page = await attack(people)
        tried[attack.__name__] += 1
        if page.answer is not None:
            accepted.append(attack.__name__)
        house.pages.close(page)
        if number % 100 == 0:  # what refuses everything proves nothing
            good = house.ask()
            right += await people.mine.send(good, people.mine.signed(await people.mine.form(good), "yes hour")) == 200
            house.pages.close(good)
            house.now += 1
    for device in people[1:4]:
        await device.http.aclose()
    return tried, accepted, right


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tries", type=int, default=10_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tried, accepted, right = asyncio.run(prove(Path(folder), given.tries))
    kinds = ", ".join(f"{name.replace('_', ' ')} {count:,}" for name, count in tried.items())
    controls = (given.tries + 99) // 100
    print(f"{given.tries:,} answers that nobody gave ({kinds}): {len(accepted)} accepted")
    print(f"{controls:,} right answers in between: {right:,} accepted")
    return int(bool(accepted) or right != controls)


if __name__ == "__main__":
    sys.exit(main())
