"""Turns labelled messages into training examples: features as the engine computes them, act, tags and boundaries."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import cache
from typing import NamedTuple

from sayso.case import Case, Turn
from sayso.decider import Decider
from sayso.engine.grammar.grammar import Grammar
from sayso.engine.grammar.sheet import Sheet
from sayso.engine.lexicon.words import Word
from sayso.engine.linking.focus import Scene, scene_of
from sayso.engine.linking.index import EntityIndex
from sayso.engine.linking.inventory import Inventory
from sayso.engine.reader.features import MOST_WORDS, Extractor, Features, fit_flags
from sayso.engine.text.tokens import normalise
from sayso.record import Entity
from training.notation import ID_MARK, Batch, Machine, Message, Span

NOW = datetime.fromisoformat("2026-11-16T09:30:00+00:00")
OUTSIDE = "O"
_PACK_SLOT = {"device": "machine", "metric": "metrics"}  # what the pack calls a slot of the corpus


class Example(NamedTuple):
    """A message, or one clause of it, as the model is shown it. What is not labelled is None."""

    features: Features
    act: str | None
    tags: list[str] | None
    breaks: list[int] | None  # 1 where a further clause begins
    batch: str
    message: str


class Reading(NamedTuple):
    """A message as the engine reads it before the learned reader."""

    extract: Extractor
    sheet: Sheet
    scene: Scene

    def features(self, start: int = 0, end: int = MOST_WORDS) -> Features:
        return self.extract(self.sheet, self.scene, start, end)


def read(decider: Decider, pack: str, language: str, case: Case, classes: tuple[str, ...]) -> Reading:
    """The words of a case and its scene."""
    languages = decider.pack(pack).languages
    grammar = languages.grammar(language)
    index = EntityIndex(case.entities, grammar.pack.entities, grammar.stems, grammar.little)
    scene = scene_of(case, index)
    if languages.has_parts(language):
        stock = languages.stock_cache(language).stock_of(case.entities)
        scene = scene._replace(inventory=Inventory(stock, {}, languages.read_name))
    return Reading(_extractor(grammar, classes), grammar.read(normalise(case.message), case.now), scene)


@cache
def _extractor(grammar: Grammar, classes: tuple[str, ...]) -> Extractor:
    return Extractor(grammar, classes)


def examples_of(
    batch: Batch, decider: Decider, titles: Sequence[str], classes: tuple[str, ...], seed: int = 0
) -> Iterator[Example]:
    """The examples of a batch; `titles` are what else may stand on somebody's list."""
    for number, message in enumerate(batch.messages):
        dice = random.Random(f"{batch.name}-{number}-{seed}")
        reading = read(decider, batch.pack, batch.language, case_of(batch, message, titles, dice), classes)
        yield from _of_message(batch.name, message, reading)


def case_of(batch: Batch, message: Message, titles: Sequence[str], dice: random.Random) -> Case:
    """The message with the things that it may be about."""
    if batch.pack == "devices":
        entities = tuple(_machine(number, one) for number, one in enumerate(batch.machines))
        known = {entity.text("name"): entity.id for entity in entities}
    else:
        there = [*message.on, *(() if message.last in ("deleted", "asked") else message.last_titles)]
        others = dice.sample(titles, min(len(titles), dice.choice((0, 1, 2, 4, 7, 10))))
        names = list(dict.fromkeys([*there, *others]))
        dice.shuffle(names)
        entities = tuple(_task(number, name, dice, open_=name in there) for number, name in enumerate(names))
        known = {entity.text("title"): entity.id for entity in entities}
    return Case(
        message=message.text, now=NOW, pack=batch.pack, lang=batch.language, entities=entities,
        history=_history(message, known),
    )  # fmt: skip


def _task(number: int, title: str, dice: random.Random, *, open_: bool) -> Entity:
    status = "pending" if open_ or dice.random() < 0.85 else "completed"
    name, _, identifier = title.partition(ID_MARK)
    return Entity({"kind": "task", "id": identifier or f"t{number}", "title": name, "status": status})


