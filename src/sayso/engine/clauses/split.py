"""Splits a message into clauses, each of which may ask for something.

"drop the old flyer and add ask Nora for the keys" is two, "add buy rice and beans" is one: the words after an "and"
or a comma are a clause only if they make sense alone. Nothing is split inside a quotation or a complete name.
"""

from __future__ import annotations

from sayso.engine.clauses.clause import Clause, Sense
from sayso.engine.clauses.detect import best
from sayso.engine.clauses.new_things import after
from sayso.engine.clauses.pieces import SENTENCE_END, Piece, pieces
from sayso.engine.clauses.reasons import as_good, without_reason
from sayso.engine.clauses.run_on import apart
from sayso.engine.clauses.standalone import parted, stands_alone
from sayso.engine.grammar.moods import for_another, opening
from sayso.engine.grammar.sheet import TYPOS, Sheet, Stretch, Target
from sayso.engine.linking.deed import Deed
from sayso.engine.linking.focus import Scene
from sayso.engine.linking.link import link
from sayso.engine.slots.reading import Before, Reading
from sayso.engine.slots.single import one_of_each

_FEW_WORDS = 6
_TOPIC_WORDS = 14
_TOPICS = 3  # clauses without an act in which a topic may be named
_TOPIC = 0.75  # a name with this certainty is the topic of the next clause
_NOT_SO = ("negation", "third", "formerly", "unreal", "wh", "condition", "reported", "others_word")
_NAMED = 0.25  # the share of the words about a thing that must be its name


def split(sheet: Sheet, scene: Scene, start: int) -> list[Clause]:
    """The clauses of a message from words[start] on, in order."""
    clauses: list[Clause] = []
    reasoned = elsewhere = False
    told = apart(sheet, scene, parted(sheet, scene, pieces(sheet, scene, start)))
    for found in told:
        goes_on = elsewhere and not found.hard and not sheet.has(found.start, "therefore")
        others, elsewhere = elsewhere, goes_on or for_another(sheet.over(found))
        if elsewhere:
            clauses.append(Clause(found.start, found.end, None))
            continue
        inner = _so_far(sheet, scene, clauses)
        piece, alone = without_reason(sheet, inner, found, _before_all(sheet, clauses))
        if reasoned and alone is None and not piece.hard:  # "…because the bus and the train were late"
            continue
        reasoned = piece.end < found.end
        clauses = _with_piece(sheet, scene, clauses, piece, alone, apart=others)
    return clauses


def _with_piece(
    sheet: Sheet, scene: Scene, clauses: list[Clause], piece: Piece, alone: Sense | None, *, apart: bool
) -> list[Clause]:
    """The clauses with one more piece: joined to the last clause, or as a separate clause."""
    before = clauses[-1] if clauses else None
    if (both := _belongs(sheet, scene, clauses, piece, alone)) is not None:
        return [*clauses[:-1], both]
    if before is None or apart or stands_alone(sheet, before.sense, piece, alone):
        clauses = [*clauses, Clause(piece.start, piece.end, alone)]
        while (more := _one_more(sheet, scene, clauses)) is not None:
            clauses[-2:] = [more]
        return clauses
    if (joined := _continued(sheet, scene, clauses, before, piece)) is not None:
        return [*clauses[:-1], joined]
    return _listed(sheet, scene, [*clauses, Clause(piece.start, piece.end, alone)])


def _belongs(sheet: Sheet, scene: Scene, clauses: list[Clause], piece: Piece, alone: Sense | None) -> Clause | None:
    """The last clause with a piece that is in its scope, takes its value, or is about the same action."""
    before = clauses[-1] if clauses else None
    if before is not None and before.sense is None and _in_scope(sheet, before, piece, alone):
        return Clause(before.start, piece.end, None)
    return (
        _with_value(sheet, scene, clauses, piece, alone)
        or _as_said_before(sheet, before, piece, alone)
        or _one_deed(sheet, scene, clauses, piece, alone)
    )


