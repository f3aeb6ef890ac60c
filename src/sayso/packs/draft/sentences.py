"""Writes the sentences for a tool in one language from that language's forms.

`create_invoice` takes the form `make`: "$verb [new|another] $thing $rest" becomes
"<to_create> [new|another] <invoice_noun> [(for|to) {customer}]".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import Template

from sayso.packs.draft.guess import Guess
from sayso.packs.draft.places import Place
from sayso.packs.draft.words import Talk, names

FLAG = ("true",)  # the values of a flag
_MOST_GROUPS = 8  # the most parameters in one sentence
_NAME = re.compile(r"\$(\w+)")
_BARE = {"verb", "thing"}  # a sentence with only these does not say which thing is meant
_KIND = re.compile(r"(?<=^\$verb )\$thing (?:\[[^]]*\] )?(?=\$target)")


def verb_class(purpose: str) -> str:
    return f"to_{purpose}"


def noun_class(thing: str) -> str:
    return f"{thing}_noun"


def nouns_class(thing: str) -> str:
    return f"{thing}_nouns"


def sentences(guess: Guess, talk: Talk) -> tuple[str, ...]:
    """The sentences of a tool that contain the word for its thing."""
    return tuple(dict.fromkeys(_sentences(guess, talk, () if guess.mute else talk.forms[guess.form])))


def fragments(guess: Guess, talk: Talk) -> tuple[str, ...]:
    """The same without a verb: "invoice 42", "volume 30"."""
    return tuple(dict.fromkeys(_sentences(guess, talk, () if guess.mute else talk.fragments.get(guess.form, ()))))


def by_name_alone(guess: Guess, talk: Talk) -> tuple[str, ...]:
    """The sentences without the word for the thing: "delete 42". They count only if the thing is found."""
    if guess.mute or not guess.alone or guess.role("target") is None:
        return ()
    forms = tuple(_KIND.sub("", form) for form in talk.forms[guess.form] if _KIND.search(form))
    return tuple(dict.fromkeys(_sentences(guess, talk, forms)))


def main_of(guess: Guess) -> Place | None:
    """The text parameter that needs no introducing word."""
    texts = [place for place in guess.places if place.type == "text" and place.role == "rest" and not place.of]
    required = [place for place in texts if place.param.required]
    if not texts or (guess.form == "list" and not required):
        return None
    if guess.form != "tell":
        for name in names().params.search if guess.form == "search" else names().params.main:
            for place in required or texts:
                if name in (place.words[-1], "_".join(place.words)):
                    return place
    if required:
        return required[0]
    return texts[0] if guess.form in ("search", "tell") else None


def _sentences(guess: Guess, talk: Talk, forms: tuple[str, ...]) -> Iterator[str]:
    main = main_of(guess)
    for form in forms:
        wanted = set(_NAME.findall(form))
        if guess.role("target") is not None and "target" not in wanted and not wanted <= _BARE:
            continue  # "return bike 12" names the bike, not the station
        spoken = main if wanted & {"main", "bare_main"} else None
        for fillings in _fillings(guess, talk, spoken, wanted):
            if all(fillings.get(name) is not None for name in wanted):
                yield " ".join(Template(form).substitute(fillings).split())


def _fillings(guess: Guess, talk: Talk, main: Place | None, wanted: set[str]) -> Iterator[dict[str, str | None]]:
    target, onto = guess.role("target"), guess.role("onto")
    rest = _rest(guess, main)
    groups = [_group(place, talk) for place in rest]
    must = [_group(place, talk, must=place.param.required) for place in rest]
    required = any(place.param.required and place.type == "text" for place in rest)
    needed = [place for place in guess.places if place.param.required and place.type not in ("", "entity")]
    last = next((place for place in needed if place.type in ("number", "value")), None)
    joint = f" [{guess.joint}]" if guess.joint and talk.own_names else ""
    base: dict[str, str | None] = {
        "verb": f"<{verb_class(guess.purpose)}>{joint}",
        "own_verb": guess.verb.replace("_", " ")
        if talk.own_names and guess.special and (onto is None or guess.form == "make")
        else None,
        "lone_verb": _lone_verb(guess, talk),
        "sole": _slot(needed[0]) if len(needed) == 1 else None,
        "last": _counted(last, talk) if last else None,
        "others": " ".join(_group(place, talk) for place in rest if place is not last),
        "thing": _noun(guess) if guess.thing else None,
        "things": f"<{nouns_class(guess.thing)}>" if guess.thing else None,
        "target": _slot(target or onto),
        "on": f"<onto> [<{noun_class(onto.of)}>] {_slot(onto)}" if onto else None,
        "main": _slot(main),
        "lead": f"<{before_class(main)}>" if main else None,
        "bare_main": _slot(main) if guess.alone and (talk.own_names or guess.thing in talk.nouns) else None,
        "joint": "<onto>" if guess.joint else None,
        "joint_word": guess.joint if talk.own_names and guess.joint else None,
        "kind": f"<{noun_class(onto.of)}>" if onto else None,
        "values": " ".join(f"[{_slot(place)}]" for place in guess.places if place.type == "value"),
        "rest": " ".join(groups),
        "tser": " ".join(reversed(groups)) if len(groups) > 1 else None,
        "must_rest": " ".join(must) if required else None,
        "new_name": _slot(_first(guess, "text", names().params.naming)),
        "new_date": _slot(_first(guess, "date", ())),
    }
    if not wanted & {"field", "new", "new_value"}:
        yield base
        return
    for place in guess.places:
        if place.role == "rest" and place.type:
            valued = _slot(place) if place.type in ("value", "date", "number") else None
            yield {**base, "field": _one_of(called(place, talk)), "new": _slot(place), "new_value": valued}


def _lone_verb(guess: Guess, talk: Talk) -> str | None:
    """The verb that is a complete command, if the tool requires no parameter: "pause"."""
    if not guess.special or any(place.param.required for place in guess.places):
        return None
    return guess.verb.replace("_", " ") if talk.own_names else f"<{verb_class(guess.purpose)}>"


def _counted(place: Place, talk: Talk) -> str:
    """A value, optionally with the word for it: "3 replicas"."""
    return f"{_slot(place)} [{_one_of(called(place, talk))}]"


def _slot(place: Place | None) -> str | None:
    return f"{{{place.slot}}}" if place is not None else None


def _first(guess: Guess, kind: str, known: tuple[str, ...]) -> Place | None:
    """The first parameter of this type. If `known` is not empty, the last word of its name must be in it."""
    return next((one for one in guess.places if one.type == kind and (not known or one.words[-1] in known)), None)


def _noun(guess: Guess) -> str:
    """The class of the tool's thing; singular and plural if a tool that does not list has a plural name."""
    one, many = f"<{noun_class(guess.thing)}>", f"<{nouns_class(guess.thing)}>"
    return f"({one}|{many})" if guess.several and guess.form not in ("list", "search") else one


