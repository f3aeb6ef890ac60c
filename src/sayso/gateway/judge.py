"""Judges a call: forward it as it is, complete it, ask, confirm or refuse.

The engine decides, with the call as a proposal and the user's words beside it. Without any words a read is
forwarded, and everything else requires confirmation. The answers of upstream servers have no part in this.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import uuid4

import msgspec

from sayso.case import Case, Proposal
from sayso.decider import Decider
from sayso.decision import Call, Clarify, Confirm, Decision, Nothing, Option
from sayso.engine.decide.room import Thresholds
from sayso.engine.grammar.pack import Risk
from sayso.gateway.config import ServerSettings
from sayso.gateway.messages import say
from sayso.gateway.questions.shown import shown_call
from sayso.gateway.values import Arguments, Ask, Forward, Question, Refuse, Verdict, Wanted, Words, labels
from sayso.record import Entity

MOST_ROUNDS = 5
_SURE = Thresholds().inferred


class Judge:
    """Judges the calls to one server."""

    def __init__(
        self,
        decider: Decider,
        pack: str,
        settings: ServerSettings,
        lang: str | None,
    ) -> None:
        self._decider, self._pack, self._settings, self._lang = decider, pack, settings, lang

    def judge(self, wanted: Wanted, things: Sequence[Entity], definition: str, now: datetime) -> Verdict:
        """Judges a new call."""
        if not wanted.words.message:
            if self.risk_of(wanted) == "read":
                return Forward(wanted.arguments)
            return self._ask(wanted, self._agree(wanted, wanted.arguments), definition)
        return self._verdict(wanted, self._decision(wanted, things, now), definition)

    def answer(self, question: Question, given: str | bool | None, things: Sequence[Entity], now: datetime) -> Verdict:
        """Judges the user's answer to a question: yes or no, an option, or a value in the user's own words."""
        asked, wanted = question.asks, question.wanted
        if given is None or given is False:
            return Refuse("declined", say(self._lang, "declined", tool=wanted.tool))
        if isinstance(asked, Confirm):
            return Forward(asked.arguments) if given is True else Refuse("declined", say(self._lang, "declined"))
        if not isinstance(given, str):  # a plain yes does not answer which or what
            return Refuse("declined", say(self._lang, "declined"))
        if question.rounds >= MOST_ROUNDS:
            return Refuse("needs_clarification", say(self._lang, "too_often", tool=wanted.tool))
        picked = next((n for n, names in enumerate(_names(asked), 1) if given in names), None)
        heard = self._heard(self._case(wanted.words, things, str(picked or given), now), asked)
        decision = heard if picked is None else self._chosen(asked.options[picked - 1], heard)
        return self._verdict(wanted, decision, question.definition, question.rounds + 1)

    def risk(self, tool: str) -> Risk:
        """The risk of a tool: the operator's setting, or the pack's. An unknown tool is destructive."""
        return self._risk_of(tool, {})

    def risk_of(self, wanted: Wanted) -> Risk:
        """The risk of a call: lower than the tool's, if its arguments say that it only reads."""
        return self._risk_of(wanted.tool, wanted.arguments)

    def _risk_of(self, tool: str, arguments: Arguments) -> Risk:
        told = self._settings.tools.get(tool)
        if told is not None and told.risk is not None:
            return told.risk
        shape = self._decider.pack(self._pack).pack.tools.get(tool)
        return shape.risk_of(arguments) if shape is not None else "destructive"

    def _is_spared(self, tool: str, asked: Confirm) -> bool:
        """Whether the call would be confirmed only because it is destructive, and the operator set its risk to
        write."""
        told = self._settings.tools.get(tool)
        lowered = told is not None and told.risk == "write"
        return lowered and asked.reason == "destructive" and asked.confidence >= _SURE

    def _decision(self, wanted: Wanted, things: Sequence[Entity], now: datetime) -> Decision:
        """The engine's decision about the call, given the words."""
        case = self._case(wanted.words, things, wanted.words.message, now)
        proposed = Proposal(tool=wanted.tool, arguments=wanted.arguments)
        decisions = self._decider.decide(msgspec.structs.replace(case, proposed=proposed)).decisions
        same = [each for each in decisions if getattr(each, "tool", None) == wanted.tool]
        return same[0] if same else decisions[0]

    def _heard(self, case: Case, asked: Clarify) -> Decision:
        """The answer to a question, in the user's own words."""
        return self._decider.decide(msgspec.structs.replace(case, pending=asked)).decisions[0]

    def _case(self, words: Words, things: Sequence[Entity], message: str, now: datetime) -> Case:
        return Case(
            message=message,
            now=now,
            pack=self._pack,
            lang=self._lang,
            entities=tuple(things),
            history=words.history,
        )

    def _chosen(self, option: Option, heard: Decision) -> Decision:
        """An option that the user picked. A destructive option requires one more confirmation, which names it: by its
        tool, or by this use of the tool, which the engine knows from the thing."""
        if isinstance(heard, Confirm) and (heard.tool, heard.arguments) == (option.tool, option.arguments):
            return heard
        call = Call(tool=option.tool, arguments=option.arguments, confidence=1.0)
        if self.risk(option.tool) != "destructive":
            return call
        wanted = Wanted(server="", tool=option.tool, arguments=option.arguments, words=Words())
        return self._agree(wanted, option.arguments, f"{option.label}: ")

    def _verdict(self, wanted: Wanted, decision: Decision, definition: str, rounds: int = 1) -> Verdict:
        """The verdict. Words that a model relays can forward only a read, unless `model_words` is set."""
        verdict = self._weighed(wanted, decision, definition, rounds)
        if not isinstance(verdict, Forward) or self._may_forward(wanted):
            return verdict
        return self._ask(wanted, self._agree(wanted, verdict.arguments), definition, rounds)

    def _may_forward(self, wanted: Wanted) -> bool:
        """Whether the words can replace the question: a model can invent the words that it relays."""
        return wanted.words.trusted or self._settings.model_words or self.risk_of(wanted) == "read"

    def _weighed(self, wanted: Wanted, decision: Decision, definition: str, rounds: int) -> Verdict:
        """The verdict by a pack, which has words for the domain."""
        if self._settings.pack is None:
            return self._weighed_bare(wanted, decision, definition, rounds)
        other = getattr(decision, "tool", None)
        risk = self.risk_of(wanted)
        if isinstance(decision, Nothing) or (other is not None and other != wanted.tool):
            # the words do not ask for it: a read does no harm, and the user may still want the rest
            if risk == "read":
                return Forward(wanted.arguments)
            return self._ask(wanted, self._agree(wanted, wanted.arguments, unasked=True), definition, rounds)
        if isinstance(decision, Call):
            if risk != "destructive":
                return Forward(self._as_given(wanted, decision.arguments))
            return self._ask(wanted, self._agree(wanted, decision.arguments), definition, rounds)
        if isinstance(decision, Confirm) and (risk == "read" or self._is_spared(wanted.tool, decision)):
            return Forward(self._as_given(wanted, decision.arguments))
        return self._ask(wanted, decision, definition, rounds)

    def _weighed_bare(self, wanted: Wanted, decision: Decision, definition: str, rounds: int) -> Verdict:
        """The verdict without a pack. A call is forwarded or shown unchanged: nothing is omitted."""
        risk = self.risk_of(wanted)
        if isinstance(decision, Clarify) and decision.reason != "low_confidence":
            if not self._told_by_the_call(wanted, decision):
                return self._ask(wanted, decision, definition, rounds)
            if risk == "read":  # a read does no harm
                return Forward(wanted.arguments)
        if isinstance(decision, Call) and risk == "read":
            return Forward(wanted.arguments)
        if isinstance(decision, Call) and risk == "write" and self._is_whole(wanted, decision):
            return Forward(self._as_given(wanted, decision.arguments))
        doubt = isinstance(decision, Nothing) or getattr(decision, "reason", "") in ("low_confidence", "uncertain")
        agree = self._agree(
            wanted, wanted.arguments, unasked=doubt, unsaid=() if doubt else self._unsaid(wanted, decision)
        )
        return self._ask(wanted, agree, definition, rounds)

    def _unsaid(self, wanted: Wanted, decision: Decision) -> tuple[str, ...]:
        """The arguments whose values the words do not contain, although the words ask for the call."""
        held = {} if isinstance(decision, Nothing) else decision.arguments
        spelled_out = self._spelled_out(wanted)
        return tuple(name for name in wanted.arguments if name not in held and name not in spelled_out)

    def _is_whole(self, wanted: Wanted, decision: Call) -> bool:
        """Whether every value of a call is one that the words ask for."""
        return {*wanted.arguments} - {*decision.arguments} <= self._spelled_out(wanted)

    def _told_by_the_call(self, wanted: Wanted, decision: Clarify) -> bool:
        """Whether the call has the missing values, so that the user need not type them."""
        return decision.reason == "missing" and wanted.arguments.keys() >= set(decision.missing)

    def _as_given(self, wanted: Wanted, decided: Arguments) -> Arguments:
        """The original arguments if they differ from the decision only in case and explicit defaults, otherwise the
        decision's."""
        given = wanted.arguments
        missing = decided.keys() - given.keys()
        right = all(_is_same(given[name], value) for name, value in decided.items() if name in given)
        return (
            given if right and not missing and given.keys() - decided.keys() <= self._spelled_out(wanted) else decided
        )

    def _spelled_out(self, wanted: Wanted) -> set[str]:
        """The arguments whose value is the default, so that omitting them changes nothing."""
        shape = self._decider.pack(self._pack).pack.tools.get(wanted.tool)
        params = shape.params if shape is not None else {}
        given = wanted.arguments.items()
        return {name for name, value in given if name in params and _is_same(value, params[name].default)}

    def settled(self, wanted: Wanted, decided: Arguments) -> Arguments:
        """The arguments of a decision, as the call writes them if both mean the same call."""
        return self._as_given(wanted, decided)

    def confirm(self, wanted: Wanted, arguments: Arguments, definition: str) -> Ask:
        """A question about a call that the words are enough to forward."""
        return self._ask(wanted, self._agree(wanted, arguments), definition)

    def _ask(self, wanted: Wanted, asks: Confirm | Clarify, definition: str, rounds: int = 1) -> Ask:
        return Ask(Question(id=str(uuid4()), wanted=wanted, asks=asks, definition=definition, rounds=rounds))

    def _agree(
        self,
        wanted: Wanted,
        arguments: Arguments,
        opening: str = "",
        *,
        unasked: bool = False,
        unsaid: Sequence[str] = (),
    ) -> Confirm:
        """A question that names the tool and shows every value, because there may be no domain words for it."""
        call = shown_call(wanted.server, wanted.tool, arguments)
        text = "unasked" if unasked else "unsaid" if unsaid else "agree"
        return Confirm(
            tool=wanted.tool,
            arguments=arguments,
            confidence=1.0,
            question=opening + say(self._lang, text, call=call, names=", ".join(unsaid)),
            reason="destructive" if self.risk_of(wanted) == "destructive" else "uncertain",
        )


def _names(asked: Clarify) -> list[tuple[str, str]]:
    """The names of each option."""
    return [(label, option.label) for label, option in zip(labels(asked), asked.options, strict=True)]


def _is_same(given: object, decided: object) -> bool:
    if isinstance(given, str) and isinstance(decided, str):
        return given.casefold() == decided.casefold()
    return given == decided and isinstance(given, bool) == isinstance(decided, bool)