def _continued(sheet: Sheet, scene: Scene, clauses: list[Clause], before: Clause, piece: Piece) -> Clause | None:
    """The last clause and a piece as one clause, if they make as much sense together."""
    earlier = clauses[:-1]
    joined = best(Stretch(sheet, before.start, piece.end), _so_far(sheet, scene, earlier), _before_all(sheet, earlier))
    if joined is None or not (as_good(before.sense, joined) or _keeps_text(before.sense, joined)):
        return None
    return None if _turns(sheet, before, piece, joined) else Clause(before.start, piece.end, joined)


def _listed(sheet: Sheet, scene: Scene, clauses: list[Clause]) -> list[Clause]:
    """ "put milk, eggs and bread on my list": a command whose end comes after the parts of its text."""
    unread = _unread(clauses)
    first = opening(sheet.over(unread[0])) if len(unread) > 2 else len(sheet.words)
    if first >= len(sheet.words) or not sheet.commands(first):
        return clauses
    start, end = unread[0].start, unread[-1].end
    if any(sheet.words[at].broken or sheet.lows[at] in SENTENCE_END for at in range(start + 1, end - 1)):
        return clauses
    earlier = clauses[: -len(unread)]
    whole = best(Stretch(sheet, start, end), _so_far(sheet, scene, earlier), _before_all(sheet, earlier))
    return clauses if whole is None else [*earlier, Clause(start, end, whole)]


def _keeps_text(before: Sense | None, joined: Sense) -> bool:
    """Whether more words lose only a value that may have been part of the text: "buy paint in May and brushes"."""
    if before is None or before.reading.act != joined.reading.act:
        return False
    lost = [chunk for chunk in before.reading.chunks if chunk not in joined.reading.chunks]
    unsure = bool(lost) and not any(chunk.strong for chunk in lost)
    return unsure and joined.score >= before.score - 0.3 - len(lost)


def _one_more(sheet: Sheet, scene: Scene, clauses: list[Clause]) -> Clause | None:
    """ "the second and the third are done": the words before the "and" belong to the same act."""
    if len(clauses) < 2:
        return None
    before, piece = clauses[-2:]
    alone = piece.sense
    if alone is None or not _may_be_part(sheet, before, piece):
        return None
    joined = best(Stretch(sheet, before.start, piece.end), _so_far(sheet, scene, clauses[:-2]))
    if joined is None:
        return None
    both = Clause(before.start, piece.end, joined)
    if _lists_more(sheet, before, joined, alone) or _is_for_list(sheet, joined, alone):
        return both
    acts = sheet.grammar.pack.acts
    again = sheet.has(piece.start, "therefore") > 0 and acts[joined.reading.act].again  # "it is off, so drop it"
    if not again and joined.score > alone.score + 0.7 and joined.reading.match.skipped < 0.2:
        return both  # "among these, which are late?"
    if acts[joined.reading.act].tool != acts[alone.reading.act].tool:
        return None
    return both if len(_ids(joined)) > len(_ids(alone)) > 0 else None


def _lists_more(sheet: Sheet, before: Clause, joined: Sense, alone: Sense) -> bool:
    """ "buttons, needles and thread to the sewing list": words before the "and" are more texts for the same group."""
    grouped = alone.reading.has_value_of(sheet.grammar.shared)
    same = joined.reading.act == alone.reading.act and joined.reading.texts.keys() == alone.reading.texts.keys()
    return grouped and same and any(text.first < before.end for text in joined.reading.texts.values())


def _is_for_list(sheet: Sheet, joined: Sense, alone: Sense) -> bool:
    """ "buttons and thread, sewing list": alone, the list would be shown; with the words before it, they are added."""
    pack, acts = sheet.grammar.pack, sheet.grammar.pack.acts
    read, made = acts[alone.reading.act].tool, acts[joined.reading.act].tool
    needs_list = not sheet.grammar.shared.keys().isdisjoint(acts[joined.reading.act].needs)
    return pack.reads(read) and needs_list and pack.naming_param(made) is not None


def _may_be_part(sheet: Sheet, before: Clause, piece: Clause) -> bool:
    """Whether a few words that have no sense alone, or contain "both", continue in the next clause."""
    ended = sheet.lows[before.end - 1] in SENTENCE_END or sheet.words[piece.start].broken
    pair = sheet.over(before).holds("both")
    words = sum(word.kind != "mark" for word in sheet.over(before).words)
    return (before.sense is None or pair) and not ended and words <= _FEW_WORDS


