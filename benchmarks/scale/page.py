"""Writes the figures of measure.py and soak.py, and the model, into docs/scale.md: `python -m benchmarks scale-page`.

Only the part between the two marks is written. A test writes it again and compares.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchmarks.harness.services import ROOT
from benchmarks.scale.model import (
    PEOPLE,
    Assumed,
    Measured,
    carries,
    measured_from,
    model_dollars,
    need,
    ringing_need,
    tokens,
)
from benchmarks.scale.picture import CURVES, picture

PAGE, RESULTS = ROOT / "docs" / "scale.md", ROOT / "benchmarks" / "results"
PICTURE = ROOT / "docs" / "pictures" / "scale.svg"
BEGIN, END = "<!-- figures: written by python -m benchmarks scale-page -->\n", "<!-- end of the figures -->\n"

Results = dict[str, Any]


def table(heads: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    heads = list(heads)
    lines = [heads, ["---"] * len(heads), *([str(cell) for cell in row] for row in rows)]
    return "\n".join(f"|{'|'.join(line)}|" for line in lines) + "\n"


def prose(*parts: str) -> str:
    """Sentences in lines of a readable length."""
    return textwrap.fill(" ".join(parts), 118, break_long_words=False, break_on_hyphens=False) + "\n"


def taken(part: dict[str, Any]) -> str:
    """When and where a part was measured."""
    on, small = part["machine"], " The quick form." if part["quick"] else ""
    return f"Measured {part['taken']} on {on['cores']} cores, load {on['load']} before it.{small}\n"


def cost(results: Results) -> str:
    part = results["cost"]
    heads = ["", "replicas", "turns/s", "p50", "p95", "server", "database", "statements"]
    rows = [
        [
            point["size"]["mode"],
            point["size"]["replicas"],
            f"{point['rate']:.0f}",
            f"{point['p50']:.0f} ms",
            f"{point['p95']:.0f} ms",
            f"{point['server_ms']:.2f} ms",
            f"{point['database_ms']:.2f} ms",
            f"{point['statements']:.1f}",
        ]
        for point in part["points"]
        if point["size"]["workers"] == 1
    ]
    first, errors = part["points"][0], sum(point["errors"] for point in part["points"])
    told = prose(
        f"A turn reads and writes {first['rows']:.0f} rows, writes {first['wal_bytes'] / 1000:.1f} kB of log, leaves",
        f"{part['stored_bytes'] / 1000:.1f} kB, and transfers {first['http_bytes'] / 1000:.1f} kB over HTTP.",
        f"{part['turns']:,} turns, {errors} errors. More workers are in `benchmarks/results/scale.json`.",
    )
    return f"### A turn\n\n{taken(part)}\n{table(heads, rows)}\n{told}"


def replicas(results: Results, measured: Measured) -> str:
    """What two replicas carry, and what the model says they could here."""
    alone = [one for one in results["cost"]["points"] if one["size"]["workers"] == 1]
    rates = {one["size"]["replicas"]: one["rate"] for one in alone if one["size"]["mode"] == "direct"}
    cores = results["cost"]["machine"]["cores"]
    could = [carries(measured, workers=count, cores=cores) for count in (1, 2)]
    apart = [carries(measured, workers=count, cores=64) for count in (1, 2)]
    return prose(
        f"Two replicas carried {rates[2] / rates[1]:.2f} times the turns of one. The model allows",
        f"{could[1] / could[0]:.2f} times on {cores} shared cores, and {apart[1] / apart[0]:.1f} times if every",
        "process has its own core.",
    )


def growth(results: Results) -> str:
    """One row for each curve: from the smallest size to the largest."""
    heads = ["what grows", "from", "to", "first", "last", "at most, times", "errors"]
    rows = []
    for name in ("people", "tasks", "turns"):
        if name in results:
            points = results[name]["points"]
            errors = sum(point["errors"] for point in points)
            rows.append([f"{CURVES[name][0]}: p95 of a turn", *_ends(points, "p95"), errors])
    for name, kinds in (("tools", ("words", "proposals", "gateway")), ("languages", ("words",))):
        told = DECIDING if name == "tools" else {"words": "p50 of five decisions"}
        rows += [[f"{CURVES[name][0]}: {told[kind]}", *_ends(results[name][kind], "p50"), ""] for kind in kinds]
    return f"### Growth\n\n![How p95 grows](pictures/scale.svg)\n\n{table(heads, rows)}"


DECIDING = {"words": "p50 of a decision", "proposals": "p50 of a checked call", "gateway": "p50 of `tools/list`"}


def _ends(points: list[dict[str, Any]], figure: str) -> list[str]:
    first, last = points[0], points[-1]
    return [
        f"{first['size']:,}",
        f"{last['size']:,}",
        f"{first[figure]:.3g} ms",
        f"{last[figure]:.3g} ms",
        f"{max(point['times'][figure] for point in points):.2f}",
    ]


def endurance(results: Results, soak: Results | None) -> str:
    parts = ["### Long runs\n"]
    if "long" in results:
        one = results["long"]
        parts.append(
            prose(
                f"{one['turns']:,} turns over two replicas behind nginx and PgBouncer: {one['errors']} errors,",
                f"{one['rate']:.0f} a second, p95 {one['p95']:.0f} ms. {taken(one)}",
            )
        )
    if soak:
        restarts = ", ".join(f"{name} {count} times" for name, count in sorted(soak["restarts"].items()))
        parts.append(
            prose(
                f"Soak of {soak['minutes']:g} minutes on a busy machine: {soak['requests']:,} requests; {restarts};",
                f"{soak['retries']} sent again; {soak['wrong']} lost, doubled or wrong; p95 {soak['p95']:.0f} ms, the",
                f"slowest answer {soak['slowest_s']} s; memory {soak['memory_growth']:.3f} times that after the start.",
            )
        )
    return "\n".join(parts)


def capacity(measured: Measured, given: Assumed) -> str:
    needs = [need(people, measured, given) for people in PEOPLE]
    heads = [
        "people",
        "turns/s at the peak",
        "replicas",
        "shards",
        "because of",
        "stored (one copy)",
        "a month",
        "for a million turns",
    ]
    rows = [
        [
            f"{one.people:,}",
            f"{one.peak_turns:,.1f}" if one.peak_turns < 100 else f"{one.peak_turns:,.0f}",
            f"{one.replicas:,}",
            f"{one.shards:,}",
            one.shards_by,
            f"{one.terabytes:,.1f} TB" if one.terabytes >= 1 else f"{one.terabytes * 1000:,.1f} GB",
            f"${one.dollars_month:,.0f}",
            f"${one.dollars_million:,.2f}",
        ]
        for one in needs
    ]
    cheap, dear = model_dollars(measured, given)
    sent, got = tokens(measured, given)
    assumed = prose(
        f"Assumed ({given.dated}): {given.active:.0%} of all users are active on a day, with",
        f"{given.turns_a_day:g} turns each; the peak is {given.peak:g} times the mean and uses {given.busy:.0%} of a",
        "processor; replicas of",
        f"{given.replica_cores} cores, shards of up to {given.shard_cores} cores and",
        f"{given.shard_gigabytes / 1000:g} TB, {given.copies} copies; {measured.stored_bytes / 1000:.1f} kB per turn,",
        f"kept {given.kept_months} months; ${given.core_month:g} per core and month, ${given.gigabyte_month:g} per GB",
        f"and month, ${given.gigabyte_out:g} per GB sent; without Redis, backups and people.",
    )
    beside = prose(
        f"With a language model for every turn, a million turns would cost **${cheap:,.0f} to ${dear:,.0f}** more:",
        f"about {sent:,.0f} tokens in and {got:,.0f} out, at ${given.tokens_cheap[0]:.2f} to",
        f"${given.tokens_dear[0]:.2f} and ${given.tokens_cheap[1]:.2f} to ${given.tokens_dear[1]:.2f} per million",
        "tokens.",
    )
    return f"### Capacity (modelled, not measured)\n\n{table(heads, rows)}\n{assumed}\n{beside}"


def ringing(rung: Results, given: Assumed) -> str:
    needs = [ringing_need(people, rung["server_ms"], rung["database_ms"], given) for people in PEOPLE[3:]]
    heads = ["people", "reminders/s", "in the busiest minute", "replicas", "cores of databases"]
    rows = [
        [
            f"{one.people:,}",
            f"{one.mean:,.0f}",
            f"{one.peak:,.0f}",
            f"{one.replicas:,}",
            f"{one.database_cores:,}",
        ]
        for one in needs
    ]
    measured = prose(
        f"Measured {rung['taken']}: {rung['reminders']:,} reminders within {rung['within_s']} s over two replicas. One",
        f"takes {rung['server_ms']} ms of the replicas' processor time, the process that sends included, and",
        f"{rung['database_ms']} ms of the database's. p50 {rung['p50_s']} s late, p95 {rung['p95_s']} s,",
        f"p99 {rung['p99_s']} s.",
    )
    assumed = prose(
        f"Assumed: {given.reminders_a_day:g} reminders a day for each person, {given.together:.0%} of them in the same",
        "minute, since reminders without a time ring at nine; all of them ring within that minute. Shards are those",
        "of the table above. With fewer replicas the busiest minute's reminders come later, and none is lost.",
    )
    return f"### Reminders (modelled)\n\n{measured}\n{table(heads, rows)}\n{assumed}"


def figures(results: Results, soak: Results | None, rung: Results) -> str:
    """The part between the marks."""
    measured, given = measured_from(results), Assumed()
    parts = [cost(results), replicas(results, measured), growth(results), endurance(results, soak)]
    return "\n".join([*parts, capacity(measured, given), ringing(rung, given)])


def read() -> tuple[Results, Results | None, Results]:
    """The kept results: of turns, of the soak and of reminders."""
    soak = RESULTS / "soak.json"
    return (
        json.loads((RESULTS / "scale.json").read_text()),
        json.loads(soak.read_text()) if soak.exists() else None,
        json.loads((RESULTS / "reminders.json").read_text()),
    )


def written(page: str, between: str) -> str:
    """The page with a new part between the marks."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n{between}\n{END}{rest.partition(END)[2]}"


def main() -> None:
    results, soak, rung = read()
    PICTURE.write_text(picture(results), encoding="utf-8")
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), figures(results, soak, rung)), encoding="utf-8")
    print(f"{PAGE.relative_to(Path.cwd()) if PAGE.is_relative_to(Path.cwd()) else PAGE} written")


if __name__ == "__main__":
    main()
