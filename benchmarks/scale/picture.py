"""The curves of measure.py as an SVG: how many times the smallest size each size takes."""

from __future__ import annotations

import math
from typing import Any

SIDE, HIGH, GAP, TOP, LEFT, BOTTOM = 180, 150, 40, 34, 40, 44
INK, PALE, MARK = "#57606a", "#d0d7de", "#0969da"
CURVES = {
    "people": ("people", "points"),
    "tasks": ("tasks of a person", "points"),
    "turns": ("turns of a conversation", "points"),
    "tools": ("tools of a pack", "words"),
    "languages": ("languages of a pack", "words"),
}


def picture(results: dict[str, Any]) -> str:
    """One panel a curve: how many times the smallest p95 (deciding: p50 of the processor's time)."""
    panels = [(title, results[name][key]) for name, (title, key) in CURVES.items() if name in results]
    width = LEFT + len(panels) * (SIDE + GAP)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {TOP + HIGH + BOTTOM}" role="img" '
        f'font-family="system-ui, sans-serif" font-size="11" fill="{INK}">'
    )
    parts = [head, "<title>How the time of a turn grows, in times of the smallest size</title>"]
    for place, (title, points) in enumerate(panels):
        parts += _panel(LEFT + place * (SIDE + GAP), title, points)
    return "\n".join([*parts, "</svg>", ""])


def _panel(left: float, title: str, points: list[dict[str, Any]]) -> list[str]:
    name = "p95" if "turns" in points[0] else "p50"
    logs = [math.log10(point["size"]) for point in points]
    most = max(2.0, math.ceil(max(point["times"][name] for point in points)))
    places = [
        (
            left + (log - logs[0]) / ((logs[-1] - logs[0]) or 1) * SIDE,
            TOP + HIGH - point["times"][name] / most * HIGH,
            point,
        )
        for log, point in zip(logs, points, strict=True)
    ]
    goal = TOP + HIGH - 1.5 / most * HIGH
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in places)
    parts = [
        f'<text x="{left}" y="{TOP - 14}" font-weight="600">{title}, {name}</text>',
        f'<rect x="{left}" y="{TOP}" width="{SIDE}" height="{HIGH}" fill="none" stroke="{PALE}"/>',
        f'<path d="M{left} {goal:.1f}H{left + SIDE}" stroke="{PALE}" stroke-dasharray="4 4"/>',
        f'<polyline points="{line}" fill="none" stroke="{MARK}" stroke-width="2"/>',
    ]
    for times in (0.0, 1.0, most):
        down = TOP + HIGH - times / most * HIGH + 4
        parts.append(f'<text x="{left - 5}" y="{down:.0f}" text-anchor="end">{times:g}</text>')
    for x, y, point in places:
        told = f"{point['size']:,}: {point['times'][name]} times, {point[name]} ms"
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{MARK}"><title>{told}</title></circle>')
        label = f"10{_raised(point['size'])}" if _is_power(point["size"]) else f"{point['size']:,}"
        parts.append(f'<text x="{x:.1f}" y="{TOP + HIGH + 16}" text-anchor="middle">{label}</text>')
    return parts


def _is_power(size: int) -> bool:
    """Whether it is a power of ten that is too long to write out."""
    return size >= 1000 and str(size).strip("0") == "1"


def _raised(size: int) -> str:
    """The power of ten that it is, as people write it."""
    return str(len(str(size)) - 1).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
