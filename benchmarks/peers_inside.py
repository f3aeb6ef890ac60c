"""The measuring behind peers.py, run in the environment that it makes: the peers are installed there only."""

from __future__ import annotations

import argparse
import gc
import random
import statistics
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import version
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import yaml

import peers_home
import peers_public
from peers_templates import pack_templates
from peers_titles import Query, queries
from sayso.case import Case
from sayso.decider import Decider
from sayso.decision import Nothing
from sayso.engine.index import EntityIndex
from sayso.record import Entity

WORDS = yaml.safe_load((Path(__file__).parent / "peers.yaml").read_text("utf-8"))
NOW = datetime(2026, 3, 10, 9, tzinfo=UTC)
SIZES = (10, 1_000, 10_000, 100_000)
PEERS = ("hassil", "rapidfuzz", "dateparser", "scikit-learn")
Job = Callable[[], Any]


class Timed(NamedTuple):
    """The times of one contender in nanoseconds, round by round."""

    rounds: list[list[int]]

    @property
    def all(self) -> list[int]:
        return sorted(each for one in self.rounds for each in one)

    def at(self, share: float) -> float:
        """In microseconds."""
        return self.all[min(int(share * len(self.all)), len(self.all) - 1)] / 1000


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, required=True)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--report", type=Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--chrono", type=Path, help="where npm put chrono-node")
    parser.add_argument("--only", default="", help="one stage; the rest of the report stays")
    options = parser.parse_args()
    decider = Decider.installed()
    titles = all_titles() if options.only in ("", "decisions", "linking") else []
    stages: dict[str, Callable[[], str]] = {
        "decisions": lambda: decisions(decider, titles, options.rounds, options.quick),
        "linking": lambda: linking(decider, titles, options.quick),
    }
    if options.data:
        stages["dates"] = lambda: peers_public.dates(options.data, options.chrono)
        stages["home"] = lambda: home(decider, options.data, options.rounds)
        stages["classifier"] = lambda: peers_public.classifier(options.data)
    stages = {name: stage for name, stage in stages.items() if options.only in ("", name)}
    parts = []
    for number, (name, stage) in enumerate(stages.items(), 1):
        print(f"{number}/{len(stages)} {name} …", file=sys.stderr, flush=True)
        parts.append(stage())
    text = "\n\n".join(parts)
    print(text)
    if options.report and options.only:
        options.report.write_text(_renewed(options.report.read_text("utf-8"), text), encoding="utf-8")
    elif options.report:
        versions = ", ".join(f"{name} {version(name)}" for name in PEERS)
        head = (
            "# Peers\n\n"
            "Written by `python benchmarks/peers.py --data DIR --report docs/evaluation/peers.md`; do not edit. "
            f"{datetime.now(UTC):%Y-%m-%d}, {versions}. Times are of one machine: trust the ratios.\n\n"
        )
        options.report.write_text(f"{head}{text}\n", encoding="utf-8")


def _renewed(report: str, section: str) -> str:
    """The report with one section as it is now."""
    title = section.partition("\n")[0]
    before, found, rest = report.partition(f"{title}\n")
    following = rest.find("\n## ")
    if not found:
        raise SystemExit(f"the report has no section {title}")
    return f"{before}{section}\n{rest[following:] if following >= 0 else ''}"


def race(jobs: dict[str, list[Job]], rounds: int) -> dict[str, Timed]:
    """Every job of every contender, shuffled, round after round."""
    dice = random.Random(7)
    line = [(name, job) for name, each in jobs.items() for job in each]
    for _, job in line:
        job()
    gc.collect()
    found: dict[str, Timed] = {name: Timed([]) for name in jobs}
    for _ in range(rounds):
        dice.shuffle(line)
        taken: dict[str, list[int]] = {name: [] for name in jobs}
        for name, job in line:
            started = time.perf_counter_ns()
            job()
            taken[name].append(time.perf_counter_ns() - started)
        for name, times in taken.items():
            found[name].rounds.append(times)
    return found


def ratio(one: Timed, other: Timed) -> float:
    """The median of the rounds' ratios of medians."""
    pairs = zip(one.rounds, other.rounds, strict=True)
    return statistics.median(statistics.median(a) / statistics.median(b) for a, b in pairs)


def table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [f"| {' | '.join(row)} |" for row in (head, *rows)]
    return "\n".join([lines[0], f"|{'---|' * len(head)}", *lines[1:]])


