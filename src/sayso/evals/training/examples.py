"""Examples to train on: public rows whose licence allows it, labelled cases, and the pack's own sentences.

Public data gives what people say to assistants that keep no tasks, and some of what they say to those that do. Cases
give how people really put it. The pack's sentences give every way that it knows, around words of all kinds, so that
"remind me to order checks" is told from "order checks" by its frame, not by its topic.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sayso.case import Case
from sayso.decider import Decider
from sayso.decision import Call, Confirm
from sayso.evals.dataset import Labelled
from sayso.evals.training.fit import Example
from sayso.evals.training.sentences import Sampler
from sayso.evals.training.sources import out_of_domain, rows, side

# xSID's share-alike licence would bind the weights, chatterbot is for testing only.
Titles = Mapping[str, Sequence[str]]  # by language: what people have on their lists
SOURCES = ("clinc150", "ms-skills-lu", "hwu64")
_CASE_WEIGHT = 6.0
_SAMPLES = 8  # sentences for each pattern
_CARRIED = 6_000  # sentences made of what was said around a title and what was said elsewhere
_SHORT = range(2, 9)  # words of a title


def public(data: Path) -> list[Example]:
    """The development rows of the public sources, on either side of our border."""
    found: list[Example] = []
    for source in SOURCES:
        known = rows(data, source, "dev")
        found += [Example(row.text, False) for row in out_of_domain(known)]
        found += [Example(row.text, True) for row in known if side(row) == "ours"]
    return found


def said(labelled: Iterable[Labelled], pack: str) -> list[Example]:
    """The messages of the cases that need no context: no open question and no proposed call."""
    return [
        Example(one.case.message, _is_ours(one.expect), _CASE_WEIGHT)
        for one in labelled
        if one.case.pack == pack and one.case.pending is None and one.case.proposed is None and _settled(one.expect)
    ]


def own(
    decider: Decider, pack: str, labelled: Sequence[Labelled], titles: Titles, elsewhere: Sequence[str]
) -> list[Example]:
    """The pack's own sentences, and what people say around a title with something else for the title."""
    texts = [text for text in elsewhere if len(text.split()) in _SHORT]
    found: list[Example] = []
    for tag in decider.pack(pack).languages.tags:
        fillers = _fillers(decider, [one.case for one in labelled if one.case.pack == pack], tag)
        for name, slot in decider.pack(pack).pack.slots.items():
            if slot.type in ("text", "entity") and not slot.longest:
                fillers.setdefault(name, []).extend(titles.get(tag, ()))
        sampler = Sampler(decider.pack(pack).languages.grammar(tag), fillers, seed=11)
        found += [Example(text, True) for text in sampler.sentences(_SAMPLES)]
    carriers = [
        (decider.decide(one.case).lang, *pair) for one in labelled if one.case.pack == pack for pair in _around(one)
    ]
    pick = random.Random(3)  # noqa: S311  the same sentences every time
    for number in range(_CARRIED if carriers and texts else 0):
        tag, before, after = pick.choice(carriers)
        filler = pick.choice(titles[tag]) if number % 2 and tag in titles else pick.choice(texts)
        found.append(Example(before + filler + after, True))
    return found


def _is_ours(expect: list[list[dict[str, Any]]]) -> bool:
    return any(pattern["kind"] != "none" for outcome in expect for pattern in outcome)


def _settled(expect: list[list[dict[str, Any]]]) -> bool:
    """Not where a refusal is right: that is ours, and yet none."""
    return not any(pattern.get("reason") == "unsupported" for outcome in expect for pattern in outcome)


def _around(one: Labelled) -> list[tuple[str, str]]:
    """The words before and after each name in a message that is for us."""
    if not _is_ours(one.expect) or one.case.pending is not None:
        return []
    wanted = (pattern.get("arguments", {}) for outcome in one.expect for pattern in outcome)
    texts = [value for arguments in wanted for value in arguments.values() if isinstance(value, str) and " " in value]
    names = [value for entity in one.case.entities for value in (entity.text("title"), entity.text("name")) if value]
    found: list[tuple[str, str]] = []
    for name in dict.fromkeys([*texts, *names]):
        before, middle, after = one.case.message.partition(name)
        if middle:
            found.append((before, after))
    return found


def _fillers(decider: Decider, cases: Iterable[Case], tag: str) -> dict[str, list[str]]:
    """What people put into each slot, by the evidence of our own decisions."""
    found: dict[str, list[str]] = {}
    for case in cases:
        answer = decider.decide(case)
        if answer.lang != tag or case.pending is not None:
            continue
        for decision in answer.decisions:
            if isinstance(decision, (Call, Confirm)):
                params = decider.pack(case.pack).pack.tools[decision.tool].params
                for name, proof in decision.evidence.items():
                    slot = params[name].slot
                    if slot and proof.source == "message" and proof.span:
                        found.setdefault(slot, []).append(case.message[slice(*proof.span)])
    return found
