"""The plots of the benchmarks as SVG: ratios on a line, times over sizes. They follow the reader's light or dark."""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape

from benchmarks.harness.figures import Part, Ratio, Row

WIDTH, LEFT, RIGHT, TOP, LINE, BOTTOM = 760, 290, 90, 34, 26, 34
HEIGHT, LABEL = 300, 15.0  # of times over sizes, and of a line's name
STYLE = """<style>
text { fill: #57606a; } .axis { stroke: #d0d7de; fill: none; } .whisker { stroke-width: 2; } path { fill: none; }
.peer { stroke: #818b98; } .ours { stroke: #0969da; stroke-width: 2; } .goal { stroke: #bc4c00; stroke-dasharray: 4 4; }
circle.peer { fill: #818b98; } circle.ours { fill: #0969da; } text.ours { fill: #0969da; } text.goal { fill: #bc4c00; }
text.peer, text.ours, text.goal { stroke: none; } text.peer { fill: #57606a; }
@media (prefers-color-scheme: dark) {
 text { fill: #9198a1; } .axis { stroke: #3d444d; } .ours { stroke: #4493f8; } .goal { stroke: #f0883e; }
 circle.ours { fill: #4493f8; } text.ours { fill: #4493f8; } text.goal { fill: #f0883e; } text.peer { fill: #9198a1; }
}
</style>"""


def ratios(part: Part) -> str:
    """A dot for each contender, how far the middle half of its rounds reaches, and the target."""
    target = next((each for each in part.targets if each.limit is not None and _is_told(part, each.value)), None)
    values = [value for row in part.rows for value in (row.ratio.low, row.ratio.high)]
    values += [1.0] + ([target.limit] if target and target.limit else [])
    scale = _Scale(min(values), max(values), LEFT, WIDTH - RIGHT)
    bottom = TOP + LINE * len(part.rows)
    parts = list(_ticks(scale, bottom))
    if target and target.limit:
        at = scale.at(target.limit)
        parts.append(f'<path class="goal" d="M{at:.1f} {TOP - 8}V{bottom}"/>')
        parts.append(
            f'<text class="goal" x="{at:.1f}" y="{TOP - 14}" text-anchor="middle">target {target.limit:g}</text>'
        )
    for number, row in enumerate(part.rows):
        parts += _dot(row, scale, TOP + LINE * (number + 0.5))
    more = "more is better" if part.unit == "a second" else "less is better"
    parts.append(_text(f"times {part.against} ({more})", LEFT, bottom + 30))
    return _svg(f"{part.title}: ratios", bottom + BOTTOM, parts)


def over_sizes(part: Part) -> str:
    """A line for each contender: what one search takes among so many."""
    names = list(dict.fromkeys(row.name for row in part.rows))
    sizes = _Scale(min(_sizes(part)), max(_sizes(part)), 70, WIDTH - 170)
    times = _Scale(min(row.value for row in part.rows), max(row.value for row in part.rows), TOP + HEIGHT, TOP)
    parts = []
    for power in times.powers():
        down = times.at(10.0**power)
        parts.append(f'<path class="axis" d="M70 {down:.1f}H{WIDTH - 170}"/>')
        parts.append(_text(f"{10.0**power:,.0f}", 62, down + 4, "end"))
    parts += [_text(f"{size:,}", sizes.at(size), TOP + HEIGHT + 20, "middle") for size in sorted(set(_sizes(part)))]
    lines = {
        name: [(sizes.at(row.size or 1), times.at(row.value)) for row in part.rows if row.name == name]
        for name in names
    }
    for name, dots in lines.items():
        way = "L".join(f"{across:.1f} {down:.1f}" for across, down in dots)
        parts.append(f'<path class="{_kind(name)}" d="M{way}"/>')
        parts += [f'<circle class="{_kind(name)}" cx="{across:.1f}" cy="{down:.1f}" r="3"/>' for across, down in dots]
    above = -LABEL
    for name in sorted(names, key=lambda name: lines[name][-1][1]):  # one below the other, even where the lines meet
        across, down = lines[name][-1]
        above = max(down, above + LABEL)
        parts.append(_text(name.replace("`", ""), across + 10, above + 4, kind=_kind(name)))
    parts.append(_text(f"{part.unit}, by the number of titles", 70, TOP - 14))
    return _svg(f"{part.title}: time by size", TOP + HEIGHT + BOTTOM, parts)


class _Scale:
    """Powers of ten between two places."""

    def __init__(self, least: float, most: float, first: float, last: float) -> None:
        self._low, self._high = math.log10(least) - 0.1, math.log10(most) + 0.1
        self._first, self._last = first, last

    def at(self, value: float) -> float:
        share = (math.log10(value) - self._low) / (self._high - self._low)
        return self._first + share * (self._last - self._first)

    def powers(self) -> range:
        return range(math.ceil(self._low), math.floor(self._high) + 1)


def _ticks(scale: _Scale, bottom: float) -> Iterator[str]:
    powers = [10.0**power for power in scale.powers()]
    for value in powers if len(powers) > 1 else [0.5, *powers, 2.0]:
        at = scale.at(value)
        if LEFT <= at <= WIDTH - RIGHT:
            yield f'<path class="axis" d="M{at:.1f} {TOP}V{bottom}"/>'
            yield _text(f"{value:g}", at, bottom + 14, "middle")


def _dot(row: Row, scale: _Scale, down: float) -> Iterator[str]:
    kind, at = _kind(row.name), scale.at(row.ratio.median)
    yield _text(row.name.replace("`", ""), LEFT - 12, down + 4, "end", kind)
    low, high = scale.at(row.ratio.low), scale.at(row.ratio.high)
    yield f'<path class="whisker {kind}" d="M{low:.1f} {down}H{high:.1f}"/>'
    yield f'<circle class="{kind}" cx="{at:.1f}" cy="{down}" r="5"/>'
    yield _text(f"{row.ratio.median:.2g}", max(at, high) + 10, down + 4, kind=kind)


def _is_told(part: Part, value: Ratio) -> bool:
    """Whether that is the ratio of a row, so that its limit belongs on the same line."""
    return any(row.ratio == value for row in part.rows)


def _kind(name: str) -> str:
    return "ours" if name.startswith(("Sayso", "sayso", "add_task", "turns")) else "peer"


def _sizes(part: Part) -> list[int]:
    return [row.size for row in part.rows if row.size]


def _text(words: str, across: float, down: float, anchor: str = "start", kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{across:.1f}" y="{down:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def _svg(title: str, height: float, parts: list[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" role="img" '
        'font-family="system-ui, sans-serif" font-size="12">'
    )
    return "\n".join([head, f"<title>{escape(title)}</title>", STYLE, *parts, "</svg>", ""])
