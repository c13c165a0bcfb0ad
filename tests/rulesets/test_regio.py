"""Regio: the facts of Mäser 2001, 8.4, values of small boards, laws of symmetry against minimax by the definition."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludisect import position, value
from ludisect.cgt import Value, incentives, reduced
from ludisect.cgt.value import canonical
from ludisect.errors import InputError
from ludisect.rulesets import FinalScore, Player, Position, Regio
from ludisect.rulesets.regio import RegioGraph
from ludisect.sums import LocalSearch, Sum, SumSolver
from tests.cli.test_cli import run

from . import pointtwin as twin

quick = settings(max_examples=40, deadline=None)

FIGURE_8_4 = "1-2 2-3 1-4 1-5 3-6 3-7"
"""Nodes 1 and 3 have two leaves each and meet in node 2."""


def path(n: int, *, closed: bool = False) -> str:
    edges = [*pairwise(range(n)), *([(n - 1, 0)] if closed else [])]
    return " ".join(f"{u}-{v}" for u, v in edges)


VALUES = {
    "1x1": "±1",
    "1x2": "±2",
    "1x3": "±3",
    "1x4": "±{4|2}",
    "2x2": "±{4|2}",
    path(4, closed=True): "±{4|2}",
    "1x5": "±(3,{5|1})",
    "1x6": "±({6|0},{{6|4}|{2|0}})",
    "2x3": "±(4,{6|0})",
    "3x3": "±(5,{7,{9|5}|1,{3|-1}})",
    path(5, closed=True): "±{5|1}",
    path(6, closed=True): "0",
    path(7, closed=True): "±1",
    path(8, closed=True): "0",
    **{" ".join(f"0-{i}" for i in range(1, n + 1)): f"±{n + 1}" for n in range(1, 8)},
    FIGURE_8_4: "±(3,{7|1})",
    "4x2": "{8|6||2|0|||0|-2||-6|-8}",
}
"""Computed once more than the thesis has them; Figures 8.4 and 8.7 are Mäser's."""


@pytest.mark.parametrize("board", VALUES)
def test_values_of_small_boards(board: str) -> None:
    found = value(f"regio {board}")
    assert found == Value(VALUES[board])
    assert isinstance(found, Value)
    assert found is reduced(found)


@pytest.mark.parametrize(
    ("board", "points"), {"1x7": 3, "1x8": 2, "1x9": 3, "1x10": 2, "2x5": 4, "3x4": 2, "4x2": 2}.items()
)
def test_scores_of_the_first_player(board: str, points: int) -> None:
    found = value(f"regio {board}")
    assert found.left_stop == -found.right_stop == points
    assert found.mean == 0


def test_figure_8_4_the_largest_move_is_not_best() -> None:
    """Mäser 2001, Figure 8.4: the middle takes three nodes and nets 3, the largest moves take four and net 1."""
    start = position(f"regio {FIGURE_8_4}")
    nets: dict[str, tuple[object, object]] = {}
    for move in start.moves(Player.LEFT):
        after = start.play(Player.LEFT, move)
        nets[start.move_text(move)] = (after.score(), after.value.right_stop)
    assert nets == {"1": (4, 1), "2": (3, 3), "3": (4, 1), **dict.fromkeys("4567", (2, -1))}


def test_figure_8_7_without_reduction() -> None:
    """The 4x2 rectangle is ±4 + ±3 + ±1; its canonical form, up to infinitesimals, is much larger (8.4.4)."""

    def plain(board: Position) -> Value:
        left, right = ({plain(board.play(p, m)) for m in board.moves(p)} for p in Player)
        return canonical(list(left), list(right)) if left else Value(board.score() or 0)

    exact = plain(Regio("4x2"))
    assert exact == Value("±{6,{8|6},{8,{8|6}|2,{4|2}}|2,{2|0},{6,{6|4}|0,{2|0}}}")
    assert exact != value("regio 4x2") == Value("±4 + ±3 + ±1") == reduced(exact)


# ---- laws -----------------------------------------------------------------------------------------------------------


@st.composite
def graphs(draw: st.DrawFn, most: int = 7) -> twin.Graph:
    n = draw(st.integers(1, most))
    pairs = [(i, j) for i in range(n) for j in range(i)]
    return twin.graph(n, draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else [])


@quick
@given(graphs())
def test_laws_of_symmetry(g: twin.Graph) -> None:
    """Mäser 2001, Propositions 8.2 and 8.3 and 8.4.3."""
    start = twin.position(g)
    v = LocalSearch().value(start)
    assert v == start.value == -v
    assert v + v == 0
    assert v.left_stop == -v.right_stop == twin.first_player(g) >= 0
    assert v.mean == 0
    assert v.thermograph == v.thermograph.mirrored
    assert {x - v for x in v.left} == {v - y for y in v.right}
    assert set(incentives(v)) <= {x - v for x in v.left}


