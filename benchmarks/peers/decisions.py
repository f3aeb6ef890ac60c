"""Decisions of Sayso, of hassil, of a linear model of letters, and of keywords: the same 24 sentences of ours."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import yaml

from benchmarks import ROOT
from benchmarks.harness.figures import Part, Target, plain
from benchmarks.harness.race import Job, race, ratio, rows
from benchmarks.peers.templates import pack_templates
from benchmarks.peers.titles import all_titles
from benchmarks.suite.baselines import by_keywords
from sayso.case import Case
from sayso.decider import Decider
from sayso.decision import Answer, Nothing
from sayso.engine.linking.index import EntityIndex
from sayso.files import datafile
from sayso.record import Entity

HERE = Path(__file__).parent
WORDS = yaml.safe_load((HERE / "decisions.yaml").read_text("utf-8"))
SENTENCES = ROOT / "tests" / "packs" / "tasks"
NOW = datetime(2026, 3, 10, 9, tzinfo=UTC)
OURS, ANEW = "Sayso, 10 tasks", "Sayso, 1,000 tasks, index made each time"
PEER, SMALL_PEER = "hassil, our pack as templates", "hassil, few templates"
LINEAR, FLOOR = "scikit-learn, TF-IDF of letters and LR", "keywords, the floor"

Said = tuple[str, str, str]  # language, intent, sentence
METHOD = """24 sentences in English and Italian. Sayso detects the language and decides the whole call. hassil is told
the language and runs with all sentences of the tasks pack as templates, and with the 15 per language that these
sentences need. The linear model and the keywords only choose the tool."""
READER = "Since the learned reader reads each message beside the rules, a decision takes twice as long."


@cache
def decider() -> Decider:
    return Decider.installed()


def things(names: list[str]) -> tuple[Entity, ...]:
    usual = {"kind": "task", "description": "", "status": "pending", "priority": "medium", "due": None}
    return tuple(Entity({**usual, "id": f"t{number}", "title": name}) for number, name in enumerate(names))


def index_of(lang: str, entities: tuple[Entity, ...]) -> EntityIndex:
    """What is known, made ready to be searched."""
    grammar = decider().pack("tasks").languages.grammar(lang)
    index = EntityIndex(entities, grammar.pack.entities, grammar.stems, grammar.little)
    index.warm()
    return index


def decisions(rounds: int, size: int) -> Part:
    """All contenders on all sentences; `size` is the number of tasks on the long list."""
    pairs = [(lang, intent, text) for lang, each in WORDS["utterances"].items() for intent, text in each]
    titles = all_titles(WORDS["titles"])
    small = {lang: things(WORDS["tasks"][lang]) for lang in WORDS["tasks"]}
    large = {lang: things(WORDS["tasks"][lang] + titles[lang][: size - 10]) for lang in small}
    fresh = {lang: each[:1_000] for lang, each in large.items()}
    many = f"Sayso, {size:,} tasks"
    jobs = {
        OURS: sayso_jobs(pairs, small),
        many: sayso_jobs(pairs, large),
        ANEW: sayso_jobs(pairs, fresh, built=False),
        PEER: hassil_jobs(pairs, {lang: pack_templates(lang, WORDS["hassil"][lang]["lists"]) for lang in small}),
        SMALL_PEER: hassil_jobs(pairs, WORDS["hassil"]),
        LINEAR: linear_jobs(pairs),
        FLOOR: keyword_jobs(pairs, small),
    }
    found = race(jobs, rounds)
    wanted = [intent for _, intent, _ in pairs]
    right = {name: sum(map(str.__eq__, map(str, timed.said), wanted)) for name, timed in found.items()}
    quality = {name: {"right tool": f"{count} of {len(pairs)}"} for name, count in right.items()}
    ours = found[OURS]
    return Part(
        name="decision",
        title="Decisions",
        method=METHOD,
        against=PEER,
        unit="µs",
        rounds=rounds,
        rows=rows(found, PEER, quality),
        targets=[
            Target(
                what="a decision ÷ hassil's with our pack as templates",
                value=ratio(ours, found[PEER]),
                limit=0.10,
                stretch=0.05,
                also=right[OURS] >= right[PEER],
                reason=READER,
            ),
            Target(what="p99 of a decision ÷ its p50", value=plain(ours.at(0.99) / ours.at(0.5)), limit=5),
            Target(
                what=f"a decision with {size:,} tasks ÷ one with 10",
                value=ratio(found[many], ours),
                limit=1.5,
                stretch=1.1,
            ),
            Target(what="a decision ÷ hassil's with few templates", value=ratio(ours, found[SMALL_PEER])),
            Target(what="a decision ÷ the linear model's guess", value=ratio(ours, found[LINEAR])),
        ],
        note="With few templates hassil is the faster one; its time grows with them.",
    )


def sayso_jobs(pairs: list[Said], lists: dict[str, tuple[Entity, ...]], built: bool = True) -> list[Job]:
    indexes = {lang: index_of(lang, entities) for lang, entities in lists.items()} if built else {}

    def one(lang: str, text: str) -> Job:
        case, index = Case(message=text, now=NOW, entities=lists[lang]), indexes.get(lang)
        return lambda: _Tool(decider().decide(case, index))

    return [one(lang, text) for lang, _, text in pairs]


def keyword_jobs(pairs: list[Said], lists: dict[str, tuple[Entity, ...]]) -> list[Job]:
    cases = [Case(message=text, now=NOW, entities=lists[lang]) for lang, _, text in pairs]
    return [lambda case=case: _Tool(by_keywords(case)) for case in cases]


class _Tool:
    """The tool of an answer, looked up only when it is asked for: the looking does not count."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    def __str__(self) -> str:
        tools = [each.tool for each in self._answer.decisions if not isinstance(each, Nothing)]
        return str(tools[0]) if tools else ""


def hassil_jobs(pairs: list[Said], templates: dict[str, Any]) -> list[Job]:
    recognize = import_module("hassil.recognize").recognize_best
    values = import_module("hassil.intents")
    built = {lang: values.Intents.from_dict(each) for lang, each in templates.items()}
    lists = {lang: {"task": values.TextSlotList.from_strings(WORDS["tasks"][lang], name="task")} for lang in built}

    def one(lang: str, text: str) -> Job:
        return lambda: _Intent(recognize(text, built[lang], slot_lists=lists[lang], language=lang))

    return [one(lang, text) for lang, _, text in pairs]


class _Intent:
    """What hassil recognised, looked at only when it is asked for."""

    def __init__(self, found: Any) -> None:
        self._found = found

    def __str__(self) -> str:
        return "" if self._found is None else str(self._found.intent.name)


def linear_jobs(pairs: list[Said]) -> list[Job]:
    pipeline, text, model = (
        import_module(f"sklearn.{name}") for name in ("pipeline", "feature_extraction.text", "linear_model")
    )
    said, tools = zip(*taught(), strict=True)
    letters = text.TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5))
    predict: Callable[[list[str]], Any] = (
        pipeline.make_pipeline(letters, model.LogisticRegression(max_iter=1000)).fit(said, tools).predict
    )
    return [lambda words=words: predict([words])[0] for _, _, words in pairs]


def taught() -> list[tuple[str, str]]:
    """The sentences of our tests, each with its tool."""
    sheets = [datafile.read(file, dict) for file in sorted(SENTENCES.rglob("*.yaml"))]
    return [
        (one["say"], one.get("tool", tool))
        for sheet in sheets
        for tool, sentences in sheet.get("sentences", {}).items()
        for one in sentences
    ]
