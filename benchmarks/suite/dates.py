"""Dates: of what people write for a day or a time, how much is read as it is meant, and is the rest left alone?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from benchmarks.suite.date_chrono import chrono
from benchmarks.suite.date_duckling import duckling
from benchmarks.suite.date_recognizers import recognizers
from benchmarks.suite.date_rows import LANGUAGES, Excluded, Reading, Row, Rows, read, right, shown
from benchmarks.suite.values import Figure, Miss, Section, Table, Watch, percent, sample
from sayso.engine.dates.dates import Dates
from sayso.engine.values.numbers import Numbers
from sayso.engine.values.specs import DateSpec, NumberSpec
from sayso.evals.training.sources import Split
from sayso.files.datafile import read as read_data
from sayso.languages.load import HOME, data_file

BRIEF = """Only the date reader. Correct means one reading at the right position with the right value. Expressions
outside of Sayso's policy (holidays, time zones, ranges of hours) are left out and counted."""
TEXT = """Measures only the date reader, on sentences and expressions of three public corpora. Duckling and
Recognizers-Text are split in half by a hash of the text: `dev` was used while the rules were written, `test` was
not; chrono is held out as a whole. Expressions outside of our policy (holidays, recurrences, time zones, ranges of
hours and so on) are left out and counted, and so are negatives that apply to only one kind or mode of a corpus:
chrono's strict mode finds nothing in "tomorrow". Correct means one reading, at the position of the expression, with
the expected value, in either half of the day if the words leave that open; a negative must have no reading."""

CORPORA: dict[str, Callable[[Path, str, str], Rows]] = {
    "duckling": duckling,
    "recognizers-text": recognizers,
    "chrono": chrono,
}


class Score(NamedTuple):
    """How a corpus came out in one language; `wrong` holds rows with what was read."""

    positives: int
    right: int
    negatives: int
    silent: int
    left_out: Counter[str]
    wrong: list[tuple[Row, list[Reading]]]


def reader(lang: str) -> Dates:
    """The date reader of an installed language, alone."""
    folder = HOME / lang
    numbers = Numbers(read_data(data_file(folder, "numbers"), NumberSpec))
    return Dates(read_data(data_file(folder, "dates"), DateSpec), numbers)


def score(rows: list[Row | Excluded], dates: Dates) -> Score:
    """Read every row."""
    cases = [row for row in rows if isinstance(row, Row)]
    readings = [(row, read(dates, row)) for row in cases]
    wrong = [(row, spans) for row, spans in readings if not right(row, spans)]
    positives = sum(row.fits is not None for row in cases)
    missed = sum(row.fits is not None for row, _ in wrong)
    negatives = len(cases) - positives
    return Score(
        positives=positives,
        right=positives - missed,
        negatives=negatives,
        silent=negatives - (len(wrong) - missed),
        left_out=Counter(row.reason for row in rows if isinstance(row, Excluded)),
        wrong=wrong,
    )


def measure(data: Path, contenders: int, split: Split, most: int | None, watch: Watch) -> Section:
    """The share of expressions that are read as they are meant, by language and corpus."""
    jobs = [(lang, name) for lang in LANGUAGES for name in CORPORA if (data / name).is_dir()]
    jobs = [job for job in jobs if split == "test" or job[1] != "chrono"]
    scores = {
        (lang, name): score(sample(list(CORPORA[name](data, lang, split)), most), reader(lang))
        for lang, name in watch(jobs, "dates")
    }
    misses = [
        Miss(f"{lang} {name}, expected {row.expected}", row.text, shown(spans))
        for (lang, name), each in scores.items()
        for row, spans in each.wrong
        if split == "dev"
    ]
    held_out = " and all of chrono" if split == "test" else ""
    return Section(
        name="dates",
        title="Dates and times",
        split=f"Duckling and Recognizers-Text, {split} half{held_out}",
        text=TEXT,
        brief=BRIEF,
        figures=tuple(figure for lang in LANGUAGES for figure in _figures(lang, scores, contenders)),
        tables=(_table(scores),),
        misses=tuple(misses),
    )


def _figures(lang: str, scores: dict[tuple[str, str], Score], contenders: int) -> tuple[Figure, ...]:
    own = [each for key, each in scores.items() if key[0] == lang]
    of, good = sum(each.positives for each in own), sum(each.right for each in own)
    spoken = sum(each.negatives - each.silent for each in own)
    rest = ("–",) * (contenders - 1)
    return (
        Figure(f"dates, {LANGUAGES[lang]}", "≥ 85 %", (percent(good, of), *rest), good >= 0.85 * of),
        Figure(f"dates read in negatives, {LANGUAGES[lang]}", "0", (str(spoken), *rest), not spoken),
    )


def _table(scores: dict[tuple[str, str], Score]) -> Table:
    rows = tuple(
        (
            LANGUAGES[lang],
            name,
            f"{each.right} / {each.positives}",
            percent(each.right, each.positives),
            f"{each.silent} / {each.negatives}",
            ", ".join(f"{reason} {number}" for reason, number in each.left_out.most_common()),
        )
        for (lang, name), each in scores.items()
    )
    return Table(("language", "corpus", "right", "share", "negatives left alone", "left out"), rows)
