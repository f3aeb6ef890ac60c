"""Paired browsers: a code counts once, for ten minutes; a cookie for 180 days, in the gateway that made it."""

from __future__ import annotations

import re

import msgspec
import pytest

from sayso.confirmation import PATIENCE
from sayso.gateway.questions.browsers import KEPT, Browsers
from sayso.gateway.seals.key import Key

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
def browsers(tmp_path, clock):
    return Browsers(tmp_path / "pairs", KEY, clock)


def test_a_code_has_two_halves_of_plain_letters(browsers):
    codes = {browsers.issue("ada") for _ in range(50)}
    assert len(codes) == 50
    assert all(re.fullmatch(r"[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}", code) for code in codes)
    assert len({letter for code in codes for letter in code}) > 25


def test_a_code_pairs_one_browser_with_its_user(browsers):
    code = browsers.issue("ada")
    cookie = browsers.pair(code)
    assert browsers.user(cookie) == "ada"
    assert browsers.pair(code) is None
    assert browsers.user(cookie) == "ada"
    assert len(cookie) >= 43


def test_a_code_may_be_typed_in_small_letters_and_without_its_line(browsers):
    code = browsers.issue("ada")
    assert browsers.pair(f"  {code.lower().replace('-', ' ')} ") is not None


def test_wrong_codes_and_cookies_pair_nobody(browsers):
    code = browsers.issue("ada")
    other = ("3" if code[0] == "2" else "2") + code[1:]
    for wrong in ("", "-", other, code[:-1], code + "2"):
        assert browsers.pair(wrong) is None
    assert browsers.user("") is None
    assert browsers.user(code) is None
    assert browsers.user("\udcff") is None


def test_a_code_ends_after_ten_minutes(browsers, clock):
    first, second = browsers.issue("ada"), browsers.issue("ada")
    assert PATIENCE == 600
    clock.now += 599
    assert browsers.pair(first) is not None
    clock.now += 1
    assert browsers.pair(second) is None


def test_a_browser_stays_paired_for_180_days(browsers, clock):
    cookie = browsers.pair(browsers.issue("ada"))
    assert KEPT == 15_552_000
    clock.now += KEPT - 1
    assert browsers.user(cookie) == "ada"
    clock.now += 1
    assert browsers.user(cookie) is None


def test_a_code_of_another_key_or_folder_counts_nowhere_else(browsers, tmp_path, clock):
    code = browsers.issue("ada")
    assert Browsers(tmp_path / "pairs", Key([b"x" * 32]), clock).pair(code) is None
    assert Browsers(tmp_path / "others", KEY, clock).pair(code) is None
    assert browsers.pair(code) is not None


def test_files_that_were_renamed_or_written_by_others_are_not_read(browsers, tmp_path):
    folder = tmp_path / "pairs"
    browsers.issue("ada")
    (mine,) = folder.glob("*.pair")
    code = browsers.issue("eve")
    (other,) = set(folder.glob("*.pair")) - {mine}
    content = mine.read_bytes()
    other.write_bytes(content)  # eve's code with ada's content: sealed, but under another name
    assert browsers.pair(code) is None
    other.write_bytes(content[:-1])
    assert browsers.pair(code) is None


def test_the_content_of_a_code_is_not_a_browser(browsers, tmp_path):
    """A code and a browser are sealed for different purposes, so that neither stands for the other."""
    cookie = browsers.pair(browsers.issue("ada"))
    (file,) = (tmp_path / "pairs").glob("*.pair")
    content = KEY.unwrap("paired browser", file.read_bytes())
    assert msgspec.json.decode(content)["user"] == "ada"
    file.write_bytes(KEY.wrap("pairing code", content))
    assert browsers.user(cookie) is None


def test_forgetting_a_user_ends_their_browsers_and_codes_only(browsers):
    ada, ada_too, bob = (browsers.pair(browsers.issue(name)) for name in ("ada", "ada", "bob"))
    code = browsers.issue("ada")
    assert browsers.forget("ada") == 2
    assert browsers.user(ada) is None
    assert browsers.user(ada_too) is None
    assert browsers.pair(code) is None
    assert browsers.user(bob) == "bob"
    assert browsers.forget("ada") == 0


def test_a_new_code_sweeps_away_what_expired(browsers, clock, tmp_path):
    browsers.issue("ada")
    cookie = browsers.pair(browsers.issue("ada"))
    (tmp_path / "pairs" / "junk.pair").write_bytes(b"junk")
    clock.now += PATIENCE
    browsers.issue("bob")
    assert len(list((tmp_path / "pairs").iterdir())) == 2
    assert browsers.user(cookie) == "ada"


def test_files_and_their_folder_are_for_the_owner_only(browsers, tmp_path):
    browsers.issue("ada")
    assert (tmp_path / "pairs").stat().st_mode & 0o777 == 0o700
    assert all(file.stat().st_mode & 0o777 == 0o600 for file in (tmp_path / "pairs").iterdir())


def test_the_cookie_is_named_after_the_folder(tmp_path, browsers):
    assert re.fullmatch("sayso_browser_[0-9a-f]{8}", browsers.cookie)
    assert browsers.cookie == Browsers(tmp_path / "x" / ".." / "pairs", KEY).cookie
    assert browsers.cookie != Browsers(tmp_path / "others", KEY).cookie
