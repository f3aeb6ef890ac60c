"""Changes that a user makes by clicking on the list.

A click is a turn: its effect, undo step, trail and answer are committed together, and a click that is sent again with
its key runs once. It needs no decision and no card: a user who presses delete has asked for it, and can undo it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

import msgspec

from sayso.assistant.values import Deed, Done, Json, Outcome, Reply
from sayso.assistant.ways_back import put_back
from sayso.chat.guards.problems import Fault, Problem
from sayso.confirmation import digest
from sayso.database.pool import Transaction
from sayso.decision import Nothing
from sayso.identity.principal import Principal
from sayso.languages.spoken import spoken
from sayso.ledger import acts
from sayso.ledger.values import Held
from sayso.packs.answers import Worded
from sayso.quick_add import Field, QuickAdd, read_quick_add
from sayso.reminders.runner import say
from sayso.serving import once
from sayso.serving.person import Person
from sayso.tasks import operations
from sayso.tasks.hands import TaskHands

if TYPE_CHECKING:
    from sayso.chat.turns.service import ChatService

RESTORE, SNOOZE = "restore_task", "snooze_task"  # not offered to a model: only a user can call them
_KEYS = "http "  # the prefix that separates HTTP keys from those of MCP clients


class Click(msgspec.Struct, frozen=True, kw_only=True):
    """A click: a tool with its arguments, the task that it changes if any, and the version that the user saw."""

    tool: str
    arguments: Json = {}
    task: UUID | None = None
    version: int | None = None

    @property
    def versions(self) -> dict[str, int]:
        return {} if self.version is None else {str(self.task): self.version}

    @property
    def whole(self) -> Json:
        """The tool's arguments, with the task that they are for."""
        return self.arguments if self.task is None else {"task_identifier": str(self.task), **self.arguments}


class Typed(Click, frozen=True, kw_only=True):
    """A text from the quick-add field, and the fields whose words stay in its title. `arguments` apply if the text does
    not say otherwise."""

    text: str
    keep: tuple[Field, ...] = ()


