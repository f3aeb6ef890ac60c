"""Writes the figures of scale.py and soak.py, and what the model makes of them, into docs/scale.md: `make scale-page`.

What stands between the two marks is written anew, the rest is written by hand. A test writes it again and compares.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from scale_model import PEOPLE, Assumed, Measured, carries, measured_from, model_dollars, need, tokens
from scale_picture import CURVES, picture
from services import ROOT

PAGE, RESULTS = ROOT / "docs" / "scale.md", ROOT / "benchmarks" / "results"
PICTURE = ROOT / "docs" / "pictures" / "scale.svg"
BEGIN, END = "<!-- figures: written by make scale-page -->\n", "<!-- end of the figures -->\n"

Results = dict[str, Any]


def table(heads: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    heads = list(heads)
    lines = [heads, ["---"] * len(heads), *([str(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def prose(*parts: str) -> str:
    """Sentences in lines of a readable length."""
    return textwrap.fill(" ".join(parts), 118, break_long_words=False, break_on_hyphens=False) + "\n"


def taken(part: dict[str, Any]) -> str:
    """When and where a part was measured."""
    on, small = part["machine"], " The quick form." if part["quick"] else ""
    return f"Measured {part['taken']} on {on['cores']} cores, load {on['load']} before it.{small}\n"


def cost(results: Results) -> str:
    part = results["cost"]
    heads = [
        "",
        "replicas × workers",
        "turns/s",
        "p50",
        "p95",
        "server",
        "database",
        "nginx",
        "PgBouncer",
        "statements",
    ]
    rows = [
        [
            point["size"]["mode"],
            f"{point['size']['replicas']} × {point['size']['workers']}",
            f"{point['rate']:.0f}",
            f"{point['p50']:.0f} ms",
            f"{point['p95']:.0f} ms",
            f"{point['server_ms']:.2f} ms",
            f"{point['database_ms']:.2f} ms",
            f"{point['nginx_ms']:.2f} ms",
            f"{point['bouncer_ms']:.2f} ms" if "bouncer_ms" in point else "–",
            f"{point['statements']:.1f}",
        ]
        for point in part["points"]
    ]
    first, errors = part["points"][0], sum(point["errors"] for point in part["points"])
    told = prose(
        f"A turn reads and writes {first['rows']:.0f} rows in {first['blocks']:.0f} pages of 8 kB, mostly in memory,",
        f"writes {first['wal_bytes'] / 1000:.1f} kB of log, leaves {part['stored_bytes'] / 1000:.1f} kB, and sends and",
        f"gets {first['http_bytes'] / 1000:.1f} kB over HTTP. {part['turns']:,} turns, {errors} errors.",
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
        f"Two replicas of one worker carried {rates[2] / rates[1]:.2f} times what one did. The model, from the",
        f"processor's time of a turn alone, allows {could[1] / could[0]:.2f} times on {cores} cores that service,",
        f"database, proxies and sender share, and {apart[1] / apart[0]:.1f} times where they need not share.",
    )


def growth(results: Results) -> str:
    parts = ["### Growth\n\n![How p95 grows](pictures/scale.svg)\n"]
    for name in ("people", "tasks", "turns"):
        if name in results:
            heads = [
                CURVES[name][0],
                "p50",
                "p95",
                "times",
                "server",
                "database",
                "rows",
                "pages",
                "turns taken",
                "errors",
            ]
            rows = [
                [
                    f"{point['size']:,}",
                    f"{point['p50']:.1f} ms",
                    f"{point['p95']:.1f} ms",
                    f"{point['times']['p95']:.2f}",
                    f"{point['server_ms']:.2f} ms",
                    f"{point['database_ms']:.2f} ms",
                    f"{point['rows']:.0f}",
                    f"{point['blocks']:.0f}",
                    f"{point['turns']:,}",
                    point["errors"],
                ]
                for point in results[name]["points"]
            ]
            parts.append(f"{taken(results[name])}\n{table(heads, rows)}")
    for name, kinds in (("tools", ("words", "proposals", "gateway")), ("languages", ("words",))):
        parts += [_deciding(results[name], name, kind) for kind in kinds if name in results]
    return "\n".join(parts)


def _deciding(part: dict[str, Any], name: str, kind: str) -> str:
    what = {
        "words": "deciding words" if name == "tools" else "deciding five messages, one after the other",
        "proposals": "checking a proposed call",
        "gateway": "`tools/list` by the gateway",
    }
    more = [key for key in ("ready_s", "memory_mb", "bytes", "gateway_ms") if key in part[kind][0]]
    named = {"ready_s": "made ready in", "memory_mb": "memory", "bytes": "bytes", "gateway_ms": "of the processor"}
    units = {"ready_s": "s", "memory_mb": "MB", "bytes": "", "gateway_ms": "ms"}
    rows = [
        [
            f"{point['size']:,}",
            f"{point['p50']:.2f} ms",
            f"{point['p95']:.2f} ms",
            f"{point['times']['p50']:.2f}",
            *(f"{point[key]:,} {units[key]}".strip() if point[key] > 0 else "–" for key in more),
        ]
        for point in part[kind]
    ]
    heads = [CURVES[name][0], "p50", "p95", "times (p50)", *(named[key] for key in more)]
    return f"{what[kind].capitalize() if kind != 'gateway' else what[kind]}. {taken(part)}\n{table(heads, rows)}"


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
                f"Soak of {soak['minutes']:g} minutes: {soak['requests']:,} requests, {soak['rate']:.0f} a second,",
                f"p50 {soak['p50']:.0f} ms and p95 {soak['p95']:.0f} ms on a busy machine;",
                f"PgBouncer {soak['pgbouncer']}; {restarts}; {soak['retries']} sent again;",
                f"{soak['wrong']} lost, doubled or wrong; the slowest answer took {soak['slowest_s']} s; memory of the",
                f"replica that lived on {soak['memory_growth']:.3f} times that after its warm-up.",
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
        f"Assumed ({given.dated}): {given.active:.0%} of all speak on a day, {given.turns_a_day:g} turns each; the",
        f"peak is {given.peak:g} times the mean, and may use {given.busy:.0%} of a processor; replicas of",
        f"{given.replica_cores} cores, shards of up to {given.shard_cores} cores and",
        f"{given.shard_gigabytes / 1000:g} TB, everything stored {given.copies} times;",
        f"{measured.stored_bytes / 1000:.1f} kB left by a turn, as the longest run had it; turns and trail kept",
        f"{given.kept_months} months. Prices are round figures for rented machines: ${given.core_month:g} a core and",
        f"month, ${given.gigabyte_month:g} a GB and month, ${given.gigabyte_out:g} a GB sent. Redis, backups, people",
        "on call and support are not in it.",
    )
    beside = prose(
        f"Were every turn sent to a language model, it would send about {sent:,.0f} tokens and get {got:,.0f}",
        f"({measured.prompt_characters:,.0f} letters of instructions, tools and conversation as our model tier sends",
        f"them, {given.letters_a_token:g} letters a token, {given.requests_a_turn:g} requests a turn):",
        f"**${cheap:,.0f} to ${dear:,.0f} for a million turns**, at an assumed ${given.tokens_cheap[0]:.2f} to",
        f"${given.tokens_dear[0]:.2f} for a million tokens in and ${given.tokens_cheap[1]:.2f} to",
        f"${given.tokens_dear[1]:.2f} out.",
    )
    return f"### Capacity (modelled, not measured)\n\n{table(heads, rows)}\n{assumed}\n{beside}"


def figures(results: Results, soak: Results | None) -> str:
    """All that stands between the marks."""
    measured, given = measured_from(results), Assumed()
    parts = [cost(results), replicas(results, measured), growth(results), endurance(results, soak)]
    return "\n".join([*parts, capacity(measured, given)])


def read() -> tuple[Results, Results | None]:
    soak = RESULTS / "soak.json"
    return json.loads((RESULTS / "scale.json").read_text()), json.loads(soak.read_text()) if soak.exists() else None


def written(page: str, between: str) -> str:
    """The page with what stands between the marks written anew."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n{between}\n{END}{rest.partition(END)[2]}"


def main() -> None:
    results, soak = read()
    PICTURE.write_text(picture(results), encoding="utf-8")
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), figures(results, soak)), encoding="utf-8")
    print(f"{PAGE.relative_to(Path.cwd()) if PAGE.is_relative_to(Path.cwd()) else PAGE} written")


if __name__ == "__main__":
    main()
