"""Runs a turn: decides the message, carries the decisions out in order and words the answer.

A destructive call runs only after the user has seen its card. A later decision of a message can name an item that an
earlier one creates. The assistant keeps no state: the caller passes it in and stores the new one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta

from sayso.assistant.carry import Carrying
from sayso.assistant.questions import PATIENCE, is_group, pending
from sayso.assistant.values import Asked, Hands, Outcome, Speaker, State
from sayso.assistant.ways_back import put_back, was_just_made
from sayso.case import Case, Preference, Proposal
from sayso.decider import Decider
from sayso.decision import Answer, Call, Clarify, Confirm, Decision, Nothing, Pending
from sayso.engine.slots.reading import Reading
from sayso.packs.answers import Answers, Worded
from sayso.record import Entity

LONGEST_HISTORY = 20
_UNDO = "undo"  # what the learned reader calls it
_SURELY = 0.9  # chance from which the learned reader alone undoes the last call
_STEM = 5  # letters that two forms of a word share


class Assistant:
    """Converses over one pack. Holds nothing between turns; safe to share."""

    def __init__(
        self,
        decider: Decider,
        answers: Answers,
        *,
        pack: str = "tasks",
        patience: timedelta = PATIENCE,
        undo_days: Mapping[str, int] | None = None,
    ) -> None:
        self.decider, self.answers, self.pack, self.patience = decider, answers, pack, patience
        self.undo_days = dict(undo_days or {})  # by tool: for how long what it does can be taken back, as cards say

    def case(
        self, state: State, who: Speaker, things: Sequence[Entity], message: str, proposed: Proposal | None = None
    ) -> Case:
        """The message with all that it rests on."""
        return Case(
            message=message,
            now=who.now,
            pack=self.pack,
            lang=state.lang,
            user=who.user,
            entities=tuple(things),
            history=state.history[-LONGEST_HISTORY:],
            pending=self.pending(state),
            preferences=state.preferences,
            proposed=proposed,
        )

    def decide(self, case: Case) -> Answer:
        """Decide a case without a model."""
        return self.decider.decide(case)

    @property
    def tools(self) -> Collection[str]:
        return self.decider.pack(self.pack).pack.tools

    @property
    def kinds(self) -> Collection[str]:
        """The kinds of items that the pack defines."""
        return self.decider.pack(self.pack).pack.entities

    def prompt(self, lang: str) -> str:
        """What a model is told that takes part."""
        return self.answers.prompt(lang)

    def of(self, _decision: Decision) -> Assistant:
        """Whose decision it is."""
        return self

    def pending(self, state: State) -> Pending | None:
        """The question that the next message may answer."""
        return pending(state.asked, self.answers.phrase(state.lang or "", "which_card"))

    async def converse(self, state: State, who: Speaker, hands: Hands, message: str) -> Outcome:
        """The whole turn, without a model."""
        things = await hands.things(message)
        answer = self.decide(self.case(state, who, things, message))
        return await self.carry_out(answer, state, who, hands, things, message)

    async def carry_out(
        self, answer: Answer, state: State, who: Speaker, hands: Hands, things: Sequence[Entity], message: str
    ) -> Outcome:
        """Do what was decided, and say so."""
        if not state.asked and self._takes_back(answer, state, message, who.now):
            return await self.undo(state, hands, answer.lang)
        carrying = Carrying(self, answer.lang, state, who, hands, things, message)
        decisions = self._meant(answer, state, message)
        carrying.expect(decisions)
        for decision in decisions:
            await carrying.out(decision)
        return carrying.outcome(learnt(state.asked, decisions), answer.next or ())

    def _meant(self, answer: Answer, state: State, message: str) -> Sequence[Decision]:
        """The decisions to carry out. If several cards are open, "both" confirms each. "undo" cancels what is open."""
        cards = [each.decision for each in state.asked if isinstance(each.decision, Confirm)]
        if len(cards) > 1 and self.answers.agrees_to_all(message):
            return [agreed(card) for card in cards]
        if len(cards) > 1 and is_group(cards):
            return with_group(answer.decisions, cards)
        if self.undoes(message) and not any(isinstance(each, Call | Confirm) for each in answer.decisions):
            text = self.answers.phrase(answer.lang, "declined")
            again = self.answers.phrase(answer.lang, "undo_again") if state.last is not None else ""
            return [Nothing(confidence=1.0, reason="cancelled", reply=f"{text} {again}".strip())]
        return answer.decisions

    def is_read(self, tool: str) -> bool:
        """Whether a tool only looks."""
        shape = self.decider.pack(self.pack).pack.tools.get(tool)
        return shape is not None and shape.risk == "read"

    def undoes(self, message: str) -> bool:
        """Whether the message asks to undo the last call. If a question is open, undo first cancels the question."""
        return self.answers.wants_undo(message)

    def _takes_back(self, answer: Answer, state: State, message: str, now: datetime) -> bool:
        """Whether the last call is to be undone: by the whole message, or by a part of it beside a remark."""
        if self.undoes(message) or (was_just_made(state) and self.answers.drops(message)):
            return True
        rest = self.answers.beside_undo(message)
        if rest is None:
            lost = state.last is not None and all(map(_finds_nothing, answer.decisions))
            return lost and self._is_read_as_undo(message, now)
        alone = self.decide(Case(message=rest, now=now, pack=self.pack))
        return not any(_is_wish(each) for each in alone.decisions)

    def _is_read_as_undo(self, message: str, now: datetime) -> bool:
        """Whether the learned reader is sure that nothing but an undo is asked for: "undo that lol, wrong one"."""
        run = self.decider.run(Case(message=message, now=now, pack=self.pack))
        readings = [one.sense.reading for one in run.clauses if one.sense is not None]
        if any(run.grammar.pack.acts[one.act].tool is None or _is_bulk(one) for one in readings):
            return False  # "undo everything", which is refused
        read = run.verdict.predictions if run.verdict is not None else ()
        return len(read) == 1 and read[0].act == _UNDO and read[0].chance * read[0].certainty >= _SURELY

    async def undo(self, state: State, hands: Hands, lang: str) -> Outcome:
        """Take back what was done last."""
        worded, taken_back = Worded(self.answers.phrase(lang, "undone_nothing"), ()), None
        if state.last is not None:
            result = await put_back(hands, state.last.back)
            worded = self.answers.undone(lang, result)
            if result.get("reason") != "unavailable":
                taken_back = state.last.id  # a change that cannot be undone any more blocks nothing
        nothing = Nothing(confidence=1.0, reason="cancelled", reply=worded.text)
        return Outcome(lang=lang, decisions=(nothing,), reply=worded.text, shown=worded.shown, taken_back=taken_back)

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
        """Answer a card without a message: `asked` are the questions on it, `dropped` those that the user took out."""
        questions = [each.decision for each in asked if isinstance(each.decision, Confirm) and each.card is not None]
        if not questions or len(questions) < len(asked):
            raise TypeError("only a card can be settled")
        state = State(asked=(*asked, *dropped), lang=lang)
        carrying = Carrying(self, lang, state, who, hands, (), asked[0].said)
        carrying.drop(dropped)
        if yes:
            for question in questions:
                await carrying.out(agreed(question))
        else:
            reply = self.answers.phrase(lang, "declined")
            await carrying.out(Nothing(confidence=1.0, reason="cancelled", reply=reply))
        return carrying.outcome(None, ())


def _finds_nothing(decision: Decision) -> bool:
    """Whether a message was not understood, cannot be done, or led to a question without options."""
    if isinstance(decision, Clarify):
        return not decision.options
    return isinstance(decision, Nothing) and decision.reason in ("out_of_scope", "unsupported")


def _is_bulk(reading: Reading) -> bool:
    return reading.target is not None and reading.target.problem == "bulk"


def _is_wish(decision: Decision) -> bool:
    """Whether a decision is more than a guess at what a remark might ask for."""
    return isinstance(decision, Call) or (isinstance(decision, Confirm) and decision.reason != "uncertain")


def with_group(decisions: Sequence[Decision], cards: Sequence[Confirm]) -> list[Decision]:
    """The decisions, with a yes to one question of a group as a yes to each."""
    found: list[Decision] = []
    for decision in decisions:
        first = cards[0]
        is_yes = isinstance(decision, Call) and (decision.tool, decision.arguments) == (first.tool, first.arguments)
        found.extend([agreed(card) for card in cards] if is_yes else [decision])
    return found


def agreed(card: Confirm) -> Call:
    """The call that the card asks the user to confirm."""
    return Call(tool=card.tool, arguments=card.arguments, confidence=card.confidence, evidence=card.evidence)


def learnt(asked: Sequence[Asked], decisions: Sequence[Decision]) -> Preference | None:
    """What the person picked among several, where they were asked which."""
    if len(asked) != 1 or not isinstance(question := asked[0].decision, Clarify) or question.reason != "ambiguous":
        return None
    for decision in decisions:
        if not isinstance(decision, Call | Confirm):
            continue
        for option in question.options:
            chosen = [value for value in option.arguments.values() if isinstance(value, str)]
            if decision.tool == option.tool and option.arguments.items() <= decision.arguments.items() and chosen:
                told = [value for value in chosen if value not in question.arguments.values()]
                return Preference(said=_words_for(option.label, asked[0].said), chose=(told or chosen)[0])
    return None


def _words_for(label: str, message: str) -> str:
    """The words of the message by which the thing was named: "change the priority of call" → "call"."""
    named = {word[:_STEM] for word in re.findall(r"\w+", label.casefold())}
    words = [word for word in re.findall(r"\w+", message) if word.casefold()[:_STEM] in named]
    return " ".join(words) or message


def needs_help(answer: Answer) -> bool:
    """Whether a model may be asked: the engine found nothing to do, or asks because its confidence is low."""
    return all(
        (isinstance(each, Nothing) and each.reason in ("out_of_scope", "smalltalk"))
        or (isinstance(each, Clarify) and each.reason == "low_confidence")
        for each in answer.decisions
    )
