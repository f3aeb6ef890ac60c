"""The key that seals the gateway's files: pins, pages, answers and paired browsers.

A server that runs as the same user can write those files. Without the key it cannot make a valid one. The key is
derived from SAYSO_STATE_KEYS if that is set, for replicas that share the files; otherwise it is a file of mode 0600
outside the state folder. Servers do not learn its path: they get neither our variables nor our open files.
"""

from __future__ import annotations

import hmac
import os
import secrets
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from uuid import uuid4

from sayso.errors import BadSetting
from sayso.files.data_folder import data_folder
from sayso.settings import Settings

_BYTES = 32
_NAME = "SAYSO_SEAL_DIR"


class Key:
    """Makes and checks seals. The first secret seals, and all are accepted, so that you can rotate secrets."""

    def __init__(
        self, secrets: Sequence[bytes], *, is_kept: bool = False, is_new: bool = False, file: Path | None = None
    ) -> None:
        self._secrets, self.file = tuple(secrets), file
        self.is_kept = is_kept  # in a separate file, which was made with the first file that it seals
        self.is_new = is_new  # made now, so that no file can have been sealed with it

    def seal(self, purpose: str, *parts: bytes) -> str:
        """The seal on these bytes, for this purpose only."""
        return _mac(self._secrets[0], purpose, parts)

    def is_sealed(self, seal: str, purpose: str, *parts: bytes) -> bool:
        """Whether the seal is ours."""
        given = seal.encode()
        return any(hmac.compare_digest(given, _mac(each, purpose, parts).encode()) for each in self._secrets)

    def derived(self, purpose: str) -> tuple[bytes, ...]:
        """Keys for another use, such as encryption; the first one is the current key."""
        return tuple(hmac.digest(each, b"sayso derived 1\n" + purpose.encode(), "sha256") for each in self._secrets)

    def wrap(self, purpose: str, content: bytes) -> bytes:
        """Content with its seal, for a file."""
        return self.seal(purpose, content).encode() + b"\n" + content

    def unwrap(self, purpose: str, wrapped: bytes) -> bytes | None:
        """The content of a file; `None` if we did not seal it."""
        seal, _, content = wrapped.partition(b"\n")
        return content if self.is_sealed(seal.decode("ascii", "replace"), purpose, content) else None


def open_key(state: Path, settings: Settings | None) -> Key:
    """The key of the gateway that keeps its state in this folder; created if it does not exist."""
    if settings is not None and settings.state_keys:
        return Key([sha256(b"sayso gateway key 1\n" + each.encode()).digest() for each in settings.state_keys])
    folder = (settings.seal_dir if settings is not None else None) or data_folder(os.environ) / "keys"
    file = folder / f"{sha256(os.fsencode(state.resolve())).hexdigest()[:32]}.key"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        is_new = write_once(file, secrets.token_bytes(_BYTES))
        secret = file.read_bytes()
        others = file.stat().st_mode & 0o077 if os.name == "posix" else 0
    except OSError as problem:
        remedy = f"name a folder that can be written, or set SAYSO_STATE_KEYS ({problem.strerror})"
        raise BadSetting(_NAME, f"the key of the gateway cannot be kept in {folder}: {remedy}") from problem
    if len(secret) != _BYTES or others:
        raise BadSetting(_NAME, f"{file} is not a key that only you can read: remove it, then review the tools again")
    return Key([secret], is_kept=True, is_new=is_new, file=file)


def write_once(file: Path, content: bytes) -> bool:
    """Creates a file that only its owner can read, completely or not at all; False if it exists."""
    fresh = file.with_name(f"{uuid4()}.new")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        out.write(content)
    try:
        file.hardlink_to(fresh)
    except FileExistsError:
        return False
    finally:
        with suppress(FileNotFoundError):
            fresh.unlink()
    return True


def _mac(secret: bytes, purpose: str, parts: Sequence[bytes]) -> str:
    """Each part with its length, so that no two lists of parts give the same bytes."""
    told = b"".join(len(each).to_bytes(8, "big") + each for each in (purpose.encode(), *parts))
    return hmac.digest(secret, told, "sha256").hex()
