"""Combines the request in the words with the call that a model proposes. The words decide.

If the words give a call, the proposal may add values that the words support. If they leave a question open, it may
answer it with evidence. If they were not understood, it may say what they mean, and a write requires confirmation. A
proposal never runs without the words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from sayso.decision import Call, Clarify, Confirm, Decision, Evidence, Nothing
from sayso.engine.decide.check import settle
from sayso.engine.decide.room import Plan, Room
from sayso.engine.grammar.pack import Tool
from sayso.engine.grammar.sheet import TYPOS, Stretch
from sayso.engine.linking.units import said
from sayso.engine.proposal.bare import decide_bare
from sayso.engine.proposal.sanitise import Offer
from sayso.engine.proposal.support import Supported
from sayso.engine.slots.validate import fits

_TOLD = ("negation", "third", "unreal", "reported", "mood:hypothetical", "others_word")
_FOR_US = 0.5
_BOTH = 0.95  # the words and the proposal agree
_DOUBTED = 0.3  # below this confidence of the words Sayso asks, even if the proposal agrees
_ANSWERED = 0.85  # the words ask for it, and the proposal gives the values that they leave open
_RAISED = 0.75  # the words were not understood, but support the proposal


def compose(room: Room, offer: Offer, held: Mapping[str, Supported], decisions: list[Decision]) -> list[Decision]:
    """The decisions for the words, completed with the `held` values of the offer, which have evidence."""
    for place, decision in enumerate(decisions):
        if isinstance(decision, Nothing):
            continue
        if decision.tool == offer.tool:
            return [*decisions[:place], _completed(room, offer, held, decision), *decisions[place + 1 :]]
    if room.grammar.is_bare(offer.tool):
        return [decide_bare(room, offer, held)]
    if len(decisions) == 1 and isinstance(decisions[0], Nothing) and decisions[0].reason == "out_of_scope":
        raised = _raised(room, offer, held)
        return [raised] if raised is not None else decisions
    return decisions


def _completed(room: Room, offer: Offer, held: Mapping[str, Supported], decision: Decision) -> Decision:
    if isinstance(decision, Call):
        return _with_more(room, held, decision)
    if isinstance(decision, Confirm):
        whole = _with_more(room, held, decision)
        agreed = decision.reason == "uncertain" and _agrees(
            room.grammar.pack.tools[offer.tool], held, decision.arguments
        )
        if not agreed or not isinstance(whole, Confirm):
            return whole
        plan = Plan(offer.tool, whole.arguments, whole.evidence, _BOTH, False, _target(whole.evidence))
        return settle(room, plan)
    if isinstance(decision, Clarify):
        return _answered(room, offer, held, decision)
    return decision


def _with_more(room: Room, held: Mapping[str, Supported], decision: Call | Confirm) -> Call | Confirm:
    """The call with the supported values whose words belong to no argument: the words of a title are the title's."""
    tool = room.grammar.pack.tools[decision.tool]
    more = {
        name: one
        for name, one in held.items()
        if name not in decision.arguments and _is_free(one, decision) and _takes(room, tool, name, one)
    }
    if not more:
        return decision
    arguments = {**decision.arguments, **{name: one.value for name, one in more.items()}}
    evidence = {**decision.evidence, **{name: one.evidence for name, one in more.items()}}
    return msgspec.structs.replace(decision, arguments=arguments, evidence=evidence)


def _is_free(one: Supported, decision: Call | Confirm) -> bool:
    """Whether the words of a value do not belong to an argument yet."""
    span = one.evidence.span
    taken = [proof.span for proof in decision.evidence.values() if isinstance(proof.span, tuple)]
    return isinstance(span, tuple) and not any(span[0] < last and first < span[1] for first, last in taken)


def _takes(room: Room, tool: Tool, name: str, one: Supported) -> bool:
    return fits(one.value, tool.params[name].schema) and _is_value(room, tool, name)


def _is_value(room: Room, tool: Tool, name: str) -> bool:
    slot = tool.params[name].slot
    return slot is not None and room.grammar.pack.slots[slot].type in ("date", "value", "repeat", "lead", "shared")


def _agrees(tool: Tool, held: Mapping[str, Supported], arguments: dict[str, Any]) -> bool:
    """Whether the proposal agrees with the words in every value that the tool requires."""
    required = [name for name, param in tool.params.items() if param.required]
    return all(name in held and _alike(held[name].value, arguments.get(name)) for name in required)


def _alike(one: Any, other: Any) -> bool:
    return one == other or (isinstance(one, str) and isinstance(other, str) and one.casefold() == other.casefold())


def _answered(room: Room, offer: Offer, held: Mapping[str, Supported], question: Clarify) -> Decision:
    """The question from the words, answered by the proposal if the answer has evidence."""
    if question.reason == "low_confidence":
        return _made_sure(room, offer, held, question)
    given = _given(room, held, question)
    chosen = next((one.arguments for one in question.options if _chooses(one.arguments, given)), {})
    if not _is_answer(question, given) or (question.options and not chosen):
        return question
    arguments = {**question.arguments, **{name: one.value for name, one in given.items()}, **chosen}
    evidence = {name: _evidence(room, held, name) for name in arguments}
    inferred = any(one.source == "history" for one in evidence.values())
    return settle(room, Plan(offer.tool, arguments, evidence, _ANSWERED, inferred, _target(evidence)))


