"""Builds the phrasebook of a drafted pack in one language: words, sentences and answers."""

from __future__ import annotations

from collections.abc import Iterable
from string import Template
from typing import Any, NamedTuple

from sayso.packs.draft.guess import Draft, Guess
from sayso.packs.draft.places import Note, Place
from sayso.packs.draft.sentences import (
    FLAG,
    before,
    before_class,
    by_name_alone,
    called,
    fragments,
    noun_class,
    nouns_class,
    sentences,
    shared_leads,
    verb_class,
)
from sayso.packs.draft.words import Talk, names, plural, words_in

NAMED = "_named"  # suffix of the act in which the word for the thing's kind is left out
UNSERVED = "unserved"  # the verbs that no tool has
FRAGMENT = "_fragment"  # suffix of the act whose sentences have no verb


class Noted(NamedTuple):
    """A value of a file, with the open decisions about it."""

    value: Any
    notes: tuple[Note, ...] = ()


class Book(NamedTuple):
    """A language file to be written."""

    language: str
    nouns: tuple[str, ...]
    verbs: dict[str, Noted]
    classes: dict[str, Noted]
    values: dict[str, Noted]
    leads: dict[str, Noted]
    acts: dict[str, Noted]
    say: dict[str, Any]


def book_for(draft: Draft, talk: Talk) -> Book:
    acts = _acts(draft.guesses, talk)
    return Book(
        language=talk.language,
        nouns=tuple(name(kind) for kind in draft.kinds for name in (noun_class, nouns_class)),
        verbs=_verbs(draft, talk),
        classes=_classes(draft, talk, acts),
        values=_values(draft.guesses, talk),
        leads=_leads(draft.guesses, talk),
        acts=acts,
        say=_say(draft, talk),
    )


def _verbs(draft: Draft, talk: Talk) -> dict[str, Noted]:
    """The verbs of every purpose, and those of similar purposes that no tool has.

    The verb in the name of a tool that writes belongs to that tool's purpose; no other purpose uses it."""
    done = {guess.purpose for guess in draft.guesses}
    found: dict[str, Noted] = {}
    for guess in draft.guesses:
        alike = [purpose for purpose in names().borrows.get(guess.purpose, ()) if purpose not in done]
        known = [verb for purpose in (guess.purpose, *alike) for verb in talk.verbs.get(purpose, ())]
        if talk.own_names:
            own = [_spaced(one.verb) for one in draft.guesses if one.purpose == guess.purpose and one.verb]
            others = {_spaced(one.verb) for one in draft.guesses if one.purpose != guess.purpose and not one.reads}
            things = {one.thing for one in draft.guesses if one.purpose == guess.purpose}  # to book a book
            known = [verb for verb in (*known, *own) if verb not in others | things] or [_spaced(guess.purpose)]
        notes = () if known else (Note("verb", {"word": guess.purpose, "tool": guess.tool.name}),)
        found[verb_class(guess.purpose)] = Noted(tuple(dict.fromkeys(known)), notes)
    return {**found, UNSERVED: Noted(_unserved(found, {guess.thing for guess in draft.guesses}, talk))}


def _unserved(verbs: dict[str, Noted], things: set[str], talk: Talk) -> tuple[str, ...]:
    """The verbs that no tool has. The grammar skips an unknown word, since it may be the name of the assistant. With
    this list, "return book 7" does not book it."""
    known = {phrase for noted in verbs.values() for phrase in noted.value} | things
    all_of_them = dict.fromkeys([*(verb for phrases in talk.verbs.values() for verb in phrases), *talk.unserved])
    return tuple(verb for verb in all_of_them if verb not in known)


def _spaced(name: str) -> str:
    return name.replace("_", " ")


def _classes(draft: Draft, talk: Talk, acts: dict[str, Noted]) -> dict[str, Noted]:
    """The words for things, and the function words that occur in the sentences."""
    found: dict[str, Noted] = {}
    for thing in dict.fromkeys([*(guess.thing for guess in draft.guesses), *draft.kinds]):
        found |= _nouns(thing, draft, talk) if thing else {}
    little: dict[str, tuple[str, ...]] = {"called": talk.called, "named": talk.named, "onto": talk.onto}
    for guess in draft.guesses:
        for place in guess.places:
            name = before_class(place)
            little[name] = tuple(dict.fromkeys((*little.get(name, ()), *before(place, guess, talk))))
    needed = {place.slot for guess in draft.guesses for place in guess.places if place.param.required}
    for place, lead in (pair for guess in draft.guesses for pair in shared_leads(guess, talk)):
        if place.slot in needed:
            continue
        name = before_class(place)
        little[name] = tuple(phrase for phrase in little[name] if phrase != lead) or little[name]
    said = " ".join(sentence for noted in acts.values() for sentence in noted.value)
    return found | {name: Noted(phrases) for name, phrases in little.items() if f"<{name}>" in said}


def _nouns(thing: str, draft: Draft, talk: Talk) -> dict[str, Noted]:
    """The words for one thing and for several. If a listed name has no plural, the singular is used for both."""
    one, many = _words_for(thing, talk)
    note = () if one or talk.own_names else (Note("word", {"word": thing.replace("_", " ")}),)
    if not one or talk.own_names:
        kinds = [kind for kind in draft.kinds if thing.endswith(f"_{kind}")]
        wholes = [guess.whole for guess in draft.guesses if guess.thing == thing]
        words = tuple(dict.fromkeys(_spaced(name) for name in (thing, *wholes, *kinds)))
        one = (*words, *_turned(thing, talk), *one)
        many = (*(plural(word, talk) for word in words), *_turned(plural(thing, talk), talk), *many)
    listed = [guess for guess in draft.guesses if guess.thing == thing and guess.form in ("list", "search")]
    if any(not guess.several for guess in listed):
        many = (*many, *one)
    return {noun_class(thing): Noted(one, note), nouns_class(thing): Noted(tuple(dict.fromkeys(many)))}


