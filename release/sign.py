"""Signs the files of a release, and verifies them.

    python release/sign.py sign release.key      a Sigstore bundle beside each file of dist/
    python release/sign.py verify release.pub    fails if a file was changed or is not signed with this key
    python release/sign.py new-key release.key   a key pair: release.key and release.pub

A bundle is FILE.sigstore.json: Sigstore's format (version 0.3) with a signature by a key, ECDSA on P-256 over SHA-256.
A key with a password has it in SAYSO_SIGNING_PASSWORD. Publish the public key in another place than the files:
anyone who can replace both can sign.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

DIST = Path(__file__).parent.parent / "dist"
PASSWORD = "SAYSO_SIGNING_PASSWORD"  # noqa: S105  the name of a variable
MEDIA_TYPE = "application/vnd.dev.sigstore.bundle.v0.3+json"
SUFFIX = ".sigstore.json"


class NotSigned(Exception):
    """A file that does not have a valid signature; the text says why."""


def new_key(file: Path) -> None:
    """Write a private key that only its owner can read, and the public key beside it."""
    key = ec.generate_private_key(ec.SECP256R1())
    password = os.environ.get(PASSWORD)
    locked = BestAvailableEncryption(password.encode()) if password else NoEncryption()
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        out.write(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, locked))
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    file.with_suffix(".pub").write_bytes(public)


def private_key(file: Path) -> ec.EllipticCurvePrivateKey:
    password = os.environ.get(PASSWORD)
    key = load_pem_private_key(file.read_bytes(), password.encode() if password else None)
    if not isinstance(key, ec.EllipticCurvePrivateKey) or not isinstance(key.curve, ec.SECP256R1):
        raise SystemExit(f"{file} is not a key for ECDSA on P-256: make one with release/sign.py new-key")
    return key


def public_key(file: Path) -> ec.EllipticCurvePublicKey:
    key = load_pem_public_key(file.read_bytes())
    if not isinstance(key, ec.EllipticCurvePublicKey) or not isinstance(key.curve, ec.SECP256R1):
        raise SystemExit(f"{file} is not a public key for ECDSA on P-256")
    return key


def bundle_of(file: Path) -> Path:
    return file.with_name(file.name + SUFFIX)


def sign(file: Path, key: ec.EllipticCurvePrivateKey) -> Path:
    """Write the bundle of a file."""
    content = file.read_bytes()
    bundle = {
        "mediaType": MEDIA_TYPE,
        "verificationMaterial": {"publicKey": {"hint": _hint(key.public_key())}, "tlogEntries": []},
        "messageSignature": {
            "messageDigest": {"algorithm": "SHA2_256", "digest": _text(sha256(content).digest())},
            "signature": _text(key.sign(content, ec.ECDSA(SHA256()))),
        },
    }
    bundle_of(file).write_text(json.dumps(bundle, indent=1) + "\n", encoding="utf-8")
    return bundle_of(file)


def verify(file: Path, key: ec.EllipticCurvePublicKey) -> None:
    """Return if the bundle beside the file holds a signature of the file by this key, else NotSigned."""
    try:
        bundle: Any = json.loads(bundle_of(file).read_text("utf-8"))
        signed = bundle["messageSignature"]
        digest = base64.b64decode(signed["messageDigest"]["digest"], validate=True)
        signature = base64.b64decode(signed["signature"], validate=True)
        kind, algorithm = bundle["mediaType"], signed["messageDigest"]["algorithm"]
    except FileNotFoundError:
        raise NotSigned(f"{file.name}: there is no {bundle_of(file).name}") from None
    except (ValueError, KeyError, TypeError):
        raise NotSigned(f"{bundle_of(file).name} is not a Sigstore bundle with a signature") from None
    if kind != MEDIA_TYPE or algorithm != "SHA2_256":
        raise NotSigned(f"{bundle_of(file).name}: {kind} with {algorithm} is not supported")
    content = file.read_bytes()
    if sha256(content).digest() != digest:
        raise NotSigned(f"{file.name} is not the file that was signed")
    try:
        key.verify(signature, content, ec.ECDSA(SHA256()))
    except InvalidSignature:
        raise NotSigned(f"{file.name} was not signed with this key") from None


def released(folder: Path) -> list[Path]:
    """What a release consists of: every file of the folder that is not a bundle."""
    return sorted(file for file in folder.iterdir() if file.is_file() and not file.name.endswith(SUFFIX))


def _hint(key: ec.EllipticCurvePublicKey) -> str:
    """Which key signed: the SHA-256 of the public key in DER."""
    return _text(sha256(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).digest())


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("action", choices=("new-key", "sign", "verify"))
    parser.add_argument("key", type=Path, help="the private key to make or sign with; to verify, the public one")
    parser.add_argument("files", type=Path, nargs="*", help="by default every file in dist/")
    given = parser.parse_args()
    if given.action == "new-key":
        new_key(given.key)
        print(f"Wrote {given.key} and {given.key.with_suffix('.pub')}. Keep the first one secret.")
        return 0
    files = given.files or (released(DIST) if DIST.is_dir() else [])
    if not files:
        raise SystemExit("there are no files to sign or verify: run make wheel or release/sbom.py first")
    if given.action == "sign":
        key = private_key(given.key)
        for file in files:
            print(f"signed: {sign(file, key).name}")
        return 0
    public, wrong = public_key(given.key), 0
    for file in files:
        try:
            verify(file, public)
            print(f"verified: {file.name}")
        except NotSigned as problem:
            wrong += 1
            print(f"NOT VERIFIED: {problem}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