def _machine(number: int, machine: Machine) -> Entity:
    commands = [{"id": f"c{at}", "name": name} for at, name in enumerate(machine.commands)]
    return Entity({
        "kind": "machine", "id": f"m{number}", "name": machine.name, "location": machine.place, "description": "",
        "serial": "", "connected": True, "commands": commands, "metrics": list(machine.metrics),
    })  # fmt: skip


def _history(message: Message, known: dict[str, str]) -> tuple[Turn, ...]:
    if not message.last:
        return ()
    shown = tuple(known[title] for title in message.last_titles if title in known)
    said = Turn(role="user", content="")
    return (said, Turn(role="assistant", content=", ".join(message.last_titles), shown=shown))


def _of_message(batch: str, message: Message, reading: Reading) -> Iterator[Example]:
    words = reading.sheet.words[:MOST_WORDS]
    if not words:
        return
    tags = tags_of(words, message.spans)
    edges = [_word_at(words, place) for place in message.clauses]
    breaks = [int(at in edges) for at in range(len(words))]
    single = message.acts[0] if len(set(message.acts)) == 1 and not edges else None
    seen = reading.features()
    yield Example(seen, single, tags, breaks, batch, message.text)
    if edges and len(edges) + 1 == len(message.acts) and all(0 < at < len(words) for at in edges):
        places = [0, *edges, len(words)]
        for act, start, end in zip(message.acts, places, places[1:], strict=False):
            if start < end:
                part = reading.features(start, end)
                said = message.text[words[start].start : words[end - 1].end]
                yield Example(part, act, _cut(tags, start, end), [0] * (end - start), batch, said)


def _cut(tags: list[str], start: int, end: int) -> list[str]:
    part = tags[start:end]
    return [tag if at or not tag.startswith("I-") else f"B{tag[1:]}" for at, tag in enumerate(part)]


def tags_of(words: Sequence[Word], spans: Iterable[Span]) -> list[str]:
    """A tag for each word: where a value begins, where it goes on, or that there is none."""
    tags = [OUTSIDE] * len(words)
    for span in spans:
        inside = [at for at, word in enumerate(words) if _overlap(word, span) * 2 > word.end - word.start]
        for at in range(inside[0], inside[-1] + 1) if inside else ():
            tags[at] = f"{'I' if at > inside[0] else 'B'}-{_PACK_SLOT.get(span.slot, span.slot)}"
    return tags


def _overlap(word: Word, span: Span) -> int:
    return min(word.end, span.end) - max(word.start, span.start)


def _word_at(words: Sequence[Word], place: int) -> int:
    return next((at for at, word in enumerate(words) if word.start >= place), len(words))


def spans_of(tags: Sequence[str]) -> list[tuple[str, int, int]]:
    """The values that tags mark: slot, first word, word after the last."""
    found: list[tuple[str, int, int]] = []
    for at, tag in enumerate(tags):
        if tag.startswith("B-"):
            found.append((tag[2:], at, at + 1))
        elif tag != OUTSIDE and found:
            slot, first, _ = found[-1]
            found[-1] = (slot, first, at + 1)
    return sorted(found)


def frequent_classes(batches: Iterable[Batch], decider: Decider, least: int = 40) -> tuple[str, ...]:
    """The word classes that all languages of these batches have, and that come so often: the model is told of them."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for batch in batches:
        grammar = decider.pack(batch.pack).languages.grammar(batch.language)
        names = {number: name for name, number in grammar.cls.items()}
        for message in batch.messages:
            sheet = grammar.read(normalise(message.text), NOW)
            counts[batch.language].update({names[cls] for edges in sheet.edges for cls in edges})
    common = set.intersection(*({name for name in one if not name.startswith("=")} for one in counts.values()))
    often = sorted(name for name in common if min(one[name] for one in counts.values()) >= least)
    return (*often, *fit_flags(grammar))
