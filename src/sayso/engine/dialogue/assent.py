"""Decides whether a clause says yes or no to the open question, and nothing else.

"mhm sure, drop it" is a yes to deleting it, "Yes, the sun is out" is not.
"""

from __future__ import annotations

from sayso.decision import Confirm
from sayso.engine.clauses.clause import Clause, Sense
from sayso.engine.clauses.detect import detect
from sayso.engine.decide.room import Room
from sayso.engine.grammar.moods import opening
from sayso.engine.grammar.sheet import TYPOS, Stretch
from sayso.engine.lexicon.words import is_punctuation


def says_something(room: Room, clause: Clause) -> bool:
    """Whether the clause says anything beside fillers."""
    return opening(room.sheet.over(clause)) < clause.end


# Classes allowed beside a no. A yes allows fewer, because it runs something.
_BESIDE = ("hesitation", "polite", "filler", "link", "it", "article", "address", "emphasis")
_BESIDE_YES = ("hesitation", "polite", "address", "emphasis")
_DOUBTS = ("hold", "doubt", "other", "no", "cancel")


def covered(room: Room, start: int, end: int, *classes: str, beside: tuple[str, ...] = _BESIDE) -> tuple[bool, bool]:
    """Whether these words consist only of these classes and small words, and whether one of the classes occurs."""
    at, there = _reach(room, start, end, classes, beside)
    return at >= end, there


def _reach(
    room: Room, start: int, end: int, classes: tuple[str, ...], beside: tuple[str, ...], against: tuple[str, ...] = ()
) -> tuple[int, bool]:
    """How far phrases of these classes and small words reach, however they are cut ("no thanks" | "a lot"), and whether
    one of the classes occurs. Words that begin a phrase of `against` continue only with a longer phrase."""
    reached = {(start, False)}
    for at in range(start, end):
        here = [there for there in (True, False) if (at, there) in reached]
        if not here:
            continue
        least = max(room.sheet.ends(at, *against), default=at)
        steps = {(after, True) for after in _telling_ends(room, at, classes, beside, against)}
        steps |= {(after, there) for after in _small_ends(room, at, beside) for there in here}
        reached.update(step for step in steps if least < step[0] <= end)
    return max(reached)


def _small_ends(room: Room, at: int, beside: tuple[str, ...]) -> set[int]:
    """Where small words or a mark that begin here end."""
    small = room.sheet.ends(at, *beside, slips=TYPOS)
    return {*small, at + 1} if is_punctuation(room.sheet.words[at]) else small


def _telling_ends(
    room: Room, at: int, classes: tuple[str, ...], beside: tuple[str, ...], against: tuple[str, ...]
) -> set[int]:
    """Where phrases of the classes end. With `against`, a phrase must be spelt right and not be part of a longer one:
    "right" in "right now" is not a yes."""
    ends = room.sheet.ends(at, *classes, slips=TYPOS)
    if not against:
        return ends
    longest = room.sheet.has(at, *beside, slips=TYPOS)
    return {after for after in ends if after >= longest and _spelled(room, at, after)}


def assents(room: Room, pending: Confirm, clause: Clause) -> bool:
    """Whether the clause is only a yes, or a yes with the same act again ("yeah get rid of it")."""
    at, said_yes = _past_yes(room, clause)
    if not said_yes or _begs(room, clause):
        return False
    if at >= clause.end:
        return True
    if clause.sense is not None and echoes(room, pending, clause.sense):
        return True
    senses = detect(Stretch(room.sheet, at, clause.end), room.scene)
    return bool(senses) and echoes(room, pending, senses[0])


def _begs(room: Room, clause: Clause) -> bool:
    """ "would you confirm that" asks for something, and agrees to nothing."""
    begging = room.sheet.ends(clause.start, "polite", slips=TYPOS) & room.sheet.ends(
        clause.start, "mood:request", slips=TYPOS
    )
    return any(end > clause.start + 1 for end in begging)


def only_stresses(room: Room, clause: Clause) -> bool:
    """ "great", "mate", "right away": words that add nothing to a yes, and are not a yes alone."""
    return _past_yes(room, clause)[0] >= clause.end


def only_agrees(room: Room, clause: Clause) -> bool:
    """Whether the clause is only a yes: it does not say which of several things it is for."""
    at, said_yes = _past_yes(room, clause)
    return said_yes and at >= clause.end


