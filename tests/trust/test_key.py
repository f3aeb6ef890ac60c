"""The key that seals a gateway's files: known seals, purposes and parts kept apart, files of mode 0600."""

from __future__ import annotations

import hmac
import os
from hashlib import sha256

import pytest

from sayso.errors import BadSetting
from sayso.gateway.seals.key import Key, open_key, write_once
from sayso.settings import Settings

OLD, NEW = b"o" * 32, b"n" * 32
STATE_KEY = "0123456789abcdef0123456789abcdef"


def settings(**more):
    return Settings(env="development", **more)


def test_a_seal_is_the_mac_of_its_parts_with_their_lengths():
    told = bytes(7) + b"\x04pins" + bytes(7) + b"\x02ab" + bytes(7) + b"\x01c"
    assert Key([OLD]).seal("pins", b"ab", b"c") == hmac.digest(OLD, told, "sha256").hex()


def test_a_seal_counts_for_its_purpose_and_parts_only():
    key = Key([OLD])
    seal = key.seal("pins", b"ab", b"c")
    assert key.is_sealed(seal, "pins", b"ab", b"c")
    for purpose, parts in (("page", (b"ab", b"c")), ("pins", (b"a", b"bc")), ("pins", (b"abc",)), ("pins", (b"ab",))):
        assert not key.is_sealed(seal, purpose, *parts)
    assert not key.is_sealed("", "pins", b"ab", b"c")
    assert not key.is_sealed(seal[:-1], "pins", b"ab", b"c")
    assert not Key([NEW]).is_sealed(seal, "pins", b"ab", b"c")
    assert not Key([]).is_sealed(seal, "pins", b"ab", b"c")


def test_the_first_secret_seals_and_all_are_accepted():
    both = Key([NEW, OLD])
    assert both.seal("pins", b"x") == Key([NEW]).seal("pins", b"x")
    assert both.is_sealed(Key([OLD]).seal("pins", b"x"), "pins", b"x")
    assert both.is_sealed(Key([NEW]).seal("pins", b"x"), "pins", b"x")


def test_wrapped_content_comes_back_unless_it_was_changed():
    key = Key([OLD])
    wrapped = key.wrap("page", b"one\ntwo")
    assert wrapped == key.seal("page", b"one\ntwo").encode() + b"\none\ntwo"
    assert key.unwrap("page", wrapped) == b"one\ntwo"
    assert key.unwrap("pins", wrapped) is None
    for changed in (wrapped + b"x", wrapped[:-1], b"x" + wrapped, b"", b"\xff\nx"):
        assert key.unwrap("page", changed) is None


def test_a_key_of_state_keys_needs_no_file(tmp_path):
    key = open_key(tmp_path, settings(state_keys=(STATE_KEY,), seal_dir=tmp_path / "keys"))
    derived = sha256(b"sayso gateway key 1\n" + STATE_KEY.encode()).digest()
    assert key.seal("pins", b"x") == Key([derived]).seal("pins", b"x")
    assert not key.is_kept
    assert not key.is_new
    assert not (tmp_path / "keys").exists()


def test_a_kept_key_is_made_once_for_a_folder_and_only_its_owner_reads_it(tmp_path):
    given = settings(seal_dir=tmp_path / "deep" / "keys")
    first, again = open_key(tmp_path / "one", given), open_key(tmp_path / "one", given)
    assert first.is_kept
    assert again.is_kept
    assert (first.is_new, again.is_new) == (True, False)
    assert first.seal("pins", b"x") == again.seal("pins", b"x")
    other = open_key(tmp_path / "two", given)
    assert other.seal("pins", b"x") != first.seal("pins", b"x")
    files = sorted((tmp_path / "deep" / "keys").iterdir())
    assert len(files) == 2
    for file in files:
        assert file.stat().st_mode & 0o777 == 0o600
        assert file.stat().st_size == 32
    named = sha256(os.fsencode((tmp_path / "one").resolve())).hexdigest()[:32]
    assert tmp_path / "deep" / "keys" / f"{named}.key" in files
    assert (tmp_path / "deep" / "keys").stat().st_mode & 0o777 == 0o700


def test_without_settings_the_key_is_in_the_data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert open_key(tmp_path / "state", None).is_new
    assert len(list(tmp_path.rglob("keys/*.key"))) == 1
    assert not open_key(tmp_path / "state", settings()).is_new


@pytest.mark.parametrize("mode", [0o604, 0o640, 0o620, 0o602, 0o610, 0o601])
def test_a_key_that_others_can_reach_is_refused(tmp_path, mode):
    given = settings(seal_dir=tmp_path / "keys")
    open_key(tmp_path, given)
    (file,) = (tmp_path / "keys").iterdir()
    file.chmod(mode)
    with pytest.raises(BadSetting, match="is not a key that only you can read"):
        open_key(tmp_path, given)


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_key_of_another_size_is_refused(tmp_path, size):
    given = settings(seal_dir=tmp_path / "keys")
    open_key(tmp_path, given)
    (file,) = (tmp_path / "keys").iterdir()
    file.write_bytes(bytes(size))
    with pytest.raises(BadSetting, match="is not a key that only you can read"):
        open_key(tmp_path, given)


def test_a_folder_that_cannot_be_written_says_which_setting_helps(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(BadSetting, match=r"^SAYSO_SEAL_DIR: .*cannot be kept in"):
        open_key(tmp_path, settings(seal_dir=tmp_path / "file"))


def test_a_file_is_written_once_and_leaves_nothing_beside_it(tmp_path):
    file = tmp_path / "it"
    assert write_once(file, b"one") is True
    assert write_once(file, b"two") is False
    assert file.read_bytes() == b"one"
    assert file.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [file]
