"""A gateway's answers count once, in a process and in a folder; names that are not ours never."""

from __future__ import annotations

import asyncio
import os
import time
from uuid import uuid4

import pytest

from sayso.gateway.questions import once
from sayso.gateway.questions.once import Used, UsedHere, is_id

DAY = 24 * 3600


def claim(claims, identifier):
    return asyncio.run(claims.claim(identifier))


def test_the_name_of_a_question_is_that_of_a_uuid():
    assert is_id(str(uuid4()))
    one = str(uuid4())
    for wrong in ("", one[:-1], f"{one}0", one.upper().replace("-", "G"), f"../{one[3:]}", f"{one}\n", f" {one[1:]}"):
        assert not is_id(wrong)


@pytest.mark.parametrize("make", [lambda _: UsedHere(), Used], ids=["process", "folder"])
def test_an_answer_is_claimed_once(make, tmp_path):
    claims, one, two = make(tmp_path / "used"), str(uuid4()), str(uuid4())
    assert claim(claims, one) is True
    assert claim(claims, one) is False
    assert claim(claims, two) is True


def test_a_folder_is_shared_and_takes_only_our_names(tmp_path):
    folder = tmp_path / "deep" / "used"
    one = str(uuid4())
    assert claim(Used(folder), one) is True
    assert claim(Used(folder), one) is False
    assert claim(Used(folder), "../elsewhere") is False
    assert [file.name for file in folder.iterdir()] == [one]


def test_a_removed_file_does_not_make_an_answer_count_again(tmp_path):
    claims, one = Used(tmp_path), str(uuid4())
    assert claim(claims, one) is True
    (tmp_path / one).unlink()
    assert claim(claims, one) is False


def test_a_process_remembers_an_answer_for_a_day(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(once.time, "monotonic", lambda: now[0])
    claims = UsedHere()
    assert claim(claims, "first")
    now[0] += 1
    assert claim(claims, "second")
    now[0] += DAY - 1
    assert not claim(claims, "first")
    now[0] += 0.5
    assert claim(claims, "third")  # sweeps the first away
    assert not claim(claims, "second")
    assert claim(claims, "first")


def test_files_of_a_day_ago_are_swept_once_an_hour(tmp_path, monkeypatch):
    now = [100.0]
    monkeypatch.setattr(once.time, "monotonic", lambda: now[0])
    claims, today = Used(tmp_path), time.time()

    def put(name, age):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (today - age, today - age))

    put("old", DAY + 60)
    put("young", DAY - 60)
    claim(claims, str(uuid4()))
    assert not (tmp_path / "old").exists()
    assert (tmp_path / "young").exists()
    put("old", DAY + 60)
    now[0] += 3599
    claim(claims, str(uuid4()))
    assert (tmp_path / "old").exists()
    now[0] += 1
    claim(claims, str(uuid4()))
    assert not (tmp_path / "old").exists()