def _past_yes(room: Room, clause: Clause) -> tuple[int, bool]:
    """Where a clause continues after its yes and the words that may accompany one, and whether there was a yes.

    A yes in quotation marks is reported speech and does not count: `the answer is "yes"`.
    """
    at, said_yes = _reach(room, clause.start, clause.end, ("yes",), _BESIDE_YES, _DOUBTS)
    return (clause.start, False) if is_quoted(room, clause.start, at) else (at, said_yes)


def is_quoted(room: Room, start: int, end: int) -> bool:
    """Whether any of these words is in quotation marks."""
    return any(word.kind == "quote" for word in room.sheet.words[start:end])


def after_yes(room: Room, clause: Clause) -> int:
    """Where a message continues after the yes that it begins with; 0 if it does not begin with a yes."""
    at, said_yes = _past_yes(room, clause)
    return at if said_yes else 0


def _yes_at(room: Room, at: int) -> int:
    """Where a yes that begins here ends. "I do" in "I do not want it" is not a yes: the longer phrase counts."""
    after = room.sheet.has(at, "yes", slips=TYPOS)
    against = room.sheet.has(at, *_DOUBTS)
    return after if after > against and _spelled(room, at, after) else 0


def _spelled(room: Room, start: int, end: int) -> bool:
    """Whether each word has the first letter of the word it is read as: "uncertain" is not a typo of "certain"."""
    lexicon, words = room.grammar.lexicon, room.sheet.words[start:end]
    return all(known[:1] == word.bare[:1] for word in words for known, cost in lexicon.readings(word) if cost >= 0.1)


def takes_back(room: Room, clause: Clause) -> bool:
    """ "yes?", "yes, wait", "maybe yes", "yes the other one": a yes with a doubt does not count."""
    at = clause.start
    while at < clause.end:
        if clause.sense is None and room.sheet.lows[at] == "?":
            return True
        past = _yes_at(room, at)  # "no doubt" is not a no
        if not past and room.sheet.has(at, *_DOUBTS):
            return True
        at = past or at + 1
    return False


def is_condition(room: Room, clause: Clause) -> bool:
    """ "yes, when I'm done": a clause that looks like a question but gives the condition for the yes."""
    at = opening(room.sheet.over(clause), linked=True)
    asked = any(room.sheet.lows[place] == "?" for place in range(clause.start, clause.end))
    return at < clause.end and not asked and bool(room.sheet.has(at, "wh"))


def puts_off(room: Room, clause: Clause) -> bool:
    """ "but first show me the list": a clause that requests something before the yes counts."""
    at = clause.start
    while at < clause.end:
        if room.sheet.has(at, "hold"):
            return True
        after = room.sheet.has(at, *_BESIDE, slips=TYPOS)
        if not after and not is_punctuation(room.sheet.words[at]):
            return False
        at = after or at + 1
    return False


def only_opens(room: Room, clause: Clause) -> bool:
    """ "ok", "right": in front of a command this may only be an opening word."""
    return covered(room, clause.start, clause.end, "filler", beside=("hesitation", "polite"))[0]


def is_linked(room: Room, clause: Clause) -> bool:
    """ "…, and then show me the list": a clause that continues the one before it."""
    at = clause.start
    while at < clause.end and is_punctuation(room.sheet.words[at]):
        at += 1
    return at < clause.end and bool(room.sheet.has(at, "link"))


def asks(room: Room, clause: Clause) -> bool:
    """Whether a clause asks a question and picks nothing: "when am I paid". "What about the third?" is a choice."""
    at = opening(room.sheet.over(clause))
    if at >= clause.end or room.sheet.has(at, "choose", slips=TYPOS):
        return False
    return bool(room.sheet.has(at, "mood:question"))


def asks_back(room: Room) -> bool:
    """Whether a message begins as only a question can: "who won", but not "do the beds"."""
    words = len(room.sheet.words)
    at = opening(Stretch(room.sheet, 0, words))
    asks = at < words and room.sheet.has(at, "mood:question")
    return bool(asks) and not room.sheet.has(at, "mood:request")


def repeats(room: Room, pending: Confirm, clause: Clause) -> bool:
    return clause.sense is not None and not refuses(room, clause) and echoes(room, pending, clause.sense)


