"""Decides about a call of a tool that has no acts: by its name, its description, its schema, and what was said.

The words must ask for the call: they name what the tool does, and what it does it with.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, Literal, NamedTuple

from sayso.decision import Decision, Option
from sayso.engine.decide.check import settle
from sayso.engine.decide.room import Plan, Room
from sayso.engine.grammar.catalogue import LIGHT, OTHERS, VERB, Catalogue, Profile, Vocabulary
from sayso.engine.grammar.pack import Tool
from sayso.engine.proposal.requests import Clause, Verb, asked, clauses, places_of
from sayso.engine.proposal.sanitise import Offer
from sayso.engine.proposal.support import Supported

_SURE = 0.75  # the words ask for the tool and contain the values
_UNSURE = 0.6  # the values were said, but nothing asks for the tool
_NOTHING = 0.6
_PICKING = ("target", "recipient", "record")
_WITHHELD = ("denied", "put off")


def decide_bare(room: Room, offer: Offer, held: Mapping[str, Supported]) -> Decision:
    """A call that was asked for, a question for a value that is missing, or a question whether it is meant at all."""
    catalogue, vocabulary = room.grammar.catalogue, room.grammar.vocabulary
    tool = room.grammar.pack.tools[offer.tool]
    arguments = {name: one.value for name, one in held.items()}
    evidence = {name: one.evidence for name, one in held.items()}
    if catalogue is None or vocabulary is None:  # a tool of a pack that has no sentences for it
        return settle(room, Plan(offer.tool, arguments, evidence, _UNSURE, True, None))
    absent = _absent(tool, offer)
    if absent:
        return room.voice.missing(offer.tool, arguments, absent, _SURE)
    matter = _look_into(room, catalogue, vocabulary, offer, held)
    if _may_run(room, matter):
        return settle(room, Plan(offer.tool, arguments, evidence, _SURE, False, None))
    if not matter.said and matter.how in ("none", "denied", "weak"):
        return room.voice.nothing("out_of_scope", _NOTHING)
    option = Option(label=offer.tool, tool=offer.tool, arguments=arguments, confidence=_UNSURE)
    return room.voice.unsure(option, _UNSURE)


def _absent(tool: Tool, offer: Offer) -> list[str]:
    return [name for name, param in tool.params.items() if param.required and name not in offer.arguments]


class _Matter(NamedTuple):
    """A call with all that was found out about it."""

    catalogue: Catalogue
    offer: Offer
    held: Mapping[str, Supported]
    call: Call
    found: list[Clause]
    how: Level
    said: bool


def _look_into(
    room: Room, catalogue: Catalogue, vocabulary: Vocabulary, offer: Offer, held: Mapping[str, Supported]
) -> _Matter:
    """How surely the message asks for the call, and whether it has values of it."""
    reads = room.grammar.pack.tools[offer.tool].risk_of(offer.arguments) == "read"
    call = call_of(catalogue, offer.tool, offer.arguments, reads=reads)
    values = places_of(room.sheet, _texts(offer.arguments))
    found = clauses(room.sheet, catalogue, vocabulary, values)
    said = any(isinstance(one.evidence.span, tuple) for one in held.values())
    how = level(catalogue, call, found, said=said) if _is_more(room, values) else "none"
    return _Matter(catalogue, offer, held, call, found, how, said)


def _may_run(room: Room, matter: _Matter) -> bool:
    """Whether the call may run, or be confirmed if it is destructive."""
    risk = room.grammar.pack.tools[matter.offer.tool].risk_of(matter.offer.arguments)
    if risk == "destructive" and not room.thresholds.exact:
        return matter.how != "denied" and _is_mentioned(room, matter.call)  # it is confirmed anyway
    return _may_look(matter) if risk == "read" else _may_change(room, matter)


def _is_mentioned(room: Room, call: Call) -> bool:
    """Whether a word of the tool's name, description or parameters was said."""
    return not (call.profile.told - room.grammar.little).isdisjoint(room.sheet.stems)


