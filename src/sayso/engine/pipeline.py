"""The steps of a decision, in order: read, repair, split, detect, extract, link, decide; with an open question first.

One function from a case to an answer. Each step is a module; `Run` keeps what each of them saw.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import msgspec
from msgspec import UNSET

from sayso.case import Case
from sayso.decision import Answer, Call, Confirm, Decision, Nothing, Pending
from sayso.engine.clauses.detect import Sense
from sayso.engine.clauses.new_things import after, only_of_what_is_there, with_question
from sayso.engine.clauses.split import Clause, split
from sayso.engine.decide.decide import Room, Thresholds, decide
from sayso.engine.decide.follow_ups import follow_ups
from sayso.engine.decide.implied import with_worded
from sayso.engine.decide.merge import adds_to, as_one, distinct, grouped, merged
from sayso.engine.decide.preferences import preferred
from sayso.engine.decide.trained import Gate, Trained
from sayso.engine.decide.wording import Voice
from sayso.engine.dialogue.history import again, earlier_senses, gapped, lately, named_too, once_more
from sayso.engine.dialogue.lists import narrowed, turned
from sayso.engine.grammar.grammar import Grammar
from sayso.engine.grammar.sheet import Sheet
from sayso.engine.linking.focus import Scene, scene_of
from sayso.engine.linking.index import EntityIndex
from sayso.engine.linking.names import with_groups, without_names, without_places
from sayso.engine.reader.witnesses import Verdict, weigh
from sayso.engine.repair.markers import is_there
from sayso.engine.repair.restated import only_named, only_repeats, points_back, says_why, spared
from sayso.engine.text.tokens import Text, normalise
from sayso.engine.tongues import LAST_SHARE, Tongues
from sayso.errors import UnknownPack

if TYPE_CHECKING:
    from sayso.engine.dialogue.clarification import Outcome
    from sayso.engine.proposal.sanitise import Offer
    from sayso.engine.proposal.support import Supported
    from sayso.engine.repair.repair import Repair

Witness: TypeAlias = "tuple[Offer, dict[str, Supported]]"

_USUAL = Thresholds()
_LONGEST = 50  # words in which anybody corrects himself and still asks for something
_LONG = 30  # tokens; what is longer is read in the likeliest language alone, so that its time has a bound
_SMALL_TALK = ("thanks", "farewell", "well_being", "greeting")  # by which a reply is chosen
_CLEARLY = 0.9  # so much more must a less likely language explain


class Run(NamedTuple):
    """What every step saw, for whoever asks why."""

    case: Case
    grammar: Grammar
    sheet: Sheet
    scene: Scene
    clauses: tuple[Clause, ...]
    answer: Answer
    gate: Gate | None
    witness: Witness | None  # what was proposed, with the evidence that it has
    verdict: Verdict | None = None  # how the learned reader stands to the rules
    replied: bool = False  # whether the message answers the open question


def run(case: Case, tongues: Tongues, index: EntityIndex | None = None, thresholds: Thresholds = _USUAL) -> Run:
    """Decide a case. `index` may be handed in where it was built before; it must hold the case's entities."""
    if case.pending is None:
        return _decided(case, None, tongues, index, thresholds)
    found = _answered(case, tongues, index, thresholds)
    if found is not None:
        return found
    alone = msgspec.structs.replace(case, pending=None)
    return _decided(alone, case.pending, tongues, index, thresholds)._replace(case=case)


def _answered(case: Case, tongues: Tongues, index: EntityIndex | None, thresholds: Thresholds) -> Run | None:
    """The run of a message that answers the open question, in the first language in which it does.

    None if it answers it in no language, or is clearly another command.
    """
    text = normalise(case.message)
    for tag in tongues.rank(case, text):
        found = _run_in(case, case.pending, text, tongues, tag, index, thresholds)
        if found.replied:
            return found
        if _understood(found):
            return None
    return None