def echoes(room: Room, pending: Confirm, sense: Sense) -> bool:
    """The same act on the same thing, or on "it"."""
    if room.grammar.pack.acts[sense.reading.act].tool != pending.tool:
        return False
    target = sense.reading.target
    known = {value for value in pending.arguments.values() if isinstance(value, str)}
    if target is None:
        return not _names_another(room, pending, sense)
    if not known.issuperset(sense.reading.parts):
        return False
    return target.problem == "missing" or target.pronoun or not known.isdisjoint(target.ids)


def _names_another(room: Room, pending: Confirm, sense: Sense) -> bool:
    """ "yes, and add wash the car", after the question whether to add something else."""
    pack, reading = room.grammar.pack, sense.reading
    param = pack.naming_param(pending.tool)
    slot = pack.tools[pending.tool].params[param].slot if param is not None else None
    said = reading.texts.get(slot or "")
    if said is None or pack.acts[reading.act].previous:
        return False
    return said.text.casefold() != str(pending.arguments.get(param or "")).casefold()


def refuses(room: Room, clause: Clause) -> bool:
    at = opening(room.sheet.over(clause))
    held = room.sheet.has(at, "hold") if at < clause.end else 0  # "wait no keep it"
    whole, there = covered(room, held or clause.start, clause.end, "no", "cancel")
    if whole and there:
        return True
    after = room.sheet.has(at, "cancel", slips=TYPOS) if at < clause.end else 0
    return bool(after) and clause.sense is None and covered(room, after, clause.end, "cancel", "no", "function")[0]


def begins_with_no(room: Room, clause: Clause) -> bool:
    """ "no, it's for Luca", "no, it's fine": a no at the beginning is enough, because it runs nothing. It does not
    count if the same message takes it back ("no wait, yes")."""
    at = opening(room.sheet.over(clause))
    if at >= clause.end or _yes_at(room, at) or not room.sheet.has(at, "no", "cancel"):
        return False
    return not any(_turns_to_yes(room, place) for place in range(at + 1, len(room.sheet.words)))


def _turns_to_yes(room: Room, at: int) -> bool:
    """ "wait, yes" after a no. "it's fine" as a whole is a yes, and after a no it only repeats the no."""
    after = room.sheet.has(at, "hold", "correction")
    while 0 < after < len(room.sheet.words) and is_punctuation(room.sheet.words[after]):
        after += 1
    return 0 < after < len(room.sheet.words) and not _yes_at(room, at) and bool(_yes_at(room, after))


def is_command(room: Room, sense: Sense) -> bool:
    """Whether the sense is a separate command or question, with a known object if it requires one."""
    act = room.grammar.pack.acts[sense.reading.act]
    if act.again or sense.reading.match.literal == 0:
        return False
    if sense.reading.target_param is not None and room.grammar.pack.reads(act.tool) and _is_told(sense):
        return False  # "the 11 kilowatt one" names a thing by what it measures
    target = sense.reading.target
    if target is not None and sense.reading.target_param is not None:
        return bool(target.ids) or target.problem in ("ambiguous", "bulk") or not act.must_link
    return True


def _is_told(sense: Sense) -> bool:
    return sense.mood.name == "open" and not sense.mood.asks


def forbids(room: Room, clause: Clause) -> bool:
    """ "don't say any more": the words after the negation name what the user does not want."""
    at = opening(room.sheet.over(clause))
    after = room.sheet.has(at, "no", "negation") if at < clause.end else 0
    return bool(after) and bool(room.sheet.has(after - 1, "negation"))


def denies(room: Room, clause: Clause) -> bool:
    """A clause without an act that begins with a negation."""
    at = opening(room.sheet.over(clause))
    soon = range(at, min(at + 2, clause.end))  # "not that one", "do not delete it"
    acts = clause.sense is not None and room.grammar.pack.acts[clause.sense.reading.act].tool is not None
    return not acts and any(room.sheet.has(place, "negation", slips=TYPOS) for place in soon)


def is_unfinished(room: Room) -> bool:
    """ "yes but", "yes!?": the message is incomplete, or asks. "ok then" is complete."""
    words = room.sheet.words
    last = max((at for at, word in enumerate(words) if word.kind != "mark"), default=0)
    ends = range(max(0, last - 2), last + 1)
    links = any(room.sheet.has(at, "link") == last + 1 for at in ends)
    stressed = any(room.sheet.has(at, "emphasis") == last + 1 for at in ends)
    return (links and not stressed) or "?" in room.sheet.lows
