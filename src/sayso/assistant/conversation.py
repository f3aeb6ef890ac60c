"""A conversation held in this process: in the terminal or in your own program.

conversation = Conversation(assistant, hands, clock=lambda: datetime.now().astimezone())
(await conversation.say("add a task to buy milk")).reply
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime

import msgspec

from sayso.assistant.converse import LONGEST_HISTORY, Assistant
from sayso.assistant.questions import is_with, parted, shown_card, shown_cards
from sayso.assistant.values import Asked, Back, Card, Hands, Outcome, Reply, Speaker, State
from sayso.case import Case, Preference, Turn
from sayso.decision import Answer
from sayso.record import Record

_DEFAULT = "en"


class Conversation:
    """A conversation with one user. Turns run one after the other, and only this object keeps their state."""

    def __init__(
        self,
        assistant: Assistant,
        hands: Hands,
        *,
        clock: Callable[[], datetime],
        user: Record | None = None,
        lang: str | None = None,
    ) -> None:
        self._assistant, self._hands, self._clock, self._user = assistant, hands, clock, user or Record()
        self._wanted = lang
        self._state = State(lang=lang)
        self._backs: list[Back] = []
        self._open: dict[str, tuple[Asked, ...]] = {}  # cards that can be clicked, each with all of its turn
        self._turns = 0
        self.decided: tuple[Case, Answer] | None = None  # by the last message

    @property
    def lang(self) -> str:
        """The language spoken last."""
        return self._state.lang or _DEFAULT

    async def say(self, message: str) -> Reply:
        """A message, and all that comes of it."""
        who = Speaker(self._user, self._clock())
        things = await self._hands.things(message)
        case = self._assistant.case(self._state, who, things, message)
        case = msgspec.structs.replace(case, lang=self._wanted) if self._wanted else case
        answer = self._assistant.decide(case)
        outcome = await self._assistant.carry_out(answer, self._state, who, self._hands, things, message)
        self.decided = (case, msgspec.structs.replace(answer, decisions=outcome.decisions))
        return self._keep(outcome, Turn(role="user", content=message))

    async def settle(self, card: Card, *, yes: bool, items: Collection[str] | None = None) -> Reply:
        """A yes or a no to a card that is still open; of a card for several, to those of its items that are named."""
        group = self._group_of(card)
        parts = parted(group, items if yes else None)
        if parts is not None and shown_card(group).digest == card.digest:
            who = Speaker(self._user, self._clock())
            outcome = await self._assistant.settle(
                parts.kept, who, self._hands, self.lang, yes=yes, dropped=parts.dropped
            )
            return self._keep(outcome)
        text = self._assistant.answers.phrase(self.lang, "refused")
        return Reply(turn_id=str(self._turns), decisions=(), results=(), reply=text)

    def _group_of(self, card: Card) -> tuple[Asked, ...]:
        """What is still open of what this card asks."""
        turn = [each for each in self._open.get(card.id, ()) if each.card is not None and each.card.id in self._open]
        own = [each for each in turn if each.card is not None and each.card.id == card.id]
        return tuple(each for each in turn if own and is_with(own[0], each))

    async def undo(self) -> Reply:
        """Take back what was done last; asked again, what was done before that."""
        return self._keep(await self._assistant.undo(self._state, self._hands, self.lang))

    def _keep(self, outcome: Outcome, *said: Turn) -> Reply:
        self._turns += 1
        if outcome.taken_back is not None:
            self._backs = [back for back in self._backs if back.id != outcome.taken_back]
        for number, back in enumerate(outcome.backs):
            if back is not None:
                self._backs.append(Back(id=f"{self._turns}.{number}", back=back))
        for card in outcome.cards:
            self._open.pop(card, None)
        self._open |= {each.card.id: outcome.asked for each in outcome.asked if each.card is not None}
        told = Turn(role="assistant", content=outcome.reply, shown=outcome.shown)
        self._state = State(
            history=(*self._state.history, *said, told)[-LONGEST_HISTORY:],
            asked=outcome.asked,
            preferences=_learn(self._state.preferences, outcome.learnt),
            last=self._backs[-1] if self._backs else None,
            lang=outcome.lang,
        )
        return reply_of(str(self._turns), outcome)


def reply_of(turn: str, outcome: Outcome) -> Reply:
    """The answer as it goes out, with the cards that it shows."""
    cards = shown_cards(outcome.asked)
    return Reply(
        turn_id=turn,
        decisions=outcome.decisions,
        results=outcome.deeds,
        reply=outcome.reply,
        confirmation=cards[-1] if cards else None,
        confirmations=cards,
        settled=outcome.cards,
        next=outcome.next,
    )


def _learn(known: Sequence[Preference], learnt: Preference | None) -> tuple[Preference, ...]:
    """The choices with this one in front. A choice that is made again gets a higher count."""
    if learnt is None:
        return tuple(known)
    same = [one for one in known if (one.said, one.chose) == (learnt.said, learnt.chose)]
    times = 1 + sum(one.times for one in same)
    return (msgspec.structs.replace(learnt, times=times), *(one for one in known if one not in same))