def _turned(thing: str, talk: Talk) -> tuple[str, ...]:
    """Two words the other way round: the status of the flight."""
    first, _, second = thing.partition("_")
    return (_filled(talk.turned, first=first, second=second),) if talk.turned and second and "_" not in second else ()


def _words_for(thing: str, talk: Talk) -> tuple[tuple[str, ...], tuple[str, ...]]:
    one = talk.nouns.get(thing, ())
    return one, talk.several.get(thing) or tuple(plural(word, talk) for word in one)


def _values(guesses: Iterable[Guess], talk: Talk) -> dict[str, Noted]:
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    unknown: set[str] = set()
    for place in (place for guess in guesses for place in guess.places if place.type == "value"):
        for value in place.values:
            phrases = _phrases(place, value, talk)
            if not phrases:
                unknown.add(place.slot)
            found.setdefault(place.slot, {})[value] = phrases or (_plainly(place, value),)
    return {
        slot: Noted(values, (Note("value"),) if slot in unknown else ()) for slot, values in found.items() if values
    }


def _plainly(place: Place, value: str) -> str:
    return " ".join(place.words if place.values == FLAG else words_in(value))


def _phrases(place: Place, value: str, talk: Talk) -> tuple[str, ...]:
    """The phrases for a value; for a flag, the phrases for its name."""
    if place.values == FLAG:
        known = talk.values.get("_".join(place.words), ())
    else:
        known = talk.values.get(value, talk.values.get("_".join(words_in(value)), ()))
    return tuple(dict.fromkeys((_plainly(place, value), *known))) if talk.own_names else known


def _leads(guesses: Iterable[Guess], talk: Talk) -> dict[str, Noted]:
    """The words that introduce a date, if a tool takes two dates."""
    slots = {place.slot for guess in guesses for place in guess.places if place.type == "date"}
    return {slot: Noted(phrases) for slot, phrases in talk.dates.items() if slot in slots and "until" in slots}


def _acts(guesses: Iterable[Guess], talk: Talk) -> dict[str, Noted]:
    found: dict[str, Noted] = {}
    for guess in guesses:
        found[guess.act] = Noted(sentences(guess, talk))
        found[f"{guess.act}{NAMED}"] = Noted(by_name_alone(guess, talk))
        found[f"{guess.act}{FRAGMENT}"] = Noted(fragments(guess, talk))
    return {act: noted for act, noted in found.items() if noted.value}


def _say(draft: Draft, talk: Talk) -> dict[str, Any]:
    say = talk.say
    purposes = [_doing(guess, talk) for guess in draft.guesses]
    return {
        "confirm": {guess.tool.name: _confirm(guess, talk) for guess in draft.guesses if guess.risk != "read"}
        | {"*": say["confirm_any"]},
        "ask": {
            f"{guess.tool.name}.{place.param.name}": _ask(place, talk)
            for guess in draft.guesses
            for place in guess.places
            if place.type and place.param.required
        }
        | {"*": say["ask_any"]},
        **{key: say[key] for key in ("which", "not_found", "near", "low_confidence")},
        "invalid": {"*": say["invalid"]},
        "more": say["more"],
        "reply": {key: _filled(text, purposes=", ".join(purposes)) for key, text in talk.reply.items()},
    }


def _doing(guess: Guess, talk: Talk) -> str:
    """The purpose of a tool in two words: "create invoice"."""
    many = guess.several or guess.form in ("list", "search")
    one, several = _words_for(guess.thing, talk)
    word = guess.thing.replace("_", " ")
    if talk.own_names:
        verb = f"{_spaced(guess.verb or guess.purpose)} {guess.joint}".rstrip()
        return f"{verb} {plural(word, talk) if many and word else word}".strip()
    verb = talk.verbs.get(guess.purpose, (guess.purpose,))[0]
    return f"{verb} {(several if many else one)[0] if one else word}".strip()


def _confirm(guess: Guess, talk: Talk) -> str:
    purpose = _doing(guess, talk)
    purpose = purpose[:1].upper() + purpose[1:]
    given = ", ".join(
        f"{called(place, talk)[0]}: {{{place.param.name}}}"
        for place in guess.places
        if place.param.required and place.type not in ("", "entity") and place.param.name.isidentifier()
    )
    linked = any(place.type == "entity" for place in guess.places)
    text = talk.say["confirm" if linked else "confirm_plain"]
    if given:
        text = talk.say["confirm_both" if linked else "confirm_with"]
    return _filled(text, purpose=purpose, given=given)


def _ask(place: Place, talk: Talk) -> str:
    if place.type == "entity":
        one, _ = _words_for(place.of, talk)
        word = one[0] if one and not talk.own_names else place.of.replace("_", " ")
        return _filled(talk.say["ask_which"], thing=word)
    return _filled(talk.say["ask"], param=called(place, talk)[0])


def _filled(text: str, **values: str) -> str:
    return Template(text).safe_substitute(values)