def _is_more(room: Room, values: frozenset[int]) -> bool:
    """Whether the message says more than a text of the call: all that was said asks for nothing."""
    words, stems = room.sheet.words, room.sheet.stems
    rest = (at for at in range(len(words)) if at not in values and words[at].kind != "mark")
    return not values or any(stems[at] not in room.grammar.little for at in rest)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)


def _may_look(one: _Matter) -> bool:
    """Whether a look may run: if it has to do with the words, and is not against them."""
    if one.offer.contrary or one.how == "denied":
        return False
    picks = _picks(one.catalogue, one.offer)
    return one.said or one.how in ("plain", "strong") or is_related(one.catalogue, one.call, one.found, picks=picks)


def _may_change(room: Room, one: _Matter) -> bool:
    """Whether the words ask for a change; more is needed where they cannot tell what it is done to."""
    if _is_withheld(room, one):
        return False
    return one.how == "strong" or (one.how == "plain" and not _has_unknown(one.catalogue, one.offer, one.held))


def _is_withheld(room: Room, one: _Matter) -> bool:
    """Whether a value was said only where something is denied or put off: "merge 88, 89 has to wait"."""
    roles = one.catalogue.tools[one.offer.tool].roles
    picking = {name: value for name, value in one.offer.arguments.items() if roles.get(name, "target") in _PICKING}
    lows = [word.low for word in room.sheet.words]
    apart = {at for clause in one.found if clause.mood in _WITHHELD for at in range(clause.start, clause.end)}
    values = set(_plain(picking))
    left = [low for at, low in enumerate(lows) if at not in apart and low not in values]
    for value in values:
        places = {at for at, low in enumerate(lows) if low == value}
        if places and places <= apart and any(_is_alike(value, low) for low in left):
            return True
    return False


def _is_alike(one: str, other: str) -> bool:
    """Whether two words may stand for things of the same kind: both are numbers, or ids."""
    return one.isdecimal() == other.isdecimal() and any(map(str.isdecimal, one)) and any(map(str.isdecimal, other))


def _plain(value: Any) -> Iterator[str]:
    """The plain values of a call, as people write them."""
    if isinstance(value, dict | list | tuple):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _plain(inner)
    elif value is not None and not isinstance(value, bool):
        yield str(value).casefold()


def _picks(catalogue: Catalogue, offer: Offer) -> bool:
    """Whether a value of the call picks out something."""
    roles = catalogue.tools[offer.tool].roles
    return any(roles.get(name, "target") in ("target", "recipient") for name in offer.arguments)


def _has_unknown(catalogue: Catalogue, offer: Offer, held: Mapping[str, Supported]) -> bool:
    """Whether a value picks out something in a way that nobody can compare with the words."""
    roles = catalogue.tools[offer.tool].roles
    free = [name for name, one in held.items() if not isinstance(one.evidence.span, tuple)]
    return any(
        roles.get(name, "target") in ("target", "recipient") and held[name].value not in (None, "") for name in free
    )


Level = Literal["denied", "none", "weak", "plain", "strong"]

_EMPTY = frozenset({LIGHT.removeprefix(VERB)})
_ELSE = OTHERS.removeprefix(VERB)
_OPENS, _HAS, _EMPTY_VERB, _OTHER = 3, 2, 1, 0  # see Fit
_STATES = frozenset({"set", "turn_on"})  # operations for which a state is asked: "18 degrees, please"
_ANY = frozenset({"update"})  # an operation that any change is
_MOST = 100  # tools that are compared with the proposed one


class Fit(NamedTuple):
    """How well a clause fits a tool: by its verb, and by the things it mentions."""

    verb: int  # 3: it opens with a verb of the tool, 2: it has one, 1: its verb says nothing, 0: it has another
    thing: int  # 2: of the tool's name, 1: of its description, 0: none


class Call(NamedTuple):
    """A call, as far as it matters whether it was asked for."""

    tool: str
    profile: Profile
    purposes: tuple[str, ...]
    operation: frozenset[str]  # the purposes that its arguments name
    reads: bool


