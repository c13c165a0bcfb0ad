"""Values with outright wins: text, the table of result types, sums with short values, what they refuse."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludisect.cgt import OFF, ON, MarkedValue, Order, Value, Worth, marked_game, number, parse, read_value
from ludisect.cgt.loopy import Mark
from ludisect.errors import InputError

from .forms import values
from .wintrees import LoopyVerdict, Tree, resolve

STAR = parse("*")
leaves: st.SearchStrategy[Tree | Value | Mark] = st.one_of(
    st.sampled_from([Mark.ON, Mark.OFF]), st.sampled_from([number(0), number(1), number(-2), STAR, parse("^")])
)
trees = st.recursive(leaves, lambda t: st.builds(Tree, st.lists(t, max_size=3), st.lists(t, max_size=3)), max_leaves=12)


def worth(tree: Tree | Value | Mark) -> Worth:
    if isinstance(tree, Tree):
        return marked_game(map(worth, tree.left), map(worth, tree.right))
    return tree if isinstance(tree, Value) else ON if tree is Mark.ON else OFF


def played(tree: Tree | Value | Mark, beside: Value, left_moves: bool) -> bool:
    """Whether the mover wins a tree beside a short value, by all plays; who reaches a mark ends the play."""
    if isinstance(tree, Tree | Value):
        for after in tree.left if left_moves else tree.right:
            if after is (Mark.ON if left_moves else Mark.OFF):
                return True
            if not isinstance(after, Mark) and not played(after, beside, not left_moves):
                return True
    return any(not played(tree, y, not left_moves) for y in (beside.left if left_moves else beside.right))


@settings(max_examples=150, deadline=None)
@given(trees)
def test_texts_are_read_back(tree: Tree | Value | Mark) -> None:
    g = worth(tree)
    assert read_value(str(g)) == g
    opposite = -g
    assert -opposite == g
    assert read_value(str(opposite)) == opposite
    if isinstance(g, MarkedValue):
        assert marked_game(g.left, g.right) == g
        assert g.compare(g) is Order.EQUAL


@settings(max_examples=150, deadline=None)
@given(trees)
def test_the_table_of_result_types_agrees_with_integers_in_place_of_wins(tree: Tree | Value | Mark) -> None:
    """Mäser 2001, figure 6.4, against the twin that cuts nothing."""
    g, plain = worth(tree), resolve(tree)
    if isinstance(g, Value):
        assert plain.kind == "value"
        assert plain.value == g
    else:
        assert plain.kind == g.kind
        assert g.kind != "threat" or plain.threatens == g.threatens


@settings(max_examples=100, deadline=None)
@given(trees, values(2))
def test_a_value_beside_a_short_one_decides(tree: Tree | Value | Mark, h: Value) -> None:
    g = worth(tree)
    if isinstance(tree, Mark):
        return
    wins = {"L": (True, False), "R": (False, True), "N": (True, True), "P": (False, False)}
    assert wins[(g + h).outcome] == (played(tree, h, True), played(tree, h, False))
    assert (h + g) == g + h
    assert (g - h) + h == g
    assert (g < h) == (g.compare(h) is Order.LESS)


def test_the_rows_of_figure_6_4() -> None:
    """Mäser 2001, 6.3.1: Left's and Right's best result type, and what the root is worth."""
    lost, won = read_value("{on|off}"), read_value("{on|off}")  # after such a move the opponent wins at once
    one = number(1)
    rows: list[tuple[list[Worth], list[Worth], str]] = [
        ([ON], [], "on"),
        ([ON], [won], "on"),
        ([], [OFF], "off"),
        ([lost], [OFF], "off"),
        ([one], [STAR], "{1|*}"),
        ([lost], [one], "0"),
        ([one], [won], "2"),
        ([lost], [won], "0"),
        ([one], [OFF], "{1|off}"),
        ([ON], [STAR], "{on|*}"),
        ([ON], [OFF], "{on|off}"),
    ]
    for left, right, expected in rows:
        assert str(marked_game(left, right)) == expected


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("{on|{0,{on|0}|off}}", "{on|{0,{on|0}|off}}"),
        ("{{on|off}|{on|off}}", "0"),  # figure 6.2
        ("{{on|*}|}", "1"),  # figure 6.5
        ("{0,{*,{on|*}|*,{*|off}}|0,{1|off}}", "*"),  # figure 6.1
        ("{{on|0,{0|off}}|{0,{on|0}|off}}", "0"),  # figure 7.3
        ("-on", "off"),
        ("on + 5 - {3|1}", "on"),
        ("tiny(on)", "tiny(on)"),
        ("{on|off} + ^", "{on|off}"),
        ("3/4", "3/4"),
        ("{0||0|off}", "tiny(on)"),
    ],
)
def test_reading(text: str, shown: str) -> None:
    assert str(read_value(text)) == shown


def test_small_values_of_chapter_2() -> None:
    """Mäser 2001, 2.2: the same values by the reader with marks and by that without."""
    for text, same in [("{-1,*|0,*}", "{*|0}"), ("{*|0}", "v"), ("{0|*}", "^"), ("{0|1}", "1/2"), ("{0|1/2}", "1/4")]:
        assert read_value(text) == parse(text) == parse(same)
    assert parse("*7 + *5 + *3 + *1") == 0
    assert read_value("on - {5|-3}") == ON


def test_a_value_with_threats_says_what_it_is() -> None:
    g = read_value("{on|{0,{on|0}|off}}")
    assert isinstance(g, MarkedValue)
    assert (g.kind, g.threatens, g.outcome) == ("threat", "L", "L")
    assert not (g.is_zero)
    assert not (g.is_number)
    assert (ON.kind, ON.left, ON.right, OFF.kind, OFF.right) == ("win", (ON,), (), "loss", (OFF,))
    assert g > 0
    assert g <= g
    assert not g >= 1
    assert OFF < -1000 < ON
    assert ON >= 1000
    assert g.right_stop == 0
    assert (repr(g), g.right[0]) == ("read_value('{on|{0,{on|0}|off}}')", read_value("{0,{on|0}|off}"))
    assert 1 - g == -g + 1
    assert hash(g) == hash(read_value(str(g)))


def test_thermographs_where_they_make_sense() -> None:
    """The queenside of endgame 9 has a temperature (Mäser 2001, 7.3.5), though a threat lies in it."""
    g = read_value("{{1/2|{0|{0,{on|v}|off}}}|{-1|-2}}")
    assert isinstance(g, MarkedValue)
    assert (str(g.temperature), str(g.mean)) == ("7/8", "-5/8")
    for text in ("{on|0}", "on", "{on|{1|off}}"):
        with pytest.raises(InputError, match="no thermograph"):
            _ = read_value(text).thermograph
    with pytest.raises(InputError, match="does not stop at a number"):
        _ = read_value("{on|0}").left_stop


def test_two_values_with_threats_are_not_added() -> None:
    g = read_value("{on|0}")
    for sum_ in (lambda: g + g, lambda: g - g, lambda: read_value("{on|0} + off"), lambda: g < ON):
        with pytest.raises(InputError, match="searched"):
            sum_()
    with pytest.raises(InputError, match="at most"):
        read_value(f"{{on|{1 << 60}}}")
    with pytest.raises(InputError, match="loopy"):
        read_value("{over|0}")


@pytest.mark.parametrize(
    ("tree", "verdict"),
    [
        # Mäser 2001, 6.2 and figure 6.2: both moves lose outright, which is as good as none
        (Tree([Tree([Mark.ON], [Mark.OFF])], [Tree([Mark.ON], [Mark.OFF])]), LoopyVerdict("value", number(0))),
        # figure 6.5: {{on|*}|} = 1
        (Tree([Tree([Mark.ON], [STAR])], []), LoopyVerdict("value", number(1))),
        # figure 6.1: e3-e4 and d5-d4 are reversible, {0|0} remains
        (
            Tree(
                [number(0), Tree([STAR, Tree([Mark.ON], [STAR])], [STAR, Tree([STAR], [Mark.OFF])])],
                [number(0), Tree([STAR, Tree([Mark.ON], [STAR])], [STAR, Tree([STAR], [Mark.OFF])])],
            ),
            LoopyVerdict("value", STAR),
        ),
        (Tree([Mark.ON], [Mark.ON]), LoopyVerdict("win")),
        (Tree([], [Mark.OFF]), LoopyVerdict("loss")),
        (Tree([STAR], [Mark.OFF]), LoopyVerdict("threat", None, "R")),
        (Tree([Mark.OFF], [Mark.OFF]), LoopyVerdict("loss")),
        (Tree([Mark.ON], [Mark.OFF]), LoopyVerdict("threat", None, "LR")),
        (number(3), LoopyVerdict("value", number(3))),
    ],
)
def test_outright_wins(tree: Tree | Value, verdict: LoopyVerdict) -> None:
    assert resolve(tree) == verdict