def _ids(sense: Sense) -> tuple[str, ...]:
    return sense.reading.target.ids if sense.reading.target else ()


def _one_deed(sheet: Sheet, scene: Scene, clauses: list[Clause], piece: Piece, alone: Sense | None) -> Clause | None:
    """ "temperature and humidity of the proofer": two parts of one thing, if the separate pieces say less."""
    before = clauses[-1] if clauses else None
    if not sheet.grammar.acts_on_parts or before is None or piece.hard:
        return None
    joined = best(Stretch(sheet, before.start, piece.end), _so_far(sheet, scene, clauses[:-1]))
    whole = joined.reading.deed if joined is not None else None
    if whole is None or whole.problem is not None or whole.best.left:
        return None
    if _are_two_deeds(whole, before.sense, alone):
        return None
    return Clause(before.start, piece.end, joined)


def _are_two_deeds(whole: Deed, *senses: Sense | None) -> bool:
    """Whether each of two senses is settled, and together they are about more than the joined one is."""
    deeds = [sense.reading.deed for sense in senses if sense is not None]
    settled = [deed for deed in deeds if deed is not None and deed.problem is None]
    parts = {part.id for deed in settled for part in deed.best.parts}
    return len(settled) == 2 and bool(parts - {part.id for part in whole.best.parts})


def _before(clause: Clause | None) -> Before | None:
    return None if clause is None else Before(clause.start, clause.end, clause.sense.reading if clause.sense else None)


def _before_all(sheet: Sheet, clauses: list[Clause]) -> Before | None:
    """The clause before, with a value beside it: "urgent!! call the plumber, write that down"."""
    before = _before(clauses[-1] if clauses else None)
    if before is None or before.reading is not None or len(clauses) < 2 or clauses[-2].sense is not None:
        return before
    if _called_out(sheet, clauses[-1]) is not None and sheet.lows[clauses[-2].end - 1] not in SENTENCE_END:
        return before._replace(start=clauses[-2].start)  # "lunch with Ann, friday at one. put that down"
    told = _called_out(sheet, clauses[-2])
    return before._replace(start=told) if told is not None else before


def _called_out(sheet: Sheet, clause: Clause) -> int | None:
    """Where a clause begins that is only a value: "urgent!!"."""
    told = next((at for at in range(clause.start, clause.end) if sheet.words[at].kind != "mark"), clause.start)
    ends = {chunk.end for chunk in sheet.chunks.get(told, ()) if chunk.floats and chunk.end <= clause.end}
    alone = any(all(sheet.words[at].kind == "mark" for at in range(end, clause.end)) for end in ends)
    return told if alone else None


def _with_value(sheet: Sheet, scene: Scene, clauses: list[Clause], piece: Piece, alone: Sense | None) -> Clause | None:
    """ "urgent! add buy bread": a value that is called out first belongs to the command after it."""
    before = clauses[-1] if clauses else None
    if alone is None or before is None or before.sense is not None or _called_out(sheet, before) is None:
        return None
    joined = best(Stretch(sheet, before.start, piece.end), _so_far(sheet, scene, clauses[:-1]))
    same = joined is not None and joined.reading.act == alone.reading.act and joined.score > alone.score
    return Clause(before.start, piece.end, joined) if same else None


def _as_said_before(sheet: Sheet, before: Clause | None, piece: Piece, alone: Sense | None) -> Clause | None:
    """ "I'm mowing the lawn on sunday, move it": the clause before gives the value that the change requires."""
    if alone is None or before is None or before.sense is not None:
        return None
    slots = _unfilled(sheet, alone.reading)
    told = sheet.over(before)
    if not slots or told.holds(*_NOT_SO):
        return None
    kept = one_of_each(sheet, [one for one in told.chunks if one.slot in slots and one.floats])
    if not kept:
        return None
    reading = alone.reading
    sense = alone._replace(reading=reading._replace(chunks=(*reading.chunks, *kept)))
    return Clause(before.start, piece.end, sense)


