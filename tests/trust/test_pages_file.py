"""Pages of questions without a server: one for each call of each user, answered once, for ten minutes."""

from __future__ import annotations

import asyncio
import os
import time
from uuid import uuid4

import msgspec
import pytest

from sayso.confirmation import PATIENCE
from sayso.decision import Confirm
from sayso.gateway.questions import pages as module
from sayso.gateway.questions.pages import Kept, Pages
from sayso.gateway.seals.key import Key
from sayso.gateway.values import Question, Wanted, Words

KEY = Key([b"k" * 32])


class Clock:
    def __init__(self):
        self.now = 1_000_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def pages(tmp_path, clock):
    return Pages(tmp_path / "pages", KEY, clock)


def question(server="notes", tool="drop", arguments=None, definition="d", said="x"):
    given = {"id": "1"} if arguments is None else arguments
    asks = Confirm(tool=tool, arguments=given, question="Drop it?", reason="destructive", confidence=1)
    wanted = Wanted(server=server, tool=tool, arguments={}, words=Words(message=said))
    return Question(id=str(uuid4()), wanted=wanted, asks=asks, definition=definition)


def test_the_same_call_of_the_same_user_has_one_page(pages):
    page, is_new = pages.put("ada", question())
    again, is_new_again = pages.put("ada", question(said="something else"))
    assert (is_new, is_new_again) == (True, False)
    assert page.id == again.id
    assert page.user == "ada"
    assert pages.of("ada", question()).id == page.id


@pytest.mark.parametrize(
    "other",
    [{"server": "mail"}, {"tool": "drop_all"}, {"arguments": {"id": "2"}}, {"definition": "e"}],
    ids=str,
)
def test_another_call_has_another_page(pages, other):
    page, _ = pages.put("ada", question())
    assert pages.of("ada", question(**other)) is None
    assert pages.put("ada", question(**other))[0].id != page.id
    assert pages.of("bob", question()) is None


def test_a_second_question_of_a_call_has_the_page_of_the_call_as_it_came(pages):
    first = question(arguments={"id": "1"})
    second = msgspec.structs.replace(question(arguments={"id": "2"}), rounds=2)
    third = msgspec.structs.replace(question(arguments={"id": "3"}), rounds=2)
    page, _ = pages.put("ada", second)
    assert pages.put("ada", third)[0].id == page.id
    assert pages.of("ada", first) is None


def test_open_pages_are_those_of_the_user_without_an_answer(pages):
    waiting, answered = pages.put("ada", question())[0], pages.put("ada", question(tool="other"))[0]
    pages.put("bob", question())
    answered.say(True)
    assert [page.id for page in pages.open("ada")] == [waiting.id]


def test_of_two_processes_that_put_a_page_at_once_one_is_new(pages, monkeypatch):
    page, _ = pages.put("ada", question())
    monkeypatch.setattr(pages, "of", lambda *_: None)  # as if the other had not written yet
    again, is_new = pages.put("ada", question())
    assert (again.id, is_new) == (page.id, False)


def test_a_page_is_found_by_its_whole_name(pages):
    page, _ = pages.put("ada", question())
    assert pages.find(page.id).id == page.id
    assert len(page.id) >= 64 + 43
    other = page.id[:-1] + ("A" if page.id[-1] != "A" else "B")
    for wrong in ("", page.id[:64], page.id[:-1], other, f"{page.id}x", "../../etc/passwd", "é" * 64, f"/{page.id}"):
        assert pages.find(wrong) is None
    assert pages.find(page.id) is not None


def test_an_answer_is_given_once_and_seen_by_other_processes(pages, tmp_path, clock):
    page, _ = pages.put("ada", question())
    assert page.answer is None
    assert page.say(True) is True
    assert page.say(False) is False
    assert page.answer is True
    elsewhere = Pages(tmp_path / "pages", KEY, clock).find(page.id)
    assert elsewhere.answer is True
    refused, _ = pages.put("ada", question(tool="other"))
    assert refused.say(False) is True
    assert refused.answer is False


