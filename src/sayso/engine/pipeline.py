"""The steps of a decision, in order: read, repair, split, detect, extract, link, decide; with an open question first.

One function from a case to an answer. Each step is a module; `Run` keeps what each of them saw.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import msgspec
from msgspec import UNSET

from sayso.case import Case
from sayso.decision import Answer, Call, Confirm, Decision, Nothing, Pending
from sayso.engine.ask import Voice
from sayso.engine.decide import Room, Thresholds, decide
from sayso.engine.detect import Sense
from sayso.engine.dialogue import again, gapped, lately, once_more
from sayso.engine.focus import Scene, scene_of
from sayso.engine.follow import follow_ups
from sayso.engine.gate import Gate
from sayso.engine.grammar import Grammar, Sheet
from sayso.engine.index import EntityIndex
from sayso.engine.lists import narrowed, turned
from sayso.engine.made import after, only_of_what_is_there, with_question
from sayso.engine.marker import is_there
from sayso.engine.mended import mended
from sayso.engine.merge import adds_to, as_one, distinct, merged
from sayso.engine.names import without_names, without_places
from sayso.engine.normalise import Text, normalise
from sayso.engine.preferences import preferred
from sayso.engine.repeats import only_named, only_repeats, points_back, says_why, spared
from sayso.engine.split import Clause, split
from sayso.engine.tongue import LAST_SHARE, Tongues
from sayso.engine.trained import Trained
from sayso.errors import UnknownPack

if TYPE_CHECKING:
    from sayso.engine.repair import Repair
    from sayso.engine.sanitise import Offer
    from sayso.engine.support import Supported

Witness: TypeAlias = "tuple[Offer, dict[str, Supported]]"

_USUAL = Thresholds()
_LONGEST = 80  # words in which anybody corrects himself and still asks for something
_LONG = 40  # tokens; what is longer is read in the likeliest language alone, so that its time has a bound
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


def run(case: Case, tongues: Tongues, index: EntityIndex | None = None, thresholds: Thresholds = _USUAL) -> Run:
    """Decide a case. `index` may be handed in where it was built before; it must hold the case's entities."""
    text = normalise(case.message)
    best: Run | None = None
    likely = tongues.rank(case, text)
    if len(text.tokens) > _LONG and case.pending is None:
        likely = likely[:1]
    for tag in likely:
        found = _run_in(case, text, tongues, tag, index, thresholds)
        if case.pending is not None and (_understood(found) or not _asks_again(case.pending, found.answer)):
            return found
        if best is None or _explained(found) > _explained(best) + _CLEARLY or _greets(found, best):
            best = found
    if best is None:
        raise UnknownPack(case.pack, ())
    if not _understood(best) and case.pending is None and len(text.tokens) <= _LONG:
        others = (tag for tag in tongues.rank(case, text, LAST_SHARE) if tag not in likely)
        runs = (_run_in(case, text, tongues, tag, index, thresholds) for tag in others)
        return next((found for found in runs if _understood(found) or _greets(found, best)), best)
    return best


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


def _asks_again(pending: Pending, answer: Answer) -> bool:
    """Whether the message was no answer, in the language it was read in."""
    if len(answer.decisions) != 1 or isinstance(one := answer.decisions[0], Nothing):
        return False
    return type(one) is type(pending) and (one.tool, one.arguments) == (pending.tool, pending.arguments)


def _run_in(
    case: Case, text: Text, tongues: Tongues, tag: str, index: EntityIndex | None, thresholds: Thresholds
) -> Run:
    """The steps, in one language."""
    grammar = tongues.grammar(tag)
    if index is None:
        index = EntityIndex(case.entities, grammar.pack.entities, grammar.stems, grammar.little)
    sheet = without_names(grammar, grammar.read(text, case.now), index, case.now)
    scene = scene_of(case, index)
    sheet = without_places(grammar, sheet, scene)
    scene = with_question(grammar.pack, scene, case.pending) if case.pending is not None else scene
    if tongues.has_parts(tag):
        from sayso.engine.inventory import Inventory  # noqa: PLC0415  only packs whose things have parts wait for it

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
    mendable = case.pending is None and len(sheet.words) <= _LONGEST and is_there(grammar, sheet)
    repair = _repaired(room, case) if mendable else None
    if repair is not None:
        sheet = without_names(grammar, grammar.read(repair.text, case.now), index, case.now)
        sheet = without_places(grammar, sheet, scene)
        scene = scene.mention(repair.ids)
        room = room._replace(sheet=sheet, scene=scene, clause=(0, len(sheet.words)))
    if case.history or case.pending is not None:
        scene = scene._replace(lately=lately(room, case))
        room = room._replace(scene=scene)
    clauses = split(grammar, sheet, scene, 0) if sheet.words else []
    edges = (thresholds.act, thresholds.inferred)
    if case.pending is None and clauses and all(clause.sense is None for clause in clauses):
        clauses = _beyond(room) or clauses
    decided = _decide(room, case, clauses, guessed=repair is not None and repair.guessed)
    decided = mended(room, repair, decided) if repair is not None else decided
    witness = _witness(room, case) if case.proposed is not None and thresholds.compose else None
    if witness is not None:
        decided = _composed(room, witness, decided)
    decisions = (_measured(one, tongues.trained, tag, edges) for one in decided)
    stems = sheet.stems if case.preferences else ()
    final = tuple(preferred(one, case.preferences, stems, index) for one in decisions)
    offers = follow_ups(room, final)
    result = Answer(id=case.id, lang=tag, decisions=final, next=offers or UNSET)
    return Run(case, grammar, sheet, scene, tuple(clauses), result, tongues.trained.gate, witness)


