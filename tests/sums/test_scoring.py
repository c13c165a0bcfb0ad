"""Games with points: the mapping to numbers, the check for zugzwang, best play in sums of them."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludisect.cgt import Value, reduced
from ludisect.errors import InputError, Zugzwang
from ludisect.rulesets import Player
from ludisect.sums import STRATEGIES, Sum, WholeSearch, optimal, play_match
from ludisect.sums.decide import decide
from ludisect.sums.pointsearch import AlphaBeta
from ludisect.sums.scoring import points_class
from ludisect.sums.winner import solve
from tests.rulesets.pointtwin import Tree, TreeGame, minimax

STAR = ((0,), (0,))
"""A score of 0, one move away for both."""


def test_figure_8_1() -> None:
    """Mäser 2001, Figure 8.1: Left's move to {3|1} is left out up to an infinitesimal, and only so."""
    tree = ((((3,), (1,)), 3), (-3, ((-2,), (-4,))))
    assert TreeGame(tree).value == Value("{3|-3,{-2|-4}}") == reduced(Value("{{3|1},3|-3,{-2|-4}}"))
    assert Value("{{3|1},3|-3,{-2|-4}}") != TreeGame(tree).value


def test_a_zugzwang_is_refused_with_the_position_that_shows_it() -> None:
    """Mäser 2001, 8.2.2: {-1|1} and {-3|3} are both 0 as numbers, but the first player of their sum gains 2."""
    one, three = ((-1,), (1,)), ((-3,), (3,))
    assert minimax((one, three), left=True) == 2
    with pytest.raises(
        Zugzwang, match=r"is a zugzwang: it ends at -1 if Left moves first, at 1 if Right does"
    ) as found:
        _ = TreeGame(((one,), (-5,))).value
    assert found.value.position == TreeGame(one)
    with pytest.raises(Zugzwang):
        _ = (TreeGame(one) + TreeGame(three)).outcome


def test_the_trap_of_reduced_options() -> None:
    """{*|1} is 0, but with * reduced to 0 it would be 1/2: who checks every node never gets there."""
    assert Value("{*|1}") == 0
    assert Value("{0|1}") == Fraction(1, 2)
    with pytest.raises(Zugzwang, match="it ends at 0 if Left moves first, at 1 if Right does"):
        _ = TreeGame(((STAR,), (1,))).value


def test_both_can_move_or_neither() -> None:
    with pytest.raises(Zugzwang, match="only Right cannot move"):
        _ = TreeGame(((1,), ())).value


# ---- trees without zugzwang -----------------------------------------------------------------------------------------


def calm(tree: Tree) -> bool:
    """Whether no position of the tree is a zugzwang."""
    if not isinstance(tree, tuple):
        return True
    first, second = minimax((tree,), left=True), minimax((tree,), left=False)
    return first >= second and all(calm(x) for side in tree for x in side)


trees = st.recursive(
    st.integers(-3, 3), lambda inner: st.tuples(*[st.lists(inner, min_size=1, max_size=2).map(tuple)] * 2), max_leaves=5
)
games = trees.filter(calm)


@settings(max_examples=60, deadline=None)
@given(st.lists(games, min_size=1, max_size=3))
def test_stops_are_the_scores_of_best_play(listed: list[Tree]) -> None:
    table = Sum([TreeGame(t) for t in listed])
    scores = [minimax(tuple(listed), left=left) for left in (True, False)]
    assert [table.value.left_stop, table.value.right_stop] == scores
    assert isinstance(table.value, Value)
    assert table.value is reduced(table.value)
    answer = solve(table)
    assert answer.exact
    assert answer.value == {"left": scores[0], "right": -scores[1]}
    for player, score in zip(Player, scores, strict=True):
        choice = optimal(table, player)
        if choice.move is None:
            assert score == table.points
            continue
        after = tuple(x.tree for x in table.play(choice.move).components)  # type: ignore[union-attr]
        assert minimax(after, left=player is Player.RIGHT) == score
        *_, last = AlphaBeta().deepen(table, player)
        assert last.exact
        assert last.points == (score if player is Player.LEFT else -score)


@settings(max_examples=30, deadline=None)
@given(st.lists(games, min_size=1, max_size=3), st.sampled_from(sorted(STRATEGIES)))
def test_every_strategy_plays_to_the_end(listed: list[Tree], name: str) -> None:
    match = play_match(Sum([TreeGame(t) for t in listed]), left="optimal", right=name)
    assert not match.end.moves(Player.LEFT) + match.end.moves(Player.RIGHT)
    assert match.end.points is not None
    assert match.end.points >= minimax(tuple(listed), left=True)
    won = match.end.points
    assert match.winner is (None if not won else Player.LEFT if won > 0 else Player.RIGHT)


def test_any_tree_is_valued_or_refused() -> None:
    @settings(max_examples=100, deadline=None)
    @given(trees)
    def check(tree: Tree) -> None:
        if calm(tree):
            assert TreeGame(tree).value.left_stop == minimax((tree,), left=True)
        else:
            with pytest.raises(Zugzwang):
                _ = TreeGame(tree).value

    check()


def test_values_beside_points() -> None:
    """A bare number is points, not free moves; a switch can be played."""
    table = Sum([TreeGame(STAR), Value(2), Value("{3|-1}")])
    assert [m.text for m in table.moves(Player.LEFT)] == ["1: 0", "3: to 3"]
    assert solve(table).value == {"left": 5, "right": -1}
    assert table.outcome == "L"


def test_classes_of_points() -> None:
    asked = [(2, 1), (2, 0), (2, -1), (0, 0), (0, -1), (-1, -2)]
    assert [points_class(Fraction(a), Fraction(b)) for a, b in asked] == ["L", "LD", "N", "D", "RD", "R"]


def test_who_wins_by_the_last_move_is_not_asked() -> None:
    with pytest.raises(InputError, match="counted in points"):
        decide([TreeGame(STAR)], Player.LEFT)
    with pytest.raises(InputError, match="counted in points"):
        WholeSearch().wins([TreeGame(STAR)], Player.LEFT)
