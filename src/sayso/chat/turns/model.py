"""The model tier in a turn: a model's proposals are judged, then carried out after the turn is stored.

Reads run at once. Writes are checked against the user's message, stored, and run in the transaction that finishes the
turn, so that the model never sees an effect that may be rolled back. Each word of the message supports only one write.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import msgspec

from sayso.assistant.values import Deed, Json, Outcome
from sayso.case import Proposal, Turn
from sayso.database.pool import Unavailable
from sayso.decision import Answer, Call, Clarify, Confirm, Decision, Evidence, Nothing, Span
from sayso.identity.principal import Principal
from sayso.ledger.values import Begun

if TYPE_CHECKING:
    from sayso.agent.values import Judge, ToolShape, Verdict
    from sayso.chat.turns.service import ChatService

# Whether a text claims only what the calls did: the text, its language, the calls.
ClaimCheck: TypeAlias = Callable[[str, str, Sequence[Deed]], bool]


class Model(Protocol):
    """A model that proposes calls; `sayso.agent` implements it."""

    async def answer(
        self,
        *,
        prompt: str,
        history: Sequence[Turn],
        message: str,
        tools: Sequence[ToolShape],
        judge: Judge,
        deadline: float,
    ) -> str | None: ...


class ModelTier:
    """A model, its tools and its deadline."""

    def __init__(
        self,
        model: Model,
        tools: Sequence[ToolShape],
        *,
        deadline: float,
        claims: ClaimCheck,
        came: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._model, self._tools, self.deadline, self._claims, self._came = model, tools, deadline, claims, came

    async def propose(self, service: ChatService, who: Principal, begun: Begun, plan: Answer) -> Proposed:
        """The model's proposals for a message that the engine did not settle."""
        proposed = Proposed(service, who, begun)
        text = await self._model.answer(
            prompt=service.assistant.prompt(plan.lang),
            history=begun.state.history,
            message=begun.message,
            tools=self._tools,
            judge=proposed.judge,
            deadline=self.deadline,
        )
        if text and self._claims(text, plan.lang, proposed.reads):
            proposed.text = text
        self._came(_outcome(proposed, text))
        return proposed


class Proposed:
    """The proposals of a model's run that the message supports."""

    def __init__(self, service: ChatService, who: Principal, begun: Begun) -> None:
        self._service, self._who, self._begun = service, who, begun
        self.decisions: list[Decision] = []
        self.reads: list[Deed] = []
        self.text = ""

    async def judge(self, tool: str, arguments: Any) -> Verdict:
        """The verdict on a call that the model makes. The model reads its result or a status code."""
        from sayso.agent.values import Verdict  # noqa: PLC0415  imported only if a model is configured

        try:
            return Verdict(*await self._judged(tool, arguments))
        except Unavailable:
            return Verdict(_told("unavailable"), stop=True)

    async def _judged(self, tool: str, arguments: Any) -> tuple[str, bool]:
        assistant, message = self._service.assistant, self._begun.message
        async with self._service.acting(self._who) as (on, person):
            hands = self._service.hands(on, person, self._begun.state)
            things = await hands.things(message)
            proposal = Proposal(tool=tool, arguments=arguments)
            speaker = self._service.speaker(person, self._begun.conversation)
            case = assistant.case(self._begun.state, speaker, things, message, proposal)
            decision = assistant.decide(case).decisions[0]
            if isinstance(decision, Call) and assistant.is_read(decision.tool):
                done = await hands.call(decision.tool, decision.arguments, {})
                self.reads.append(Deed(tool=decision.tool, arguments=decision.arguments, result=done.result))
                return msgspec.json.encode(done.result).decode(), False
        if isinstance(decision, Nothing) or self._reuses_words(decision) or self._is_others(decision):
            return _told("not_asked_for"), False
        self.decisions.append(decision)
        return (_told("accepted"), False) if isinstance(decision, Call) else (_told("the_person_is_asked"), True)

    def _reuses_words(self, decision: Call | Confirm | Clarify) -> bool:
        """Whether an accepted proposal is the same call, or already uses the words that support this one."""
        spans = _spans(decision)
        return any(
            first < after and before < last
            for other in self.decisions
            for first, last in _spans(other)
            for before, after in spans
        ) or any(isinstance(other, Call) and _same(other, decision) for other in self.decisions)

    def _is_others(self, decision: Decision) -> bool:
        """Whether the decision is from another pack than the earlier ones. A turn uses only one pack."""
        of = self._service.assistant.of
        return any(of(other) is not of(decision) for other in self.decisions)

    def answered(self, lang: str) -> Outcome | None:
        """The model's own text as the outcome, if it only talked and read; otherwise None."""
        if self.decisions or not self.text:
            return None
        nothing = Nothing(confidence=0.5, reason="smalltalk", reply=self.text)
        shown = [each for read in self.reads for each in _shown(read.result)]
        return Outcome(
            lang=lang,
            decisions=(nothing,),
            reply=self.text,
            deeds=tuple(self.reads),
            backs=(None,) * len(self.reads),
            shown=tuple(dict.fromkeys(shown)),
            by_model=True,
        )

    def decided(self, plan: Answer) -> Answer:
        """The plan with the supported proposals, or the unchanged plan if the message supports no proposal."""
        return msgspec.structs.replace(plan, decisions=tuple(self.decisions)) if self.decisions else plan


def _outcome(proposed: Proposed, text: str | None) -> str:
    """The outcome of the model request, for the metrics."""
    if text is None:
        return "failed"
    if proposed.decisions:
        return "proposed"
    return "answered" if proposed.text else "refused"


def _shown(result: Json) -> list[str]:
    """The ids of the things that a read returned."""
    listed = [str(each["id"]) for each in (*(result.get("tasks") or ()), *(result.get("machines") or ()))]
    return listed or [str(result["device_id"])] if listed or result.get("device_id") else []


def _spans(decision: Decision) -> list[Span]:
    evidence: dict[str, Evidence] = getattr(decision, "evidence", {})
    return [each.span for each in evidence.values() if each.span]


def _same(one: Call, other: Call | Confirm | Clarify) -> bool:
    return (one.tool, one.arguments) == (other.tool, other.arguments)


def _told(status: str) -> str:
    return msgspec.json.encode({"status": status}).decode()
