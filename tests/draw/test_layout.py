"""Boxes pushed apart, columns, rows, stripes: laws of the geometry."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ludisect.draw.grids import bands
from ludisect.draw.layout import columns, force, rows, separate
from ludisect.draw.lines import Line, bundles
from ludisect.draw.text import fit, text_width, wrap

quick = settings(max_examples=60, deadline=None)
sizes = st.lists(st.tuples(st.floats(1, 200), st.floats(1, 40)), min_size=1, max_size=20)


def apart(centers: np.ndarray, boxes: list[tuple[float, float]], gap: float) -> bool:
    """The obvious twin: every pair keeps the gap in x or in y."""
    return all(
        any(abs(centers[i][k] - centers[j][k]) >= (boxes[i][k] + boxes[j][k]) / 2 + gap - 1e-3 for k in (0, 1))
        for i, j in combinations(range(len(boxes)), 2)
    )


@quick
@given(sizes, st.data())
def test_separated_boxes_keep_the_gap(boxes: list[tuple[float, float]], data: st.DataObject) -> None:
    coordinate = st.sampled_from([0.0, 1.0, 5.0, 100.0])  # many coincide
    centers = np.array([[data.draw(coordinate), data.draw(coordinate)] for _ in boxes])
    assert apart(separate(centers, boxes, 4.0), boxes, 4.0)


def test_boxes_that_are_apart_stay_where_they_are() -> None:
    centers = np.array([[0.0, 0.0], [50.0, 0.0], [0.0, 50.0]])
    assert np.allclose(separate(centers, [(20.0, 10.0)] * 3, 5.0), centers, atol=0.01)


@quick
@given(sizes, st.data())
def test_force_and_columns_keep_boxes_apart(boxes: list[tuple[float, float]], data: st.DataObject) -> None:
    n = len(boxes)
    edges = data.draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=30))
    assert apart(force(edges, boxes, 4.0), boxes, 4.0)
    cut = data.draw(st.integers(0, n))
    left, right = list(range(cut)), list(range(cut, n))
    across = [(a, b) for a, b in edges if (a < cut) != (b < cut)]
    assert apart(columns(left, right, across, boxes, 4.0, 30.0), boxes, 4.0)


def test_columns_put_partners_side_by_side() -> None:
    at = columns([0, 1, 2], [3, 4, 5], [(0, 5), (1, 4), (2, 3)], [(10.0, 10.0)] * 6, 4.0, 30.0)
    for a, b in ((0, 5), (1, 4), (2, 3)):
        assert at[a][1] == at[b][1]


@quick
@given(sizes, st.floats(10, 500))
def test_rows_hold_their_boxes_in_order(boxes: list[tuple[float, float]], room: float) -> None:
    corners, (width, height) = rows(boxes, room, 5.0)
    centers = np.array([(x + w / 2, y + h / 2) for (x, y), (w, h) in zip(corners, boxes, strict=True)])
    assert apart(centers, boxes, 5.0)
    assert width <= max(room, max(w for w, _ in boxes)) + 1e-9
    for (x, y), (w, h) in zip(corners, boxes, strict=True):
        assert x + w <= width + 1e-9
        assert y + h <= height + 1e-9
    assert corners == sorted(corners, key=lambda c: (c[1], c[0]))


def area(points: list[tuple[float, float]]) -> float:
    return abs(
        sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(points, [*points[1:], points[0]], strict=True)) / 2
    )  # the shoelace formula


def test_stripes_fill_the_square() -> None:
    for n in range(1, 9):
        stripes = bands(n)
        assert len(stripes) == n
        assert abs(sum(map(area, stripes)) - 1) < 1e-9
        for k, points in enumerate(stripes):
            assert all(2 * k / n - 1e-9 <= x + y <= 2 * (k + 1) / n + 1e-9 for x, y in points)
            assert all(0 <= c <= 1 for point in points for c in point)


@given(st.sets(st.tuples(st.integers(0, 5), st.integers(6, 11))))
def test_bundles_stand_for_exactly_their_lines(pairs: set[tuple[int, int]]) -> None:
    mine = [Line(a, b, "precondition", 1.0, False, (k,)) for k, (a, b) in enumerate(sorted(pairs))]
    bundled, single = bundles(mine)
    assert sorted(line.ties for b in [*bundled, single] for line in b) == sorted(line.ties for line in mine)
    for bundle in bundled:
        sources, targets = {line.source for line in bundle}, {line.target for line in bundle}
        assert len(bundle) == len(sources) * len(targets)
        assert min(len(sources), len(targets)) >= 3
        assert {(line.source, line.target) for line in bundle} == {(a, b) for a in sources for b in targets}


def test_complete_ties_are_one_bundle() -> None:
    mine = [Line(a, b, "precondition", 1.0, False, (a * 10 + b,)) for a in range(3) for b in range(3, 7)]
    bundled, single = bundles(mine)
    assert [len(b) for b in bundled] == [12]
    assert single == []


@given(st.text(max_size=60), st.floats(20, 200))
def test_text_fits_where_it_is_made_to_fit(text: str, room: float) -> None:
    shown = fit(text, 10, room)
    assert text_width(shown, 10) <= room
    assert shown == text or (shown.endswith("…") and text.startswith(shown[:-1]))
    lines = wrap(text, 10, room)
    assert all(text_width(line, 10) <= room for line in lines)
    if all(text_width(word, 10) <= room for word in text.split()):
        assert " ".join(lines) == " ".join(text.split())
