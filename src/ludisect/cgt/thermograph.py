"""Thermographs: left and right walls as exact piecewise-linear functions of the temperature, from -1 up.

The walls of ``G`` come from those of its options: the left scaffold is the maximum of the options' right walls taxed
by ``t``, the right scaffold the minimum of the left walls plus ``t``; where they meet, the mast begins. If they do not
overlap even at ``t = -1`` the game is an integer, the simplest one between them. The recursion may run over any form
of a game, canonical or not; the result is the same.

References: Siegel, *Combinatorial Game Theory* (2013), II.5; *Winning Ways*, ch. 6; temperatures below zero as in
Siegel (integers have temperature -1, the number m/2^k in lowest terms has -1/2^k).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

from ludisect.cgt.dyadic import Number, half, normal

Point = tuple[Number, Number]
"""Temperature and value."""


@dataclass(frozen=True, slots=True)
class Wall:
    """A wall: corners (temperature, value) from temperature -1 upward, linear between, constant above the last."""

    points: tuple[Point, ...]

    def at(self, t: Number) -> Number:
        """The value at temperature ``t`` (at least -1)."""
        points = self.points
        if t >= points[-1][0]:
            return points[-1][1]
        for (t0, x0), (t1, x1) in pairwise(points):
            if t <= t1:
                return normal(x0 + Fraction(x1 - x0) * (t - t0) / (t1 - t0)) if x0 != x1 else x0
        raise AssertionError("a wall has at least one point")

    @property
    def mast(self) -> Number:
        """The value above the last corner."""
        return self.points[-1][1]


@dataclass(frozen=True, slots=True)
class Thermograph:
    """The left and right wall of a game; ``mean`` is its mast value, ``temperature`` where the mast begins."""

    left: Wall
    right: Wall
    temperature: Number

    @property
    def mean(self) -> Number:
        """The mast value."""
        return self.left.mast

    def width(self, t: Number) -> Number:
        """Left wall minus right wall at temperature ``t``."""
        return normal(Fraction(self.left.at(t)) - self.right.at(t)) if t < self.temperature else 0

    @property
    def mirrored(self) -> Thermograph:
        """The thermograph of the negative."""
        left, right = (Wall(tuple([(t, -x) for t, x in wall.points])) for wall in (self.right, self.left))
        return Thermograph(left, right, self.temperature)

    def __str__(self) -> str:
        def wall(w: Wall) -> str:
            return " ".join(f"({x}, {t})" for t, x in w.points)

        return f"L: {wall(self.left)} R: {wall(self.right)}"

    def to_svg(self, title: str = "", *, theme: str = "light", small: bool = False) -> str:
        """The picture as an SVG document: temperature upward, values growing to the left as is the custom.

        ``theme`` is light, dark or page; the small form has no axes.
        """
        from ludisect.draw.thermopicture import thermograph_svg

        return thermograph_svg(self, title, theme=theme, small=small)

    def draw(self, path: str | Path, title: str = "") -> None:
        """Write the picture to ``path`` (an SVG file)."""
        Path(path).write_text(self.to_svg(title), encoding="utf-8")

    def plot(self, ax: Any = None, *, title: str = "") -> Any:
        """Draw it with matplotlib into ``ax``, or into axes of a new figure, and return these axes.

        Raises:
            ImportError: matplotlib is not installed; it comes with ``pip install 'ludisect[plots]'``.
        """
        from ludisect.cgt.plotting import plot_thermograph

        return plot_thermograph(self, ax, title)

    def _repr_svg_(self) -> str:
        return self.to_svg()


def mast(x: int) -> Thermograph:
    """The thermograph of the integer ``x``: a mast from temperature -1 on."""
    wall = Wall(((-1, x),))
    return Thermograph(wall, wall, -1)


def combine(left: Iterable[Thermograph], right: Iterable[Thermograph]) -> Thermograph:
    """The thermograph of the game whose left and right options have the given thermographs."""
    best_left = _fold([g.right.points for g in left], 1)
    best_right = _fold([g.left.points for g in right], -1)
    low = None if best_left is None else best_left[0][1] + 1  # the scaffolds at temperature -1
    high = None if best_right is None else best_right[0][1] - 1
    if best_left is None or best_right is None or low is None or high is None or low <= high:
        return mast(_simplest_integer(low, high))
    t, x = _meet(best_left, best_right)
    return Thermograph(_tax(best_left, -1, t, x), _tax(best_right, 1, t, x), t)


def _simplest_integer(low: Number | None, high: Number | None) -> int:
    if low is not None and low > 0:
        return int(low)
    if high is not None and high < 0:
        return int(high)
    return 0


def _values(points: Sequence[Point], ts: Sequence[Number]) -> list[Number]:
    """The wall's values at the ascending temperatures ``ts``."""
    out: list[Number] = []
    i, last = 0, len(points) - 1
    for t in ts:
        while i < last and points[i + 1][0] <= t:
            i += 1
        t0, x0 = points[i]
        if i == last or t == t0 or points[i + 1][1] == x0:
            out.append(x0)
        else:
            t1, x1 = points[i + 1]
            out.append(normal(x0 + Fraction(x1 - x0) * (t - t0) / (t1 - t0)))
    return out