def _unfilled(sheet: Sheet, reading: Reading) -> set[str | None]:
    """The slots that a change of "it" requires; empty if one of them is filled."""
    if reading.target is None or not reading.target.pronoun:
        return set()
    act = sheet.grammar.pack.acts[reading.act]
    params = sheet.grammar.pack.params_of(act.tool)
    slots = {params[name].slot for name in act.asks if name in params}
    return set() if any(reading.filled(slot) for slot in slots if slot) else slots


def _in_scope(sheet: Sheet, before: Clause, piece: Piece, alone: Sense | None) -> bool:
    """ "they told me to mark it and add it": the words after an "and" are still reported. "If anyone asks, it is done":
    a statement after a condition is not a fact."""
    if piece.hard:
        return False
    first = opening(sheet.over(before))
    stated = alone is not None and sheet.grammar.pack.acts[alone.reading.act].mood == ("statement",)
    if stated and first < before.end and sheet.has(first, "condition"):
        return True
    if not sheet.has(piece.start, "link", slips=TYPOS):  # "somebody wants to know | can you …"
        return any(before.end in sheet.ends(at, "reported") for at in range(first + 1, before.end))
    return _reports(sheet.over(before))


def _reports(stretch: Stretch) -> bool:
    """Whether the stretch reports somebody else's words, or tells what somebody else has to do."""
    sheet, end = stretch.sheet, stretch.end
    if any(sheet.has(at, "reported", "mood:hypothetical", slips=TYPOS) for at in stretch.places):
        return True
    return any(_tells(Stretch(sheet, at, end)) for at in stretch.places)


def _tells(stretch: Stretch) -> bool:
    """ "told the lads to …": the user tells what somebody else has to do."""
    sheet, at, end = stretch
    after = sheet.has(at, "tells")
    whom = range(after, min(after + _FEW_WORDS, end)) if after else ()
    return any(sheet.has(place, "tells_to") for place in whom)


def _so_far(sheet: Sheet, scene: Scene, clauses: list[Clause]) -> Scene:
    """The scene with the topics of the clauses so far. The topic may come first ("visa renewal, give it …")."""
    unread = _unread(clauses)[-_TOPICS:]
    for clause in clauses:
        target = clause.sense.reading.target if clause.sense else None
        short = clause.end - clause.start <= _TOPIC_WORDS
        if target is None and clause in unread and short:
            target = _topic(sheet, scene, clause)
        if target is not None and target.ids:
            scene = scene.mention(target.ids)
        elif clause.sense is not None:
            scene = after(sheet.grammar.pack, scene, clause.sense.reading)
    return scene


def _unread(clauses: list[Clause]) -> list[Clause]:
    """The last clauses, as far back as none has a sense."""
    first = next((at for at in range(len(clauses), 0, -1) if clauses[at - 1].sense is not None), 0)
    return clauses[first:]


def _topic(sheet: Sheet, scene: Scene, clause: Clause) -> Target | None:
    """The one thing that a clause without an act mentions."""
    target = link(sheet.over(clause), scene, None)
    if target.source == "message" and target.certainty >= _TOPIC and target.ids:
        return target
    hits = [hit for hit in scene.things.search(sheet.stems[clause.start : clause.end]) if hit.named >= 0.5]
    clear = len(hits) == 1 or (len(hits) > 1 and hits[0].named > max(0.5, hits[1].named))
    return Target(ids=(hits[0].id,), certainty=0.8) if clear and hits[0].said >= _NAMED else None


def _turns(sheet: Sheet, before: Clause, piece: Piece, joined: Sense) -> bool:
    """Whether a possible reason would change the act of the clause before it: "add the recital, which I …". So would
    "…, and the poem too", which depends on that clause."""
    acts = sheet.grammar.pack.acts
    if before.sense is not None and acts[joined.reading.act].again and not acts[before.sense.reading.act].again:
        return True
    if before.sense is None or not sheet.has(piece.start, "reason"):
        return False
    return acts[before.sense.reading.act].tool != acts[joined.reading.act].tool