def call_of(catalogue: Catalogue, tool: str, arguments: Mapping[str, Any], *, reads: bool) -> Call:
    """A call with its purposes: those of the operation that its arguments name, else those of the tool's name."""
    profile = catalogue.tools[tool]
    named = _operations(catalogue, profile, arguments)
    own = tuple(dict.fromkeys((*named, *profile.purposes))) if named else profile.purposes
    if not own and not reads:
        return Call(tool, profile, own, frozenset(), True)
    deciding = named or own[:1]
    looks = bool(deciding) and {*deciding} <= catalogue.looks
    return Call(tool, profile, own, frozenset(named), reads or looks)


def _operations(catalogue: Catalogue, profile: Profile, arguments: Mapping[str, Any]) -> list[str]:
    texts = ((profile.roles.get(name, ""), value) for name, value in arguments.items() if isinstance(value, str))
    return [purpose for role, value in texts for purpose in _operation(catalogue, role, value)]


def _operation(catalogue: Catalogue, role: str, value: str) -> Iterable[str]:
    """The purposes that the value of an argument names: "turn_off", "DELETE FROM …"."""
    words = value.casefold().replace("-", "_").split()
    if not words:
        return ()
    if role == "operation":
        parts = (words[0], *words[0].split("_"))
        return next((catalogue.named[part] for part in parts if part in catalogue.named), ())
    return catalogue.statements.get(words[0], ()) if role == "content" and len(words) > 2 else ()


def level(catalogue: Catalogue, call: Call, found: Sequence[Clause], *, said: bool) -> Level:
    """How surely the clauses ask for a call; `said`: a value of it that picks out something was said."""
    ours = asked(found, reads=call.reads)
    fits = [(clause, fit(call.profile, call.purposes, clause, catalogue, steps=True)) for clause in ours]
    if _is_denied(call, found, fits):
        return "denied"
    if not fits:
        return "none"
    clause, best = max(fits, key=itemgetter(1))
    if _is_beaten(catalogue, call, clause, best, said=said) or not _is_operation(call, fits):
        return "weak"
    if best.verb == _EMPTY_VERB and not call.reads and any(_is_definite(one) for one, fit in fits if not fit.verb):
        return "weak"
    return _surely(best, about=said or any(one.thing or call.profile.told & clause.stems for clause, one in fits))


def _surely(best: Fit, *, about: bool) -> Level:
    """How surely a clause asks, by its verb; `about`: what the tool is about, or a value of the call, was said."""
    if best.verb >= _HAS:
        return "strong" if about else "plain"
    return "plain" if best.verb and about else "weak"


def is_related(catalogue: Catalogue, call: Call, found: Sequence[Clause], *, picks: bool) -> bool:
    """Whether a look has to do with the message at all: it asks something, mentions what the look is about, or asks for
    another tool of the same server; `picks`: the call picks out something by a value."""
    if not picks or any(clause.mood == "question" for clause in found):
        return True
    things = call.profile.things | call.profile.related
    if any(things & clause.things or call.profile.told & clause.stems for clause in found):
        return True
    return len(catalogue.tools) <= _MOST and any(
        fit(profile, profile.purposes, clause, catalogue).verb == _OPENS
        for clause in asked(found, reads=False)
        for profile in catalogue.tools.values()
    )


def fit(profile: Profile, purposes: Sequence[str], clause: Clause, catalogue: Catalogue, *, steps: bool = False) -> Fit:
    """How well a clause fits a tool with these purposes; with `steps` also as a step of what it asks for."""
    wanted = _wanted(clause)
    if steps:
        heads, every = (some | _implied(catalogue, some) for some in (wanted.heads, wanted.every))
        wanted = wanted._replace(heads=heads, every=every)
    named = bool(profile.words & clause.stems & catalogue.named.keys())
    thing = 2 if profile.things & clause.things else 1 if profile.related & clause.things else 0
    return Fit(_verb_fit(wanted, frozenset(purposes), named=named), thing)


