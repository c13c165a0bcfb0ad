"""Regions of a grid: outlines that run just inside their edge, patterns of lines or dots on their squares."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ludisect.draw.boarddata import At
from ludisect.draw.svg import path

_Corner = tuple[int, int]
"""Column and row of a corner of squares."""


def loops(cells: Collection[At]) -> list[list[_Corner]]:
    """The edge of a set of squares as closed walks around it, the inside on the right; corners only."""
    inside = set(cells)
    after: dict[_Corner, list[_Corner]] = {}
    for r, c in sorted(inside):
        sides = (
            ((r - 1, c), (c, r), (c + 1, r)),
            ((r, c + 1), (c + 1, r), (c + 1, r + 1)),
            ((r + 1, c), (c + 1, r + 1), (c, r + 1)),
            ((r, c - 1), (c, r + 1), (c, r)),
        )
        for neighbour, start, end in sides:
            if neighbour not in inside:
                after.setdefault(start, []).append(end)
    out = []
    while after:
        start = min(after)
        walk = [start]
        here, came = start, (0, 0)
        while True:
            ways = after[here]
            # Where two squares touch at a corner, turn right: the walk stays at its square.
            turn = (-came[1], came[0])
            there = next((p for p in ways if (p[0] - here[0], p[1] - here[1]) == turn), ways[0])
            ways.remove(there)
            if not ways:
                del after[here]
            came, here = (there[0] - here[0], there[1] - here[1]), there
            if here == start:
                break
            walk.append(here)
        out.append(_corners(walk))
    return out


def _corners(walk: list[_Corner]) -> list[_Corner]:
    """A walk without the points at which it goes straight on."""
    out = []
    for k, here in enumerate(walk):
        before, after = walk[k - 1], walk[(k + 1) % len(walk)]
        if (here[0] - before[0], here[1] - before[1]) != (after[0] - here[0], after[1] - here[1]):
            out.append(here)
    return out


def outline(cells: Collection[At], side: float, inset: float) -> str:
    """The outline of a region as the ``d`` of a path, ``inset`` inside its edge."""
    steps: list[str | float] = []
    for walk in loops(cells):
        for k, (x, y) in enumerate(walk):
            before, after = walk[k - 1], walk[(k + 1) % len(walk)]
            aside_x = aside_y = 0.0
            for a, b in ((before, (x, y)), ((x, y), after)):
                dx, dy = (b[0] > a[0]) - (b[0] < a[0]), (b[1] > a[1]) - (b[1] < a[1])
                aside_x, aside_y = aside_x - dy, aside_y + dx
            steps += ["M" if k == 0 else "L", x * side + aside_x * inset, y * side + aside_y * inset]
        steps.append("Z")
    return path(*steps)


def hatching(cells: Iterable[At], side: float) -> str:
    """Diagonal lines over squares, as the ``d`` of a path."""
    steps: list[str | float] = []
    count = max(2, round(side / 12))
    gap = side / count
    for r, c in cells:
        x, y = c * side, r * side
        for k in range(count):
            steps += ["M", x, y + (k + 0.5) * gap, "L", x + (k + 0.5) * gap, y]
            steps += ["M", x + (k + 0.5) * gap, y + side, "L", x + side, y + (k + 0.5) * gap]
    return path(*steps)


def dotting(cells: Iterable[At], side: float) -> str:
    """Dots over squares: strokes of no length, for round ends."""
    steps: list[str | float] = []
    count = max(2, round(side / 12))
    gap = side / count
    for r, c in cells:
        for i in range(count):
            for j in range(count):
                steps += ["M", c * side + (i + 0.5) * gap, r * side + (j + 0.5) * gap, "h", 0.0]
    return path(*steps)
