"""Peers on public data: other readers on the rows of dates, a linear classifier on the gate and the to-do intents."""

from __future__ import annotations

import time
from importlib import import_module
from pathlib import Path
from typing import Any

import peers_dates
from sayso.evals.suite.date_rows import LANGUAGES, Row
from sayso.evals.suite.dates import CORPORA, reader, score
from sayso.evals.suite.sources import Row as Sentence
from sayso.evals.suite.sources import rows, side


def dates(data: Path, folder: Path | None) -> str:
    """Sayso's reader and its peers, pinned to the language, on the same rows of the test halves and of chrono."""
    lines, names = [], []
    for lang, language in LANGUAGES.items():
        for name, corpus in CORPORA.items():
            found = [row for row in corpus(data, lang, "test") if isinstance(row, Row)]
            dates = reader(lang)
            score(found[:1], dates)  # the rules are compiled with the first date
            started = time.perf_counter()
            ours = score(list(found), dates)
            each = (time.perf_counter() - started) / max(1, len(found)) * 1e6
            others = [peers_dates.dateparser(lang, found)]
            others += [peers_dates.chrono(lang, found, folder)] if folder else []
            names = [other.name for other in others]
            share = 100 * ours.right / max(ours.positives, 1)
            read = [ours.negatives - ours.silent, *(other.spoken for other in others)]
            cells = [f"{ours.right}/{ours.positives} = {share:.1f} %, {each:,.0f} µs each", *map(str, others)]
            cells.append(" · ".join(map(str, read)) + f" of {ours.negatives}")
            lines.append(f"| {language} | {name} | {' | '.join(cells)} |")
    head = ["language", "corpus", "Sayso", *names, "negatives read, in that order"]
    note = (
        "Test halves of Duckling and Recognizers-Text, chrono's tests held out. The rows are those within our policy, "
        "which favours Sayso; chrono-node meets its own tests in the rows of chrono. Sayso's time includes its tokens."
    )
    rule = "|" + "---|" * len(head)
    return "\n".join(["## Dates", "", note, "", f"| {' | '.join(head)} |", rule, *lines])


def classifier(data: Path) -> str:
    """A linear SVM over TF-IDF of words and letters, trained on the training split and scored on the test split."""
    gate = [[row for row in rows(data, "clinc150", split) if side(row) != "either"] for split in ("dev", "test")]
    learnt = train(gate[0])
    ours = {row.intent for row in gate[1] if side(row) == "ours"}
    taken = [(row.intent in ours, guess in ours) for row, guess in zip(gate[1], guesses(learnt, gate[1]), strict=True)]
    both = sum(was and said for was, said in taken)
    precision, recall = both / sum(said for _, said in taken), both / sum(was for was, _ in taken)
    lines = [f"| gate, CLINC150 | precision {100 * precision:.1f} %, recall {100 * recall:.1f} % |"]
    for lang, language in LANGUAGES.items():
        skills = [[row for row in rows(data, "ms-skills-lu", split) if row.lang == lang] for split in ("dev", "test")]
        learnt = train(skills[0])
        todo = [row for row in skills[1] if side(row) == "ours"]
        right = sum(row.intent == guess for row, guess in zip(todo, guesses(learnt, todo), strict=True))
        lines.append(f"| to-do intents, ms-skills-lu, {language} | {100 * right / len(todo):.1f} % |")
    note = "scikit-learn, LinearSVC; trained on all intents of the training and development splits, scored on test."
    return "\n".join(["## A trained classifier", "", note, "", "| measure | linear SVM |", "|---|---|", *lines])


def train(found: list[Sentence]) -> Any:
    pipeline, text, svm = (import_module(f"sklearn.{name}") for name in ("pipeline", "feature_extraction.text", "svm"))
    both = pipeline.make_union(
        text.TfidfVectorizer(ngram_range=(1, 2)), text.TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5))
    )
    return pipeline.make_pipeline(both, svm.LinearSVC()).fit([row.text for row in found], [row.intent for row in found])


def guesses(learnt: Any, found: list[Sentence]) -> list[str]:
    return list(learnt.predict([row.text for row in found]))
