"""The services' own calls as probes for another user's rows, with the filters taken out of their SQL."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from benchmarks.harness.services import Progress, assistant
from sayso.chat.turns.service import ChatService
from sayso.database import pool, queries
from sayso.devices.inventory import orders, registry
from sayso.devices.link.broker import Broker
from sayso.devices.link.gather import Gather
from sayso.devices.link.link import Link
from sayso.devices.link.topics import Topics
from sayso.devices.service import DeviceService
from sayso.devices.values import DeviceDetail, ExecuteCommand, ListMachines, ReadMetrics
from sayso.identity.principal import Principal
from sayso.ledger import acts, cards, trail, turns
from sayso.ledger.errors import NoConversation, Refused
from sayso.ledger.values import Begun
from sayso.serving import once, person
from sayso.tasks import hands, operations
from sayso.tasks.hands import first_things
from sayso.tasks.search import resolve, search
from sayso.tasks.service import Question, TaskService
from sayso.tasks.timing import occurrences
from sayso.tasks.values import CompleteTask, DeleteTask, ListTasks, UpdateTask

OWN_FILTER = re.compile(rb"(?:\w+\.)?user_id = %\(user_id\)s")
MODULES = (pool, once, operations, occurrences, person, resolve, search, hands, cards, trail, turns, registry, orders)


class Someone(dict[str, Any]):
    """A user, with the keys of one row in every table."""


class Noticed(Exception):
    """A probe came to what it should not."""


class Probes:
    """Counts what was tried, and what should not have come of it; where that is enough, the first is raised."""

    def __init__(self, total: int = 0, *, until_noticed: bool = False) -> None:
        self.tried: Counter[str] = Counter()
        self.wrong: list[str] = []
        self._progress, self._until_noticed = Progress("probes", total), until_noticed

    def tell(self, kind: str, *, well: bool, count: int = 1) -> None:
        self.tried[kind] += count
        self._progress.step(count)
        if not well:
            self.wrong.append(kind)
            if self._until_noticed:
                raise Noticed(kind)


@contextmanager
def without_filters() -> Iterator[None]:
    """The application's SQL with `user_id = …` taken out of every condition."""
    ours = queries.statement

    def stripped(folder: Path, name: str) -> bytes:
        return OWN_FILTER.sub(b"%(user_id)s::text IS NOT NULL", ours(folder, name))

    for module in MODULES:
        module.statement = stripped  # type: ignore[attr-defined]
    try:
        yield
    finally:
        for module in MODULES:
            module.statement = ours  # type: ignore[attr-defined]


async def by_call(url: str, people: list[Someone], probes: Probes) -> None:
    """Every user tries every tool on another's tasks, by id and by title, and every call of the chat service on
    another's conversation."""
    with without_filters():
        async with pool.Database(url) as database:
            service, chat = TaskService(database), ChatService(database, assistant())
            nowhere = Link(Broker(host="127.0.0.1", port=1), Topics(), Gather(database))  # never entered
            devices = DeviceService(database, nowhere, patience=0.1)
            for one, other in zip(people, [*people[1:], people[0]], strict=True):
                who = Principal(id=one["user"])
                await _tools_of(service, who, one, other, probes)
                await _turns_of(chat, who, one, other, probes)
                await _machines_of(devices, who, one, other, probes)


async def _tools_of(service: TaskService, who: Principal, one: Someone, other: Someone, probes: Probes) -> None:
    secret, task = str(other["secret"]), other["task"]
    listed = await service.call(who, "list_tasks", ListTasks(limit=100))
    titles = {each.title for each in getattr(listed, "tasks", None) or []}
    probes.tell("list_tasks", well=titles == {one["secret"], f"other {one['secret']}"})
    searched = await service.call(who, "list_tasks", ListTasks(search=secret))
    probes.tell("list_tasks, search", well=secret not in str(searched))
    on_list = await service.call(who, "list_tasks", ListTasks(list=other["list"]))
    probes.tell("list_tasks, list", well=not getattr(on_list, "tasks", None))
    probes.tell("history", well=not await service.history(who, task))
    probes.tell("history, one's own", well=len(await service.history(who, one["task"])) == 1)
    await _list_of(service, who, one, other, probes)
    # an error repeats what was said: what must not come back is the other half of what the other has
    for name, hidden in ((str(task), secret), (secret, str(task))):
        for tool, given in (
            ("complete_task", CompleteTask(task_identifier=name)),
            ("update_task", UpdateTask(task_identifier=name, new_description="seen")),
        ):
            probes.tell(tool, well=hidden not in str(await service.call(who, tool, given)))
        asked = await service.ask_delete(who, DeleteTask(task_identifier=name))
        probes.tell("delete_task, asking", well=hidden not in str(asked))
        probes.tell("resource", well=hidden not in str(await service.find(who, name)))
    forged = Question(id=uuid4(), task=UUID(str(task)), version=1, title=secret, due=None, completed=False)
    gone = await service.answer_delete(who, DeleteTask(task_identifier=str(task)), forged, yes=True)
    probes.tell("delete_task, answering", well=getattr(gone, "status", "") == "error")
    probes.tell("restore", well=(await service.restore(who, UUID(str(task)))).status == "error")
    probes.tell("completions", well=secret not in await service.titles(who, secret, 100))