def test_an_answer_that_another_wrote_does_not_count(pages):
    page, other = pages.put("ada", question())[0], pages.put("ada", question(tool="other"))[0]
    page.said.write_text("yes")
    assert page.answer is None
    page.said.write_bytes(b"\xff")
    assert page.answer is None
    other.say(True)
    page.said.write_bytes(other.said.read_bytes())
    assert page.answer is None


def test_a_form_is_bound_to_page_and_browser(pages):
    page, other = pages.put("ada", question())[0], pages.put("ada", question(tool="other"))[0]
    assert page.token("cookie") == KEY.seal("page form", page.id.encode(), b"cookie")
    assert len({page.token("cookie"), page.token("cookie 2"), other.token("cookie")}) == 3


def test_a_page_ends_after_ten_minutes_with_its_answer(pages, clock, tmp_path):
    page, _ = pages.put("ada", question())
    page.say(True)
    assert page.until == clock.now + PATIENCE
    clock.now += 599
    assert pages.find(page.id) is not None
    clock.now += 1
    assert pages.find(page.id) is None
    assert not list((tmp_path / "pages").iterdir())


def test_a_used_page_is_gone_and_a_new_one_has_no_answer(pages, tmp_path):
    page, _ = pages.put("ada", question())
    page.say(True)
    pages.close(page)
    assert not list((tmp_path / "pages").iterdir())
    pages.close(page)
    again, is_new = pages.put("ada", question())
    assert is_new
    assert again.id != page.id
    assert again.answer is None


def test_a_page_that_another_wrote_or_moved_is_removed(pages):
    page, _ = pages.put("ada", question())
    moved = page.file.with_name(f"{'0' * 64}.json")
    moved.write_bytes(page.file.read_bytes())
    assert pages.find("0" * 64 + page.id[64:]) is None
    assert not moved.exists()
    kept = Kept(id=page.id, user="eve", question=question(), until=page.until)
    page.file.write_bytes(Key([b"x" * 32]).wrap("page", msgspec.json.encode(kept)))
    assert pages.find(page.id) is None
    assert not page.file.exists()


def test_the_oldest_pages_are_given_up_beyond_a_number(pages, monkeypatch):
    monkeypatch.setattr(module, "MOST", 2)
    first, second = pages.put("ada", question(tool="a"))[0], pages.put("ada", question(tool="b"))[0]
    for age, page in ((200, first), (100, second)):
        os.utime(page.file, (time.time() - age,) * 2)
    third, _ = pages.put("ada", question(tool="c"))
    assert pages.find(first.id) is None
    assert pages.find(second.id) is not None
    assert pages.find(third.id) is not None
    assert pages.put("ada", question(tool="c"))[1] is False
    assert module.MOST == 2


def test_old_answers_are_swept(pages, tmp_path):
    pages.put("ada", question())
    old, young = (tmp_path / "pages" / f"{name}.said" for name in ("old", "young"))
    for file, age in ((old, 2 * PATIENCE + 60), (young, 2 * PATIENCE - 60)):
        file.touch()
        os.utime(file, (time.time() - age,) * 2)
    pages.put("ada", question(tool="other"))
    assert not old.exists()
    assert young.exists()


def test_waiting_ends_with_the_answer_or_with_the_time(pages):
    page, _ = pages.put("ada", question())

    async def steps():
        began = time.monotonic()
        await page.wait(0.15)
        without = time.monotonic() - began
        page.say(True)
        began = time.monotonic()
        await page.wait(60)
        return without, time.monotonic() - began

    without, answered = asyncio.run(steps())
    assert without >= 0.15
    assert answered < 30


def test_a_page_has_an_address_once_pages_are_served(pages):
    page, _ = pages.put("ada", question())
    assert pages.url(page) is None
    assert pages.host == ""
    pages.base = "http://127.0.0.1:8123"
    assert pages.url(page) == f"http://127.0.0.1:8123/confirm/{page.id}"
    assert pages.host == "127.0.0.1:8123"


def test_files_are_for_the_owner_only(pages, tmp_path):
    page, _ = pages.put("ada", question())
    page.say(True)
    assert (tmp_path / "pages").stat().st_mode & 0o777 == 0o700
    assert {file.stat().st_mode & 0o777 for file in (tmp_path / "pages").iterdir()} == {0o600}
