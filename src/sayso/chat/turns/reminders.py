"""The reminders of a user for the routes: lists and settles reminders, and manages their channels."""

from __future__ import annotations

from datetime import time
from typing import TYPE_CHECKING, Any
from uuid import UUID

import msgspec

from sayso.assistant.values import Reply
from sayso.chat.guards.problems import Fault, Problem
from sayso.chat.signin.session import Seal
from sayso.chat.turns.clicks import SNOOZE, Click
from sayso.errors import BadSetting
from sayso.identity.principal import Principal
from sayso.reminders import store
from sayso.reminders.addresses import BadAddress, check_address, check_subscription
from sayso.reminders.push_keys import public_key
from sayso.reminders.runner import say
from sayso.reminders.seal import AddressSeal
from sayso.reminders.sender import Sender
from sayso.reminders.values import Channel, Kind, Reminder, Ring, Sent
from sayso.reminders.values import Settings as Hours
from sayso.settings import Settings

if TYPE_CHECKING:
    from sayso.chat.turns.service import ChatService


def address_seal(settings: Settings) -> AddressSeal:
    """Seals addresses with the keys that replicas share."""
    return AddressSeal(Seal(settings, "sayso-channel"), next(iter(settings.state_keys), ""))


def push_key(settings: Settings) -> str | None:
    """The public key of web pushes, None if push is off; or BadSetting."""
    if settings.push_key is None:
        return None
    try:
        return public_key(settings.push_key.get_secret_value())
    except ValueError as problem:
        raise BadSetting("SAYSO_PUSH_KEY", f"is {problem}: make a key with `sayso push-key`") from None


class Reminding:
    """Reminders over a chat service."""

    def __init__(self, settings: Settings) -> None:
        self._settings, self._seal, self._sender = settings, address_seal(settings), Sender(settings)
        self.push_key = push_key(settings) if self._seal.usable else None

    async def close(self) -> None:
        await self._sender.close()

    async def read(self, service: ChatService, who: Principal) -> tuple[list[Reminder], list[Reminder]]:
        """The reminders that rang, and those that will ring today."""
        async with service.acting(who) as (on, person):
            return await store.read(on, person)

    async def done(self, service: ChatService, who: Principal, reminder: UUID, lang: str | None) -> Reply:
        """Complete the task, as a click does."""
        task = await self._task(service, who, reminder)
        return await service.clicks.press(who, Click(tool="complete_task", task=task), lang=lang)

    async def snooze(
        self, service: ChatService, who: Principal, reminder: UUID, minutes: int, lang: str | None
    ) -> Reply:
        """Ring again later. Like a click, this is in the trail and can be undone."""
        task = await self._task(service, who, reminder)
        return await service.clicks.press(who, Click(tool=SNOOZE, task=task, arguments={"minutes": minutes}), lang=lang)

    async def dismiss(self, service: ChatService, who: Principal, reminder: UUID) -> None:
        """Stop showing a reminder. The task stays as it is."""
        async with service.acting(who) as (on, person):
            found = await store.dismiss(on, person, reminder)
        if not found:
            raise Problem("no_reminder")

    async def hours(self, service: ChatService, who: Principal) -> dict[str, str | None]:
        async with service.acting(who) as (on, _person):
            return _told(await store.read_settings(on, who.id))

    async def set_hours(self, service: ChatService, who: Principal, given: dict[str, Any]) -> dict[str, str | None]:
        hours = Hours(**{name: value and time.fromisoformat(value) for name, value in given.items()})
        async with service.acting(who) as (on, _person):
            store.write_settings(on, who.id, hours)
        return _told(hours)

    async def channels(self, service: ChatService, who: Principal) -> list[Channel]:
        async with service.acting(who) as (on, _person):
            return await store.channels(on, who.id)

    async def add_address(self, service: ChatService, who: Principal, address: str, label: str) -> UUID:
        """Check and store an address, sealed. It is checked again each time that it is used."""
        try:
            check_address(address, self._settings.reminder_schemes)
        except BadAddress as problem:
            raise _invalid("/address", str(problem)) from problem
        checked = await self._sender.send("address", address, title="", body="")
        if checked.outcome == "refused":
            detail = "reminders are not installed here" if checked.detail == "extra_not_installed" else "not an address"
            raise _invalid("/address", detail)
        return await self._add(service, who, "address", label, address)

    async def subscribe(self, service: ChatService, who: Principal, subscription: dict[str, Any], label: str) -> UUID:
        """Store a browser's subscription, sealed."""
        if self.push_key is None:
            raise Problem("push_is_off")
        try:
            check_subscription(subscription["endpoint"], **subscription["keys"])
        except BadAddress as problem:
            raise _invalid("/endpoint", str(problem)) from problem
        return await self._add(service, who, "push", label, subscription)

    async def drop(self, service: ChatService, who: Principal, channel: UUID) -> None:
        async with service.acting(who) as (on, _person):
            found = await store.drop_channel(on, who.id, channel)
        if not found:
            raise Problem("no_channel")

    async def attempt(self, service: ChatService, who: Principal, channel: UUID) -> Sent:
        """Send a test message."""
        async with service.acting(who) as (on, person):
            found = await store.find_channel(on, who.id, channel)
        target = self._seal.open(who.id, found[1]) if found else None
        if found is None or target is None:
            raise Problem("no_channel")
        title, body = (say(person.language, name) for name in ("try_title", "try_body"))
        ring = Ring(id=str(channel), task_id="", title=title, body=body, due="", language=person.language)
        return await self._sender.send(
            found[0], target, title=title, body=body, payload=msgspec.json.encode(ring).decode(), topic=channel.hex
        )

    async def _add(self, service: ChatService, who: Principal, kind: Kind, label: str, target: Any) -> UUID:
        if not self._seal.usable:
            raise Problem("push_is_off")
        sealed, mark = self._seal.close(who.id, target), self._seal.mark(who.id, target)
        async with service.acting(who) as (on, person):
            added = await store.add_channel(on, person, kind, label, sealed, mark)
        if added is None:
            raise _invalid("", f"there are {store.MOST_CHANNELS} channels already: remove one first")
        return added

    async def _task(self, service: ChatService, who: Principal, reminder: UUID) -> UUID:
        async with service.acting(who) as (on, _person):
            task = await store.task_of(on, who.id, reminder)
        if task is None:
            raise Problem("no_reminder")
        return task


def _told(hours: Hours) -> dict[str, str | None]:
    values = {"morning": hours.morning, "quiet_from": hours.quiet_from, "quiet_to": hours.quiet_to}
    return {name: None if at is None else f"{at:%H:%M}" for name, at in values.items()}


def _invalid(pointer: str, detail: str) -> Problem:
    return Problem("invalid", faults=[Fault(where="body", pointer=pointer, detail=detail)])