# ---------------------------------------------------------------- decisions


def decisions(decider: Decider, titles: dict[str, list[str]], rounds: int, quick: bool) -> str:
    pairs = [(lang, intent, text) for lang, each in WORDS["utterances"].items() for intent, text in each]
    small = {lang: things(WORDS["tasks"][lang]) for lang in WORDS["tasks"]}
    large = {lang: things(WORDS["tasks"][lang] + titles[lang][: 990 if quick else 99_990]) for lang in small}
    fresh = {lang: each[:1_000] for lang, each in large.items()}
    ours, many, anew = "Sayso, 10 tasks", "Sayso, many tasks", "Sayso, 1,000 tasks, index made each time"
    run = {name: sayso_jobs(decider, pairs, lists) for name, lists in ((ours, small), (many, large))}
    run[anew] = sayso_jobs(decider, pairs, fresh, built=False)
    own = {lang: pack_templates(lang, WORDS["hassil"][lang]["lists"]) for lang in WORDS["hassil"]}
    small_peer, peer = "hassil, few templates, 10 tasks", "hassil, our pack as templates, 10 tasks"
    run |= {small_peer: hassil_jobs(pairs, WORDS["hassil"]), peer: hassil_jobs(pairs, own)}
    found = race({name: [job for job, _ in each] for name, each in run.items()}, rounds)
    right = {name: hits(each) for name, each in run.items()}
    size = f"{len(large['en']):,}"
    rows = [
        (
            name.replace("many", size),
            f"{timed.at(0.5):,.0f}",
            f"{timed.at(0.99):,.0f}",
            f"{timed.at(0.99) / timed.at(0.5):.1f}",
            f"{ratio(timed, found[small_peer]):.3f}",
            f"{ratio(timed, found[peer]):.3f}",
            f"{ratio(timed, found[ours]):.2f}",
            f"{right[name]} / {len(pairs)}",
        )
        for name, timed in found.items()
    ]
    head = (
        *("decision", "p50 µs", "p99 µs", "p99 / p50"),
        *("× hassil, few templates", "× hassil, our pack", "× Sayso, 10 tasks", "right intent"),
    )
    note = (
        f"{len(pairs)} sentences of ours in English and Italian, {rounds} shuffled rounds, index built before unless "
        "it says otherwise. hassil is told the language, Sayso finds it. hassil runs twice: with some 15 templates a "
        "language, and with all sentences of our pack as templates, which is what Sayso covers."
    )
    return f"## Decisions\n\n{note}\n\n{table(head, rows)}"


def things(names: list[str]) -> tuple[Entity, ...]:
    usual = {"kind": "task", "description": "", "status": "pending", "priority": "medium", "due": None}
    return tuple(Entity({**usual, "id": f"t{number}", "title": name}) for number, name in enumerate(names))


def index_of(decider: Decider, lang: str, entities: tuple[Entity, ...]) -> EntityIndex:
    grammar = decider.pack("tasks").tongues.grammar(lang)
    index = EntityIndex(entities, grammar.pack.entities, grammar.stems, grammar.little)
    index.warm()
    return index


Labelled = list[tuple[Job, Callable[[], bool]]]


def sayso_jobs(
    decider: Decider, pairs: list[tuple[str, str, str]], lists: dict[str, tuple[Entity, ...]], built: bool = True
) -> Labelled:
    indexes = {lang: index_of(decider, lang, entities) for lang, entities in lists.items()} if built else {}

    def one(lang: str, intent: str, text: str) -> tuple[Job, Callable[[], bool]]:
        case, index = Case(message=text, now=NOW, entities=lists[lang]), indexes.get(lang)

        def right() -> bool:
            tools = [each.tool for each in decider.decide(case, index).decisions if not isinstance(each, Nothing)]
            return intent in tools

        return lambda: decider.decide(case, index), right

    return [one(*pair) for pair in pairs]


def hassil_jobs(pairs: list[tuple[str, str, str]], templates: dict[str, Any]) -> Labelled:
    recognize = import_module("hassil.recognize").recognize_best
    values = import_module("hassil.intents")
    built = {lang: values.Intents.from_dict(each) for lang, each in templates.items()}
    lists = {lang: {"task": values.TextSlotList.from_strings(WORDS["tasks"][lang], name="task")} for lang in built}

    def one(lang: str, intent: str, text: str) -> tuple[Job, Callable[[], bool]]:
        def job() -> Any:
            return recognize(text, built[lang], slot_lists=lists[lang], language=lang)

        return job, lambda: (found := job()) is not None and found.intent.name == intent

    return [one(*pair) for pair in pairs]


