"""The tokens of servers that a user signed in to, encrypted with the gateway's key, in files that only the owner reads.

A file belongs to one server, its address and one user: if the address in the configuration changes, the tokens are not
sent there. A file that this gateway did not write is ignored.
"""

from __future__ import annotations

import os
import secrets
import time
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from mcp.client.auth.oauth2 import OAuthContext
from mcp.shared.auth import OAuthClientInformationFull, OAuthMetadata, OAuthToken, ProtectedResourceMetadata

from sayso.gateway.seals.key import Key, write_once

_PURPOSE, _NONCE = "logins", 12
_EARLY = 30.0  # seconds before its expiry at which a token is replaced

Json = dict[str, Any]


class Saved(msgspec.Struct, frozen=True, kw_only=True):
    """The content of a file: everything that is needed to use and to renew a token after a restart."""

    tokens: Json | None = None
    ends: float | None = None  # when the token expires, by the clock
    client: Json | None = None
    metadata: Json | None = None
    resource: Json | None = None
    issuer: str | None = None


class Logins:
    """The folder with the tokens of all servers and users."""

    def __init__(self, folder: Path, key: Key) -> None:
        self._folder, self._keys = folder, key.derived(_PURPOSE)

    def of(self, server: str, url: str, user: str) -> Login:
        """The tokens of one user for one server at one address."""
        name = sha256(msgspec.json.encode((server, url, user))).hexdigest()[:32]
        return Login(self._folder / name, self._keys)


class Login:
    """One file, as the SDK's flow reads and writes it."""

    def __init__(self, file: Path, keys: tuple[bytes, ...]) -> None:
        self._file, self._keys = file, keys
        self.context: OAuthContext | None = None  # of the flow whose findings are saved with the tokens

    @property
    def exists(self) -> bool:
        return self._file.exists()

    @property
    def changed(self) -> float:
        """The time the file was written; 0 if it does not exist."""
        try:
            return self._file.stat().st_mtime
        except FileNotFoundError:
            return 0.0

    def read(self) -> Saved:
        """The saved login; an empty one if the file does not exist or is not ours."""
        try:
            content = self._file.read_bytes()
        except FileNotFoundError:
            return Saved()
        for key in self._keys:
            try:
                plain = AESGCM(key).decrypt(content[:_NONCE], content[_NONCE:], self._file.name.encode())
                return msgspec.json.decode(plain, type=Saved)
            except (InvalidTag, ValueError, msgspec.MsgspecError):
                continue
        return Saved()

    def write(self, saved: Saved) -> None:
        self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        nonce = secrets.token_bytes(_NONCE)
        sealed = AESGCM(self._keys[0]).encrypt(nonce, msgspec.json.encode(saved), self._file.name.encode())
        fresh = self._file.with_name(f"{uuid4()}.new")
        write_once(fresh, nonce + sealed)
        os.replace(fresh, self._file)  # noqa: PTH105  the same as Path.replace, and atomic

    def remove(self) -> bool:
        """Deletes the tokens; False if there were none."""
        found = self.exists
        self._file.unlink(missing_ok=True)
        return found

    def fill(self, context: OAuthContext) -> None:
        """Gives a flow the results of the sign-in that the SDK does not keep."""
        saved, self.context = self.read(), context
        context.token_expiry_time = saved.ends
        context.auth_server_url = saved.issuer
        context.oauth_metadata = OAuthMetadata.model_validate(saved.metadata) if saved.metadata else None
        resource = saved.resource
        context.protected_resource_metadata = ProtectedResourceMetadata.model_validate(resource) if resource else None

    async def get_tokens(self) -> OAuthToken | None:
        tokens = self.read().tokens
        return OAuthToken.model_validate(tokens) if tokens else None

    async def set_tokens(self, tokens: OAuthToken) -> None:
        context, saved = self.context, self.read()
        found = (context.oauth_metadata, context.protected_resource_metadata) if context else (None, None)
        metadata, resource = (each.model_dump(mode="json", exclude_none=True) if each else None for each in found)
        saved = msgspec.structs.replace(
            saved,
            tokens=tokens.model_dump(mode="json", exclude_none=True),
            ends=time.time() + tokens.expires_in - _EARLY if tokens.expires_in is not None else None,
            metadata=metadata or saved.metadata,
            resource=resource or saved.resource,
            issuer=(context.auth_server_url if context else None) or saved.issuer,
        )
        self.write(saved)

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        client = self.read().client
        return OAuthClientInformationFull.model_validate(client) if client else None

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        client = client_info.model_dump(mode="json", exclude_none=True)
        self.write(msgspec.structs.replace(self.read(), client=client))
