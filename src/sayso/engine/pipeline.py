"""The steps of a decision, in order: read, repair, split, detect, extract, link, decide; with an open question first.

One function from a case to an answer. Each step is a module; `Run` keeps the result of each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import msgspec
from msgspec import UNSET

from sayso.case import Case
from sayso.decision import Answer, Call, Confirm, Decision, Nothing, Pending
from sayso.engine.clauses.clause import Clause, Sense
from sayso.engine.clauses.new_things import after, with_known_target, with_question
from sayso.engine.clauses.split import split
from sayso.engine.decide.decide import decide
from sayso.engine.decide.final import follow_ups, preferred, with_worded
from sayso.engine.decide.merge import (
    adds_to,
    as_one,
    distinct,
    grouped,
    merged,
    only_named,
    only_repeats,
    points_back,
    rings_too,
    says_why,
    spared,
    without_whole,
)
from sayso.engine.decide.room import Room, Thresholds
from sayso.engine.decide.trained import Gate, Trained
from sayso.engine.decide.wording import Voice
from sayso.engine.dialogue.history import again, earlier_senses, gapped, lately, mentioned, named_too, once_more
from sayso.engine.dialogue.lists import narrowed, turned
from sayso.engine.grammar.grammar import Grammar
from sayso.engine.grammar.sheet import Sheet
from sayso.engine.linking.focus import Scene, scene_of, with_groups, without_names, without_places
from sayso.engine.linking.index import EntityIndex
from sayso.engine.pack_languages import LAST_SHARE, PackLanguages
from sayso.engine.reader.decisions import only_closed
from sayso.engine.reader.witnesses import Verdict, weigh
from sayso.engine.repair.markers import is_there
from sayso.engine.text.tokens import Text, normalise
from sayso.errors import UnknownPack

if TYPE_CHECKING:
    from sayso.engine.dialogue.clarification import Outcome
    from sayso.engine.proposal.sanitise import Offer
    from sayso.engine.proposal.support import Supported
    from sayso.engine.repair.repair import Repair

Witness: TypeAlias = "tuple[Offer, dict[str, Supported]]"

_USUAL = Thresholds()
_LONGEST = 50  # words in which people correct themselves and still request something
_LONG = 30  # tokens; a longer message is read only in the likeliest language, so that its time has a bound
_SMALL_TALK = ("thanks", "farewell", "well_being", "greeting")  # these choose a reply
_NOT_UNDERSTOOD = -1.0  # the score of a clause without a sense, and the lowest score of a message
_CLEARLY = 0.9  # the lead in score that a less likely language needs


class Run(NamedTuple):
    """The results of every step, to explain a decision."""

    case: Case
    grammar: Grammar
    sheet: Sheet
    scene: Scene
    clauses: tuple[Clause, ...]
    answer: Answer
    gate: Gate | None
    witness: Witness | None  # the proposal, with its evidence
    verdict: Verdict | None = None  # how far the learned reader agrees with the rules
    replied: bool = False  # whether the message answers the open question


def run(case: Case, languages: PackLanguages, index: EntityIndex | None = None, thresholds: Thresholds = _USUAL) -> Run:
    """Decides a case. You can pass an `index` that was built before; it must contain the case's entities."""
    if case.pending is None:
        return _decided(case, None, languages, index, thresholds)
    found = _answered(case, languages, index, thresholds)
    if found is not None:
        return found
    alone = msgspec.structs.replace(case, pending=None)
    return _decided(alone, case.pending, languages, index, thresholds)._replace(case=case)


def _answered(case: Case, languages: PackLanguages, index: EntityIndex | None, thresholds: Thresholds) -> Run | None:
    """The run of a message that answers the open question, in the first language in which it does.

    `None` if it answers it in no language, or is clearly another command.
    """
    text = normalise(case.message)
    for tag in languages.rank(case, text):
        found = _run_in(case, case.pending, text, languages, tag, index, thresholds)
        if found.replied:
            return found
        if _understood(found):
            return None
    return None


