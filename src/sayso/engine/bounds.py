"""Bounds: whether what stands in a slot is all that belongs there, and nothing more.

"the tax form, friday" names a thing and says nothing of it; "saw the dentist on friday" tells something. "put | down
milk" begins a text in the middle of a verb.
"""

from __future__ import annotations

from sayso.engine.doubt import is_verb
from sayso.engine.extract import Reading
from sayso.engine.focus import Scene
from sayso.engine.grammar import Grammar, Sheet
from sayso.engine.texts import Piece


def is_bare(grammar: Grammar, sheet: Sheet, scene: Scene, reading: Reading) -> bool:
    """Whether a thing is named in its own words, enough of them, and nothing is said of it: no "saw the dentist …"."""
    target = reading.target
    if target is None or len(target.ids) != 1 or target.pronoun or target.span is None:
        return False
    entity = scene.things.get(target.ids[0])
    label = " ".join(entity.text(kind.name) for kind in grammar.pack.entities.values()).lower() if entity else ""
    held = next((at for at in reading.match.slots if grammar.pack.slots[at[0]].type == "entity"), None)
    named: set[str] = set()
    for at in range(*held[1:]) if held is not None else ():
        word = sheet.words[at]
        if word.kind == "mark" or grammar.has(sheet, at, "article", "possessive", slips=0.0):
            continue
        small = grammar.has(sheet, at, "first", "third", "wh", "negation", "be", slips=0.0)
        if small or not _is_word_of(grammar, word.low, label):
            return False
        named.add(sheet.stems[at])
    telling = {stem for stem in scene.things.label_stems(target.ids[0]) if stem not in grammar.little and len(stem) > 1}
    return len(named) * 2 >= len(telling)


def _is_word_of(grammar: Grammar, word: str, label: str) -> bool:
    """Whether a word stands in a name, but for an ending of one letter; "vaccinated" tells what was done."""
    if word in label:
        return True
    same = (one for one in label.split() if one.startswith(word[:-1]) and abs(len(one) - len(word)) <= 1)
    return len(word) > 3 and not grammar.is_past(word) and any(same)


def swallows_order(grammar: Grammar, sheet: Sheet, reading: Reading) -> bool:
    """A name that nobody has, and that begins with a command: "add mend the net, has to be friday"."""
    target = reading.target
    if target is None or target.problem != "not_found" or not reading.match.slots:
        return False
    slot, first, _ = reading.match.slots[0]
    if grammar.pack.slots[slot].type != "entity" or 0 <= reading.match.first < first:
        return False
    heads, end = grammar.book.heads, first + 1
    told = bool(heads) and end < reading.end and grammar.has(sheet, end, *heads, slips=0.0)
    return bool(told) and is_verb(grammar, sheet, first)


def breaks_off(grammar: Grammar, sheet: Sheet, piece: Piece) -> bool:
    """ "…, needs to be": a text whose end was taken for something else, as was its beginning in "put | down milk"."""
    if piece.first and any(
        (piece.first + 1, 0.0) in ends
        for cls, ends in sheet.edges[piece.first - 1].items()
        if cls in grammar.verbs and grammar.frames.begins("command", cls)
    ):
        return True
    end = piece.last - 1
    stranded = end - piece.first > 2 and grammar.has(sheet, end, "be", slips=0.0) == piece.last
    if not stranded or not grammar.has(sheet, end - 1, "function", slips=0.0):
        return False
    return not any(grammar.has(sheet, at, "wh", "governs", slips=0.0) for at in range(piece.first, end))
