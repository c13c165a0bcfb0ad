"""The finished pictures: valid, complete, readable; nothing overlaps, nothing is cut off; three themes, one drawing."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludisect
from ludisect import position
from ludisect.decomposition.model.decomposition import Decomposition, Evidence
from ludisect.decomposition.model.dependency import DependencyGraph, Edge, Node
from ludisect.draw.boarddata import BoardData, Square
from ludisect.draw.drawing import (
    board_svg,
    decomposition_svg,
    graph_svg,
    position_svg,
    state_svg,
    write_picture,
)
from ludisect.draw.palette import PARTS, TONES
from ludisect.draw.sumboards import SumBoards
from ludisect.draw.svg import clean
from ludisect.draw.theme import stylesheet
from ludisect.draw.thermopicture import thermograph_svg
from ludisect.draw.treepicture import tree_svg
from ludisect.errors import InputError
from ludisect.sums.table import Sum

from .boxes import SPACE, labels, view_box
from .samples import SAMPLES, double_tictactoe, four_lamps, load, nim
from .test_boarddata import POSITIONS

Draw = Callable[[str], str]
"""A picture, by its theme."""


@cache
def played() -> Sum:
    line = "left 1: c1-c2; right 1: a2-b2; left 1: b3-b4; right 1: e5-f5; left 1: c4-c5; right 1: d4-e4"
    return Sum("domineering 6x6").play_line(f"{line}; left 1: d2-d3; right 1: b6-c6")


def _state(name: str, line: str = "") -> Draw:
    return lambda theme: state_svg(load(name).start.play_line(line), theme=theme)


def _sample(name: str) -> Draw:
    return lambda theme: decomposition_svg(SAMPLES[name](), theme=theme)


def _position(text: str) -> Draw:
    return lambda theme: position_svg(position(text), theme=theme)


def _thermograph(text: str, small: bool) -> Draw:
    return lambda theme: thermograph_svg(ludisect.Value(text).thermograph, text, theme=theme, small=small)


VALUES = ("{4||2|0}", "{1|-1}", "1*", "{20|-30}", "3/4", "{1/2|-3/2}", "{3|{1|1/4}}", "{99999|-12345}", "0")

PICTURES: dict[str, Draw] = {
    **{f"sample {name}": _sample(name) for name in SAMPLES},
    **{f"position {name}": _position(f"{name} {text}") for name, text in POSITIONS.items()},
    **{f"thermograph {text}": _thermograph(text, False) for text in VALUES},
    **{f"small thermograph {text}": _thermograph(text, True) for text in VALUES},
    "state of double tic-tac-toe": _state("double-tictactoe", "(mark1 1 1); (mark2 2 2)"),
    "state of nim": _state("nim:3,5,7", "(reduce c 2)"),
    "state of amazons": _state("amazons", "(go 1 1 1 2 1 3)"),
    "state of breakthrough": _state("breakthrough"),
    "state of tron": _state("tron", "(go east) (go west)"),
    "state of multiple hanoi": _state("multiple-hanoi"),
    "a sum": lambda theme: board_svg(SumBoards(played()).boards, theme=theme),
    "a sum on a telephone": lambda theme: board_svg(SumBoards(played()).boards, theme=theme, room=300),
    "a sum to act on": lambda theme: board_svg(SumBoards(played()).boards, theme=theme, interactive=True, prefix="p-"),
    "the graph": lambda theme: graph_svg(double_tictactoe(), theme=theme),
    "a narrow graph": lambda theme: graph_svg(nim(), theme=theme, room=340),
    "a tree": lambda theme: tree_svg(position("domineering ..#|...|...").tree(2), theme=theme),
    "a tree of heaps": lambda theme: tree_svg(position("nim 2 3").tree(1), theme=theme, dominated=True),
}


@cache
def drawn(name: str, theme: str) -> str:
    return PICTURES[name](theme)


@pytest.fixture(params=list(PICTURES))
def picture(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def check(svg: str) -> None:
    """No label meets another, none leaves the picture, none is too small."""
    found = labels(svg)
    width, height = view_box(svg)
    for a, b in combinations(found, 2):
        assert not a.meets(b), (a, b)
    for a in found:
        assert a.left >= -0.2, a
        assert a.right <= width + 0.2, a
        assert a.top >= -0.2, a
        assert a.bottom <= height + 0.2, a
    for e in ElementTree.fromstring(svg).iter(f"{SPACE}text"):
        assert float(e.get("font-size", "0")) >= 12


def test_labels_can_be_read_and_do_not_overlap(picture: str) -> None:
    check(drawn(picture, "light"))


def test_no_style_no_script_and_ids_only_with_a_prefix(picture: str) -> None:
    for theme in ("light", "dark", "page"):
        svg = drawn(picture, theme)
        root = ElementTree.fromstring(svg)
        for e in root.iter():
            assert e.get("style") is None
            assert e.tag.removeprefix(SPACE) not in ("style", "script", "foreignObject", "image", "use", "a")
            assert not any(key.startswith("on") or "href" in key for key in e.attrib)
            assert e.get("id") is None or str(e.get("id")).startswith("p-")
        assert root.get("data-picture") in ("board", "graph", "thermograph", "tree", "decomposition")
        assert root.find(f"{SPACE}title") is not None
        interactive = picture == "a sum to act on"
        assert root.get("role") == ("group" if interactive else "img")


COLORS = {
    theme: set(PARTS[theme]) | set(TONES[theme].values()) | set(re.findall(r"#[0-9a-f]{6}", stylesheet()))
    for theme in ("light", "dark")
}


def test_one_drawing_in_three_themes(picture: str) -> None:
    """Light, dark and page differ in colours alone, all of the table; on a page there are none, and no fixed size."""
    shapes = []
    for theme in ("light", "dark", "page"):
        svg = drawn(picture, theme)
        used = set(re.findall(r'(?:fill|stroke)="([^"]+)"', svg)) - {"none"}
        assert used <= COLORS[theme] if theme != "page" else not used
        root = ElementTree.fromstring(svg)
        assert (root.get("width") is None) == (theme == "page")
        if theme == "page":
            classes = {c for e in root.iter() for c in str(e.get("class") or "").split()}
            assert classes <= set(re.findall(r"\.([fs]-[\w-]+)\{", stylesheet()))
        shapes.append([(label.text, round(label.left), round(label.top)) for label in labels(svg)])
    assert shapes[0] == shapes[1] == shapes[2]


def test_parts_have_the_colours_of_the_table() -> None:
    for theme in ("light", "dark"):
        root = ElementTree.fromstring(drawn("a sum", theme))
        outlines = {
            str(g.get("data-part")): g[-1].get("stroke")
            for g in root.iter(f"{SPACE}g")
            if g.get("data-part") and len(g) and g[-1].tag == f"{SPACE}path"
        }
        assert outlines == {str(n): PARTS[theme][n - 1] for n in (1, 2, 3, 4, 5)[: len(outlines)]}
        assert len(outlines) >= 4


# ---- boards ----


def test_one_outline_and_one_badge_for_each_part() -> None:
    svg = drawn("a sum", "light")
    shown = [label.text for label in labels(svg)]
    for part in SumBoards(played()).parts:
        assert shown.count(str(part.number)) == 1 + (part.number <= 6)  # the row of that name


def test_squares_tell_what_they_are() -> None:
    root = ElementTree.fromstring(drawn("a sum to act on", "page"))
    cells = [e for e in root.iter() if e.get("role") == "gridcell"]
    assert len(cells) == 36
    assert {(e.get("data-row"), e.get("data-column")) for e in cells} == {
        (str(r), str(c)) for r in range(6) for c in range(6)
    }
    assert all(e.get("tabindex") == "-1" and e.get("aria-label") and e.get("data-board") == "0" for e in cells)
    assert [e.get("role") for e in root.iter() if e.get("role") in ("grid", "row")].count("row") == 6
    state = load("tictactoe").start.play("(mark 2 2)")
    middle = next(
        e for e in ElementTree.fromstring(state._repr_svg_()).iter()
        if (e.get("data-row"), e.get("data-column")) == ("1", "1")
    )  # fmt: skip
    assert middle.get("data-holds") == "x"
    assert json.loads(str(middle.get("data-fluents"))) == ["(cell 2 2 x)"]


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 99_999), st.integers(200, 1500))
def test_labels_of_boards_of_any_size_do_not_overlap(rows: int, columns: int, start: int, room: int) -> None:
    board = BoardData(
        "board",
        "grid",
        tuple(str(start + r) for r in range(rows)),
        tuple(str(start + c) for c in range(columns)),
        tuple(
            Square((r, c), "word", "letter", (), ((r // 7 * 9 + c // 7) + 1, 60)[: 1 + (r == c == 20)])
            for r in range(rows)
            for c in range(columns)
            if (r + c) % 5
        ),
        "rows 5-20 never used",
    )
    bare = replace(board, squares=tuple(replace(s, glyph="") for s in board.squares))
    found = labels(board_svg([bare], room=room))
    found = [a for a in found if a.text not in {str(n) for n in range(1, 61)} or start > 60]
    for a, b in combinations(found, 2):
        assert not a.meets(b), (a, b)
    for a in labels(board_svg([board], room=room)):
        assert len(a.text) > 0


def test_what_lasts_is_told_apart_without_hue() -> None:
    """The first player's pieces are filled, the second's hollow."""
    svg = position_svg(position("clobber XO"))
    circles = list(ElementTree.fromstring(svg).iter(f"{SPACE}circle"))
    assert [e.get("fill") for e in circles] == [TONES["light"]["piece"], TONES["light"]["hollow"]]
    assert circles[1].get("stroke") == TONES["light"]["piece"]


def test_parts_beyond_eight_have_patterns() -> None:
    squares = tuple(Square((0, c), parts=(c + 1,)) for c in range(26))
    board = BoardData("", "grid", ("1",), tuple(str(c + 1) for c in range(26)), squares)
    root = ElementTree.fromstring(board_svg([board], room=1500))
    marked = [g for g in root.iter(f"{SPACE}g") if g.get("data-part") and g[-1].tag == f"{SPACE}path"]
    groups = {str(g.get("data-part")): g for g in marked}
    counts = [len(groups[str(n)]) for n in range(1, 27)]
    assert counts == [1] * 8 + [2] * 16 + [1] * 2
    assert groups["9"][-1].get("stroke") == groups["1"][-1].get("stroke")
    assert groups["25"][-1].get("stroke") == TONES["light"]["edge"]


def test_unused_rows_and_columns_are_cut_and_told() -> None:
    parts = SAMPLES["domineering"]()
    some = next(s for s in parts.parts if s.kind == "dependent")
    alone = replace(parts, parts=(some,))
    shown = [label.text for label in labels(decomposition_svg(alone))]
    assert any("never used" in text for text in shown)


# ---- decompositions ----


@pytest.fixture(params=list(SAMPLES))
def parts(request: pytest.FixtureRequest) -> Decomposition:
    return SAMPLES[request.param]()


def test_picture_says_what_it_shows(parts: Decomposition) -> None:
    svg = decomposition_svg(parts)
    shown = [label.text for label in labels(svg)]
    assert parts.game.name in shown
    told = " ".join(shown)
    assert parts.structure in told
    assert (parts.evidence.status if parts.evidence else "not verified") in told
    badges = {str(s.id) for s in parts.parts[:60] if s.kind == "dependent"}
    assert badges <= set(shown)
    assert len(re.findall("data-node=", svg)) <= 150
    assert not re.search(r"\b1 (squares|fluents)\b", svg)


def test_same_picture_every_time() -> None:
    assert decomposition_svg(double_tictactoe()) == decomposition_svg(double_tictactoe())


def test_every_kind_of_edge_between_parts_is_drawn() -> None:
    from ludisect.draw.graphdata import MEANING

    game = load("four-lamps")
    graph = DependencyGraph([Node(str(t), (f,)) for f, t in enumerate(game.fluents)])
    for kind in MEANING:
        one = replace(graph, edges=[Edge(0, 1, kind)])
        svg = graph_svg(replace(four_lamps(), graph=one), theme="light")
        check(svg)
        lines = [e for e in ElementTree.fromstring(svg).iter() if e.get("data-edge") == "0"]
        assert [(e.get("data-kind"), e.get("data-from"), e.get("data-to")) for e in lines] == [
            (kind, "part 1", "part 2")
        ]


def test_failure_is_told_with_its_reason_in_the_colour_of_bad_news() -> None:
    svg = decomposition_svg(four_lamps())
    shown = " ".join(label.text for label in labels(svg))
    assert "failed verification: condition 1, the next value of <part 1> & its friends differs" in shown
    assert TONES["light"]["refuted"] in svg


HOSTILE = ['<script>alert("1")</script>', '"onload="x', "\u202eabc", "]]>", "&amp;", "a\x00b", "\ufffe", "é" * 300]
words = st.one_of(st.text(max_size=30), st.sampled_from(HOSTILE))


@settings(max_examples=40, deadline=None)
@given(st.lists(words, min_size=4, max_size=4), words, words)
def test_any_text_gives_valid_xml_without_overlap(names: list[str], why: str, note: str) -> None:
    parts = four_lamps()
    graph = DependencyGraph(
        [Node(name, (f,)) for f, name in enumerate(names)], [Edge(0, 1, "effect", why=why), Edge(1, 2, "goal")]
    )
    game = replace(parts.game, name=note, roles=(why,))
    svg = decomposition_svg(replace(parts, graph=graph, game=game, evidence=Evidence("tested", 1)))
    check(svg)
    assert not {e.tag for e in ElementTree.fromstring(svg).iter()} & {f"{SPACE}script"}


@given(words)
def test_clean_text_reads_back(text: str) -> None:
    text = text.replace("\r\n", "\n")  # one line end for who reads XML
    read = ElementTree.fromstring(f"<t>{clean(text)}</t>").text or ""
    assert len(read) == len(text)
    assert all(a == b or b == "\ufffd" or a == "\r" for a, b in zip(text, read, strict=True))


# ---- thermographs, trees ----


@pytest.mark.parametrize("text", ["{4||2|0}", "{1|-1}", "{20|-30}", "{1/2|-3/2}", "{3|{1|1/4}}"])
@pytest.mark.parametrize("small", [False, True])
def test_walls_are_upright_or_at_45_degrees(text: str, small: bool) -> None:
    graph = ludisect.Value(text).thermograph
    root = ElementTree.fromstring(thermograph_svg(graph, small=small))
    for side in ("left", "right"):
        dots = [e for e in root.iter(f"{SPACE}circle") if e.get("data-wall") == side]
        at = [(float(str(e.get("cx"))), float(str(e.get("cy")))) for e in dots]
        assert len(at) >= 2
        for (x1, y1), (x2, y2) in pairwise(at):
            assert abs(x1 - x2) < 0.2 or abs(abs(x1 - x2) - abs(y1 - y2)) < 0.2
        for e in dots:
            wall = graph.left if side == "left" else graph.right
            assert str(wall.at(ludisect.Value(str(e.get("data-t"))).mean)) == e.get("data-x")


def test_numbers_are_told_in_a_sentence() -> None:
    svg = ludisect.Value("3/4").thermograph.to_svg("x")
    assert "a number, 3⁄4; moving here costs 1⁄4" in [label.text for label in labels(svg)]


# ---- files ----


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