def _fold(walls: list[tuple[Point, ...]], sign: int) -> tuple[Point, ...] | None:
    """The pointwise maximum (``sign`` 1) or minimum (-1) of the walls."""
    out: tuple[Point, ...] | None = None
    for wall in dict.fromkeys(walls):
        out = wall if out is None else _extreme(out, wall, sign)
    return out


def _extreme(a: tuple[Point, ...], b: tuple[Point, ...], sign: int) -> tuple[Point, ...]:
    ts = sorted({t for t, _ in a} | {t for t, _ in b})
    xs, ys = _values(a, ts), _values(b, ts)
    out: list[Point] = []
    before: Number = 0
    for i, t in enumerate(ts):
        now = (xs[i] - ys[i]) * sign
        if i and before * now < 0:  # the walls cross between two corners
            cut = Fraction(before) / (before - now)
            out.append((normal(ts[i - 1] + cut * (t - ts[i - 1])), normal(xs[i - 1] + cut * (xs[i] - xs[i - 1]))))
        out.append((t, xs[i] if now >= 0 else ys[i]))
        before = now
    return _straighten(out)


def _straighten(points: list[Point]) -> tuple[Point, ...]:
    """Drop the corners that are none."""
    out: list[Point] = []
    for p in points:
        if out and out[-1][0] == p[0]:
            continue
        while len(out) >= 2:
            (t0, x0), (t1, x1) = out[-2], out[-1]
            if (x1 - x0) * (p[0] - t1) != (p[1] - x1) * (t1 - t0):
                break
            out.pop()
        out.append(p)
    while len(out) >= 2 and out[-1][1] == out[-2][1]:
        out.pop()
    return tuple(out)


def _meet(a: tuple[Point, ...], b: tuple[Point, ...]) -> Point:
    """Where ``a`` taxed by ``t`` comes down to ``b`` plus ``t``: temperature and value of the mast's foot."""
    ts = sorted({t for t, _ in a} | {t for t, _ in b})
    xs, ys = _values(a, ts), _values(b, ts)
    for i, t in enumerate(ts):
        gap = xs[i] - ys[i] - 2 * t
        if gap <= 0:
            t0 = ts[i - 1]
            before = xs[i - 1] - ys[i - 1] - 2 * t0
            cut = Fraction(before) / (before - gap)
            t = normal(t0 + cut * (t - t0))
            return t, normal(_values(a, [t])[0] - t)
    t = half(xs[-1] - ys[-1])
    return t, normal(xs[-1] - t)


def _tax(points: tuple[Point, ...], sign: int, t: Number, x: Number) -> Wall:
    """The scaffold of ``points`` (each value plus ``sign`` times the temperature) up to the mast's foot."""
    kept = [(t0, normal(x0 + sign * t0)) for t0, x0 in points if t0 < t]
    return Wall(_straighten([*kept, (t, x)]))
