"""Carries decisions out in order and collects the results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC
from typing import TYPE_CHECKING

import msgspec
from msgspec import UNSET

from sayso.assistant.questions import Shown, ask, entity_names, is_over, touched, versions_of
from sayso.assistant.values import Asked, CardState, Deed, Hands, Json, Outcome, Place, Speaker, State
from sayso.assistant.ways_back import as_one
from sayso.case import Preference
from sayso.decision import Arguments, Call, Clarify, Confirm, ConfirmReason, Decision, FollowUp, Nothing
from sayso.engine.decide.wording import Voice
from sayso.engine.grammar.moods import opening
from sayso.engine.linking.index import EntityIndex
from sayso.engine.text.tokens import normalise
from sayso.packs.answers import Proposed, Together
from sayso.record import Entity

if TYPE_CHECKING:
    from sayso.assistant.converse import Assistant


class Carrying:
    """The decisions of one message, under way."""

    def __init__(
        self,
        assistant: Assistant,
        lang: str,
        state: State,
        who: Speaker,
        hands: Hands,
        things: Sequence[Entity],
        message: str,
    ) -> None:
        self._assistant, self._answers = assistant, assistant.answers
        self._pack = assistant.decider.pack(assistant.pack).pack
        self._lang, self._state, self._who, self._hands = lang, state, who, hands
        self._things, self._message = things, message
        self._made: dict[str, str] = {}  # the id of what was made, by its name
        self._versions: dict[str, int] = {}
        self._decisions: list[Decision] = []
        self._texts: list[str] = []
        self._shown: list[str] = []
        self._deeds: list[Deed] = []
        self._asked: list[Asked] = []
        self._cards: dict[str, CardState] = {}
        self._backs: list[Json | None] = []
        self._groups: list[str | None] = []  # for each call, the group that its question was in
        self._expected: dict[object, list[Confirm]] = {}  # the questions of each group
        self._worded_together: dict[object, Together] = {}
        self._asked_together: Counter[object] = Counter()

    def expect(self, decisions: Sequence[Decision]) -> None:
        """Register the decisions that follow, so that the questions of one group are asked as one."""
        for each in decisions:
            if isinstance(each, Confirm) and each.group is not UNSET:
                self._expected.setdefault(each.group, []).append(each)

    def drop(self, asked: Sequence[Asked]) -> None:
        """Close cards that the person took out of what they agreed to."""
        self._cards |= {each.card.id: "declined" for each in asked if each.card}

    async def out(self, decision: Decision) -> None:
        """Carry one decision out."""
        match decision:
            case Call():
                await self._run(decision)
            case Confirm() if len(self._expected.get(decision.group, ())) > 1 and self._answers.asks_together(
                self._lang
            ):
                self._ask_together(decision)
            case Confirm():
                self._ask(decision)
            case Clarify() if decision == self._assistant.pending(self._state):
                self._ask_which(decision)
            case Clarify():
                decision = self._dated(decision)
                self._say(decision, decision.question, self._named_by(decision))
                self._asked.append(Asked(decision=decision, said=self._message))
            case Nothing():
                if decision.reason == "cancelled":
                    self._cards |= {each.card.id: "declined" for each in self._state.asked if each.card}
                self._say(decision, decision.reply or "", ())

    def outcome(self, learnt: Preference | None, following: Sequence[FollowUp]) -> Outcome:
        """The outcome of the turn."""
        self._texts += self._left_out()
        return Outcome(
            lang=self._lang,
            decisions=tuple(self._decisions),
            reply="\n".join(text for text in self._texts if text),
            deeds=tuple(self._deeds),
            shown=tuple(dict.fromkeys(self._shown)),
            asked=tuple(self._asked),
            cards={**self._asked_again(), **self._cards},
            backs=as_one(self._groups, self._backs),
            groups=tuple(self._groups),
            learnt=learnt,
            next=tuple(following),
        )

    def _asked_again(self) -> dict[str, CardState]:
        """The cards of the turn before whose question is asked once more, or whose thing was acted on. The others stay
        open: they can still be clicked."""
        done = [each for each in self._decisions if isinstance(each, Call | Confirm)]
        return {
            each.card.id: "superseded"
            for each in self._state.asked
            if each.card is not None and isinstance(each.decision, Confirm)
            if any(self._is_about(decision, each.decision) for decision in done)
        }

    def _left_out(self) -> list[str]:
        """Lines about open confirmations that the message neither answers nor repeats, so that the user knows that
        nothing was done. Destructive calls are left out, because no answer means no. So are questions of a group."""
        done = [each for each in self._decisions if not isinstance(each, Nothing)]
        spoken_of = [*done, *(each.decision for each in self._asked)]
        told = []
        for each in self._state.asked if done else ():
            if not isinstance(each.decision, Confirm) or each.card is None or each.card.id in self._cards:
                continue
            if self._is_destructive(each.decision.tool) or each.decision.group is not UNSET:
                continue
            if not any(self._is_about(decision, each.decision) for decision in spoken_of):
                told.append(f"{self._answers.phrase(self._lang, 'left_out')} {each.card.card}")
        return told if told and not self._refuses() else []

    def _refuses(self) -> bool:
        """Whether the message begins with a no, which needs no more telling."""
        grammar = self._assistant.decider.pack(self._assistant.pack).languages.grammar(self._lang)
        sheet = grammar.read(normalise(self._message), self._who.now)
        at = opening(sheet.whole)
        return at < len(sheet.words) and bool(sheet.has(at, "no", "cancel"))

    def _is_about(self, decision: Decision, asked: Confirm) -> bool:
        """Whether a decision is about what was asked: the same thing, or the same to be made."""
        if isinstance(decision, Nothing) or decision.tool is None:
            return False
        named = set(touched(self._pack, asked.tool, asked.arguments))
        if named:
            return not named.isdisjoint(touched(self._pack, decision.tool, decision.arguments))
        texts = {value for value in asked.arguments.values() if isinstance(value, str)}
        return decision.tool == asked.tool and not texts.isdisjoint(map(str, decision.arguments.values()))

    async def _run(self, decision: Call) -> None:
        card = self._card_for(decision)
        if card is None and (again := self._again(decision)):
            self._ask(msgspec.structs.replace(self._worded(decision), question=again))
            return
        if card is None and self._is_destructive(decision.tool):
            self._ask(self._worded(decision))  # whatever led here, nobody was shown what would be destroyed
            return
        if card and card.card and is_over(card.card, self._who.now):
            self._cards[card.card.id] = "expired"
            await self._ask_again(decision, "expired")
            return
        arguments = self._resolved(decision.tool, decision.arguments)
        done = await self._hands.call(decision.tool, arguments, card.versions if card else {})
        deed = Deed(tool=decision.tool, arguments=arguments, result=done.result)
        if card and card.card:
            stale = done.result.get("reason") == "stale"
            self._cards[card.card.id] = "done" if deed.succeeded else "stale" if stale else "failed"
            if stale:
                await self._ask_again(decision, "stale")
                return
        self._deeds.append(deed)
        self._backs.append(done.back)
        group = card.decision.group if card and isinstance(card.decision, Confirm) else UNSET
        self._groups.append(group if isinstance(group, str) else None)
        self._remember(done.result)
        worded = self._answers.deed(self._lang, decision.tool, arguments, done.result, self._who.now, self._message)
        self._say(decision, worded.text, worded.shown)

    def _card_for(self, decision: Call) -> Asked | None:
        """The card of the turn before that shows exactly this call."""
        for each in self._state.asked:
            is_open = each.card is not None and each.card.id not in self._cards
            shows = (each.decision.tool, each.decision.arguments) == (decision.tool, decision.arguments)
            if isinstance(each.decision, Confirm) and is_open and shows:
                return each
        return None

    def _is_destructive(self, tool: str) -> bool:
        shape = self._pack.tools.get(tool)
        return shape is None or shape.risk == "destructive"

    def _ask(self, decision: Confirm, opening: str = "") -> None:
        if decision.reason == "uncertain" and decision.arguments.get("list") is None:
            decision = msgspec.structs.replace(decision, question=self._again(decision) or decision.question)
        decision, ids = self._card(decision)
        self._say(decision, f"{opening} {decision.question}".strip(), ids)

    def _again(self, decision: Call | Confirm) -> str | None:
        """The question before something is added that is open under the same name already."""
        for thing in self._things if not touched(self._pack, decision.tool, decision.arguments) else ():
            kind = self._pack.entities.get(thing.kind)
            name = decision.arguments.get(kind.name) if kind else None
            if kind and isinstance(name, str) and _same(name, thing.text(kind.name)):
                asked = self._answers.again(
                    self._lang, decision.tool, decision.arguments, thing.as_dict(), self._who.now
                )
                if asked:
                    return asked
        return None

    def _dated(self, decision: Clarify) -> Clarify:
        """A question out of doubt names all that a yes would store."""
        if decision.reason != "low_confidence" or decision.tool is None:
            return decision
        given = (decision.question, decision.tool, decision.arguments)
        return msgspec.structs.replace(decision, question=self._answers.question(self._lang, *given, self._who.now))

    def _ask_together(self, decision: Confirm) -> None:
        """One of a group of questions: a line below their heading."""
        if decision.group not in self._worded_together:
            self._worded_together[decision.group] = self._together(self._expected[decision.group])
            self._texts.append(self._worded_together[decision.group].heading)
        heading, lines = self._worded_together[decision.group]
        self._asked_together[decision.group] += 1
        number = self._asked_together[decision.group]
        decision, ids = self._card(decision, Place(heading=heading, number=number))
        self._say(decision, f"{number}. {lines[number - 1] or decision.question}", ids)

    def _together(self, group: Sequence[Confirm]) -> Together:
        """The question that a group is asked as."""
        calls = []
        for each in group:
            arguments = self._resolved(each.tool, each.arguments)
            thing = self._record(touched(self._pack, each.tool, arguments))
            calls.append(Proposed(each.tool, arguments, thing or {}))
        starts = all(self._starts_list(each) for each in group)
        return self._answers.together(self._lang, calls, self._who.now, starts=starts)

    def _starts_list(self, decision: Confirm) -> bool:
        """Whether the question says that a list would be new: in the pack's words for that."""
        confirm = self._assistant.decider.pack(self._assistant.pack).languages.grammar(self._lang).book.say.confirm
        text, named = confirm.get(f"{decision.tool}.list"), decision.arguments.get("list")
        return bool(text and named) and decision.question == str(text).format_map(decision.arguments)

    def _record(self, ids: Sequence[str]) -> Json | None:
        return next((thing.as_dict() for thing in self._things if thing.id in ids[:1]), None)

    def _card(self, decision: Confirm, place: Place | None = None) -> tuple[Confirm, tuple[str, ...]]:
        """Put a question with its card; what it is about."""
        arguments = self._resolved(decision.tool, decision.arguments)
        question = self._answers.question(self._lang, decision.question, decision.tool, arguments, self._who.now)
        decision = msgspec.structs.replace(decision, arguments=arguments, question=question)
        ids = touched(self._pack, decision.tool, arguments)
        versions = versions_of(self._things, ids) | {
            each: self._versions[each] for each in ids if each in self._versions
        }
        shown = Shown(
            until=(self._who.now + self._assistant.patience).astimezone(UTC),
            record=self._record(ids),
            undo_days=self._assistant.undo_days.get(decision.tool),
            place=place,
        )
        self._asked.append(ask(decision, versions, shown, self._message, self._who))
        return decision, ids

    def _ask_which(self, decision: Clarify) -> None:
        """Ask once more what is open: of several cards all of them, each again, since a yes may be meant for any."""
        cards = [each for each in self._state.asked if isinstance(each.decision, Confirm)]
        self._say(decision, decision.question, self._named_by(decision))
        if len(cards) < 2:
            self._asked.append(Asked(decision=decision, said=self._message))
            return
        for number, each in enumerate(cards, 1):
            if isinstance(each.decision, Confirm):
                if each.card is not None:
                    self._cards[each.card.id] = "superseded"
                self._card(each.decision, each.place)
                self._texts.append(f"{number}. {each.decision.question}")

    async def _ask_again(self, decision: Call, why: str) -> None:
        """Ask once more, about things as they stand now."""
        self._things = await self._hands.things(self._message)
        known = frozenset(thing.id for thing in self._things)
        if not known.issuperset(touched(self._pack, decision.tool, decision.arguments)):
            reply = self._answers.phrase(self._lang, "refused")
            self._say(Nothing(confidence=1.0, reason="unsupported", reply=reply), reply, ())
            return
        self._ask(self._worded(decision), self._answers.phrase(self._lang, why))

    def _worded(self, decision: Call) -> Confirm:
        """The question before this call, in the pack's words."""
        grammar = self._assistant.decider.pack(self._assistant.pack).languages.grammar(self._lang)
        index = EntityIndex(self._things, self._pack.entities, grammar.stems, grammar.little)
        ids = touched(self._pack, decision.tool, decision.arguments)
        reason: ConfirmReason = "destructive" if self._is_destructive(decision.tool) else "uncertain"
        return Voice(grammar, index).confirm(
            decision.tool,
            decision.arguments,
            decision.evidence,
            decision.confidence,
            reason,
            ids[0] if ids else None,
        )

    def _resolved(self, tool: str, arguments: Arguments) -> Arguments:
        """With the id of what this message made, where a part of it is named."""
        if not self._made:
            return arguments
        names = entity_names(self._pack, tool)
        return {
            name: self._made.get(value, value) if name in names and isinstance(value, str) else value
            for name, value in arguments.items()
        }

    def _remember(self, result: Json) -> None:
        for kind, shape in self._pack.entities.items():
            thing = result.get(kind)
            if isinstance(thing, dict) and shape.name in thing:
                self._made[str(thing[shape.name])] = str(thing["id"])
                self._versions[str(thing["id"])] = int(thing.get("version", 0))

    def _named_by(self, decision: Clarify) -> tuple[str, ...]:
        known = frozenset(thing.id for thing in self._things)
        named = [value for option in decision.options for value in option.arguments.values() if isinstance(value, str)]
        return tuple(value for value in [*named, *decision.arguments.values()] if value in known)

    def _say(self, decision: Decision, text: str, shown: Sequence[str]) -> None:
        self._decisions.append(decision)
        self._texts.append(text)
        self._shown += shown


def _same(one: str, other: str) -> bool:
    """Whether two names are the same, whatever their case and spaces."""
    return one.casefold().split() == other.casefold().split()
