"""How well and how fast the date reader reads, against public corpora.

    python -m benchmarks dates [--half dev|test] [--misses en:duckling] [--peer]

DIR holds the folders duckling, recognizers-text and chrono (JSON as their README says). duckling and recognizers-text
are halved by a hash of the text: `dev` is what we looked at while writing the rules, `test` is what we did not.
chrono is held out as a whole, and its misses cannot be shown. What is outside of our policy is left out and counted.
What counts as right is `benchmarks.suite.dates`, which `python -m benchmarks suite` runs as well.
"""

from __future__ import annotations

import argparse
import statistics
import time
from datetime import datetime
from pathlib import Path

from benchmarks.peers.dates import dateparser
from benchmarks.suite.date_rows import LANGUAGES, Excluded, Row, shown
from benchmarks.suite.dates import CORPORA, reader, score
from sayso.engine.dates.dates import Dates
from sayso.engine.text.tokens import normalise


def main() -> None:
    options = arguments()
    for lang in LANGUAGES:
        dates = reader(lang)
        for source in CORPORA:
            rows = list(CORPORA[source](options.data, lang, options.half))
            report(lang, source, options.half if source != "chrono" else "held out", rows, dates, options)
        print(f"{lang} speed  {speed(dates, lang)}\n")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--half", choices=("dev", "test"), default="dev")
    parser.add_argument("--misses", default="", help="language:source to list misses of, dev half only")
    parser.add_argument("--peer", action="store_true", help="also score dateparser, which must be installed")
    return parser.parse_args()


def report(
    lang: str, source: str, half: str, rows: list[Row | Excluded], dates: Dates, options: argparse.Namespace
) -> None:
    found = score(rows, dates)
    share = 100 * found.right / max(1, found.positives)
    print(f"{lang} {source} ({half}): {found.right}/{found.positives} = {share:.1f} %", end="")
    print(f"; silent on {found.silent}/{found.negatives} negatives; left out {dict(found.left_out)}")
    if options.peer:
        print(f"   {dateparser(lang, [row for row in rows if isinstance(row, Row)])}")
    if options.misses == f"{lang}:{source}" and source != "chrono" and options.half == "dev":
        for row, spans in found.wrong:
            print(f"   {row.text!r} at {row.now:%a %F %H:%M}: expected {row.expected}, read {shown(spans)}")


SPEED = {
    "en": ("remind me to water the plants on friday at 9am", "please put the new boots on my list of things to get"),
    "it": (
        "ricordami di innaffiare le piante venerdì alle 9",
        "per favore metti gli stivali nuovi tra le cose da comprare",
    ),
}
HOSTILE = 400  # tokens


def speed(dates: Dates, lang: str) -> str:
    now = datetime(2026, 2, 4, 11, 37)
    with_date, without = (median(dates, [token.low for token in normalise(text).tokens], now) for text in SPEED[lang])
    hostile = (*sorted(dates.vocabulary), "5", "7:30", "2-3")
    worst, word = max((median(dates, [word] * HOSTILE, now, 5), word) for word in hostile)
    usual = f"with a date {with_date:.1f} µs, without {without:.1f} µs"
    return f"{usual}; worst {HOSTILE} tokens {worst / 1000:.1f} ms ({word})"


def median(dates: Dates, words: list[str], now: datetime, repeats: int = 500) -> float:
    taken = []
    for _ in range(repeats):
        started = time.perf_counter()
        dates.find(words, now)
        taken.append(time.perf_counter() - started)
    return statistics.median(taken) * 1e6


if __name__ == "__main__":
    main()
