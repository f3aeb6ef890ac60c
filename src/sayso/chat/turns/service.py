"""The chat service: answers a message exactly once, on any replica.

A turn is one transaction: it claims the message's place, decides, and commits the effects, the trail and the answer
together. A turn that asks a model is two transactions: its plan is stored first, so that any replica can finish the
turn without the model (`recover`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, NamedTuple, Protocol
from uuid import UUID

import msgspec

from sayso.assistant.converse import Assistant, agreed, needs_help
from sayso.assistant.questions import Parted, parted, shown_card
from sayso.assistant.values import Hands, Json, Reply, Speaker, State
from sayso.case import Case
from sayso.chat.routes.contract import CARD_ANSWER
from sayso.chat.turns.clicks import Clicks
from sayso.chat.turns.machines import Both, Far, Machines, reaches_out
from sayso.chat.turns.model import ModelTier
from sayso.chat.turns.reads import Looking
from sayso.database.pool import Database, Transaction
from sayso.decision import Answer, Confirm
from sayso.identity.principal import Principal
from sayso.ledger import cards, turns
from sayso.ledger.errors import LedgerError, Refused, TurnInProgress
from sayso.ledger.values import Begun, StoredCard
from sayso.record import Entity, Record
from sayso.reminders import store
from sayso.reminders.clock import Way, rings
from sayso.serving.person import Person
from sayso.tasks.hands import TaskHands, first_things, settles
from sayso.tasks.values import Task

GRACE = timedelta(seconds=5)  # added to the model's deadline, before another process may take over a turn

REFUSED = Refused("this confirmation cannot be used")

_log = logging.getLogger(__name__)


class Later(Protocol):
    """Schedules the recovery of a turn, for the case that this process dies."""

    async def recover(self, user_id: str, conversation: UUID, number: int, at: datetime) -> None: ...


class Answered(NamedTuple):
    """A card that the user confirmed, and the language that it was shown in."""

    parts: Parted
    lang: str


class ChatService(Looking):
    """Shared by all requests of a process. It has no state that another process would need."""

    def __init__(
        self,
        database: Database,
        assistant: Assistant,
        *,
        zone: str = "UTC",
        model: ModelTier | None = None,
        later: Later | None = None,
        machines: Machines | None = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        super().__init__(database, machines, zone, clock)
        self._assistant, self._model, self._later = assistant, model, later
        self.clicks = Clicks(self)
        self.has_page: Callable[[str], bool] = lambda _user: False  # whether this process has a page of the user open
        self.on_ring: Callable[[str], None] = lambda _user: None  # called with the user whose reminder rang
        packs = [assistant.pack, *([machines.assistant.pack] if machines else [])]
        tools = [assistant.decider.pack(pack).pack.tools for pack in packs]
        self._definition = sha256(msgspec.json.encode(tools[0] if machines is None else tools, order="sorted")).digest()

    async def reach(self, on: Transaction, person: Person, task: Task) -> Json:
        """Whether a reminder of a task will arrive. Only pages that this process has open count, not those of other
        replicas, so that the answer never promises a reminder that does not arrive."""
        at, has_channel = await store.reach(on, person.id, UUID(task.id))
        way: Way = "arrives" if has_channel else "page" if self.has_page(person.id) else "nowhere"
        return dict(rings(at, person.now.astimezone(person.zone), way))

    def rang_for(self, user_id: str) -> None:
        """Notify open pages that a reminder of the user rang."""
        self.on_ring(user_id)

    async def open(self, who: Principal) -> UUID:
        """A new conversation."""
        async with self.acting(who) as (on, person):
            return turns.open_conversation(on, who.id, person.now)

    async def message(self, who: Principal, conversation: UUID, client_message_id: str, content: str) -> Reply:
        """The answer to a message. A message that is sent again with its id gets the same answer."""
        came = await self._turn(who, conversation, client_message_id, content)
        if isinstance(came, TurnInProgress) and came.is_over:
            await self.recover(who, conversation, came.number)
            came = await self._turn(who, conversation, client_message_id, content)
        if isinstance(came, LedgerError):
            raise came
        return came

    async def _turn(
        self, who: Principal, conversation: UUID, client_message_id: str, content: str
    ) -> Reply | LedgerError:
        async with self.acting(who) as (on, person):
            query = first_things(who.id)
            begun, rows = await turns.begin(on, who.id, conversation, client_message_id, content, query, person.now)
            if not isinstance(begun, Begun):
                return begun
            begun = await cards.verify_cards(on, who.id, begun, self._definition)
            hands, speaker = self.hands(on, person, begun.state, rows), self.speaker(person, conversation)
            answer, things = await self._decided(begun.state, speaker, hands, content)
            far = reaches_out(self._machines, answer)
            if far:
                await self._think(on, who, begun, answer, person.now)
            elif self._model is None or not needs_help(answer) or self._assistant.undoes(content):
                outcome = await self._assistant.carry_out(answer, begun.state, speaker, hands, things, content)
                return turns.keep(on, who.id, begun, outcome, person.now, self._definition)
            else:
                await self._think(on, who, begun, answer, person.now)
        if far:
            return await self._reach_out(who, begun, answer, things)
        return await self._with_model(who, begun, answer)

    async def _decided(
        self, state: State, speaker: Speaker, hands: Hands, content: str
    ) -> tuple[Answer, Sequence[Entity]]:
        """The answer, and the items that it was decided on: for a long list only a few, if they settle it."""
        decide, case = self._assistant.decide, self._assistant.case
        near = await hands.near(content) if isinstance(hands, TaskHands) else None
        if near and settles(answer := decide(case(state, speaker, near, content)), near, content):
            return answer, near
        things = await hands.things(content)
        return decide(case(state, speaker, things, content)), things

    def hands(self, on: Transaction, person: Person, state: State, rows: Any = None, left: UUID | None = None) -> Hands:
        """The tools that act within a transaction: on tasks, and on machines if a broker is configured."""
        tasks = TaskHands(
            on, person, rows, [each for turn in state.history for each in turn.shown or ()], reach=self.reach
        )
        return tasks if self._machines is None else Both(tasks, self._machines, on, person, left)

    async def _think(self, on: Transaction, who: Principal, begun: Begun, plan: Answer, now: datetime) -> None:
        """Store the plan of a turn that waits for a model or a machine, and schedule its recovery."""
        model = timedelta(seconds=self._model.deadline) if self._model else timedelta()
        until = now + max(model, self._machines.patience if self._machines else model) + GRACE
        if self._later is not None:
            await self._later.recover(who.id, begun.conversation, begun.number, until)
        turns.think(on, who.id, begun, plan, now, until)

    async def _reach_out(
        self,
        who: Principal,
        begun: Begun,
        plan: Answer,
        things: Sequence[Entity],
        answered: Answered | None = None,
        *,
        fence: int = 1,
        by_model: bool = False,
    ) -> Reply:
        """Send commands to machines outside any transaction, then finish the turn if no other process took it over."""
        if self._machines is None:
            raise AssertionError("only a turn about machines reaches out")
        person = await self.person(who)
        speaker = self.speaker(person, begun.conversation)
        hands = Far(self._machines, who, person, begun.id, things)
        if answered is not None:
            kept, dropped = answered.parts
            outcome = await self._assistant.settle(kept, speaker, hands, answered.lang, yes=True, dropped=dropped)
        else:
            outcome = await self._assistant.carry_out(plan, begun.state, speaker, hands, things, begun.message)
            outcome = msgspec.structs.replace(outcome, by_model=by_model)
        async with self.acting(who) as (on, now):
            place = (on, who.id, begun.conversation, begun.number)
            taken = await turns.take(*place, fence=fence, now=now.now, lease_until=now.now + GRACE)
            if taken is None:
                return await turns.read_reply(on, who.id, begun.conversation, begun.number)
            return turns.finish(on, who.id, taken.begun, outcome, now.now, self._definition)

    async def _with_model(self, who: Principal, begun: Begun, plan: Answer) -> Reply:
        """Ask the model outside any transaction, then finish the turn if no other process took it over."""
        if self._model is None:
            raise AssertionError("only a turn for which there is a model waits for one")
        proposed = await self._model.propose(self, who, begun, plan)
        answer = proposed.decided(plan)
        far = reaches_out(self._machines, answer)
        async with self.acting(who) as (on, person):
            now = person.now
            place = (on, who.id, begun.conversation, begun.number)
            until = now + (self._machines.patience if far and self._machines else timedelta()) + GRACE
            taken = await turns.take(*place, fence=1, now=now, lease_until=until)
            if taken is None:
                return await turns.read_reply(on, who.id, begun.conversation, begun.number)
            begun = await cards.verify_cards(on, who.id, taken.begun, self._definition)
            hands, speaker = self.hands(on, person, begun.state), self.speaker(person, begun.conversation)
            things = await hands.things(begun.message)
            if far:  # the command is sent outside any transaction, so store the plan for recovery first
                turns.replace_plan(on, who.id, begun, answer)
                if self._later is not None:
                    await self._later.recover(who.id, begun.conversation, begun.number, until)
            else:
                outcome = proposed.answered(plan.lang)
                if outcome is None:
                    outcome = await self._assistant.carry_out(
                        answer, begun.state, speaker, hands, things, begun.message
                    )
                    outcome = msgspec.structs.replace(outcome, by_model=bool(proposed.decisions))
                return turns.finish(on, who.id, taken.begun, outcome, now, self._definition)
        return await self._reach_out(who, begun, answer, things, fence=taken.fence, by_model=True)

    async def recover(self, who: Principal, conversation: UUID, number: int) -> bool:
        """Finish a turn whose lease has expired, with its stored plan. Returns False if it must be recovered later."""
        async with self.acting(who) as (on, person):
            now = person.now
            taken = await turns.take(on, who.id, conversation, number, fence=-1, now=now, lease_until=now + GRACE)
            if taken is None:
                return not await turns.is_thinking(on, who.id, conversation, number)
            plan = msgspec.json.decode(taken.plan, type=Answer)
            state = (await cards.verify_cards(on, who.id, taken.begun, self._definition)).state
            hands, message = self.hands(on, person, state, left=taken.begun.id), taken.begun.message
            things = await hands.things(message)
            speaker = self.speaker(person, conversation)
            outcome = await self._assistant.carry_out(plan, state, speaker, hands, things, message)
            turns.finish(on, who.id, taken.begun, outcome, now, self._definition)
            return True

    async def confirm(
        self, who: Principal, confirmation: UUID, digest: str, *, yes: bool, items: Collection[str] | None = None
    ) -> Reply:
        """Handle the user's answer to a card. The same answer gets the same reply; an answer that cannot be used raises
        Refused. A yes to a card for several things may name the items that it confirms; the others are declined."""
        async with self.acting(who) as (on, person):
            came = await self._settled(on, who, person, confirmation, digest, yes=yes, items=items)
        if isinstance(came, LedgerError):
            raise came
        return came if isinstance(came, Reply) else await self._reach_out(who, *came)

    async def _settled(
        self,
        on: Transaction,
        who: Principal,
        person: Person,
        confirmation: UUID,
        digest: str,
        *,
        yes: bool,
        items: Collection[str] | None,
    ) -> Reply | LedgerError | tuple[Begun, Answer, Sequence[Entity], Answered]:
        card = await cards.find(on, person.id, confirmation)
        if card is None:
            return REFUSED
        said = self._assistant.answers.phrase(card.lang, "agreed" if yes else "disagreed")
        name = _answer_name(card, confirmation, digest, items if yes else None, yes=yes)
        query = first_things(person.id)
        begun, rows = await turns.begin(on, person.id, card.conversation, name, said, query, person.now)
        if isinstance(begun, Reply):
            return begun if card.asked.place is not None or digest == card.digest else REFUSED
        if isinstance(begun, TurnInProgress):
            return begun
        card = await cards.find(on, person.id, confirmation)  # its current state, now that the trail is locked
        if card is None or not isinstance(begun, Begun):
            return REFUSED
        group = await cards.find_open(on, person.id, card, person.now)
        parts = parted([each.asked for each in group], items if yes else None)
        if not self._is_usable(card, group, digest, person) or parts is None:
            return REFUSED
        hands, speaker = self.hands(on, person, begun.state, rows), self.speaker(person, card.conversation)
        asked = [each.decision for each in parts.kept if isinstance(each.decision, Confirm)]
        plan = Answer(id="", lang=card.lang, decisions=tuple(map(agreed, asked)))
        if yes and reaches_out(self._machines, plan):
            await self._think(on, who, begun, plan, person.now)
            return begun, plan, await hands.things(card.asked.said), Answered(parts, card.lang)
        outcome = await self._assistant.settle(parts.kept, speaker, hands, card.lang, yes=yes, dropped=parts.dropped)
        return turns.keep(on, person.id, begun, outcome, person.now, self._definition)

    def _is_usable(self, card: StoredCard, group: Sequence[StoredCard], digest: str, person: Person) -> bool:
        """Whether the card can be answered. The error is the same for every reason; the reason is only logged."""
        reason = None
        if card.state != "pending":
            reason = f"it is {card.state}"
        elif not group:
            reason = "it is over"
        elif not all(cards.is_as_shown(each, person.id, each.digest, self._definition) for each in group):
            reason = "it is not what was stored"
        elif shown_card([each.asked for each in group]).digest != digest:
            reason = "it is not what was shown"
        if reason:
            _log.info("confirmation refused: %s", reason)
        return reason is None

    async def undo(self, who: Principal) -> Reply:
        """Undo the last change."""
        return await self.clicks.undo(who)

    async def is_ready(self) -> None:
        """Raise Unavailable if the database does not answer."""
        await self._database.ping()

    def decide(self, case: Case) -> Answer:
        """Decide a complete case. Nothing is stored, and no tool runs."""
        return self._assistant.decider.decide(case)

    def speaker(self, person: Person, conversation: UUID) -> Speaker:
        known = {"id": person.id, "name": person.name, "email": person.email}
        return Speaker(Record(known), person.now.astimezone(person.zone), str(conversation))

    @property
    def assistant(self) -> Assistant:
        return self._assistant


def _answer_name(card: StoredCard, confirmation: UUID, digest: str, items: Collection[str] | None, *, yes: bool) -> str:
    """The message id for the turn of an answer: the same answer to the same card has the same id. For a card for
    several things, the id includes its digest and the confirmed items."""
    name = f"{CARD_ANSWER}{confirmation} {'yes' if yes else 'no'}"
    if card.asked.place is None:
        return name
    given = [digest, None if items is None else sorted(items)]
    return f"{name} {sha256(msgspec.json.encode(given)).hexdigest()}"