def _decided(
    case: Case, question: Pending | None, tongues: Tongues, index: EntityIndex | None, thresholds: Thresholds
) -> Run:
    """What a message comes to by itself. A question that is set aside only tells what "it" may mean."""
    text = normalise(case.message)
    best: Run | None = None
    likely = tongues.rank(case, text)
    if len(text.tokens) > _LONG:
        likely = likely[:1]
    for tag in likely:
        if best is not None and _understood(best) and not tongues.tells(tag, text):
            continue  # "search ann" may be in either, and changes no language
        found = _run_in(case, question, text, tongues, tag, index, thresholds)
        if best is None or _explained(found) > _explained(best) + _CLEARLY or _greets(found, best):
            best = found
    if best is None:
        raise UnknownPack(case.pack, ())
    if not _understood(best) and len(text.tokens) <= _LONG:
        settled = case.lang is not None or _is_read(best)  # then only a word of another language changes it
        ranked = tongues.rank(case, text, LAST_SHARE)
        others = (tag for tag in ranked if tag not in likely and (not settled or tongues.tells(tag, text)))
        runs = (_run_in(case, question, text, tongues, tag, index, thresholds) for tag in others)
        best = next((found for found in runs if _understood(found) or _greets(found, best)), best)
    if _is_unread(best):  # "cinema fri 7pm" names its day in another language than it seems to be in
        untried = (tag for tag in tongues.tags if tag != best.answer.lang)
        runs = (_run_in(case, question, text, tongues, tag, index, thresholds) for tag in untried)
        best = next((found for found in runs if _is_read(found)), best)
    return _in_language(best, tongues, text)


def _in_language(run: Run, tongues: Tongues, text: Text) -> Run:
    """The run, answered in the language that the conversation has, where no word of the message is in another alone:
    "search ann" is understood in both, and changes nothing. A question stays in the language that it is worded in."""
    spoken = (run.case.lang or "").split("-")[0].casefold()
    worded = not all(isinstance(one, Call) for one in run.answer.decisions)
    if spoken not in tongues.tags or worded or tongues.tells(run.answer.lang, text):
        return run
    return run._replace(answer=msgspec.structs.replace(run.answer, lang=spoken))


def _is_unread(run: Run) -> bool:
    """Whether the reader names a tool that nothing came of, for want of a value that could be read."""
    verdict = run.verdict
    silent = all(isinstance(one, Nothing) for one in run.answer.decisions)
    return (
        silent
        and verdict is not None
        and any(
            one is None and said.act in run.grammar.pack.tools
            for one, said in zip(verdict.drafts, verdict.predictions, strict=True)
        )
    )


def _is_read(run: Run) -> bool:
    return run.verdict is not None and run.verdict.agreement == "reader alone"


def _understood(run: Run) -> bool:
    return any(clause.sense is not None for clause in run.clauses)


def _greets(run: Run, other: Run) -> bool:
    """Whether a message is a greeting in one language, and nothing in the other: "ciao"."""
    return _is_small_talk(run) and not _understood(other) and not _is_small_talk(other)


def _is_small_talk(run: Run) -> bool:
    return all(isinstance(one, Nothing) and one.reason == "smalltalk" for one in run.answer.decisions)


def _explained(run: Run) -> float:
    """How much of a message was understood, to compare languages: "task completed: a cinema ticket" is English."""
    return sum(clause.sense.score if clause.sense is not None else -1.0 for clause in run.clauses)


def _run_in(
    case: Case,
    question: Pending | None,
    text: Text,
    tongues: Tongues,
    tag: str,
    index: EntityIndex | None,
    thresholds: Thresholds,
) -> Run:
    """The steps, in one language. `question` is what was asked last, be it still open or set aside."""
    grammar = tongues.grammar(tag)
    if index is None:
        index = EntityIndex(case.entities, grammar.pack.entities, grammar.stems, grammar.little)
    sheet = with_groups(without_names(grammar.read(text, case.now), index), index)
    scene = scene_of(case, index)
    sheet = without_places(sheet, scene)
    scene = with_question(grammar.pack, scene, question) if question is not None else scene
    if tongues.has_parts(tag):
        from sayso.engine.linking.inventory import Inventory  # noqa: PLC0415  only packs whose things have parts wait for it

        scene = scene._replace(inventory=Inventory(tongues.shelf(tag).stock(case.entities), {}, tongues.read_name))
    room = Room(
        grammar,
        sheet,
        scene,
        case.now,
        Voice(grammar, index, thresholds.options),
        thresholds,
        tongues.trained.gate,
        (0, len(sheet.words)),
    )
    mendable = case.pending is None and len(sheet.words) <= _LONGEST and is_there(sheet)
    repair = _repaired(room, case) if mendable else None
    if repair is not None:
        sheet = with_groups(without_names(grammar.read(repair.text, case.now), index), index)
        sheet = without_places(sheet, scene)
        scene = scene.mention(repair.ids)
        room = room._replace(sheet=sheet, scene=scene, clause=(0, len(sheet.words)))
    if case.history or question is not None:
        scene = scene._replace(lately=lately(room, case, question))
        room = room._replace(scene=scene)
    clauses = split(sheet, scene, 0) if sheet.words else []
    edges = (thresholds.act, thresholds.inferred)
    if case.pending is None and clauses and all(clause.sense is None for clause in clauses):
        clauses = _beyond(room) or clauses
    reply = _reply(room, case, clauses) if case.pending is not None else None
    decided = _decide(room, case, clauses, reply, guessed=repair is not None and repair.guessed)
    decided = _mended(room, repair, decided) if repair is not None else decided
    witness = _witness(room, case) if case.proposed is not None and thresholds.compose else None
    if witness is not None:
        decided = _composed(room, witness, decided)
    verdict = None
    alone = case.pending is None and case.proposed is None and bool(sheet.words)
    if alone and grammar.pack.reader and thresholds.reader:
        predictions = tongues.reader.read(sheet, scene) if tongues.reader is not None else ()
        acts = (grammar.pack.acts[clause.sense.reading.act] for clause in clauses if clause.sense is not None)
        known = any(act.tool is None for act in acts)
        verdict = weigh(room, decided, predictions, tongues.trust, known=known)
        decided = verdict.decisions
    decisions = (_measured(one, tongues.trained, tag, edges) for one in with_worded(room, decided))
    stems = sheet.stems if case.preferences else ()
    final = grouped(room, tuple(preferred(one, case.preferences, stems, index) for one in decisions))
    offers = follow_ups(room, final)
    result = Answer(id=case.id, lang=tag, decisions=final, next=offers or UNSET)
    replied = reply is not None
    return Run(case, grammar, sheet, scene, tuple(clauses), result, tongues.trained.gate, witness, verdict, replied)


