"""A release is signed with a key; a file that was changed, swapped or signed by another does not verify."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import sys
from zipfile import ZipFile

import pytest

ROOT_MODULE = "release/sign.py"


@pytest.fixture
def sign(root, tmp_path):
    """Runs release/sign.py in an empty folder."""

    def run(*arguments, **environment):
        command = [sys.executable, root / ROOT_MODULE, *arguments]
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8", check=False
        )

    return run


@pytest.fixture
def wheel(tmp_path):
    file = tmp_path / "sayso-0.0-py3-none-any.whl"
    with ZipFile(file, "w") as packed:
        packed.writestr("sayso/__init__.py", "VALUE = 1\n")
    return file


@pytest.fixture
def signed(sign, wheel):
    assert sign("new-key", "release.key").returncode == 0
    done = sign("sign", "release.key", wheel)
    assert done.returncode == 0, done.stderr
    return wheel


def bundle(wheel):
    return wheel.with_name(f"{wheel.name}.sigstore.json")


def test_a_signed_wheel_verifies_and_its_key_is_secret(sign, signed, tmp_path):
    done = sign("verify", "release.pub", signed)
    assert (done.returncode, done.stdout) == (0, f"verified: {signed.name}\n")
    assert (tmp_path / "release.key").stat().st_mode & 0o777 == 0o600
    again = sign("new-key", "release.key")
    assert again.returncode != 0  # a key is never overwritten


def test_a_tampered_wheel_does_not_verify(sign, signed):
    content = signed.read_bytes()
    for place in (0, len(content) // 2, len(content) - 1):
        signed.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        done = sign("verify", "release.pub", signed)
        assert done.returncode == 1
        assert "is not the file that was signed" in done.stdout
    signed.write_bytes(content + b"\0")
    assert sign("verify", "release.pub", signed).returncode == 1


def test_a_tampered_wheel_with_a_fitting_digest_does_not_verify(sign, signed):
    """Whoever changes the file can change the digest as well, but not make a signature."""
    from hashlib import sha256  # noqa: PLC0415

    signed.write_bytes(signed.read_bytes() + b"\0")
    said = json.loads(bundle(signed).read_text())
    digest = base64.b64encode(sha256(signed.read_bytes()).digest()).decode()
    said["messageSignature"]["messageDigest"]["digest"] = digest
    bundle(signed).write_text(json.dumps(said))
    done = sign("verify", "release.pub", signed)
    assert done.returncode == 1
    assert "was not signed with this key" in done.stdout


def test_another_key_does_not_count(sign, signed):
    sign("new-key", "other.key")
    assert sign("verify", "other.pub", signed).returncode == 1
    assert sign("sign", "other.key", signed).returncode == 0
    assert sign("verify", "release.pub", signed).returncode == 1


@pytest.mark.parametrize(
    "content", [None, "", "{}", "[]", '{"messageSignature": {"messageDigest": 1}}', '{"mediaType": "x"}']
)
def test_a_wheel_without_a_bundle_does_not_verify(sign, signed, content):
    if content is None:
        bundle(signed).unlink()
    else:
        bundle(signed).write_text(content)
    done = sign("verify", "release.pub", signed)
    assert done.returncode == 1
    assert "NOT VERIFIED" in done.stdout
    assert not done.stderr


def test_one_bad_file_among_good_ones_fails(sign, signed, tmp_path):
    other = tmp_path / "bom.json"
    other.write_text("{}")
    done = sign("verify", "release.pub", signed, other)
    assert done.returncode == 1
    assert f"verified: {signed.name}" in done.stdout
    assert "NOT VERIFIED: bom.json" in done.stdout


def test_a_key_can_have_a_password(sign, wheel):
    secret = {"SAYSO_SIGNING_PASSWORD": "correct horse"}
    assert sign("new-key", "release.key", **secret).returncode == 0
    assert sign("sign", "release.key", wheel).returncode != 0
    assert sign("sign", "release.key", wheel, **secret).returncode == 0
    assert sign("verify", "release.pub", wheel).returncode == 0


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_openssl_verifies_the_signature_of_a_bundle(signed, tmp_path):
    said = json.loads(bundle(signed).read_text())
    assert said["mediaType"] == "application/vnd.dev.sigstore.bundle.v0.3+json"
    (tmp_path / "signature").write_bytes(base64.b64decode(said["messageSignature"]["signature"]))
    command = ["openssl", "dgst", "-sha256", "-verify", "release.pub", "-signature", "signature"]
    done = subprocess.run([*command, signed.name], cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0
    signed.write_bytes(signed.read_bytes() + b"\0")
    assert subprocess.run([*command, signed.name], cwd=tmp_path, capture_output=True, check=False).returncode != 0