async def _list_of(service: TaskService, who: Principal, one: Someone, other: Someone, probes: Probes) -> None:
    """A list keeps the spelling that was first used by its owner, not by another user."""
    spelled = str(other["list"]).upper()
    named = UpdateTask(task_identifier=f"other {one['secret']}", new_list=spelled)
    moved = await service.call(who, "update_task", named)
    probes.tell("the spelling of a list", well=getattr(getattr(moved, "task", None), "list", None) == spelled)
    await service.call(who, "update_task", UpdateTask(task_identifier=named.task_identifier, new_list=None))


async def _turns_of(chat: ChatService, who: Principal, one: Someone, other: Someone, probes: Probes) -> None:
    theirs, card, digest = other["conversation"], other["card"], other["digest"]
    for content in ("add seen", f"delete {other['secret']}", "yes", "undo"):
        said = chat.message(who, theirs, f"probe {content}", content)
        probes.tell("message in another's conversation", well=await _raises(NoConversation, said))
    for content in ("1", other["message_id"]):  # even one that was answered before
        said = chat.message(who, theirs, content, other["message"])
        probes.tell("message of another, again", well=await _raises(NoConversation, said))
    for yes in (True, False):
        probes.tell("confirm another's card", well=await _raises(Refused, chat.confirm(who, card, digest, yes=yes)))
    read_theirs = chat.conversation(who, theirs, 100)
    probes.tell("conversation of another", well=await _raises(NoConversation, read_theirs))
    own = await chat.conversation(who, one["conversation"], 100)
    probes.tell("conversation, one's own", well=len(own.turns) == one["turns"])
    listed_own = {each.id for each in await chat.conversations(who, 100)}
    probes.tell("conversations", well=one["conversation"] in listed_own and theirs not in listed_own)
    read = await chat.trail(who, 0, 100)
    probes.tell("trail", well=len(read) == one["entries"] and read[-1].hash == one["head"])
    verified = await chat.verify(who)
    probes.tell("verify", well=verified.intact and verified.entries == one["entries"])
    listed = await chat.tasks(who, ListTasks(limit=100))
    probes.tell("tasks", well=other["secret"] not in {task.title for task in listed.tasks or []})
    probes.tell("recover another's turn", well=await chat.recover(who, theirs, 1))
    await _state_of(chat, who, one, probes)


async def _raises(error: type[Exception], call: Awaitable[object]) -> bool:
    try:
        await call
    except error:
        return True
    return False


async def _state_of(chat: ChatService, who: Principal, one: Someone, probes: Probes) -> None:
    """What the next turn would rest on, and what an undo would take back, is one's own."""
    async with chat.acting(who) as (on, _person):
        last = (await acts.hold(on, who.id)).state.last
        probes.tell("undo", well=last is not None and last.back["id"] == one["chose"])
        place = (on, who.id, one["conversation"], "probe", "x")
        begun, _rows = await turns.begin(*place, first_things(who.id), datetime.now(UTC))
        chosen = [each.chose for each in begun.state.preferences] if isinstance(begun, Begun) else []
        probes.tell("preferences", well=chosen == [one["chose"]])
        well = isinstance(begun, Begun) and (begun.head.hash, begun.number) == (one["head"], one["turns"] + 1)
        probes.tell("begin a turn", well=well)


async def _machines_of(devices: DeviceService, who: Principal, one: Someone, other: Someone, probes: Probes) -> None:
    """Every tool of the devices on another's machine, by id and by name; an order under another's key."""
    listed = await devices.call(who, "list_machines", ListMachines())
    probes.tell("list_machines", well=[each.id for each in getattr(listed, "machines", [])] == [one["machine"]])
    for name, hidden in ((other["machine"], other["machine_name"]), (other["machine_name"], other["machine"])):
        for tool, given in (
            ("metrics_read", ReadMetrics(device_id=name)),
            ("device_firmware_detail", DeviceDetail(device_id=name)),
            ("list_machines", ListMachines(search=name)),
        ):
            probes.tell(f"{tool} of another", well=hidden not in str(await devices.call(who, tool, given)))
        given = ExecuteCommand(device_id=name, machine_command_id="on")
        told = await devices.ask_command(who, given, key=other["order_key"])
        probes.tell("machine_command_execute", well=hidden not in str(told) and str(other["order"]) not in str(told))


CALLS = 17 + 18 + 9  # of one user