def _decided(
    case: Case, question: Pending | None, languages: PackLanguages, index: EntityIndex | None, thresholds: Thresholds
) -> Run:
    """The run of a message that does not answer the open question. That question only says what "it" may mean."""
    text = normalise(case.message)
    likely = languages.rank(case, text)
    if len(text.tokens) > _LONG:
        likely = likely[:1]

    @cache  # several of the steps below may try the same language
    def run_in(tag: str) -> Run:
        return _run_in(case, question, text, languages, tag, index, thresholds)

    best = _best_run(likely, text, languages, run_in)
    if best is None:
        raise UnknownPack(case.pack, ())
    if not _understood(best) and len(text.tokens) <= _LONG:
        others = [tag for tag in languages.rank(case, text, LAST_SHARE) if tag not in likely]
        if case.lang is not None or _is_read(best):  # then only a word of another language changes it
            others = [tag for tag in others if languages.tells(tag, text)]
        best = _first_understood(map(run_in, others), best)
    if _is_unread(best):  # "cinema fri 7pm" names its day in another language than it seems to be in
        lang = best.answer.lang
        untried = (tag for tag in languages.tags if tag != lang and not _is_in(lang, tag, languages, text))
        best = next(filter(_is_read, map(run_in, untried)), best)
    return _in_language(best, languages, text)


def _first_understood(runs: Iterable[Run], best: Run) -> Run:
    """The first run that understands the message, or greets; else the best run so far. A refusal stays in the
    likeliest language."""
    return next((one for one in runs if (_understood(one) and not _is_out_of_scope(one)) or _greets(one, best)), best)


def _best_run(tags: list[str], text: Text, languages: PackLanguages, run_in: Callable[[str], Run]) -> Run | None:
    """The run in the language that explains most. "search ann" may be in either, and does not change the language."""
    best: Run | None = None
    for tag in tags:
        if best is not None and _understood(best) and not languages.tells(tag, text):
            continue
        found = run_in(tag)
        if best is None or _explained(found) > _explained(best) + _CLEARLY or _greets(found, best):
            best = found
        read = _is_read(found) and not _understood(best)
        if read and _is_in(tag, best.answer.lang, languages, text):
            best = found
    return best


def _is_in(tag: str, other: str, languages: PackLanguages, text: Text) -> bool:
    """Whether a message has words that are only in the first language, and none of the other: after an English "undo",
    "tagliando auto 3 febbraio" is Italian."""
    return languages.tells(tag, text) and not languages.tells(other, text)


def _in_language(run: Run, languages: PackLanguages, text: Text) -> Run:
    """The run, answered in the language of the conversation, unless a word of the message is only in another one:
    "search ann" is understood in both, and changes nothing. A question stays in the language of its words."""
    spoken = (run.case.lang or "").split("-")[0].casefold()
    worded = not all(isinstance(one, Call) for one in run.answer.decisions)
    if spoken not in languages.tags or worded or languages.tells(run.answer.lang, text):
        return run
    return run._replace(answer=msgspec.structs.replace(run.answer, lang=spoken))


