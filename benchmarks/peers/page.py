"""The page of the benchmarks, written from the figures of a run: docs/benchmarks.md and its plots."""

from __future__ import annotations

from benchmarks import ROOT
from benchmarks.harness.figures import Part, Ratio, Run, Target
from benchmarks.peers.plots import over_sizes, ratios

PAGE = ROOT / "docs" / "benchmarks.md"
BUSY = 0.5  # of a core's load, before it began
HEAD = """# Benchmarks

Written by `python -m benchmarks peers` from [its figures](../benchmarks/results/latest.json); do not edit. For
accuracy see [evaluation](evaluation.md).

Contenders alternate in shuffled rounds. A ratio is the median of the rounds, with the quartiles in brackets. Times
depend on the machine: trust the ratios.

## Targets
"""


def publish(run: Run) -> None:
    """Write the page and its plots."""
    PAGE.write_text(page(run), encoding="utf-8")
    folder = PAGE.parent / PAGE.stem
    folder.mkdir(exist_ok=True)
    for name, picture in pictures(run).items():
        (folder / name).write_text(picture, encoding="utf-8")


def pictures(run: Run) -> dict[str, str]:
    """Each plot, by the name of its file."""
    return {f"{part.name}.svg": over_sizes(part) if _is_sized(part) else ratios(part) for part in run.parts}


def page(run: Run) -> str:
    """The whole page."""
    targets = [target for part in run.parts for target in part.targets]
    sections = [
        HEAD
        + "\n"
        + _table(("figure", "target", "stretch", "ratio", "met"), [_target(each) for each in targets if each.limit])
    ]
    missed = [each for each in targets if each.is_met is False]
    if missed:
        reasons = "\n".join(f"- {each.what}: {each.reason or 'no reason is known yet.'}" for each in missed)
        sections.append(f"Missed targets:\n\n{reasons}")
    return "\n\n".join([*sections, *map(_section, run.parts), _machine(run)]) + "\n"


def _target(target: Target) -> tuple[str, ...]:
    sign = "≤" if target.better == "less" else "≥"
    limit, stretch = (f"{sign} {each:g}" if each is not None else "" for each in (target.limit, target.stretch))
    if target.is_met is None:
        met = ""
    elif target.is_stretched:
        met = "yes, stretch too"
    else:
        met = "yes" if target.is_met else "**no**"
    return target.what, limit, stretch, _ratio(target.value), met


def _section(part: Part) -> str:
    sized, p99 = _is_sized(part), any(row.p99 is not None for row in part.rows)
    quality = list(dict.fromkeys(name for row in part.rows for name in row.quality))
    value = part.unit if part.unit == "a second" else f"p50, {part.unit}"
    head = [*(["titles"] if sized else []), "", value, *([f"p99, {part.unit}"] if p99 else [])]
    head += [f"× {part.against}", *quality]
    rows = [
        (
            *([f"{row.size:,}"] if sized else []),
            row.name,
            _figure(row.value),
            *([_figure(row.p99)] if p99 else []),
            _ratio(row.ratio),
            *(row.quality.get(name, "–") for name in quality),
        )
        for row in part.rows
        if not sized or row.size == max(one.size or 0 for one in part.rows)  # the plot has the other sizes
    ]
    text = f"{' '.join(part.method.split())} {part.rounds} rounds."
    parts = [f"## {part.title}", text, f"![{part.title}](benchmarks/{part.name}.svg)", _table(head, rows)]
    return "\n\n".join([*parts, *([part.note] if part.note else [])])


def _machine(run: Run) -> str:
    busy = run.load_before[0] > BUSY * int(run.machine["cores"])
    warning = " The machine was busy when the run began, so the figures are worse than on a quiet one."
    load = f"Load average {run.load_before[0]:g} before and {run.load_after[0]:g} after.{warning if busy else ''}"
    when = f"{run.date}, commit `{run.commit}`, {run.seconds} seconds. {load}"
    told = ", ".join(f"{name} {value}" for name, value in (*run.machine.items(), *run.versions.items()))
    return f"## Machine and date\n\n{when}\n\n{told}."


def _ratio(ratio: Ratio) -> str:
    if ratio.low == ratio.high:
        return _figure(ratio.median)
    return f"{_figure(ratio.median)} ({_figure(ratio.low)}–{_figure(ratio.high)})"


def _figure(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _table(head: tuple[str, ...] | list[str], rows: list[tuple[str, ...]]) -> str:
    lines = [f"|{'|'.join(row)}|" for row in (head, *rows)]
    return "\n".join([lines[0], f"|{'---|' * len(head)}", *lines[1:]])


def _is_sized(part: Part) -> bool:
    return any(row.size is not None for row in part.rows)
