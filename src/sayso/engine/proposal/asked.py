"""Decides whether a message asks for a call of a tool that has no acts.

A clause must ask for something; its verb must be one for the tool's purpose, or at least none for another tool's; and
something that the tool is about, or a value of the call, must have been said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from sayso.engine.grammar.catalogue import LIGHT, VERB, Catalogue, Profile
from sayso.engine.proposal.requests import Clause, asked

Level = Literal["denied", "none", "weak", "plain", "strong"]

_EMPTY = frozenset({LIGHT.removeprefix(VERB)})
_OPENS, _HAS, _EMPTY_VERB, _OTHER = 3, 2, 1, 0  # see Fit
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
    named = [
        purpose
        for name, value in arguments.items()
        if isinstance(value, str)
        for purpose in _operation(catalogue, profile.roles.get(name, ""), value)
    ]
    own = tuple(dict.fromkeys((*named, *profile.purposes))) if named else profile.purposes
    if not own and not reads:
        return Call(tool, profile, own, frozenset(), True)
    looks = (not named and bool(own) and own[0] in catalogue.looks) or (bool(named) and {*named} <= catalogue.looks)
    return Call(tool, profile, own, frozenset(named), reads or looks)


def _operation(catalogue: Catalogue, role: str, value: str) -> Iterable[str]:
    """The purposes that the value of an argument names: "turn_off", "DELETE FROM …"."""
    words = value.casefold().replace("-", "_").split()
    if not words:
        return ()
    if role == "operation":
        parts = (words[0], *words[0].split("_"))
        return [purpose for part in parts for purpose in catalogue.named.get(part, ())]
    return catalogue.statements.get(words[0], ()) if role == "content" and len(words) > 2 else ()


def level(catalogue: Catalogue, call: Call, found: Sequence[Clause], *, said: bool) -> Level:
    """How surely the clauses ask for a call; `said`: a value of it that picks out something was said."""
    ours = asked(found, reads=call.reads)
    fits = [(clause, fit(call.profile, call.purposes, clause, catalogue, steps=True)) for clause in ours]
    if _is_denied(call, found, fits):
        return "denied"
    if not fits:
        return "none"
    best = max((one for _, one in fits), key=lambda one: (one.verb, one.thing))
    clause = next(clause for clause, one in fits if one == best)
    everywhere = any(one.thing or call.profile.told & clause.stems for clause, one in fits)
    if _is_beaten(catalogue, call, clause, best, said=said) or not _is_operation(call, fits):
        return "weak"
    if best.verb >= 2 and (everywhere or said):
        return "strong"
    if best.verb >= 2 or (best.verb == 1 and (everywhere or said)):
        return "plain"
    return "plain" if said and best.verb else "weak"


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
    own = frozenset(purposes)
    base = [verb for verb in clause.verbs if verb.form == "base"]
    heads = frozenset(one for verb in base if verb.head for one in verb.purposes)
    done = [verb for verb in clause.verbs if verb.form == "past"] if heads & _EMPTY else []  # "get it done"
    others = frozenset(one for verb in (*base, *done) if not verb.value for one in verb.purposes)
    if steps:
        heads, others = heads | _implied(catalogue, heads), others | _implied(catalogue, others)
    if own & heads and not all(verb.value for verb in base if verb.head):
        verb = 3
    elif heads - _EMPTY and not heads & _EMPTY:
        verb = 0
    elif own & others or profile.words & clause.stems & catalogue.named.keys():
        verb = 2
    else:
        verb = 0 if heads - _EMPTY else 1
    thing = 2 if profile.things & clause.things else 1 if profile.related & clause.things else 0
    return Fit(verb, thing)


def _implied(catalogue: Catalogue, purposes: Iterable[str]) -> frozenset[str]:
    return frozenset(more for one in purposes for more in catalogue.implies.get(one, ()))


def _is_operation(call: Call, fits: Sequence[tuple[Clause, Fit]]) -> bool:
    """Whether the operation that the arguments name is one that a verb asks for."""
    verbs = frozenset(one for clause, _ in fits for verb in clause.verbs for one in verb.purposes)
    return call.reads or not call.operation or bool(call.operation & verbs)


def _is_denied(call: Call, found: Sequence[Clause], fits: Sequence[tuple[Clause, Fit]]) -> bool:
    """Whether a clause says that it is not to be done, and none that it is."""
    first = frozenset(call.purposes[:1])
    for clause in found:
        if clause.mood != "denied":
            continue
        if any(first & verb.purposes for verb in clause.verbs):
            return not any(one.verb == 3 and _opens_with(clause, first) for clause, one in fits)
    return False


def _opens_with(clause: Clause, purposes: frozenset[str]) -> bool:
    return any(verb.head and verb.form == "base" and verb.purposes & purposes for verb in clause.verbs)


def _is_beaten(catalogue: Catalogue, call: Call, clause: Clause, own: Fit, *, said: bool) -> bool:
    """Whether a clause fits another tool of the same server better, by the verb and by the thing."""
    if (own.verb == 3 and own.thing == 2) or len(catalogue.tools) > _MOST:
        return False
    for name, profile in catalogue.tools.items():
        if name != call.tool:
            other = fit(profile, profile.purposes, clause, catalogue)
            if other.verb > max(own.verb, 1) and other.thing >= own.thing:
                return True
            if other.verb == own.verb >= 2 and other.thing == 2 > own.thing and not (said and own.verb == _OPENS):
                return True
    return False
