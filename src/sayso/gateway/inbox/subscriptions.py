"""Push subscriptions of paired browsers, as sealed files: an address of a push service, and the keys for it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from sayso.gateway.questions.browsers import Browsers, Paired
from sayso.gateway.seals.key import Key, write_once
from sayso.reminders.addresses import BadAddress, check_subscription

_PURPOSE = "push subscription"


class Subscription(msgspec.Struct, frozen=True, kw_only=True):
    """Where a browser is reached, and whose it is."""

    device: str
    user: str
    endpoint: str
    p256dh: str
    auth: str

    @property
    def target(self) -> dict[str, object]:
        """As push libraries take it."""
        return {"endpoint": self.endpoint, "keys": {"p256dh": self.p256dh, "auth": self.auth}}


class Subscriptions:
    """The subscriptions, one for each paired browser."""

    def __init__(self, folder: Path, key: Key) -> None:
        self._folder, self._key = folder, key

    def put(self, paired: Paired, given: Mapping[str, str]) -> bool:
        """Keep the subscription of a browser; False if it cannot be one."""
        endpoint, p256dh, auth = (given.get(name, "") for name in ("endpoint", "p256dh", "auth"))
        try:
            check_subscription(endpoint, p256dh, auth)
        except BadAddress:
            return False
        kept = Subscription(device=paired.device, user=paired.user, endpoint=endpoint, p256dh=p256dh, auth=auth)
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._file(paired.device).unlink(missing_ok=True)
        return write_once(self._file(paired.device), self._key.wrap(_PURPOSE, msgspec.json.encode(kept)))

    def has(self, paired: Paired) -> bool:
        found = self._read(self._file(paired.device))
        return found is not None and found.user == paired.user

    def of(self, user: str, browsers: Browsers) -> list[Subscription]:
        """The subscriptions of this user's browsers; those of browsers that are no longer paired are removed."""
        found = [each for each in map(self._read, self._folder.glob("*.push")) if each is not None]
        mine = [each for each in found if each.user == user]
        devices = {each.device for each in browsers.paired(user)} if mine else set()
        for gone in (each for each in mine if each.device not in devices):
            self.remove(user, gone.device)
        return [each for each in mine if each.device in devices]

    def remove(self, user: str, device: str) -> None:
        """Forget the subscription of this browser of the user."""
        found = self._read(self._file(device)) if device.isalnum() else None
        if found is not None and found.user == user:
            self._file(device).unlink(missing_ok=True)

    def _file(self, device: str) -> Path:
        return self._folder / f"{device}.push"

    def _read(self, file: Path) -> Subscription | None:
        with suppress(FileNotFoundError):
            content = self._key.unwrap(_PURPOSE, file.read_bytes())
            found = msgspec.json.decode(content, type=Subscription) if content is not None else None
            return found if found is not None and found.device == file.stem else None
        return None
