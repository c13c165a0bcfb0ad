"""Answers for the command line: the documented fields, limits with what is known so far, errors."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from fractions import Fraction

import pytest

from ludisect.answer import Answer
from ludisect.cgt import parse
from ludisect.errors import BudgetExceeded, IllegalMove, InputError
from ludisect.rulesets import Player, read
from ludisect.sums import expression
from ludisect.sums.decide import decide
from ludisect.sums.table import Sum
from ludisect.sums.winner import solve


def test_value() -> None:
    assert expression.value("domineering 2x3 + {1|*}") == {
        "canonical": str(parse("{2|-1/2} + {1|*}")),
        "outcome": "L",
        "mean": "5/4",
        "temperature": "5/4",
        "left_stop": "2",
        "right_stop": "1/2",
        "birthday": parse("{2|-1/2} + {1|*}").birthday,
    }
    assert expression.value("nim 3 5 7")["canonical"] == "*"
    assert expression.value("1/2 + -1/2")["outcome"] == "P"
    assert expression.value("nim 1000000000 1")["birthday"] == 1000000001
    assert expression.value("kayles 100000")["canonical"] == "*"


def test_all_fields_are_plain_data() -> None:
    for text in ("{1|*}", "kayles 7", "0"):
        found = expression.value(text)
        assert json.loads(json.dumps(found)) == found


def test_thermograph() -> None:
    root = ElementTree.fromstring(expression.value_of("domineering 2x3").thermograph.to_svg("domineering 2x3"))
    assert root.tag.endswith("svg")
    assert "domineering 2x3" in "".join(root.itertext())


HUGE = " + ".join(f"{{{{{9 * k + 5}|{k}}}|{{-{k}|-{7 * k + 3}*}}}}" for k in range(1, 24))


def test_a_sum_too_large_comes_with_bounds() -> None:
    with pytest.raises(BudgetExceeded) as caught:
        expression.value(HUGE, seconds=0.3)
    known = caught.value.partial
    assert isinstance(known, dict)
    low, high = map(Fraction, known["left_stop"])
    assert low <= high
    assert set(known) == {"outcome", "mean", "temperature_at_most", "left_stop", "right_stop"}
    assert json.dumps(known)


def test_solve() -> None:
    found = solve("domineering 2x2 + {3|0} + -2")
    assert found.exact
    assert found.value == {"left": 0, "right": 100}
    assert found.parts[0].value == parse("±1")
    data = found.to_json()
    assert data["parts"][0] == {
        "part": 1,
        "kind": "value",
        "component": 1,
        "position": "domineering ..|..",
        "value": "±1",
        "why": "domineering ..|.. is worth ±1",
        "mean": "0",
        "temperature_at_most": "1",
    }
    assert data["why"]["left"] == "every move loses against best play"
    assert json.loads(json.dumps(data)) == data
    assert solve("0").to_json()["move"] == {"left": None, "right": None}
    assert solve("0").move == {}
    hot = solve("{3|1} + {2|*}", by="hotstrat")
    assert (hot.algorithm, hot.exact) == ("hotstrat", False)
    assert [solve(x).value for x in (Sum(read("nim 1 2")), read("nim 1 2")[0], parse("{1|*}"))] == [
        {"left": 100, "right": 100},
        {"left": 100, "right": 100},
        {"left": 100, "right": 0},
    ]


def test_a_value_too_long_to_read_is_told_by_its_mean() -> None:
    long = " + ".join(f"{{{{{9 * k + 5}|{k}}}|{{-{k}|-{7 * k + 3}*}}}}" for k in range(1, 6))
    (part,) = solve(expression.value_of(long)).parts
    assert part.why == "component 1 is a game of mean 10 and temperature 49/2"
    assert part.to_json()["value"] is None


@pytest.mark.parametrize("text", ["nogo ..X.|....|.O..|XO..", "clobber " + "XO" * 12])
def test_a_large_board_is_solved(text: str) -> None:
    """The winning move is checked by another search of what it leaves.

    Whether the board's value or a search of plays answers first is a matter of the machine's speed.
    """
    found = solve(text, seconds=60)
    assert found.exact
    game = Sum(read(text))
    for player in Player:
        name = player.name.lower()
        won = found.value[name] == 100
        assert won == decide(game.components, player, seconds=60).wins
        if won:
            after = game.play(game.find(player, found.move[name]))
            assert not decide(after.components, player.opponent, seconds=60).wins


def test_a_sum_without_values_is_solved_by_plays() -> None:
    found = solve("amazons X...|...O + *", seconds=60)
    assert found.exact
    with pytest.raises(BudgetExceeded, match="time limit was reached before the sum was decided") as caught:
        solve("nogo 5x5 + nogo 5x5", seconds=0.2)
    late = caught.value.partial
    assert isinstance(late, Answer)
    assert not late.exact
    assert late.value == {"left": None, "right": None}


def test_bad_input() -> None:
    with pytest.raises(InputError, match="unknown strategy"):
        solve("0", by="luck")
    with pytest.raises(InputError, match="did you mean"):
        expression.value("dommineering 4x4")


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("domineering 9x9 + 1/2", ["-71/2", "73/2"]),
        ("domineering 8x9 + {1|0}", ["-33", "38"]),
        ("nogo 5x5", ["-25", "25"]),
    ],
)
def test_a_position_out_of_reach_comes_with_bounds(text: str, bounds: list[str]) -> None:
    with pytest.raises(BudgetExceeded, match="time limit") as caught:
        expression.value(text, seconds=0.1)
    assert isinstance(caught.value.partial, dict)
    assert caught.value.partial["bounds"] == bounds
    assert caught.value.partial["exact"] is False
    guess = caught.value.partial["guess"]
    assert set(guess) == {"canonical", "mean", "temperature", "left_stop", "right_stop", "depth"}
    low, high = map(Fraction, bounds)
    assert low <= Fraction(guess["right_stop"]) <= Fraction(guess["left_stop"]) <= high


def test_plain_values_need_no_compiler() -> None:
    """Short questions must not pay for loading numba."""
    program = (
        "import sys, ludisect.cgt, ludisect.sums.expression as a\n"
        "a.value('domineering 2x3')\n"
        "print([m for m in ('numba', 'numpy', 'matplotlib') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("text", ["domineering 2x3 + {3|-1}", "nim 1 2 3 + clobber XO.|OX.", "0", "{1|-1} + *"])
def test_a_line_of_best_play(text: str) -> None:
    """Left begins; whoever makes the last move is who wins."""
    found = solve(text)
    table, player = Sum(text), Player.LEFT
    for step in found.line:
        ((name, text),) = step.items()
        assert name == player.name.lower()
        table, player = table.play(table.find(player, text)), player.opponent
    assert not table.moves(player)
    assert found.value["left"] == (100 if player is Player.RIGHT else 0)


def test_after_a_move() -> None:
    found = solve("domineering 2x3 + {3|-1}")
    later = found.after({"left": found.move["left"]})
    assert later.value["right"] == 0
    assert later.game == "domineering ...|... + 3"
    assert found.after(Sum("nim 2")).value == {"left": 100, "right": 100}
    with pytest.raises(IllegalMove):
        found.after({"left": "9: nowhere"})
    with pytest.raises(InputError, match="by left or by right"):
        found.after({"player1": "1: a1-a2"})
    with pytest.raises(TypeError, match="a later sum is a Sum, a SumMove or a move by player, not int"):
        found.after(3)
    assert solve("{3|1} + {2|*}", by="hotstrat").line == ()
