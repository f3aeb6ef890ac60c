"""Guesses the tools, entities and slots of a pack from a server's tools, and lists the open decisions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from sayso.engine.grammar.pack import Risk
from sayso.packs.draft.catalogue import ListedTool
from sayso.packs.draft.naming import Named, split_joint, thing_of, understand
from sayso.packs.draft.places import Note, Place, kind_of, places_of
from sayso.packs.draft.risk import judge, seems_to_read
from sayso.packs.draft.words import Form, names, words_in


class Kind(NamedTuple):
    """The fields that name a user's thing of one kind."""

    name: str  # the field that names one
    also: tuple[str, ...]
    notes: tuple[Note, ...]


class Guess(NamedTuple):
    """A tool, and how people ask for it."""

    tool: ListedTool
    act: str
    risk: Risk
    reads: bool  # by its risk or by its name; a question may then ask for it
    purpose: str
    known: bool  # whether the purpose is one that every language has verbs for
    form: Form
    thing: str
    whole: str  # the thing with its context, from the tool's name: "invoice_status" if the thing is the status
    several: bool  # the tool handles several of them
    alone: bool  # no other tool has this purpose, so the user need not name the thing
    verb: str  # the verb in its name
    joint: str  # the preposition that this verb needs
    mute: bool  # it has no sentences, because the same words ask for another tool
    special: bool  # its verb is unique and more specific than its purpose: "read" for "get"
    places: tuple[Place, ...]
    notes: tuple[Note, ...]

    def role(self, role: str) -> Place | None:
        return next((place for place in self.places if place.role == role), None)


class Draft(NamedTuple):
    """A pack to be written."""

    kinds: dict[str, Kind]
    guesses: tuple[Guess, ...]


def guess(tools: Sequence[ListedTool], *, trusted: bool = False) -> Draft:
    """The draft for the tools of one server. `trusted`: the operator vouches for the server's annotations."""
    understood = understand([tool.name for tool in tools])
    kinds, listers = _kinds(tools, understood), _listers(understood)
    acts = _acts(tools)
    guesses = _told_apart([_guess(tool, understood[tool.name], kinds, trusted=trusted) for tool in tools])
    done = [(one.purpose, one.form) for one in guesses]
    verbs = [one.verb for one in guesses]
    unique = [
        one._replace(
            act=acts[one.tool.name],
            alone=done.count((one.purpose, one.form)) == 1,
            special=verbs.count(one.verb) == 1 and (one.form == "act" or one.verb not in ("", one.purpose)),
        )
        for one in guesses
    ]
    return Draft(kinds, tuple(_settled(_twins([_with_listers(one, listers) for one in unique]), kinds)))


def _guess(tool: ListedTool, named: Named, kinds: Mapping[str, Kind], *, trusted: bool) -> Guess:
    judged, reads = judge(tool, named, trusted=trusted), seems_to_read(tool, named)
    places = places_of(tool.params, named, kinds)
    notes = [Note(judged.note)] if judged.note else []
    form = _form(named, places)
    if not named.known:
        named, form = _unknown(named.purpose, tool, places)
        about_verb = Note("verb_own", {"verb": named.verb}) if named.verb else Note("verb_none", {"name": tool.name})
        notes.append(about_verb)
    places, thing = _about(places, named.thing)
    if not thing and form != "search":
        notes.append(Note("thing", {"name": tool.name}))
    return Guess(
        tool=tool,
        act="",
        risk=judged.risk,
        reads=judged.risk == "read" or reads,
        purpose=named.purpose,
        known=named.known,
        form=form,
        thing=thing,
        whole=named.thing or thing,
        several=named.many,
        alone=False,
        verb=named.verb,
        joint=named.joint,
        mute=False,
        special=False,
        places=places,
        notes=tuple(notes),
    )


def _acts(tools: Iterable[ListedTool]) -> dict[str, str]:
    """A name for each tool's act: the words of the tool's name, with a number if that name is taken."""
    found: dict[str, str] = {}
    for tool in tools:
        name = act = "_".join(words_in(tool.name)) or "act"
        number = 1
        while act in found.values():
            number += 1
            act = f"{name}_{number}"
        found[tool.name] = act
    return found


def _told_apart(guesses: Sequence[Guess]) -> list[Guess]:
    """If tools do the same with the same thing under different verbs, each tool keeps only its own verb."""
    found: list[Guess] = []
    for one in guesses:
        alike = [other.verb for other in guesses if _asked_alike(one, other)]
        clash = one.form in ("act", "change", "make") and any(verb != one.verb for verb in alike)
        found.append(one._replace(purpose=one.verb, known=False) if clash and one.verb != one.purpose else one)
    return found