def _witness(room: Room, case: Case) -> Witness | None:
    """What was proposed, in our terms, with the evidence that it has. An answer to a question needs no witness."""
    from sayso.engine.proposal.sanitise import sanitise  # noqa: PLC0415  most cases have no proposal, and need not wait for it
    from sayso.engine.proposal.support import supported  # noqa: PLC0415

    pending = case.pending is not None or not room.sheet.words
    offer = sanitise(case.proposed, room.grammar.pack) if case.proposed is not None and not pending else None
    texts = [*(turn.content for turn in case.history if turn.role == "user"), case.message]
    return (offer, supported(room, offer, texts)) if offer is not None else None


def _composed(room: Room, witness: Witness, decided: list[Decision]) -> list[Decision]:
    from sayso.engine.proposal.compose import compose  # noqa: PLC0415  as above

    return compose(room, *witness, decided)


def _repaired(room: Room, case: Case) -> Repair | None:
    from sayso.engine.repair.repair import repaired  # noqa: PLC0415  most messages take nothing back

    return repaired(room.sheet, room.scene, case.now)


def _mended(room: Room, repair: Repair, decided: list[Decision]) -> list[Decision]:
    from sayso.engine.repair.repair import mended  # noqa: PLC0415  as above

    return mended(room, repair, decided)


def _beyond(room: Room) -> list[Clause]:
    from sayso.engine.dialogue.dismissal import beyond_dismissal  # noqa: PLC0415  most messages are understood at once

    return beyond_dismissal(room)


def _measured(decision: Decision, trained: Trained, tag: str, edges: tuple[float, ...]) -> Decision:
    """A call with the probability that belongs to its score."""
    if not isinstance(decision, Call):
        return decision
    return msgspec.structs.replace(decision, confidence=trained.probability(tag, decision.confidence, edges))


def _reply(room: Room, case: Case, clauses: list[Clause]) -> Outcome | None:
    """What the message answers, with the clauses that go beyond that; None where it is no answer."""
    from sayso.engine.dialogue.answer import answer  # noqa: PLC0415  only an open question waits for it

    if case.pending is None or _is_empty(room, clauses):
        return None
    return answer(room, case.pending, clauses)


def _is_empty(room: Room, clauses: list[Clause]) -> bool:
    return not clauses or not any(word.kind != "mark" or not word.low.isascii() for word in room.sheet.words)


def _decide(room: Room, case: Case, clauses: list[Clause], reply: Outcome | None, *, guessed: bool) -> list[Decision]:
    if _is_empty(room, clauses):
        return [room.voice.nothing("empty", 0.9)]
    replies: list[Decision] = []
    if reply is not None:
        replies, clauses = reply
    decisions = replies + _of_clauses(room, case, clauses, replies, guessed=guessed)
    kept: list[Decision] = [decision for decision in decisions if not isinstance(decision, Nothing)]
    kept = kept or decisions[:1]
    return distinct(kept) or [_nothing(room)]