def called(place: Place, talk: Talk) -> tuple[str, ...]:
    """How people call a parameter: by the words of its name, and by the language's words for it."""
    own = tuple(word for word in place.words if word not in names().params.empty) or place.words
    known = talk.nouns.get("_".join(own)) or talk.nouns.get(own[-1])
    name = " ".join(own)
    return (name, *(known or ())) if talk.own_names or not known else known


def _rest(guess: Guess, main: Place | None) -> list[Place]:
    """The parameters that come after the thing."""
    said = [place for place in guess.places if place.role == "rest" and place.type]
    return [place for place in said if place is not main][:_MOST_GROUPS]


def _group(place: Place, talk: Talk, *, must: bool = False) -> str:
    slot, before, called_so = _slot(place), f"<{before_class(place)}>", _one_of(called(place, talk))
    match place.type:
        case "text":
            group = f"{before} {slot}"
        case "number":
            group = f"({before} {slot} [{called_so}]|{slot} {called_so})"  # "for 5 days", "5 days"
        case "value" if place.values != FLAG:
            group = f"[{before}] {slot} [{called_so}]"  # "with high priority"
        case _:
            group = f"{slot}"
    return group if must else f"[{group}]"


def _one_of(phrases: tuple[str, ...]) -> str:
    return phrases[0] if len(phrases) == 1 else f"({'|'.join(phrases)})"


def before_class(place: Place) -> str:
    return f"before_{place.slot}"


def before(place: Place, guess: Guess, talk: Talk) -> tuple[str, ...]:
    """The words that introduce a parameter's value."""
    called_so = _one_of(called(place, talk))
    if place.type == "value":
        return (f"({'|'.join(talk.beside)}) [{called_so}]", called_so) if place.values != FLAG else ()
    if place.type not in ("text", "number"):
        return ()
    leads = _leads(place, talk)
    if place.type == "number" and leads is None and sum(other.type == "number" for other in guess.places) == 1:
        return (*talk.counted, f"[{'|'.join(talk.leads['*'])}] {called_so} [:]")
    only = place.type == "text" and sum(other.type == "text" for other in guess.places) == 1
    plain = guess.form in ("list", "get") or place is not main_of(guess) or guess.role("target") is not None
    if only and (guess.form == "tell" or (leads is None and plain)):
        leads = tuple(dict.fromkeys((*(leads or ()), *talk.asked)))
    if leads is None:
        little_words = talk.counted if place is main_of(guess) else ()
        return (*little_words, f"[{'|'.join(talk.leads['*'])}] {called_so} [:]")
    little = dict.fromkeys([lead for lead in (*leads, *talk.leads["*"]) if lead.isalpha()])
    return (*leads, f"({'|'.join(little)}) [{'|'.join(talk.the)}] {called_so}")


def _leads(place: Place, talk: Talk) -> tuple[str, ...] | None:
    """The leads of a parameter, looked up by its whole name, by its last meaningful word ("customer_name") or by its
    first."""
    words = place.words
    telling = words[-2] if len(words) > 1 and words[-1] in names().params.vague else words[-1]
    named = ("_".join(words), telling, words[0])
    return next((talk.leads[name] for name in named if name in talk.leads), None)


def shared_leads(guess: Guess, talk: Talk) -> Iterator[tuple[Place, str]]:
    """Lead words that an optional text shares with another parameter. They introduce the other parameter."""
    for place in guess.places:
        if place.type == "text" and not place.param.required:
            said = [other for other in guess.places if other is not place and other.type in ("text", "number")]
            others = {lead for other in said for lead in _leads(other, talk) or ()}
            yield from ((place, lead) for lead in _leads(place, talk) or () if lead in others)
