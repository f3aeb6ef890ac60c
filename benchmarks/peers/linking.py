"""A phrase to one of N titles: Sayso's index, rapidfuzz over all titles, trigrams in PostgreSQL."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import psycopg

from benchmarks.harness.figures import Part, Row, Target
from benchmarks.harness.race import Job, Timed, race, ratio, rows
from benchmarks.peers.decisions import WORDS, index_of, things
from benchmarks.peers.titles import Query, all_titles, queries

SERVER = os.environ.get("SAYSO_TEST_DATABASE", "postgresql://postgres@127.0.0.1:5432/postgres")
OURS, PEER, SLOW, DATABASE = "Sayso", "rapidfuzz `ratio`", "rapidfuzz `WRatio`", "pg_trgm, GIN"
METHOD = """A phrase is matched with one of N titles, with typos, missing accents and words in another order. hit@1 is
the share of phrases whose title comes first. rapidfuzz gets lower-case texts in one `extractOne`; pg_trgm has a GIN
index."""
FIND = "SELECT number FROM titles_{size} WHERE title %% %(said)s ORDER BY similarity(title, %(said)s) DESC LIMIT 1"
SMALL = "Sayso weighs stems in Python; rapidfuzz compares whole texts in C and misses words in another order."


def linking(sizes: tuple[int, ...], rounds: int) -> Part:
    """All contenders at every size; at the large ones fewer rounds, of fewer phrases."""
    titles = all_titles(WORDS["titles"])
    mixed = [title for pair in zip(titles["en"], titles["it"], strict=True) for title in pair]
    names = list(dict.fromkeys(mixed))
    found: list[Row] = []
    targets: list[Target] = []
    with tables(names, sizes) as connection:
        for size in sizes:
            print(f"  among {size:,} titles", flush=True)
            count = 200 if size <= 1_000 else 100 if size <= 10_000 else 50
            asked = queries(names[:size], count)
            often = rounds if size <= 10_000 else max(3, rounds // 4)
            contest = race(jobs(names[:size], asked, connection), often, {DATABASE: time.perf_counter_ns})
            share = {name: _hits(timed, asked) for name, timed in contest.items()}
            found += rows(contest, PEER, {name: {"hit@1": f"{each:.3f}"} for name, each in share.items()}, size)
            targets += _targets(size, contest, share)
    return Part(
        name="linking",
        title="Linking",
        method=METHOD,
        against=PEER,
        unit="µs",
        rounds=rounds,
        rows=found,
        targets=targets,
        note=f"Among 100,000 titles there are {max(3, rounds // 4)} rounds.",
    )


def _targets(size: int, contest: dict[str, Timed], share: dict[str, float]) -> list[Target]:
    value, what = ratio(contest[OURS], contest[PEER]), f"linking among {size:,} titles ÷ rapidfuzz `ratio`"
    no_worse = share[OURS] >= share[PEER]
    if size == 100_000:
        what += ", at no worse hit@1"
        return [Target(what=what, value=value, limit=0.25, stretch=0.10, also=no_worse)]
    if size == 1_000:
        return [Target(what=what, value=value, limit=1.1, also=no_worse, reason=SMALL, known=True)]
    return [Target(what=what, value=value)]


def _hits(timed: Timed, asked: list[Query]) -> float:
    return sum(said == query.number for said, query in zip(timed.said, asked, strict=True)) / len(asked)


def jobs(names: list[str], asked: list[Query], connection: psycopg.Connection[Any]) -> dict[str, list[Job]]:
    """Every phrase for everyone who links it."""
    process, fuzz = import_module("rapidfuzz.process"), import_module("rapidfuzz.fuzz")
    index = index_of("en", things(names))
    low = [name.lower() for name in names]
    find = FIND.format(size=len(names))

    def ours(phrase: str) -> int:
        hits = index.search(index.stems_of(phrase))
        return int(hits[0].id[1:]) if hits else -1

    def rapid(scorer: Any) -> Callable[[str], int]:
        return lambda phrase: process.extractOne(phrase.lower(), low, scorer=scorer)[2]

    def database(phrase: str) -> int:
        row = connection.execute(find, {"said": phrase}, prepare=True).fetchone()
        return int(row[0]) if row else -1

    linkers = {OURS: ours, PEER: rapid(fuzz.ratio), SLOW: rapid(fuzz.WRatio), DATABASE: database}
    return {
        name: [lambda link=link, query=query: link(query.said) for query in asked] for name, link in linkers.items()
    }


@contextmanager
def tables(names: list[str], sizes: tuple[int, ...]) -> Iterator[psycopg.Connection[Any]]:
    """A database of its own, with a table of titles for each size."""
    database = f"sayso_peers_{secrets.token_hex(6)}"
    with psycopg.connect(SERVER, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {database}")
    try:
        url = psycopg.conninfo.make_conninfo(SERVER, dbname=database)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("CREATE EXTENSION pg_trgm")
            for size in sizes:
                _fill(connection, f"titles_{size}", names[:size])
            yield connection
    finally:
        with psycopg.connect(SERVER, autocommit=True) as server:
            server.execute(f"DROP DATABASE IF EXISTS {database} WITH (FORCE)")


def _fill(connection: psycopg.Connection[Any], table: str, names: list[str]) -> None:
    connection.execute(f"CREATE TABLE {table} (number integer PRIMARY KEY, title text NOT NULL)")
    with connection.cursor().copy(f"COPY {table} FROM STDIN") as copy:
        for row in enumerate(names):
            copy.write_row(row)
    connection.execute(f"CREATE INDEX ON {table} USING gin (title gin_trgm_ops)")
    connection.execute(f"VACUUM ANALYZE {table}")
