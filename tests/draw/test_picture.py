"""The finished picture: valid, complete, nothing overlaps, nothing is cut off."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludisect.decomposition.model.decomposition import Decomposition, Evidence
from ludisect.decomposition.model.dependency import DependencyGraph, Edge, Node
from ludisect.draw.boards import Board, Cell
from ludisect.draw.drawing import decomposition_svg, write_picture
from ludisect.draw.grids import boards_fragment
from ludisect.draw.palette import STROKES, color, contrast, ink_on
from ludisect.draw.svg import clean
from ludisect.errors import InputError

from .boxes import SPACE, Label, labels, view_box
from .samples import SAMPLES, double_tictactoe, four_lamps, load, nim


@pytest.fixture(params=list(SAMPLES))
def parts(request: pytest.FixtureRequest) -> Decomposition:
    return SAMPLES[request.param]()


def check(svg: str) -> None:
    """No label meets another, none leaves the picture."""
    found = labels(svg)
    width, height = view_box(svg)
    for a, b in combinations(found, 2):
        assert not a.meets(b), (a, b)
    for a in found:
        assert a.left >= 0, a
        assert a.right <= width, a
        assert a.top >= 0, a
        assert a.bottom <= height, a


def test_labels_do_not_overlap_and_are_not_cut_off(parts: Decomposition) -> None:
    check(decomposition_svg(parts))


def test_picture_says_what_it_shows(parts: Decomposition) -> None:
    shown = [label.text for label in labels(decomposition_svg(parts))]
    assert parts.game.name in shown
    assert "Legend" in shown
    head = " ".join(shown[:5])
    assert parts.structure in head
    assert (parts.evidence.status if parts.evidence else "not verified") in head
    for s in parts.parts[:100]:
        assert str(s.id) in shown


def test_same_picture_every_time() -> None:
    assert decomposition_svg(double_tictactoe()) == decomposition_svg(double_tictactoe())


def test_legend_names_the_kinds_of_edges_that_are_drawn_and_no_others(parts: Decomposition) -> None:
    shown = {label.text for label in labels(decomposition_svg(parts))}
    drawn = {e.kind for e in parts.graph.edges} if parts.graph else set()
    if any(s.after for s in parts.parts):
        drawn.add("serial")
    assert {kind for kind, look in STROKES.items() if f"{kind}: {look.meaning}" in shown} == drawn


def test_every_kind_of_edge_can_be_drawn() -> None:
    game = load("four-lamps")
    graph = DependencyGraph([Node(str(t), (f,)) for f, t in enumerate(game.fluents)])
    graph.edges += [Edge(0, 1, kind) for kind in STROKES] + [Edge(1, 0, kind) for kind in STROKES]
    parts = replace(four_lamps(), graph=graph)
    together = replace(parts, parts=(replace(parts.parts[0], fluent_numbers=(0, 1, 2, 3)),))
    for d in (parts, together):
        svg = decomposition_svg(d)
        check(svg)
        drawn = [e for e in ElementTree.fromstring(svg).iter(f"{SPACE}g") if e.get("data-tie")]
        told = {i for e in drawn for i in str(e.get("data-tie")).split()}
        assert len(told) == 2 * len(STROKES) - 1  # goal has no direction


def test_nodes_tied_by_lines_are_all_there() -> None:
    svg = decomposition_svg(nim())
    shown = [label.text for label in labels(svg)]
    for heap, size in zip("abc", (3, 5, 7), strict=True):
        assert f"(heap {heap} *)" in shown
        for k in range(size):
            assert f"(reduce {heap} {k})" in shown


def test_failure_is_told_with_its_reason() -> None:
    shown = " ".join(label.text for label in labels(decomposition_svg(four_lamps())))
    assert "failed verification: condition 1, the next value of <part 1> & its friends differs" in shown


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(st.integers(2, 40), st.integers(2, 40)), min_size=1, max_size=4), st.integers(0, 9999))
def test_numbers_on_boards_of_any_size_do_not_overlap(shapes: list[tuple[int, int]], start: int) -> None:
    parts = SAMPLES["many"]()
    n = len(parts.parts)
    found = [
        Board(
            f"(board {k} ↓ →)",
            tuple(str(start + r) for r in range(rows)),
            tuple(str(start + c) for c in range(columns)),
            {
                (r, c): Cell((0,), ((r * c) % n, (r + c) % n)[: 1 + (r == c)])
                for r in range(rows)
                for c in range(columns)
            },
        )
        for k, (rows, columns) in enumerate(shapes)
    ]
    piece = boards_fragment(parts, found, 900)
    found_labels = labels(f'<svg xmlns="http://www.w3.org/2000/svg">{piece.body}</svg>')
    by_row: dict[int, list[Label]] = {}
    for label in found_labels:  # only those near each other can meet
        for y in range(int(label.top // 40), int(label.bottom // 40) + 1):
            by_row.setdefault(y, []).append(label)
    for row in by_row.values():
        row.sort(key=lambda label: label.left)
        for i, a in enumerate(row):
            for b in row[i + 1 :]:
                if b.left > a.right:
                    break
                assert not a.meets(b), (a, b)
    assert max(label.right for label in found_labels) <= piece.width + 0.2
    assert max(label.bottom for label in found_labels) <= piece.height + 3


words = st.text(max_size=30)


@settings(max_examples=40, deadline=None)
@given(st.lists(words, min_size=4, max_size=4), words, words)
def test_any_text_gives_valid_xml_without_overlap(names: list[str], why: str, note: str) -> None:
    parts = four_lamps()
    graph = DependencyGraph([Node(name) for name in names], [Edge(0, 1, "effect", why=why), Edge(1, 2, "goal")])
    game = replace(parts.game, name=note, roles=(why,))
    svg = decomposition_svg(replace(parts, graph=graph, game=game, evidence=Evidence("tested", 1)))
    check(svg)


@given(words)
def test_clean_text_reads_back(text: str) -> None:
    text = text.replace("\r\n", "\n")  # one line end for who reads XML
    read = ElementTree.fromstring(f"<t>{clean(text)}</t>").text or ""
    assert len(read) == len(text)
    assert all(a == b or b == "\ufffd" or a == "\r" for a, b in zip(text, read, strict=True))


def test_no_ids_that_pictures_on_one_page_would_share() -> None:
    for e in ElementTree.fromstring(decomposition_svg(double_tictactoe())).iter():
        assert e.get("id") is None
        assert e.tag != f"{SPACE}style"


def test_colors_carry_readable_numbers_and_are_distinct() -> None:
    assert len({color(p) for p in range(21)}) == 21
    for p in range(-1, 21):
        assert contrast(ink_on(color(p)), color(p)) >= 4.5, p


def test_kinds_of_edges_differ_in_more_than_color() -> None:
    assert len({(look.dash, look.head) for look in STROKES.values()}) == len(STROKES)


def test_notebook_and_files(tmp_path: Path) -> None:
    parts = nim()
    parts.draw(str(tmp_path / "nim.svg"))
    assert (tmp_path / "nim.svg").read_text(encoding="utf-8") == decomposition_svg(parts) == parts._repr_svg_()
    write_picture(parts, tmp_path / "nim.HTML")
    assert (tmp_path / "nim.HTML").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_other_endings_are_refused_with_the_possible_ones(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^cannot draw 'nim\.png': the name has to end in \.svg or \.html$"):
        write_picture(nim(), tmp_path / "nim.png")
    assert not list(tmp_path.iterdir())
