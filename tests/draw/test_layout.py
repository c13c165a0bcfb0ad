"""Outlines of regions, lines between boxes, and the room that text takes, against plain definitions."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from ludisect.draw.boardpicture import stripes
from ludisect.draw.outlines import loops, outline
from ludisect.draw.routes import Wire, lay_out
from ludisect.draw.text import fit, text_width, typeset, wrap

cells = st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=20)


@given(cells)
def test_outlines_run_along_every_side_between_inside_and_outside(region: set[tuple[int, int]]) -> None:
    sides = set()
    for r, c in region:
        for neighbour, ends in (
            ((r - 1, c), ((c, r), (c + 1, r))),
            ((r, c + 1), ((c + 1, r), (c + 1, r + 1))),
            ((r + 1, c), ((c + 1, r + 1), (c, r + 1))),
            ((r, c - 1), ((c, r + 1), (c, r))),
        ):
            if neighbour not in region:
                sides.add(ends)
    walked = []
    for walk in loops(region):
        for (x1, y1), (x2, y2) in zip(walk, [*walk[1:], walk[0]], strict=True):
            length = abs(x1 - x2) + abs(y1 - y2)
            dx, dy = (x2 - x1) // length, (y2 - y1) // length
            walked += [((x1 + k * dx, y1 + k * dy), (x1 + (k + 1) * dx, y1 + (k + 1) * dy)) for k in range(length)]
    assert len(walked) == len(set(walked))
    assert set(walked) == sides


@given(cells)
def test_outlines_stay_inside_their_squares(region: set[tuple[int, int]]) -> None:
    """Every corner of the outline, moved in, lies in a square of the region."""
    numbers = [float(w) for w in outline(region, 40, 2).split() if w not in "MLZ"]
    for x, y in zip(numbers[::2], numbers[1::2], strict=True):
        assert (int(y // 40), int(x // 40)) in region


sizes_of_boxes = st.tuples(st.integers(60, 300), st.integers(40, 200))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.lists(st.tuples(st.integers(60, 300), st.integers(40, 200)), min_size=1, max_size=4), min_size=1, max_size=4
    ),
    st.lists(st.tuples(st.integers(0, 15), st.integers(0, 15), st.sampled_from(["a", "12 dependencies"])), max_size=12),
)
def test_lines_between_boxes_pass_no_box_and_words_do_not_meet(
    sizes: list[list[tuple[int, int]]], ties: list[tuple[int, int, str]]
) -> None:
    rows, count = [], 0
    for row in sizes:
        rows.append(tuple((count + k, float(w), float(h)) for k, (w, h) in enumerate(row)))
        count += len(row)
    pairs = {(a % count, b % count): words for a, b, words in ties if a % count != b % count}
    wires = [Wire(a, b, words) for (a, b), words in pairs.items()]
    placed, routed, _ = lay_out(rows, wires)
    for a, b in combinations(placed.values(), 2):
        assert a.x + a.width <= b.x or b.x + b.width <= a.x or a.y + a.height <= b.y or b.y + b.height <= a.y
    for one in routed:
        for (x1, y1), (x2, y2) in zip(one.corners, one.corners[1:], strict=False):
            assert abs(x1 - x2) < 1e-6 or abs(y1 - y2) < 1e-6
            if y1 == y2 and len(one.corners) > 2:
                for box in placed.values():
                    assert not box.y < y1 < box.y + box.height
    spots = [(one.words_at, text_width(one.wire.words, 12)) for one in routed if one.words_at and len(one.corners) > 2]
    for ((x1, y1), w1), ((x2, y2), w2) in combinations(spots, 2):
        assert abs(y1 - y2) >= 12 or abs(x1 - x2) >= (w1 + w2) / 2


@given(st.integers(1, 9))
def test_stripes_share_the_square_out_evenly(n: int) -> None:
    areas = []
    for points in stripes(n):
        assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in points)
        pairs = zip(points, [*points[1:], points[0]], strict=True)
        areas.append(abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairs)) / 2)
    assert abs(sum(areas) - 1) < 1e-9
    for k, area in enumerate(areas):
        low, high = 2 * k / n, 2 * (k + 1) / n
        below = [t * t / 2 if t <= 1 else 1 - (2 - t) ** 2 / 2 for t in (low, high)]
        assert abs(area - (below[1] - below[0])) < 1e-9


@given(st.text(max_size=60), st.floats(12, 30), st.floats(20, 400))
def test_text_that_is_cut_fits(text: str, size: float, room: float) -> None:
    cut = fit(text, size, room)
    assert cut == text or cut.endswith("…")
    assert text_width(cut, size) <= room or cut == "…"


@given(st.text(max_size=200), st.floats(60, 400))
def test_wrapped_lines_fit_and_keep_the_words(text: str, room: float) -> None:
    lines = wrap(text, 12, room)
    assert all(text_width(line, 12) <= room or line == "…" for line in lines)
    if all(text_width(word, 12) <= room for word in text.split()):
        assert " ".join(lines).split() == text.split()


def test_values_are_typeset() -> None:
    assert typeset("{1/2|-3/2}") == "{1⁄2 | −3⁄2}"
    assert typeset("1*") == "1∗"
    assert typeset("{4||2|0}") == "{4 || 2 | 0}"
