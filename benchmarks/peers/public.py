"""Peers that are judged on public data: readers of dates, Home Assistant's sentences, a classifier of intents.

Without the data the readers of dates are timed all the same; nothing is then said of how well they read.
"""

from __future__ import annotations

from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.harness.figures import Part, Target
from benchmarks.harness.race import Job, race, ratio, rows
from benchmarks.peers import dates as peers_dates
from benchmarks.peers import home as peers_home
from benchmarks.peers.decisions import WORDS, decider
from benchmarks.suite import gate, todo
from benchmarks.suite.date_rows import LANGUAGES, Row
from benchmarks.suite.dates import CORPORA, reader, score
from benchmarks.suite.values import Contender, unwatched
from sayso.engine.text.tokens import normalise
from sayso.evals.training import scene
from sayso.evals.training.sources import Row as Sentence
from sayso.evals.training.sources import rows as sentences
from sayso.evals.training.sources import side

OURS, PINNED, FREE = "Sayso", "dateparser, told the language", "dateparser, finding the language"
NOW = datetime(2026, 3, 10, 9)
DATES = """24 sentences, half of them without a date. dateparser's `search_dates` runs with and without the language."""
READ = """ Accuracy is counted on the test halves of Duckling and Recognizers-Text and all of chrono's tests, as far as
they are within Sayso's policy, which favours Sayso."""
INTENTS = """To-do sentences of ms-skills-lu, test split; the classifier is a linear SVM over TF-IDF, trained on the
other splits. Right is the tool, or the classifier's intent. The gate is CLINC150; a question of Sayso counts as
accepted."""


def dates(data: Path | None, rounds: int) -> Part:
    """Readers of dates: their time, and with the data how well they read."""
    found = race(date_jobs(), rounds)
    quality, note = read_right(data) if data else ({}, "")
    return Part(
        name="dates",
        title="Dates",
        method=DATES + (READ if data else ""),
        against=PINNED,
        unit="µs",
        rounds=rounds,
        rows=rows(found, PINNED, quality),
        targets=[
            Target(what="reading a date ÷ dateparser's, told the language", value=ratio(found[OURS], found[PINNED]))
        ],
        note=note,
    )


def date_jobs() -> dict[str, list[Job]]:
    jobs: dict[str, list[Job]] = {OURS: [], PINNED: [], FREE: []}
    for lang, said in WORDS["dates"].items():
        dates = reader(lang)
        for text in said:
            jobs[OURS].append(
                lambda text=text, dates=dates: dates.find([token.low for token in normalise(text).tokens], NOW)
            )
            jobs[PINNED].append(lambda text=text, lang=lang: peers_dates.searched(text, NOW, [lang]))
            jobs[FREE].append(lambda text=text: peers_dates.searched(text, NOW, None))
    return jobs


def read_right(data: Path) -> tuple[dict[str, dict[str, str]], str]:
    """How much Sayso and dateparser read right, and a sentence about chrono, which is timed in no round."""
    quality: dict[str, dict[str, str]] = {OURS: {}, PINNED: {}}
    told = []
    for lang, language in LANGUAGES.items():
        found = [row for corpus in CORPORA.values() for row in corpus(data, lang, "test") if isinstance(row, Row)]
        ours, theirs, third = score(list(found), reader(lang)), peers_dates.dateparser(lang, found), None
        judged = {OURS: peers_dates.Peer(ours.right, ours.positives, ours.negatives - ours.silent, ours.negatives)}
        judged[PINNED] = theirs
        for name, peer in judged.items():
            quality[name][f"right, {language}"] = str(peer)
            quality[name][f"false dates, {language}"] = f"{peer.spoken} of {peer.negatives}"
        third = peers_dates.chrono(lang, found)
        if third:
            told.append(f"{language} {third}, {third.spoken} of {third.negatives} false dates")
    note = "chrono-node, not timed because it runs in Node, reads {}."
    return quality, note.format("; ".join(told)) if told else ""


def home(data: Path, rounds: int) -> Part:
    """Home Assistant's sentences."""
    run = peers_home.jobs(decider(), data)
    found = race({name: [job.run for job in each] for name, each in run.items()}, rounds)
    quality = {
        name: dict(zip(map("exact frame, {}".format, LANGUAGES.values()), peers_home.shares(each), strict=True))
        for name, each in run.items()
    }
    ours, theirs = run
    return Part(
        name="home",
        title="Home Assistant's sentences",
        method=peers_home.NOTE,
        against=theirs,
        unit="µs",
        rounds=rounds,
        rows=rows(found, theirs, quality),
        targets=[Target(what="a sentence of the home ÷ hassil's", value=ratio(found[ours], found[theirs]))],
    )


def intents(data: Path, rounds: int) -> Part:
    """A linear SVM over words and letters, trained on the training split and scored on the test split."""
    us, them = "Sayso", "scikit-learn, linear SVM"
    decide = decider().decide
    figures = [
        figure
        for measure in (gate.measure, todo.measure)
        for figure in measure(data, [Contender(us, decide)], "test", None, unwatched).figures
    ]
    quality = {us: {figure.name: figure.values[0] for figure in figures}}
    learnt = {
        lang: train([row for row in sentences(data, "ms-skills-lu", "dev") if row.lang == lang]) for lang in LANGUAGES
    }
    test = [row for row in sentences(data, "ms-skills-lu", "test") if side(row) == "ours"]
    cases = [scene.case(row.text, scene.tasks(row.lang)) for row in test]
    jobs: dict[str, list[Job]] = {
        us: [lambda case=case: decide(case) for case in cases],
        them: [lambda row=row: learnt[row.lang].predict([row.text])[0] for row in test],
    }
    found = race(jobs, rounds)
    quality[them] = dict(zip(quality[us], (*gate_of(data), *_shares(test, found[them].said)), strict=True))
    return Part(
        name="intents",
        title="A trained classifier",
        method=INTENTS,
        against=them,
        unit="µs",
        rounds=rounds,
        rows=rows(found, them, quality),
        targets=[Target(what="a to-do sentence ÷ the classifier's guess", value=ratio(found[us], found[them]))],
        note="The classifier returns the intent, but no arguments.",
    )


def _shares(test: list[Sentence], said: list[str]) -> list[str]:
    pairs = list(zip(test, said, strict=True))
    good = {lang: [row.intent == guess for row, guess in pairs if row.lang == lang] for lang in LANGUAGES}
    return [f"{100 * sum(each) / len(each):.1f} %" for each in good.values()]


def gate_of(data: Path) -> tuple[str, str]:
    """Precision and recall of the classifier on CLINC150."""
    train_rows, test = (
        [row for row in sentences(data, "clinc150", split) if side(row) != "either"] for split in ("dev", "test")
    )
    ours = {row.intent for row in test if side(row) == "ours"}
    guesses = train(train_rows).predict([row.text for row in test])
    taken = [(row.intent in ours, guess in ours) for row, guess in zip(test, guesses, strict=True)]
    both = sum(was and said for was, said in taken)
    shares = both / sum(said for _, said in taken), both / sum(was for was, _ in taken)
    return f"{100 * shares[0]:.1f} %", f"{100 * shares[1]:.1f} %"


def train(found: list[Sentence]) -> Any:
    pipeline, text, svm = (import_module(f"sklearn.{name}") for name in ("pipeline", "feature_extraction.text", "svm"))
    both = pipeline.make_union(
        text.TfidfVectorizer(ngram_range=(1, 2)), text.TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5))
    )
    return pipeline.make_pipeline(both, svm.LinearSVC()).fit([row.text for row in found], [row.intent for row in found])
