"""The local tree: values, stops and incentives against the definitions, as data, as text and as a picture."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ludisect import position
from ludisect.cgt import Value, left_incentives, right_incentives
from ludisect.errors import InputError
from ludisect.rulesets import Player
from ludisect.settings import using
from ludisect.sums import LocalSearch, Sum
from ludisect.sums.guessing import GuessedValues
from ludisect.sums.limits import SumsLimits
from ludisect.sums.localtree import LocalTree
from tests.cli.test_cli import run

TEXTS = ["domineering 3x3", "clobber XOX|OX.", "col 2x3", "toads TT..F", "hackenbush BRG GB", "kayles 5"]


@pytest.mark.parametrize("text", TEXTS)
def test_every_node_is_worth_what_its_branches_say(text: str) -> None:
    """Values by a search of their own; every move stands in one branch; incentives that are not dominated are those of
    the value."""
    tree, search = position(text).tree(2), LocalSearch(normal_forms=False)
    assert len(tree) == len(list(tree)) > 4
    for node in tree:
        assert node.value is search.value(node.position)
        assert node.doubts == ""
        if not node.branches:
            continue
        for player, known in ((Player.LEFT, left_incentives), (Player.RIGHT, right_incentives)):
            branches = node.of(player)
            moves = [node.position.move_text(m) for m in node.position.moves(player)]
            assert sorted(m for b in branches for m in b.moves) == sorted(moves)
            for b in branches:
                gain = b.tree.value - node.value if player is Player.LEFT else node.value - b.tree.value
                assert b.incentive is gain
                for m in b.moves:
                    move = next(x for x in node.position.moves(player) if node.position.move_text(x) == m)
                    assert search.value(node.position.play(player, move)) is b.tree.value
            best = [b.incentive for b in branches if not b.dominated]
            assert all(any(g is not None and x <= g for g in best) for x in known(node.value))
            hidden = [b.incentive for b in branches if b.dominated]
            assert all(any(g is not None and x is not None and x <= g for g in best) for x in hidden)


def test_a_square_of_domineering() -> None:
    tree = position("domineering 2x2").tree(1)
    assert [(b.player.value, b.moves, str(b.incentive), str(b.tree.value)) for b in tree.branches] == [
        ("L", ("a1-a2", "b1-b2"), "{2|0}", "1"),
        ("R", ("a1-b1", "a2-b2"), "{2|0}", "-1"),
    ]
    assert str(tree) == (
        "±1  temperature 1, stops 1 and -1\n"
        "left a1-a2 (or 1 like it), incentive {2|0}: 1  temperature -1, stops 1 and 1\n"
        "right a1-b1 (or 1 like it), incentive {2|0}: -1  temperature -1, stops -1 and -1"
    )
    assert tree.to_json()["moves"][0] == {
        "player": "left",
        "move": ["a1-a2", "b1-b2"],
        "incentive": "{2|0}",
        "dominated": False,
        "position": "domineering #.|#.",
        "value": "1",
        "exact": True,
        "mean": "1",
        "temperature": "-1",
        "left_stop": "1",
        "right_stop": "1",
        "moves": [],
    }


def test_points() -> None:
    """Figure 8.4 of Mäser 2001: of three kinds of moves two are not dominated, and node 2 nets 3."""
    tree = position("regio 1-2 2-3 1-4 1-5 3-6 3-7").tree(1)
    assert [(b.moves, b.dominated, int(b.tree.value.right_stop)) for b in tree.of(Player.LEFT)] == [
        (("1", "3"), False, 1),
        (("2",), False, 3),
        (("4", "5", "6", "7"), True, -1),
    ]


def test_guesses_are_marked() -> None:
    game = Sum("domineering 6x6")
    tree = game.asked_of(GuessedValues(game.components, depth=1)).tree(1)
    assert tree.doubts == "guessed: searched to depth 1, estimates beyond"
    assert not tree.to_json()["exact"]
    assert str(tree).splitlines()[0].startswith(f"{tree.value}?")
    assert "stroke-dasharray" in tree.to_svg()


def test_too_much_is_refused() -> None:
    with pytest.raises(InputError, match="grown from one position"):
        Sum("nim 1 + nim 2").tree()
    with pytest.raises(InputError, match="grown from one position"):
        Sum([Value(1)]).tree()
    with pytest.raises(InputError, match="at least 0"):
        position("nim 1").tree(-1)
    with using(SumsLimits(tree_nodes=50)), pytest.raises(InputError, match="more than 50 nodes"):
        position("domineering 3x4").tree(3)


def texts(svg: str) -> list[str]:
    return re.findall(r'<text[^>]*fill="[^"]*"[^>]*>([^<]*)', svg)


def test_the_picture(tmp_path: Path) -> None:
    tree: LocalTree = position("domineering ..#|...|...").tree(2)
    tree.draw(tmp_path / "tree.svg")
    svg = (tmp_path / "tree.svg").read_text(encoding="utf-8")
    ElementTree.fromstring(svg)
    shown = [node for node in tree if node is tree]
    stack = [tree]
    while stack:
        node = stack.pop()
        below = [b.tree for b in node.branches if not b.dominated]
        shown += below
        stack += below
    assert svg.count('height="130" rx="8"') == len(shown)
    assert texts(svg).count("±3⁄2") == 1
    assert "gains {3 | 0}" in texts(svg)
    assert tree.to_svg(dominated=True).count('height="130" rx="8"') == len(tree)
    plain = position("hackenbush BRG").tree(1).to_svg()
    assert "Left 2-3G" in texts(plain)
    named = position("regio 1-2 2-3 3-4 4-5 5-6 6-7 7-8").tree(0).to_svg()
    assert any(text.startswith("1-2 2-3") for text in texts(named))


def test_on_the_command_line(tmp_path: Path) -> None:
    done = run("value", "domineering 2x2", "--tree", "1", "--tree-svg", str(tmp_path / "t.svg"))
    assert done.returncode == 0, done.stderr
    assert "left a1-a2 (or 1 like it), incentive {2|0}: 1" in done.stdout
    ElementTree.parse(tmp_path / "t.svg")
    data = json.loads(run("value", "regio 2x2", "--tree", "2", "--json").stdout)
    assert data["tree"]["value"] == data["canonical"] == "±{4|2}"
    assert data["tree"]["moves"][0]["move"] == ["a1", "b1", "a2", "b2"]
    assert run("value", "{1|*}", "--tree", "1").returncode == 2