def _twins(guesses: Sequence[Guess]) -> Iterator[Guess]:
    """If the same words would ask for two tools, they ask only for the first one. The second is mute."""
    for number, one in enumerate(guesses):
        twin = next((other for other in guesses[:number] if _words_of(one) == _words_of(other)), None)
        note = () if twin is None else (Note("twin", {"tool": twin.tool.name}),)
        yield one._replace(mute=twin is not None, notes=(*one.notes, *note))


def _words_of(guess: Guess) -> tuple[str, ...]:
    own = guess.verb if guess.form in ("act", "change", "make") else ""
    return (guess.purpose, guess.form, guess.thing, own, guess.joint)


def _asked_alike(one: Guess, other: Guess) -> bool:
    return (one.purpose, one.form, one.thing) == (other.purpose, other.form, other.thing)


def _form(named: Named, places: Iterable[Place]) -> Form:
    if not named.known:
        return "act"
    form = names().purposes[named.purpose].form
    linked = any(place.type == "entity" for place in places)
    if form == "get" and not linked:
        return "list" if named.many else "tell"
    if form == "make" and any(place.role == "target" for place in places):
        return "act"  # the thing exists already, such as a flight that is booked
    return "act" if form == "change" and not linked else form


def _unknown(name: str, tool: ListedTool, places: Iterable[Place]) -> tuple[Named, Form]:
    """A name without a known verb: if the tool reads, the name is the thing; otherwise its first word is the verb."""
    first, *rest = name.split() or [""]
    if tool.reads or not rest:
        linked = any(place.type == "entity" for place in places)
        return Named("get", False, thing_of([first, *rest]), False), "get" if linked else "tell"
    joint, about = split_joint(rest)
    return Named(first, False, thing_of(about), thing_of(about) != "_".join(about), first, joint), "act"


def _about(places: tuple[Place, ...], thing: str) -> tuple[tuple[Place, ...], str]:
    """In `get_invoice_status` the thing is the status of an invoice. If the name has no thing, the target is the
    thing."""
    linked = next((place for place in places if place.type == "entity"), None)
    if linked is None:
        return places, thing
    rest = thing.removeprefix(f"{linked.of}_") if thing != linked.of else ""
    if rest and not rest.endswith(f"_{linked.of}"):  # a leave request is a request
        return places, rest
    return tuple(place._replace(role="target") if place is linked else place for place in places), rest or linked.of


def _kinds(tools: Sequence[ListedTool], understood: Mapping[str, Named]) -> dict[str, Kind]:
    """The kinds of things whose ids the tools require."""
    found: dict[str, Kind] = {}
    for tool in tools:
        for param in tool.params:
            kind = kind_of(param, understood[tool.name], ()) if param.required else ""
            if kind and kind not in found:
                found[kind] = _kind(kind, tools, understood)
    return found


def _kind(kind: str, tools: Sequence[ListedTool], understood: Mapping[str, Named]) -> Kind:
    about = [tool for tool in tools if understood[tool.name].thing == kind]
    lists = [tool.name for tool in about if _lists(understood[tool.name])]
    given = [field for tool in about for field in tool.gives]
    made = [param.name for tool in about for param in tool.params if "string" in param.types]
    naming = names().params.naming
    fields = [name for name in naming if name in given] or [name for name in naming if name in made]
    note = Note("naming", {"tool": lists[0]}) if lists else Note("naming_nowhere")
    sure = bool(lists) and bool(fields) and fields[0] in given
    return Kind(fields[0] if fields else "name", tuple(fields[1:3]), () if sure else (note,))


def _listers(understood: Mapping[str, Named]) -> dict[str, str]:
    """For each thing, the tool that lists it."""
    found: dict[str, str] = {}
    for tool, named in understood.items():
        if named.thing and _lists(named):
            found.setdefault(named.thing, tool)
    return found


def _with_listers(guess: Guess, listers: Mapping[str, str]) -> Guess:
    """Add a note to a text parameter that has the name of a thing which another tool lists: it may expect one of
    these."""
    places: list[Place] = []
    for place in guess.places:
        lister = listers.get(thing_of(place.words)) if place.type == "text" else None
        note = (Note("instead", {"tool": lister}),) if lister is not None and lister != guess.tool.name else ()
        places.append(place._replace(notes=(*place.notes, *note)))
    return guess._replace(places=tuple(places))


def _lists(named: Named) -> bool:
    form = names().purposes[named.purpose].form if named.known else ""
    return form in ("list", "search") or (form == "get" and named.many)


def _settled(guesses: Iterable[Guess], kinds: Mapping[str, Kind]) -> Iterable[Guess]:
    """Give each slot one type. If two parameters have the same name and different types, the later slot gets another
    name."""
    taken: dict[str, str] = dict.fromkeys(kinds, "entity")
    for one in guesses:
        places: list[Place] = []
        for place in one.places:
            slot = place.slot
            if slot and taken.setdefault(slot, place.type) != place.type:
                slot = f"{slot}_{place.type}"
                taken[slot] = place.type
            places.append(place._replace(slot=slot))
        yield one._replace(places=tuple(places))