class _Wanted(NamedTuple):
    """The purposes of the verbs of a clause."""

    heads: frozenset[str]  # of those that open it
    every: frozenset[str]  # of all that are not part of a value
    plain: bool  # one that opens it is not part of a value


def _wanted(clause: Clause) -> _Wanted:
    base = _in_form(clause, "base")
    opening = [verb for verb in base if verb.head]
    heads = _purposes(opening)
    done = _in_form(clause, "past") if heads & _EMPTY else []  # "get it done"
    every = _purposes(verb for verb in (*base, *done) if not verb.value)
    return _Wanted(heads, every, not all(verb.value for verb in opening))


def _in_form(clause: Clause, form: str) -> list[Verb]:
    return [verb for verb in clause.verbs if verb.form == form]


def _purposes(verbs: Iterable[Verb]) -> frozenset[str]:
    return frozenset(one for verb in verbs for one in verb.purposes)


def _verb_fit(wanted: _Wanted, own: frozenset[str], *, named: bool) -> int:
    """How well the verbs of a clause fit a tool with these purposes; `named`: the clause has a verb of its name."""
    if wanted.plain and own & wanted.heads:
        return _OPENS
    other = wanted.heads - _EMPTY
    if other and (not wanted.heads & _EMPTY or _ELSE in wanted.heads):
        return _OTHER
    if named or own & wanted.every:
        return _HAS
    return _OTHER if other else _EMPTY_VERB


def _is_definite(clause: Clause) -> bool:
    """Whether a clause opens with a verb that names the request."""
    heads = _wanted(clause).heads
    return bool(heads - _EMPTY) and not heads & _EMPTY


def _implied(catalogue: Catalogue, purposes: Iterable[str]) -> frozenset[str]:
    return frozenset(more for one in purposes for more in catalogue.implies.get(one, ()))


def _is_operation(call: Call, fits: Sequence[tuple[Clause, Fit]]) -> bool:
    """Whether the operation that the arguments name is one that a verb asks for."""
    verbs = frozenset(one for clause, _ in fits for verb in clause.verbs for one in verb.purposes)
    if call.reads or not call.operation or call.operation & verbs:
        return True
    if call.operation <= _ANY and verbs.intersection(call.profile.purposes):
        return True
    return not verbs and any(clause.polite for clause, _ in fits) and bool(call.operation & _STATES)


def _is_denied(call: Call, found: Sequence[Clause], fits: Sequence[tuple[Clause, Fit]]) -> bool:
    """Whether a clause says that it is not to be done, and none after it that it is."""
    first = frozenset(call.purposes[:1])
    denials = [one for one in found if one.mood == "denied" and any(first & verb.purposes for verb in one.verbs)]
    if not denials:
        return False
    asks = [clause for clause, one in fits if one.verb == _OPENS and _opens_with(clause, first)]
    return not asks or denials[-1].start > asks[-1].start


def _opens_with(clause: Clause, purposes: frozenset[str]) -> bool:
    return any(verb.head and verb.form == "base" and verb.purposes & purposes for verb in clause.verbs)


def _is_beaten(catalogue: Catalogue, call: Call, clause: Clause, own: Fit, *, said: bool) -> bool:
    """Whether a clause fits another tool of the same server better, by the verb and by the thing."""
    if (own.verb == 3 and own.thing == 2) or len(catalogue.tools) > _MOST:
        return False
    others = (profile for name, profile in catalogue.tools.items() if name != call.tool)
    return any(_is_better(fit(one, one.purposes, clause, catalogue), own, said=said) for one in others)


def _is_better(other: Fit, own: Fit, *, said: bool) -> bool:
    """Whether another tool fits better; by the thing alone only if no value was said, or our verb does not open it."""
    if other.verb > max(own.verb, _EMPTY_VERB) and other.thing >= own.thing:
        return True
    return other.verb == own.verb >= _HAS and other.thing == 2 > own.thing and not (said and own.verb == _OPENS)