def _witness(room: Room, case: Case) -> Witness | None:
    """What was proposed, in our terms, with the evidence that it has. An answer to a question needs no witness."""
    from sayso.engine.sanitise import sanitise  # noqa: PLC0415  most cases have no proposal, and need not wait for it
    from sayso.engine.support import supported  # noqa: PLC0415

    pending = case.pending is not None or not room.sheet.words
    offer = sanitise(case.proposed, room.grammar.pack) if case.proposed is not None and not pending else None
    texts = [*(turn.content for turn in case.history if turn.role == "user"), case.message]
    return (offer, supported(room, offer, texts)) if offer is not None else None


def _composed(room: Room, witness: Witness, decided: list[Decision]) -> list[Decision]:
    from sayso.engine.compose import compose  # noqa: PLC0415  as above

    return compose(room, *witness, decided)


def _repaired(room: Room, case: Case) -> Repair | None:
    from sayso.engine.repair import repaired  # noqa: PLC0415  most messages take nothing back

    return repaired(room.grammar, room.sheet, room.scene, case.now)


def _beyond(room: Room) -> list[Clause]:
    from sayso.engine.dismissed import beyond_dismissal  # noqa: PLC0415  most messages are understood at once

    return beyond_dismissal(room)


def _measured(decision: Decision, trained: Trained, tag: str, edges: tuple[float, ...]) -> Decision:
    """A call with the probability that belongs to its score."""
    if not isinstance(decision, Call):
        return decision
    return msgspec.structs.replace(decision, confidence=trained.probability(tag, decision.confidence, edges))


def _decide(room: Room, case: Case, clauses: list[Clause], *, guessed: bool) -> list[Decision]:
    if not clauses or not any(word.kind != "mark" or not word.low.isascii() for word in room.sheet.words):
        return [room.voice.nothing("empty", 0.9)]
    replies: list[Decision] = []
    if case.pending is not None:
        from sayso.engine.answer import answer  # noqa: PLC0415  only an open question waits for it

        reply = answer(room, case.pending, clauses)
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
        leans = act is None or act.narrows or act.pages or act.bare
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
        if act.again:
            decisions.extend(once_more(here, sense, prior) or again(here, sense, case))
        elif act.undoes:
            decisions.extend(_taken_back(here, sense, case))
        elif act.narrows:
            decisions.extend(narrowed(here, sense, case))
        elif act.pages:
            decisions.extend(turned(here, sense, case))
        else:
            _act_on(here, decisions, prior, sense)
        scene, prior = after(room.grammar.pack, scene, sense.reading), sense
    return decisions


def _lost(room: Room, clause: Clause, clauses: list[Clause], before: Decision | None) -> list[Decision]:
    """What was said beside a new thing, and is no sentence of its own."""
    if len(clauses) < 2 or not room.grammar.book.heads:
        return []
    from sayso.engine.wishes import lost  # noqa: PLC0415  few messages hold more than what is read

    found = lost(room, clause, clauses, before)
    return [] if found is None else [found]


def _act_on(room: Room, decisions: list[Decision], prior: Sense | None, sense: Sense) -> None:
    """What a clause asks for, after or instead of what was decided before it."""
    if says_why(room, decisions, prior, sense):
        return
    found = _operated(room, sense) if sense.reading.deed is not None else decide(room, sense)
    if decisions and prior is not None and only_named(prior, sense):
        decisions.pop()
    one = as_one(room, decisions[-1], found[0], sense.reading) if decisions and len(found) == 1 else None
    if one is not None:
        decisions[-1] = one
    elif not only_repeats(decisions, found, sense) and not points_back(room, decisions, found, sense):
        decisions.extend(found)


def _operated(room: Room, sense: Sense) -> list[Decision]:
    from sayso.engine.operate import operate  # noqa: PLC0415  only packs whose things have parts wait for it

    return operate(room, sense)


def _taken_back(room: Room, sense: Sense, case: Case) -> list[Decision]:
    from sayso.engine.undo import taken_back  # noqa: PLC0415  few messages take a deed back

    return taken_back(room, sense, case)


def _nothing(room: Room) -> Nothing:
    if not all(skip <= 0.06 for skip in room.sheet.skips):
        return room.voice.nothing("out_of_scope", 0.8)
    places = range(len(room.sheet.words))
    said = (name for name in _SMALL_TALK if any(room.grammar.has(room.sheet, at, name, slips=0.0) for at in places))
    return room.voice.nothing("smalltalk", 0.8, next(said, ""))
