"""The reliability diagram as an SVG: of the calls at a confidence, how many were right?

A point on the diagonal is confidence that tells the truth; below it Sayso was too sure, above too modest.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sayso.evals.score import Verdict, expected_calibration_error

SIDE, GAP, TOP, LEFT, BOTTOM = 220, 46, 40, 46, 50
BINS = 10
INK, PALE, MARK = "#57606a", "#d0d7de", "#0969da"

Calls = list[tuple[float, bool]]


class Dot(NamedTuple):
    """A bin: the mean confidence of its calls, the share that was right, and how many there are."""

    confidence: float
    right: float
    calls: int


def picture(verdicts: Iterable[Verdict]) -> str:
    """One panel over all calls, and one for each language."""
    piles: dict[str, Calls] = {"all": []}
    for one in verdicts:
        piles["all"] += one.calls
        piles.setdefault(one.lang.split("-")[0] or "?", []).extend(one.calls)
    return draw({name: calls for name, calls in sorted(piles.items(), key=_order) if calls})


def draw(piles: dict[str, Calls]) -> str:
    """The picture of these panels."""
    width = LEFT + len(piles) * (SIDE + GAP)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {TOP + SIDE + BOTTOM}" role="img" '
        f'font-family="system-ui, sans-serif" font-size="12" fill="{INK}">'
    )
    parts = [head, "<title>Reliability of confidence</title>"]
    for place, (name, calls) in enumerate(piles.items()):
        parts += _panel(LEFT + place * (SIDE + GAP), name, calls)
    return "\n".join([*parts, "</svg>", ""])


def dots(calls: Calls) -> list[Dot]:
    """The bins that hold calls."""
    found = []
    for number in range(BINS):
        own = [call for call in calls if min(int(call[0] * BINS), BINS - 1) == number]
        if own:
            size = len(own)
            found.append(Dot(sum(c for c, _ in own) / size, sum(good for _, good in own) / size, size))
    return found


def _order(pile: tuple[str, Calls]) -> tuple[bool, str]:
    return (pile[0] != "all", pile[0])


def _panel(left: float, name: str, calls: Calls) -> list[str]:
    error = expected_calibration_error(calls)
    parts = [
        f'<text x="{left}" y="{TOP - 16}" font-weight="600">{name}: ECE {error:.3f}, {len(calls)} calls</text>',
        f'<rect x="{left}" y="{TOP}" width="{SIDE}" height="{SIDE}" fill="none" stroke="{PALE}"/>',
        f'<path d="M{left} {TOP + SIDE}L{left + SIDE} {TOP}" stroke="{PALE}" stroke-dasharray="4 4"/>',
        f'<text x="{left + SIDE / 2}" y="{TOP + SIDE + 36}" text-anchor="middle">confidence</text>',
    ]
    for tick in (0.0, 0.5, 1.0):
        across, down = left + tick * SIDE, TOP + (1 - tick) * SIDE
        parts.append(f'<text x="{across:.0f}" y="{TOP + SIDE + 16}" text-anchor="middle">{tick:g}</text>')
        parts.append(f'<text x="{left - 6}" y="{down + 4:.0f}" text-anchor="end">{tick:g}</text>')
    for dot in dots(calls):
        radius = 3 + 9 * (dot.calls / len(calls)) ** 0.5
        across, down = left + dot.confidence * SIDE, TOP + (1 - dot.right) * SIDE
        words = f"confidence {dot.confidence:.2f}, right {dot.right:.2f}, {dot.calls} calls"
        parts.append(
            f'<circle cx="{across:.1f}" cy="{down:.1f}" r="{radius:.1f}" fill="{MARK}" fill-opacity="0.75">'
            f"<title>{words}</title></circle>"
        )
    return parts