def _given(room: Room, held: Mapping[str, Supported], question: Clarify) -> dict[str, Supported]:
    """The values that the question does not have yet."""
    return {name: one for name, one in held.items() if name not in question.arguments and _is_said(room, one)}


def _is_answer(question: Clarify, given: Mapping[str, Supported]) -> bool:
    """Whether a missing value is given. "the lamp in the bar", if the bar has no lamp, does not mean another lamp."""
    asked = [given[name] for name in question.missing if name in given]
    nowhere = question.reason == "not_found" and not question.options
    return bool(asked) and not (nowhere and any(_is_thing(one) for one in asked))


def _made_sure(room: Room, offer: Offer, held: Mapping[str, Supported], question: Clarify) -> Decision:
    """A call for which the words are too unsure without the proposal, and with which the proposal agrees."""
    tool = room.grammar.pack.tools[offer.tool]
    if question.confidence < _DOUBTED or not _agrees(tool, held, question.arguments):
        return question
    evidence = {name: _evidence(room, held, name) for name in question.arguments}
    return settle(room, Plan(offer.tool, question.arguments, evidence, _ANSWERED, False, _target(evidence)))


def _is_thing(one: Supported) -> bool:
    return isinstance(one.value, str) and one.evidence.entity == one.value


def _is_said(room: Room, one: Supported) -> bool:
    """Whether other words remain beside a value to ask for it: a title cannot be the whole message."""
    span, words = one.evidence.span, room.sheet.words
    if not isinstance(span, tuple) or isinstance(one.evidence.entity, str) or not isinstance(one.value, str):
        return True
    outside = [at for at, word in enumerate(words) if not span[0] <= word.start < span[1]]
    return any(room.sheet.stems[at] not in room.grammar.little and words[at].kind == "word" for at in outside)


def _chooses(option: dict[str, Any], given: dict[str, Supported]) -> bool:
    return all(option[name] == one.value for name, one in given.items() if name in option)


def _evidence(room: Room, held: Mapping[str, Supported], name: str) -> Evidence:
    if name in held:
        return held[name].evidence
    words = room.sheet.words
    return Evidence(source="message", span=(words[0].start, words[-1].end))


def _target(evidence: dict[str, Evidence]) -> str | None:
    return next((one.entity for one in evidence.values() if isinstance(one.entity, str)), None)


def _raised(room: Room, offer: Offer, held: Mapping[str, Supported]) -> Decision | None:
    """The proposed call for words that were not understood, if they mention its action and all required values."""
    tool = room.grammar.pack.tools[offer.tool]
    reads = tool.risk == "read"
    if _is_told(room) or (not reads and _asks(room)):
        return None
    if not _has_required(tool, held) or not _speaks_of(room, offer.tool, held, reads):
        return None
    arguments = {name: one.value for name, one in held.items()}
    evidence = {name: one.evidence for name, one in held.items()}
    return settle(room, Plan(offer.tool, arguments, evidence, _RAISED, True, _target(evidence)))


def _has_required(tool: Tool, held: Mapping[str, Supported]) -> bool:
    return all(name in held for name, param in tool.params.items() if param.required)


def _is_told(room: Room) -> bool:
    """Whether the words only tell what others want, what is not so or what might be, and request nothing."""
    words = range(len(room.sheet.words))
    return any(room.sheet.has(at, *_TOLD) for at in words)


def _asks(room: Room) -> bool:
    sheet = room.sheet
    return any(word.low == "?" for word in sheet.words) or bool(sheet.has(0, "mood:question", "wh", slips=TYPOS))


def _speaks_of(room: Room, tool: str, held: Mapping[str, Supported], reads: bool) -> bool:
    """Whether words beside the values ask for the tool: one of its own verbs, or for a read one of our things.

    If a model was trained to recognise messages for us, it must agree.
    """
    grammar, sheet = room.grammar, room.sheet
    if not grammar.verbs_of(tool):  # its sentences are names of parts, which have separate evidence
        return bool(held) and _names_concept(room, tool)
    belief = room.gate.belief(sheet.text.tokens, 0) if room.gate is not None else 1.0
    if belief < _FOR_US:
        return False
    outside = _outside_texts(room, held)
    if reads:
        return bool(held) or any(sheet.has(at, *grammar.nouns) for at in outside)
    return any(_is_verb_of(room, tool, at) for at in outside)


def _outside_texts(room: Room, held: Mapping[str, Supported]) -> list[int]:
    """The places of the words that are not in a text of the proposal."""
    texts = [one.evidence.span for one in held.values() if isinstance(one.value, str)]
    spans = [span for span in texts if isinstance(span, tuple)]
    return [at for at, word in enumerate(room.sheet.words) if not any(a <= word.start < b for a, b in spans)]


def _is_verb_of(room: Room, tool: str, at: int) -> bool:
    """Whether a verb of the tool's sentences is here, with at most a small typo."""
    edges = room.sheet.edges[at]
    return any(cost < 0.5 for cls in room.grammar.verbs_of(tool) & edges.keys() for _, cost in edges[cls])


def _names_concept(room: Room, tool: str) -> bool:
    """Whether the words contain a concept of the tool, if the tool is not about parts with their own words."""
    acts = [act for act in room.grammar.pack.acts.values() if act.tool == tool]
    wanted = {f"c:{name}" for act in acts for name in act.concepts}
    spoken = {key for unit in said(Stretch(room.sheet, *room.clause)) for key in unit.keys}
    return any(act.part for act in acts) or bool(wanted & spoken)