def hits(jobs: Labelled) -> int:
    return sum(right() for _, right in jobs)


def home(decider: Decider, data: Path, rounds: int) -> str:
    run = peers_home.jobs(decider, data)
    found = race({name: [job.run for job in each] for name, each in run.items()}, max(1, rounds // 10))  # they are many
    slower = ratio(*found.values())
    rows = [
        (name, f"{found[name].at(0.5):,.0f}", f"{found[name].at(0.99):,.0f}", *peers_home.shares(each))
        for name, each in run.items()
    ]
    head = ("decided by", "p50 µs", "p99 µs", *map("exact frame, {}".format, peers_home.LANGUAGES.values()))
    note = f"{peers_home.NOTE} Sayso's time is {slower:.2f} × that of hassil, the median of the rounds' ratios."
    return f"## Home Assistant's sentences\n\n{note}\n\n{table(head, rows)}"


# ---------------------------------------------------------------- linking


def all_titles() -> dict[str, list[str]]:
    """Distinct titles, in an order of no meaning; the index of a language holds its own and then the other's."""
    dice = random.Random(11)
    own = {lang: [" ".join(each) for each in product(*rows)] for lang, rows in WORDS["titles"].items()}
    for each in own.values():
        dice.shuffle(each)
    return {"en": own["en"] + own["it"], "it": own["it"] + own["en"]}


def linking(decider: Decider, titles: dict[str, list[str]], quick: bool) -> str:
    mixed = [title for pair in zip(titles["en"], titles["it"], strict=True) for title in pair]
    names = list(dict.fromkeys(mixed))
    parts = []
    for size in SIZES[:3] if quick else SIZES:
        count = 200 if size <= 1_000 else 100 if size <= 10_000 else 50
        parts.append(link_at(decider, names[:size], queries(names[:size], count)))
    head = ("titles", "linked by", "p50 µs", "p99 µs", "× `ratio`", "hit@1", "typo", "accents", "order", "part")
    note = (
        "A phrase to one of N titles, English and Italian mixed: letters wrong, accents missing, words in another "
        "order, a word left out. rapidfuzz gets titles and phrases in lower case, in one `extractOne`."
    )
    return f"## Linking\n\n{note}\n\n{table(head, [row for part in parts for row in part])}"


def link_at(decider: Decider, names: list[str], asked: list[Query]) -> list[tuple[str, ...]]:
    process, fuzz = import_module("rapidfuzz.process"), import_module("rapidfuzz.fuzz")
    index = index_of(decider, "en", things(names))
    low = [name.lower() for name in names]

    def ours(phrase: str) -> int:
        hits = index.search(index.stems_of(phrase))
        return int(hits[0].id[1:]) if hits else -1

    def rapid(scorer: Any) -> Callable[[str], int]:
        return lambda phrase: process.extractOne(phrase.lower(), low, scorer=scorer)[2]

    contenders = {"Sayso": ours, "rapidfuzz `ratio`": rapid(fuzz.ratio), "rapidfuzz `WRatio`": rapid(fuzz.WRatio)}
    jobs: dict[str, list[Job]] = {
        name: [lambda find=find, query=query: find(query.said) for query in asked] for name, find in contenders.items()
    }
    found = race(jobs, 5 if len(names) <= 10_000 else 2)
    rows = []
    for name, find in contenders.items():
        good = [(query.kind, find(query.said) == query.number) for query in asked]
        kinds = [[hit for kind, hit in good if kind == wanted] for wanted in ("typo", "accents", "order", "part")]
        rows.append(
            (
                f"{len(names):,}",
                name,
                f"{found[name].at(0.5):,.0f}",
                f"{found[name].at(0.99):,.0f}",
                f"{ratio(found[name], found['rapidfuzz `ratio`']):.2f}",
                f"{statistics.mean(hit for _, hit in good):.3f}",
                *(f"{statistics.mean(each):.2f}" if each else "–" for each in kinds),
            )
        )
    return rows


if __name__ == "__main__":
    main()