def _of_clauses(
    room: Room, case: Case, clauses: list[Clause], replies: list[Decision], *, guessed: bool
) -> list[Decision]:
    """What the clauses come to, after the replies; what rests on a guess is asked about, and makes nothing yet."""
    decisions: list[Decision] = []
    scene = room.scene
    prior: Sense | None = None
    for clause in clauses:
        sense = clause.sense
        here = room._replace(scene=scene, clause=(clause.start, clause.end))
        before = decisions[-1] if decisions else None
        act = room.grammar.pack.acts[sense.reading.act] if sense is not None else None
        leans = act is None or act.narrows or act.pages
        if before is not None and leans and (more := gapped(here, before, clause)) is not None:
            decisions.append(more)
            continue
        if sense is None or act is None:
            decisions += _lost(here, clause, clauses, before)
            continue
        if act.spares and (kept := spared(decisions, sense.reading)) is not None:
            decisions = kept
            continue
        if isinstance(before, (Call, Confirm)) and adds_to(here, before, sense.reading):
            decisions[-1] = merged(here, before, sense.reading)
            continue
        runs = () if guessed else (*replies, *decisions)
        sense = only_of_what_is_there(room.grammar.pack, scene, sense, runs)
        leaning = _leaning(here, sense, prior, case)
        if leaning is not None:
            decisions.extend(leaning)
        else:
            sense = _act_on(here, decisions, prior, sense)
        scene, prior = after(room.grammar.pack, scene, sense.reading), _leant_on(prior, sense)
    return decisions


def _leaning(room: Room, sense: Sense, prior: Sense | None, case: Case) -> list[Decision] | None:
    """What an act comes to that leans on what was said or done before; None where it does not."""
    act = room.grammar.pack.acts[sense.reading.act]
    if act.again:
        return once_more(room, sense, prior) or again(room, sense, case)
    if act.undoes:
        return _taken_back(room, sense, case)
    if act.narrows:
        return narrowed(room, sense, case)
    if act.pages:
        return turned(room, sense, case)
    return _of_one_more(room, sense, prior, case) if _only_names(sense) else None


def _only_names(sense: Sense) -> bool:
    return sense.reading.deed is not None and sense.reading.deed.problem == "no_part"


def _leant_on(prior: Sense | None, sense: Sense) -> Sense:
    """What later clauses lean on: in "the temperature of oven 1, oven 2 and oven 3" the first of all."""
    return prior if prior is not None and _only_names(sense) else sense


def _lost(room: Room, clause: Clause, clauses: list[Clause], before: Decision | None) -> list[Decision]:
    """What was said beside a new thing, and is no sentence of its own."""
    if len(clauses) < 2 or not room.grammar.book.heads:
        return []
    from sayso.engine.decide.wishes import lost  # noqa: PLC0415  few messages hold more than what is read

    found = lost(room, clause, clauses, before)
    return [] if found is None else [found]


def _act_on(room: Room, decisions: list[Decision], prior: Sense | None, sense: Sense) -> Sense:
    """Decide what a clause asks for, after or instead of what was decided before it; return what later ones lean on."""
    if says_why(room, decisions, prior, sense):
        return sense
    if prior is not None and (inherited := named_too(room, sense, prior)):
        decisions.extend(inherited)
        return prior
    found = _operated(room, sense) if sense.reading.deed is not None else decide(room, sense)
    if decisions and prior is not None and only_named(prior, sense):
        decisions.pop()
    one = as_one(room, decisions[-1], found[0], sense.reading) if decisions and len(found) == 1 else None
    if one is not None:
        decisions[-1] = one
    elif not only_repeats(decisions, found, sense) and not points_back(room, decisions, found, sense):
        decisions.extend(found)
    return sense


def _operated(room: Room, sense: Sense) -> list[Decision]:
    from sayso.engine.decide.operate import operate  # noqa: PLC0415  only packs whose things have parts wait for it

    return operate(room, sense)


def _of_one_more(room: Room, sense: Sense, prior: Sense | None, case: Case) -> list[Decision] | None:
    from sayso.engine.decide.operate import one_more  # noqa: PLC0415  as above

    return one_more(room, sense, prior, earlier_senses(room.grammar, room, case)) or None


def _taken_back(room: Room, sense: Sense, case: Case) -> list[Decision]:
    from sayso.engine.dialogue.undo import taken_back  # noqa: PLC0415  few messages take a deed back

    return taken_back(room, sense, case)


def _nothing(room: Room) -> Nothing:
    if not all(skip <= 0.06 for skip in room.sheet.skips):
        return room.voice.nothing("out_of_scope", 0.8)
    places = range(len(room.sheet.words))
    said = (name for name in _SMALL_TALK if any(room.sheet.has(at, name) for at in places))
    return room.voice.nothing("smalltalk", 0.8, next(said, ""))
