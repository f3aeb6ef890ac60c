"""Combines several packs in one conversation; each message goes to the pack that it is about.

    assistant = Several(tasks, devices)
    conversation = Conversation(assistant, SeveralHands({tasks: task_hands, devices: device_hands}), clock=…)

Every pack decides, each about its own things; the one that makes most of the words is followed. A question that is open
is answered in the pack that asked, if the words are an answer there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import msgspec

from sayso.assistant.converse import Assistant
from sayso.assistant.values import Asked, Done, Hands, Json, Outcome, Speaker, State
from sayso.case import Case
from sayso.decision import Answer, Arguments, Call, Clarify, ClarifyReason, Confirm, Decision, NothingReason, Pending
from sayso.record import Entity

# Scores of decisions that run nothing; calls and confirmations score their confidence. "Which one?" scores higher than
# "no such item". A refusal scores almost as high, because the pack understood the request.
_ASKED: dict[ClarifyReason, float] = {
    "ambiguous": 0.5,
    "missing": 0.5,
    "invalid": 0.5,
    "not_found": 0.4,
    "low_confidence": 0.2,
}
_LEFT: dict[NothingReason, float] = {"unsupported": 0.45, "cancelled": 0.1, "smalltalk": 0.1}
_GUESSED = -1.0  # a guess at a new thing, where the words name a thing of another pack
_TELLING = 4  # letters of a word that tells something
_OPEN = 2.0  # what counts more than anything: an answer to the open question


class Several(Assistant):
    """Converses over several packs. Where none makes more of the words than the others, the first does."""

    def __init__(self, *assistants: Assistant) -> None:
        first = assistants[0]
        super().__init__(first.decider, first.answers, pack=first.pack, patience=first.patience)
        self._assistants = assistants

    def decide(self, case: Case) -> Answer:
        return max((self._decided(case, one) for one in self._assistants), key=lambda pair: pair[0])[1]

    def _decided(self, case: Case, one: Assistant) -> tuple[float, Answer]:
        """What a pack makes of the words, and how much that is."""
        pending = case.pending if case.pending is not None and self.of(case.pending) is one else None
        things = tuple(thing for thing in case.entities if thing.kind in one.kinds)
        answer = one.decide(msgspec.structs.replace(case, pack=one.pack, entities=things, pending=pending))
        most = max(_rated(decision) for decision in answer.decisions)
        others = [thing for thing in case.entities if thing.kind not in one.kinds]
        if all(isinstance(each, Confirm) and each.reason == "uncertain" for each in answer.decisions):
            most = _GUESSED if _names_one(case.message, others) else most
        return most + (_OPEN if pending is not None and most > 0 else 0), answer

    def prompt(self, lang: str) -> str:
        return "\n".join(one.prompt(lang) for one in self._assistants)

    def of(self, decision: Decision) -> Assistant:
        """Whose decision it is, by the tools that it names; the first one's where it names none."""
        named = {getattr(decision, "tool", None), *(option.tool for option in getattr(decision, "options", ()))}
        return next((one for one in self._assistants if named & set(one.tools)), self._assistants[0])

    def _for(self, answer: Answer) -> Assistant:
        named = (self.of(each) for each in answer.decisions if isinstance(each, Call | Confirm | Clarify))
        return next(named, self._assistants[0])

    async def carry_out(
        self, answer: Answer, state: State, who: Speaker, hands: Hands, things: Sequence[Entity], message: str
    ) -> Outcome:
        one = self._for(answer)
        own = [thing for thing in things if thing.kind in one.kinds]
        return await one.carry_out(answer, state, who, hands, own, message)

    async def settle(
        self,
        asked: Sequence[Asked],
        who: Speaker,
        hands: Hands,
        lang: str,
        *,
        yes: bool,
        dropped: Sequence[Asked] = (),
    ) -> Outcome:
        return await self.of(asked[0].decision).settle(asked, who, hands, lang, yes=yes, dropped=dropped)

    def is_read(self, tool: str) -> bool:
        return any(one.is_read(tool) for one in self._assistants)


class SeveralHands:
    """The hands of several packs as one pair: each tool is done by its own."""

    def __init__(self, hands: Mapping[Assistant, Hands]) -> None:
        self._hands = {one.pack: (frozenset(one.tools), each) for one, each in hands.items()}

    async def things(self, message: str) -> tuple[Entity, ...]:
        found = await asyncio.gather(*(each.things(message) for _, each in self._hands.values()))
        return tuple(thing for things in found for thing in things)

    async def call(self, tool: str, arguments: Arguments, versions: dict[str, int]) -> Done:
        for pack, (tools, each) in self._hands.items():
            if tool in tools:
                done = await each.call(tool, arguments, versions)
                return done._replace(back={"pack": pack, "back": done.back} if done.back else None)
        return Done({"status": "error", "reason": "invalid", "error_message": tool}, None)

    async def put_back(self, back: Json) -> Json:
        return await self._hands[back["pack"]][1].put_back(back["back"])


def _names_one(message: str, things: Sequence[Entity]) -> bool:
    """Whether a message has a word of the name of one of these things."""
    words = set(message.casefold().split())
    names = (word for thing in things for word in thing.text("name").casefold().split())
    return any(len(name) >= _TELLING and name in words for name in names)


def _rated(decision: Decision | Pending) -> float:
    match decision:
        case Call() | Confirm():
            return decision.confidence
        case Clarify():
            return _ASKED[decision.reason]
        case _:
            return _LEFT.get(decision.reason, 0.0)