def _is_unread(run: Run) -> bool:
    """Whether the reader names a tool, but there is no decision because a value cannot be read."""
    verdict = run.verdict
    return (
        _is_out_of_scope(run)
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
    """Whether a message is a greeting in one language, and has no meaning in the other: "ciao"."""
    return _is_small_talk(run) and not _understood(other) and not _is_small_talk(other)


def _is_small_talk(run: Run) -> bool:
    return _is_nothing(run, "smalltalk")


def _is_out_of_scope(run: Run) -> bool:
    return _is_nothing(run, "out_of_scope")


def _is_nothing(run: Run, reason: str) -> bool:
    return all(isinstance(one, Nothing) and one.reason == reason for one in run.answer.decisions)


def _explained(run: Run) -> float:
    """How much of a message was understood, to compare languages: "task completed: a cinema ticket" is English. Tools
    without acts have no sentences, so the words that a language knows are counted."""
    if run.grammar.catalogue is not None and run.grammar.vocabulary is not None:
        return float(sum(bool(edges) for edges in run.sheet.edges))
    found = sum(clause.sense.score if clause.sense is not None else _NOT_UNDERSTOOD for clause in run.clauses)
    return max(found, _NOT_UNDERSTOOD)  # for any number of clauses: "pasta, pesto and parmesan"


def _run_in(
    case: Case,
    question: Pending | None,
    text: Text,
    languages: PackLanguages,
    tag: str,
    index: EntityIndex | None,
    thresholds: Thresholds,
) -> Run:
    """Runs the steps in one language. `question` is the last question, whether it is still open or set aside."""
    grammar = languages.grammar(tag)
    if index is None:
        index = EntityIndex(case.entities, grammar.pack.entities, grammar.stems, grammar.little)
    room = _room(case, question, text, languages, tag, index, thresholds)
    repair = _repaired(room, case) if _may_hold_correction(room, case) else None
    if repair is not None:
        scene = room.scene.mention(repair.ids)
        sheet = _sheet(grammar, repair.text, case, index, room.scene)
        room = room._replace(sheet=sheet, scene=scene, clause=(0, len(sheet.words)))
    if case.history or question is not None:
        scene = room.scene._replace(lately=lately(room, case, question), mentioned=mentioned(room, case))
        room = room._replace(scene=scene)
    clauses = _clauses(room, case)
    reply = _reply(room, case, clauses)
    decided = _decide(room, case, clauses, reply, guessed=repair is not None and repair.guessed)
    decided = _after_repair(room, repair, decided)
    witness = _witness(room, case)
    if witness is not None:
        decided = _composed(room, witness, decided)
    verdict = _verdict(room, case, clauses, decided, languages)
    final = _final(room, case, verdict.decisions if verdict is not None else decided, languages, tag)
    result = Answer(id=case.id, lang=tag, decisions=final, next=follow_ups(room, final) or UNSET)
    replied, gate = reply is not None, languages.trained.gate
    return Run(case, grammar, room.sheet, room.scene, tuple(clauses), result, gate, witness, verdict, replied)


def _sheet(grammar: Grammar, text: Text, case: Case, index: EntityIndex, scene: Scene) -> Sheet:
    """A text read with the user's things: with their groups, and without values that are names or places."""
    sheet = with_groups(without_names(grammar.read(text, case.now), index), index)
    return without_places(sheet, scene)


def _room(
    case: Case,
    question: Pending | None,
    text: Text,
    languages: PackLanguages,
    tag: str,
    index: EntityIndex,
    thresholds: Thresholds,
) -> Room:
    """All input of a decision, before anything is decided."""
    grammar = languages.grammar(tag)
    scene = scene_of(case, index)
    sheet = _sheet(grammar, text, case, index, scene)
    scene = with_question(grammar.pack, scene, question) if question is not None else scene
    if languages.has_parts(tag):
        from sayso.engine.linking.inventory import Inventory  # noqa: PLC0415  only packs whose things have parts wait for it

        stock = languages.stock_cache(tag).stock_of(case.entities)
        scene = scene._replace(inventory=Inventory(stock, {}, languages.read_name))
    voice = Voice(grammar, index, thresholds.options)
    return Room(grammar, sheet, scene, case.now, voice, thresholds, languages.trained.gate, (0, len(sheet.words)))


def _may_hold_correction(room: Room, case: Case) -> bool:
    """Whether the message may contain a correction that is worth searching for."""
    return case.pending is None and len(room.sheet.words) <= _LONGEST and is_there(room.sheet)


def _clauses(room: Room, case: Case) -> list[Clause]:
    """The clauses of the message. If none makes sense, the clauses after words that drop a question."""
    clauses = split(room.sheet, room.scene, 0) if room.sheet.words else []
    if case.pending is None and clauses and all(clause.sense is None for clause in clauses):
        return _beyond(room) or clauses
    return clauses


def _verdict(
    room: Room, case: Case, clauses: list[Clause], decided: list[Decision], languages: PackLanguages
) -> Verdict | None:
    """The verdict of the learned reader and the rules together; `None` if the reader is not used."""
    pack = room.grammar.pack
    alone = case.pending is None and case.proposed is None and bool(room.sheet.words)
    if not alone or not pack.reader or not room.thresholds.reader:
        return None
    predictions = languages.reader.read(room.sheet, room.scene) if languages.reader is not None else ()
    if languages.reader is not None and only_closed(room, predictions):
        among = room._replace(scene=room.scene.without_closed(pack.tools[predictions[0].act].several or {}))
        again = languages.reader.read(among.sheet, among.scene)
        if len(again) == 1 and pack.naming_param(again[0].act) is not None:
            room, predictions = among, again
    known = any(pack.acts[one.sense.reading.act].tool is None for one in clauses if one.sense is not None)
    return weigh(room, decided, predictions, languages.trust, known=known)


def _final(room: Room, case: Case, decided: list[Decision], languages: PackLanguages, tag: str) -> tuple[Decision, ...]:
    """The decisions with the values that their words imply, a measured confidence, and the user's preferences."""
    edges = (room.thresholds.act, room.thresholds.inferred)
    decisions = (_measured(one, languages.trained, tag, edges) for one in with_worded(room, decided))
    stems = room.sheet.stems if case.preferences else ()
    things = room.scene.things
    return grouped(room, tuple(preferred(one, case.preferences, stems, things) for one in decisions))


def _witness(room: Room, case: Case) -> Witness | None:
    """The proposal in our terms, with its evidence. An answer to a question needs no witness."""
    if case.proposed is None or not room.thresholds.compose:
        return None
    from sayso.engine.proposal.sanitise import sanitise  # noqa: PLC0415  most cases have no proposal, and need not wait for it
    from sayso.engine.proposal.support import weighed  # noqa: PLC0415

    pending = case.pending is not None or not room.sheet.words
    offer = sanitise(case.proposed, room.grammar.pack) if not pending else None
    message = room.sheet.whole.text if room.sheet.words else case.message  # without the words that were taken back
    texts = [*(turn.content for turn in case.history if turn.role == "user"), message]
    return weighed(room, offer, texts) if offer is not None else None


def _composed(room: Room, witness: Witness, decided: list[Decision]) -> list[Decision]:
    from sayso.engine.proposal.compose import compose  # noqa: PLC0415  as above

    return compose(room, *witness, decided)


def _repaired(room: Room, case: Case) -> Repair | None:
    from sayso.engine.repair.repair import repaired  # noqa: PLC0415  most messages take nothing back

    return repaired(room.sheet, room.scene, case.now)


def _after_repair(room: Room, repair: Repair | None, decided: list[Decision]) -> list[Decision]:
    if repair is None:
        return decided
    from sayso.engine.repair.repair import after_repair  # noqa: PLC0415  as above

    return after_repair(room, repair, decided)


def _beyond(room: Room) -> list[Clause]:
    from sayso.engine.dialogue.dismissal import beyond_dismissal  # noqa: PLC0415  most messages are understood at once

    return beyond_dismissal(room)


def _measured(decision: Decision, trained: Trained, tag: str, edges: tuple[float, ...]) -> Decision:
    """A call with the probability for its score."""
    if not isinstance(decision, Call):
        return decision
    return msgspec.structs.replace(decision, confidence=trained.probability(tag, decision.confidence, edges))


def _reply(room: Room, case: Case, clauses: list[Clause]) -> Outcome | None:
    """The decisions of a message that answers, with the clauses that go beyond the answer; `None` if it does not."""
    if case.pending is None or _is_empty(room, clauses):
        return None
    from sayso.engine.dialogue.answer import answer  # noqa: PLC0415  only an open question waits for it

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
    return without_whole(room, distinct(kept)) or [_nothing(room)]


def _of_clauses(
    room: Room, case: Case, clauses: list[Clause], replies: list[Decision], *, guessed: bool
) -> list[Decision]:
    """The decisions of the clauses, after the replies. If they rest on a guess, Sayso asks and creates nothing yet."""
    decisions: list[Decision] = []
    scene = room.scene
    prior: Sense | None = None
    for clause in clauses:
        sense = clause.sense
        here = room._replace(scene=scene, clause=(clause.start, clause.end))
        if (joined := _joined(here, clause, decisions)) is not None:
            decisions = joined
            continue
        if sense is None:
            decisions += _lost(here, clause, clauses, decisions[-1] if decisions else None)
            continue
        runs = () if guessed else (*replies, *decisions)
        sense = with_known_target(room.grammar.pack, scene, sense, runs)
        leaning = _leaning(here, sense, prior, case)
        if leaning is not None:
            decisions.extend(leaning)
        else:
            sense = _act_on(here, decisions, prior, sense)
        scene, prior = after(room.grammar.pack, scene, sense.reading), _leant_on(prior, sense)
    return decisions


def _joined(room: Room, clause: Clause, decisions: list[Decision]) -> list[Decision] | None:
    """The decisions after a clause adds to them or removes one; `None` if the clause is decided separately."""
    before, sense = decisions[-1] if decisions else None, clause.sense
    if before is not None and _may_leave_out(room, sense) and (more := gapped(room, before, clause)) is not None:
        return [*decisions, more]
    if sense is None:
        return None
    if room.grammar.pack.acts[sense.reading.act].spares and (kept := spared(decisions, sense.reading)) is not None:
        return kept
    if isinstance(before, (Call, Confirm)) and (
        adds_to(room, before, sense.reading) or rings_too(room, before, sense.reading)
    ):
        return [*decisions[:-1], merged(room, before, sense.reading)]
    return None


def _may_leave_out(room: Room, sense: Sense | None) -> bool:
    """Whether a clause may omit words that the one before it has."""
    act = room.grammar.pack.acts[sense.reading.act] if sense is not None else None
    return act is None or bool(act.narrows) or bool(act.pages)


def _leaning(room: Room, sense: Sense, prior: Sense | None, case: Case) -> list[Decision] | None:
    """The decisions of an act that depends on earlier words or actions; `None` if it does not."""
    act = room.grammar.pack.acts[sense.reading.act]
    if act.again:
        return once_more(room, sense, prior) or again(room, sense, case)
    if act.undoes:
        return _taken_back(room, sense, case)
    if act.narrows:
        return narrowed(room, sense, case)
    if act.pages:
        return turned(room, sense, case)
    return _of_one_more(room, sense, prior, case) if sense.reading.lacks_part else None


def _leant_on(prior: Sense | None, sense: Sense) -> Sense:
    """The sense that later clauses depend on: in "the temperature of oven 1, oven 2 and oven 3" the first of all."""
    return prior if prior is not None and sense.reading.lacks_part else sense


def _lost(room: Room, clause: Clause, clauses: list[Clause], before: Decision | None) -> list[Decision]:
    """The decisions for words beside a new thing that do not form a separate sentence."""
    if len(clauses) < 2 or not room.grammar.book.heads:
        return []
    from sayso.engine.decide.wishes import lost  # noqa: PLC0415  few messages hold more than what is read

    found = lost(room, clause, clauses, before)
    return [] if found is None else [found]


def _act_on(room: Room, decisions: list[Decision], prior: Sense | None, sense: Sense) -> Sense:
    """Decides a clause, after or instead of the earlier decisions. Returns the sense that later clauses depend on."""
    if says_why(room, decisions, prior, sense):
        return sense
    if prior is not None and (inherited := named_too(room, sense, prior)):
        decisions.extend(inherited)
        return prior
    found = decide(room, sense)
    if decisions and prior is not None and only_named(prior, sense):
        decisions.pop()
    _add(room, decisions, found, sense)
    return sense


def _add(room: Room, decisions: list[Decision], found: list[Decision], sense: Sense) -> None:
    """Adds decisions: merged into the last one, or after it unless they say nothing new."""
    one = as_one(room, decisions[-1], found[0], sense.reading) if decisions and len(found) == 1 else None
    if one is not None:
        decisions[-1] = one
    elif not only_repeats(decisions, found, sense) and not points_back(room, decisions, found, sense):
        decisions.extend(found)


def _of_one_more(room: Room, sense: Sense, prior: Sense | None, case: Case) -> list[Decision] | None:
    from sayso.engine.decide.operate import one_more  # noqa: PLC0415  only packs whose things have parts wait for it

    return one_more(room, sense, prior, earlier_senses(room.grammar, room, case)) or None


def _taken_back(room: Room, sense: Sense, case: Case) -> list[Decision]:
    from sayso.engine.dialogue.lists import taken_back  # noqa: PLC0415  few messages take an action back

    return taken_back(room, sense, case)


def _nothing(room: Room) -> Nothing:
    if not all(skip <= 0.06 for skip in room.sheet.skips):
        return room.voice.nothing("out_of_scope", 0.8)
    places = range(len(room.sheet.words))
    said = (name for name in _SMALL_TALK if any(room.sheet.has(at, name) for at in places))
    return room.voice.nothing("smalltalk", 0.8, next(said, ""))