@quick
@given(graphs(), graphs(most=5))
def test_sums_are_added_part_by_part(g: twin.Graph, h: twin.Graph) -> None:
    """The stops of the sum of values are the minimax of the disjoint union, however it is asked."""
    both, whole = twin.union(g, h), twin.first_player(twin.union(g, h))
    assert twin.position(both).value == reduced(
        LocalSearch().value(twin.position(g)) + LocalSearch().value(twin.position(h))
    )
    assert twin.position(both).value.left_stop == whole
    table = Sum([twin.position(g), twin.position(h)])
    assert table.value == twin.position(both).value
    assert SumSolver().stop(table.all_values(), left_starts=True) == whole
    assert SumSolver().stop(table.all_values(), left_starts=False) == -whole
    assert table.outcome == ("N" if whole else "D")


@quick
@given(graphs(), st.randoms())
def test_parts_and_keys(g: twin.Graph, source: object) -> None:
    """A part has no past, keys know isomorphic graphs, the text can be read, the negative is exchanged."""
    start, search = twin.position(g), LocalSearch(normal_forms=False)
    assert reduced(sum((LocalSearch().value(p) for p in start.parts()), Value(0))) == search.value(start)
    moves = list(start.moves(Player.LEFT))
    source.shuffle(moves)  # type: ignore[attr-defined]
    renamed = {i: k + 100 for k, i in enumerate(moves)}
    other = twin.position((tuple(renamed.values()), frozenset((renamed[u], renamed[v]) for u, v in g[1])))
    if start.key() == other.key():
        assert start.value == other.value
    later = start.play(Player.LEFT, moves[0])
    assert RegioGraph(str(later)) == later
    assert -later == start.play(Player.RIGHT, moves[0])
    assert (-later).value == -later.value
    assert later.score() == sum(p.score() or 0 for p in later.parts())


@pytest.mark.parametrize("size", ["1x6", "2x3", "3x3", "2x4"])
def test_boards_are_graphs(size: str) -> None:
    board = Regio(size)
    near = board.adjacent()
    edges = " ".join(f"{i}-{j}" for i in range(len(near)) for j in near[i] if i < j)
    same = RegioGraph.parse(edges)
    assert board.value == same.value
    for move in board.moves(Player.RIGHT):
        assert board.play(Player.RIGHT, move).value == same.play(Player.RIGHT, move).value


# ---- text, pictures, the command line -------------------------------------------------------------------------------


def test_positions_with_stones() -> None:
    later = position("regio X..|..O")
    assert later.score() == 0
    assert later.value == value("regio 2x2") == Value("±{4|2}")
    assert [str(p) for p in position("regio XX.|X#O").parts()] == [".", "2"]
    assert position("regio XX.|X#O").parts()[1] == FinalScore(2)
    assert value("regio XX.|X#O") == Value("{3|1}")
    assert value("regio 1-2 2-3 4X 5X 6O") == Value("{4|-2}")
    assert (-position("regio XX.|X#O")).value == Value("{-1|-3}")
    assert position("regio 4x4").bounds() == (-16, 16)
    assert position("regio XX.|X#O").bounds() == (1, 3)


def test_a_graph_is_drawn() -> None:
    picture = position("regio 1-2 2-3 4X 1-4").picture()
    assert picture.count("<circle") == 4
    assert picture.count("<path") == 3
    assert [picture.count(f">{name}</text>") for name in "1234"] == [1, 1, 1, 1]


def test_the_pictures_of_the_page_are_what_the_code_draws() -> None:
    board = position("regio 4x2")
    drawn = {
        "regio-4x2-tree": board.tree(1).to_svg(),
        "regio-4x2-thermograph": board.thermograph.to_svg("regio 4x2"),
    }
    for name, svg in drawn.items():
        kept = Path(__file__).parents[2] / "docs" / "pictures" / f"{name}.svg"
        told = f'run: ludisect value "regio 4x2" --tree-svg or --thermograph {kept.name}'
        assert kept.read_text(encoding="utf-8") == svg, told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("regio 1-1", "'1-1' is neither an edge between two nodes like 1-2"),
        ("regio 1-2 x", "'x' is neither"),
        ("regio 1-2 1X 1O", "node 1 is said to be Left's and Right's"),
        ("regio ,", "a graph has 1 to 4096 nodes, this one has 0"),
        ("regio ..|.", "row 2 has 1 cells"),
        ("regio 3x", "is neither"),
        ("regio", "write for example regio 3x3, or regio 1-2 2-3"),
        ("impartial regio 3x3", "regio is counted in points"),
        ("regio 2x2 + nim 3", "regio is counted in points, nim is won by the last move"),
    ],
)
def test_bad_input(text: str, told: str) -> None:
    with pytest.raises(InputError, match=told.replace("(", r"\(")):
        value(text)


def test_on_the_command_line() -> None:
    data = json.loads(run("value", "regio 3x3", "--json").stdout)
    assert data["canonical"] == VALUES["3x3"]
    assert (data["outcome"], data["left_stop"], data["right_stop"], data["rule"]) == ("N", "5", "-5", "points")
    data = json.loads(run("solve", f"regio {FIGURE_8_4}", "--json").stdout)
    assert data["value"] == {"left": 3, "right": 3}
    assert data["move"] == {"left": "1: 2", "right": "1: 2"}
    assert (data["exact"], data["rule"]) == (True, "points")
    told = run("solve", "regio 1-2 2-3 3-4 4-5 5-6 6-1").stdout
    assert "left  to move gets as many and plays 1: 1: no move gets more points" in told
    assert run("value", "regio 2x2 + nim 3").returncode == 2
