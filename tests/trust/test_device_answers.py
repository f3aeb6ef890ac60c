"""Answers of devices with a key: a right one counts once; forged, swapped, replayed and late ones never do."""

from __future__ import annotations

import asyncio
from uuid import uuid4

import pytest

from benchmarks.attacks.device_answers import ATTACKS, BASE, Device, House, path_of, prove
from sayso.decision import Clarify, Confirm, Option
from sayso.gateway.inbox import door
from sayso.gateway.questions.pages import digest
from sayso.gateway.questions.signatures import Signature, answer_text, is_key, is_signed
from sayso.gateway.values import Question, Wanted, Words

TRIES = 70


def test_answers_that_nobody_gave_do_not_count(tmp_path):
    tried, accepted, right = asyncio.run(prove(tmp_path, TRIES))
    assert sum(tried.values()) == TRIES
    assert set(tried.values()) == {TRIES // len(ATTACKS)}
    assert accepted == []
    assert right == 1


def test_the_answer_keeps_the_signature_and_its_scope(tmp_path):
    async def answered():
        house = House(tmp_path)
        mine = await house.device("ada")
        page = house.ask()
        assert await mine.send(page, mine.signed(await mine.form(page), "yes hour")) == 200
        await mine.http.aclose()
        return page.reply, house.browsers.paired("ada")[0], page, mine.public

    said, paired, page, public = asyncio.run(answered())
    assert (said.answer, said.scope, said.text) == (True, "hour", "yes hour")
    assert (paired.key, said.signature.device) == (public, paired.device)
    text = answer_text(page.question.id, page.digest, said.text, said.signature)
    assert is_signed(paired.key, text, said.signature.value)
    assert said.signature.origin == BASE


def test_beyond_this_machine_a_browser_without_a_key_is_not_paired_and_keeps_its_code(tmp_path):
    async def steps():
        house = House(tmp_path)
        page, device = house.ask(), Device(house.app)
        code = house.browsers.issue("ada")
        plain = {"code": code}
        wrong = {"code": code, "key": device.public, "proof": device.sign("sayso pairing 1", "https://x.org", code)}
        first = [
            (await device.http.post(path_of(page), data=given, headers={"Origin": BASE})).status_code
            for given in (plain, plain | {"key": "AAAA"}, wrong)
        ]
        last = await device.pair(path_of(page), code)
        await device.http.aclose()
        return first, last

    assert asyncio.run(steps()) == ([403, 403, 403], 303)


def test_on_this_machine_a_browser_without_a_key_answers_by_its_cookie_and_one_with_a_key_signs(tmp_path, monkeypatch):
    monkeypatch.setattr(door, "is_loopback", lambda _host: True)

    async def steps():
        house = House(tmp_path)
        plain, signing = Device(house.app), await house.device("ada")
        page = house.ask()
        code = house.browsers.issue("ada")
        paired = await plain.http.post(path_of(page), data={"code": code}, headers={"Origin": BASE})
        assert paired.status_code == 303
        form = await plain.form(page)
        assert "nonce" not in form
        unsigned = await signing.form(page)
        refused = await signing.send(page, {"token": unsigned["token"], "answer": "yes"})
        assert page.answer is None
        accepted = await plain.send(page, {"token": form["token"], "answer": "yes"})
        for device in (plain, signing):
            await device.http.aclose()
        return refused, accepted

    assert asyncio.run(steps()) == (403, 200)


def test_many_wrong_codes_close_the_door_for_a_while(tmp_path):
    async def steps():
        house = House(tmp_path)
        page, device = house.ask(), Device(house.app)
        wrong = [await device.pair(path_of(page), f"2222-22{number:02}") for number in range(door.MOST_WRONG)]
        right = await device.pair(path_of(page), house.browsers.issue("ada"))
        await device.http.aclose()
        return set(wrong), right

    assert asyncio.run(steps()) == ({403}, 429)


@pytest.mark.parametrize("key", ["", "AAAA", "A" * 87, "é", "BA" + "A" * 85], ids=range(5))
def test_other_texts_are_no_keys(key):
    assert not is_key(key)
    signature = Signature(device="d", origin=BASE, until=1, nonce="n", value="A" * 86)
    assert not is_signed(key, answer_text("q", "d", "yes", signature), signature.value)


def clarify(options=()):
    asks = Clarify(tool="drop", missing=("id",), confidence=0.5, question="Which?", options=options, reason="missing")
    wanted = Wanted(server="notes", tool="drop", arguments={"x": 1}, words=Words(message="drop it"))
    return Question(id=str(uuid4()), wanted=wanted, asks=asks, definition="d")


@pytest.mark.parametrize("given", ["the blue one", "Blue (2)"])
def test_a_question_about_a_value_is_answered_in_words_or_with_an_option(tmp_path, given):
    options = tuple(Option(label="Blue", tool="drop", arguments={"id": number}) for number in "12")
    asked = clarify(options if given.startswith("B") else ())

    async def answered():
        house = House(tmp_path)
        mine = await house.device("ada")
        page, _ = house.pages.put("ada", asked)
        form = await mine.form(page)
        for wrong in ("", "Green" if options and asked.asks.options else " "):
            assert await mine.send(page, mine.signed(form, wrong) | {"answer": "text", "text": wrong}) == 404
        unsigned = mine.signed(form, "another one") | {"answer": "text", "text": given}
        assert await mine.send(page, unsigned) == 403
        assert await mine.send(page, mine.signed(form, given) | {"answer": "text", "text": given, "scope": ""}) == 200
        await mine.http.aclose()
        return page.answer

    assert asyncio.run(answered()) == given


def test_a_second_question_about_a_call_takes_the_place_of_the_first(tmp_path):
    house = House(tmp_path)
    first = clarify()
    page, _ = house.pages.put("ada", first)
    asks = Confirm(tool="drop", arguments={"id": "1"}, question="Drop 1?", reason="destructive", confidence=1)
    second = Question(id=str(uuid4()), wanted=first.wanted, asks=asks, definition="d", rounds=2)
    house.pages.close(page)
    later, _ = house.pages.put("ada", second)
    found, is_new = house.pages.put("ada", clarify())  # the client calls again, and the first question comes up
    assert (found.id, found.question.id, is_new) == (later.id, second.id, False)
    assert digest("ada", first) != digest("ada", second)