class Clicks:
    """Runs clicks and undos."""

    def __init__(self, service: ChatService) -> None:
        self._service = service

    async def press(
        self,
        who: Principal,
        click: Click,
        *,
        key: str | None = None,
        lang: str | None = None,
        unless_open: bool = False,
    ) -> Reply:
        """Run a click and return its result; the same key returns the same result. Raises Problem if it fails, and with
        `unless_open` if an open task already has the title."""
        body = digest("click 1", click)
        async with self._service.acting(who) as (on, person):
            held, spoken = await acts.hold(on, who.id), lang or person.language
            came = await _once(
                on, who.id, key, body, lambda: self._done(on, person, held, click, spoken, key, unless_open)
            )
        return _reply(came)

    async def undo(
        self, who: Principal, number: int | None = None, *, key: str | None = None, lang: str | None = None
    ) -> Reply:
        """Undo the change with this number, or the last one of any conversation. Raises Problem if the change with this
        number cannot be undone."""
        body = digest("undo 1", number)
        async with self._service.acting(who) as (on, person):
            held, spoken = await acts.hold(on, who.id, number), lang or person.language
            came = await _once(on, who.id, key, body, lambda: self._taken_back(on, person, held, number, spoken))
        return _reply(came)

    async def read(self, who: Principal, text: str, keep: Collection[Field], lang: str | None = None) -> QuickAdd:
        """The task that a quick-add text would create. Nothing is stored."""
        async with self._service.acting(who) as (on, person):
            return await self._read(on, person, text, keep, lang or person.language)

    async def _read(
        self, on: Transaction, person: Person, text: str, keep: Collection[Field], lang: str | None
    ) -> QuickAdd:
        decider, now = self._service.assistant.decider, person.now.astimezone(person.zone)
        lists = await operations.list_names(on, person)
        return read_quick_add(decider, text, now, lang=lang, lists=lists, keep=keep)

    async def _done(
        self, on: Transaction, person: Person, held: Held, click: Click, lang: str, key: str | None, unless_open: bool
    ) -> Reply | Problem:
        typed: Json = {}
        if isinstance(click, Typed):
            typed = {"text": click.text}
            found = await self._read(on, person, click.text, click.keep, lang)
            click = msgspec.structs.replace(click, arguments=click.arguments | found.arguments)
        if unless_open and (question := await self._again(on, person, click, lang)):
            return Problem("duplicate", question=question)
        hands, answers = (
            TaskHands(on, person, distinct=key is not None, reach=self._service.reach),
            self._service.assistant.answers,
        )
        if click.tool == RESTORE:
            done = await hands.restore(click.task or uuid4())
        elif click.tool == SNOOZE:
            until = person.now + timedelta(minutes=click.arguments["minutes"])
            done = await hands.snooze(click.task or uuid4(), until.replace(second=0, microsecond=0))
        elif click.task is not None and not await operations.lock(on, person, click.task):
            return Problem("no_task")
        else:
            done = await hands.call(click.tool, click.whole, click.versions)
        if problem := _problem(done):
            return problem
        deed = Deed(tool=click.tool, arguments=click.whole, result=done.result)
        now = person.now.astimezone(person.zone)
        if click.tool == RESTORE:
            worded = answers.undone(lang, done.result)
        elif click.tool == SNOOZE:
            worded = _snoozed(lang, done, now)
        else:
            text = str(typed.get("text", ""))
            worded = answers.deed(lang, click.tool, click.whole, done.result, now, text)
        outcome = Outcome(
            lang=lang, decisions=(), reply=worded.text, deeds=(deed,), shown=worded.shown, backs=(done.back,)
        )
        clicked = {"tool": click.tool, "arguments": click.whole, **typed}
        return acts.keep(on, person.id, held, clicked, uuid4(), outcome, person.now)

    async def _again(self, on: Transaction, person: Person, click: Click, lang: str) -> str | None:
        """The question if an open task already has the new title, worded as in the conversation; otherwise None."""
        task = await operations.open_titled(on, person, str(click.arguments.get("title", "")))
        if task is None:
            return None
        now, thing = person.now.astimezone(person.zone), {"title": task.title, "status": task.status}
        return self._service.assistant.answers.again(lang, click.tool, click.arguments, thing, now)

    async def _taken_back(
        self, on: Transaction, person: Person, held: Held, number: int | None, lang: str
    ) -> Reply | Problem:
        last, answers = held.state.last, self._service.assistant.answers
        text, taken_back = answers.phrase(lang, "undone_nothing"), None
        if last is not None:
            result = await put_back(TaskHands(on, person), last.back)
            if number is not None and result.get("status") != "success":
                return Problem("stale")
            text = answers.undone(lang, result).text
            taken_back = last.id  # also if it failed, so that it does not block earlier changes
        elif number is not None:
            return Problem("stale")
        nothing = Nothing(confidence=1.0, reason="cancelled", reply=text)
        outcome = Outcome(lang=lang, decisions=(nothing,), reply=text, taken_back=taken_back)
        return acts.keep(on, person.id, held, {"undo": taken_back}, uuid4(), outcome, person.now)


def _snoozed(lang: str, done: Done, now: datetime) -> Worded:
    at = spoken(lang).when(str(done.result["remind_at"]), now)
    return Worded(say(lang, "snoozed", title=done.result["title"], at=at), (done.result["task_id"],))


def _problem(done: Done) -> Problem | None:
    """The problem of a failed call; None if it succeeded."""
    if done.result.get("status") == "success":
        return None
    match done.result.get("reason"):
        case "stale":
            return Problem("stale")
        case "not_found" | "ambiguous":
            return Problem("no_task")
        case _:
            said = str(done.result.get("error_message") or "")
            return Problem("invalid", faults=[Fault(where="body", pointer="", detail=said)])


async def _once(
    on: Transaction, user_id: str, key: str | None, body: bytes, do: Callable[[], Awaitable[Reply | Problem]]
) -> Reply | Problem:
    """Return the stored answer of this key, or run `do` and store its answer. The caller holds the lock on the trail. A
    problem is not stored, so the request can be sent again."""
    if key is None:
        return await do()
    used = await once.find_answer(on, user_id, _KEYS + key, body)
    if used is not None:
        return msgspec.json.decode(used.answer, type=Reply) if used.same else Problem("key_reused")
    came = await do()
    if isinstance(came, Reply):
        await once.claim_key(on, user_id, _KEYS + key, body)
        once.keep_answer(on, user_id, _KEYS + key, came)
    return came


def _reply(came: Reply | Problem) -> Reply:
    """The answer. A Problem is raised only here, after the transaction."""
    if isinstance(came, Problem):
        raise came
    return came


def arguments_of(given: dict[str, Any]) -> Json:
    """The fields of a change as arguments of the tool `update_task`. A null description becomes an empty one."""
    if given.get("description", "") is None:
        given = given | {"description": ""}
    return {f"new_{name}": value for name, value in given.items()}
