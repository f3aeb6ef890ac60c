"""Finds several commands that no mark separates.

"tick off the rent delete the gym and show me the list" is three; "add call the bank" is one. A piece is cut before a
verb only if both sides make sense, and the first is about one of the user's things.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sayso.engine.clauses.clause import Sense
from sayso.engine.clauses.detect import best
from sayso.engine.clauses.pieces import Piece, held
from sayso.engine.grammar.grammar import Grammar
from sayso.engine.grammar.moods import opening
from sayso.engine.grammar.sheet import Sheet, Stretch
from sayso.engine.linking.focus import Scene
from sayso.engine.slots.bounds import is_verb

_LONGEST = 24  # words of a piece in which a cut is looked for
_MOST = 3  # places that are tried
_MOST_WORDS = 60  # that people say in one breath
_SURE = 0.8  # a name with this certainty is meant


def apart(sheet: Sheet, scene: Scene, found: Iterable[Piece]) -> Iterator[Piece]:
    """The pieces, each cut where a further command begins in it."""
    if len(sheet.words) > _MOST_WORDS:
        yield from found
        return
    for piece in found:
        rest = piece
        while (cut := _cut(sheet, scene, rest)) is not None:
            yield rest._replace(end=cut)
            rest = Piece(cut, rest.end, False)
        yield rest


def _cut(sheet: Sheet, scene: Scene, piece: Piece) -> int | None:
    """Where the second command of a piece begins."""
    first = opening(sheet.over(piece))
    if not 3 < piece.end - first <= _LONGEST:
        return None
    denied = _begins_with_denial(sheet, first)
    if not denied and not sheet.commands(first):
        return None
    verbs = [at for at in range(first + 2, piece.end - 1) if is_verb(sheet, at)]
    if not verbs or (not denied and _is_one(sheet, scene, piece)):
        return None
    inside = held(sheet, scene)
    return _first_command(sheet, scene, piece, first, [at for at in verbs if at not in inside], denied=denied)


def _first_command(
    sheet: Sheet, scene: Scene, piece: Piece, first: int, verbs: Sequence[int], *, denied: bool
) -> int | None:
    """Where one of these verbs begins a second command."""
    for at in verbs[:_MOST]:
        rest = Stretch(sheet, at, piece.end)
        start = _with_little(rest.sheet, first, rest.start)
        if denied:
            found = bool(_points(rest.sheet, rest.start)) and _is_second(scene, None, rest)
        else:
            found = _follows(scene, Stretch(rest.sheet, piece.start, start), rest)
        if found:
            return start
    return None


def _begins_with_denial(sheet: Sheet, at: int) -> bool:
    return bool(sheet.has(at, "negation")) or _denies(sheet, at)


def _follows(scene: Scene, before: Stretch, rest: Stretch) -> bool:
    """Whether a command comes first, and another one follows."""
    left = best(before, scene)
    return left is not None and _is_second(scene, left, rest)


def _is_one(sheet: Sheet, scene: Scene, piece: Piece) -> bool:
    """Whether the whole piece is one command about a thing and a text: "rename the rent to pay the rent"."""
    whole = best(sheet.over(piece), scene)
    return whole is not None and bool(whole.reading.texts) and bool(_ids(whole))


def _is_second(scene: Scene, left: Sense | None, rest: Stretch) -> bool:
    """Whether the rest is a separate command, after one that changes something else or after a denial."""
    sheet = rest.sheet
    if left is not None and not _changes(sheet.grammar, left):
        return False
    right = best(rest, scene.mention(_ids(left)))
    if right is None or not _commands(sheet, right, rest.start):
        return False
    return left is None or not _same(sheet.grammar, left, right)


def _denies(sheet: Sheet, at: int) -> bool:
    """ "don't …" at the beginning."""
    return at + 1 < len(sheet.words) and bool(sheet.has(at + 1, "negation"))


def _points(sheet: Sheet, at: int) -> bool:
    """ "…just move it": the verb with a pronoun for the thing that was named."""
    joined = sheet.words[at].end == sheet.words[at + 1].start  # a separate word may be an article: "la banca"
    article = sheet.has(at + 1, "article")
    return bool(sheet.has(at + 1, "it")) and (joined or not article)


def _with_little(sheet: Sheet, first: int, at: int) -> int:
    """Where the little words before a verb begin: "yet | just move it"."""
    while at - 1 > first and sheet.has(at - 1, "filler", "link") == at:
        at -= 1
    return at


def _ids(sense: Sense | None) -> tuple[str, ...]:
    target = sense.reading.target if sense is not None else None
    return target.ids if target is not None else ()


def _changes(grammar: Grammar, sense: Sense) -> bool:
    """Whether the sense changes a thing that is surely named, and has no free text that could continue."""
    target, tool = sense.reading.target, grammar.pack.acts[sense.reading.act].tool
    if tool is None or grammar.pack.tools[tool].risk == "read":
        return False
    named = target is not None and len(target.ids) == 1 and not target.pronoun and target.certainty >= _SURE
    return named and not sense.reading.texts and sense.reading.match.literal > 0


def _commands(sheet: Sheet, sense: Sense, at: int) -> bool:
    """Whether the sense is a separate command: about a thing, or to create or show one."""
    act, reading = sheet.grammar.pack.acts[sense.reading.act], sense.reading
    if "command" not in act.mood or reading.match.first != at or act.tool is None:
        return False
    if reading.target_param is None and not act.must_link:
        texts = reading.texts.values()
        return all(sheet.has(text.first, *sheet.grammar.book.heads) for text in texts)
    target = reading.target
    return target is not None and (target.pronoun or (bool(target.ids) and target.certainty >= _SURE))


def _same(grammar: Grammar, left: Sense, right: Sense) -> bool:
    """Whether both do the same with the same thing, named by halves: "move the trade | switch of stalls to monday"."""
    if _ids(left) != _ids(right):
        return False
    acts, target = grammar.pack.acts, right.reading.target
    by_name = target is not None and not target.pronoun
    one, two = left.reading.act, right.reading.act
    return one == two or (by_name and acts[one].tool == acts[two].tool)
