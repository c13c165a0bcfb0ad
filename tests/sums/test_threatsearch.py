"""Global threats: the positions of Mäser 2001 and a census, the search against its twin, sums against real play."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

from ludisect import solve, value
from ludisect.cgt import OFF, ON, MarkedValue, Value, Worth, read_value
from ludisect.errors import BudgetExceeded, InputError
from ludisect.rulesets import Pawns, Player, Position
from ludisect.sums import STRATEGIES, LocalSearch, Sum, WholeSearch, play_match
from ludisect.sums.decide import decide
from ludisect.sums.deepening import deepen
from ludisect.sums.threatsearch import Joint, ThreatSearch

from ..rulesets.pawnplay import LEFT, RIGHT, WithoutPassant, census, pawns, plain_worth, played_out


@cache
def worths() -> dict[Pawns, Worth]:
    search = ThreatSearch(lambda: None)
    return {p: search.worth(p) for p in census()}


def settled(*positions: Position) -> Worth:
    """What a sum is worth, by way of the sums."""
    found = Sum(positions).value
    assert isinstance(found, Value | MarkedValue)
    return found


# ---- the positions of chapter 6 and 7 (Mäser 2001) ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("white", "black", "expected"),
    [
        ("d3 e3", "d5 e6", "*"),  # figure 6.1
        ("d3", "e5", "0"),  # figure 6.2; any pair on neighbouring files, two ranks apart
        ("d4", "e6", "0"),
        ("d4 e4", "d6", "on"),  # of the type of figure 6.3, the position is ours
        ("d3 d4", "e6", "1"),  # figure 6.5
        ("b2 c2", "b4 c4", "0"),  # figure 7.3
        ("a5 b5 c5", "a7 b7 c7", "{on|{0,{on|0}|off}}"),  # figure 7.4
    ],
)
def test_positions(white: str, black: str, expected: str) -> None:
    position = pawns(white, black)
    assert settled(position) == read_value(expected) == plain_worth(position, {})


def after(text: str, player: Player, move: str) -> Worth:
    position = Pawns(text)
    (found,) = (m for m in position.moves(player) if position.move_text(m) == move)
    return ThreatSearch(lambda: None).worth(position.play(player, found))


def all_after(text: str, player: Player) -> dict[str, str]:
    position = Pawns(text)
    return {m: str(after(text, player, m)) for m in map(position.move_text, position.moves(player))}


def test_options() -> None:
    """The options that the thesis names (figures 6.1 to 7.4)."""
    assert str(after("d3 e3 / d5 e6", LEFT, "d4")) == "0" == str(after("d3 e3 / d5 e6", RIGHT, "e5"))
    assert after("d3 e3 / d5 e6", LEFT, "e4") == read_value("{*,{on|*}|*,{*|off}}")
    assert after("d3 e3 / d5 e6", RIGHT, "d4") == read_value("{1|off}")
    assert all_after("d3 / e5", LEFT) == {"d4": "{on|off}"}
    assert all_after("d3 / e5", RIGHT) == {"e4": "{on|off}"}
    assert all_after("d3 d4 / e6", LEFT) == {"d5": "{on|*}"}
    assert _threats(all_after("d3 d4 / e6", RIGHT)["e5"]) == "L"
    assert {*all_after("b2 c2 / b4 c4", LEFT).values()} == {"{on|0,{0|off}}"}
    assert {*all_after("b2 c2 / b4 c4", RIGHT).values()} == {"{0,{on|0}|off}"}
    breakthrough = all_after("a5 b5 c5 / a7 b7 c7", RIGHT)
    assert breakthrough.pop("b6") == "{0,{on|0}|off}"
    assert all(read_value(g).outcome in "LN" and "L" in _threats(g) for g in breakthrough.values())
    assert all_after("a5 b5 c5 / a7 b7 c7", LEFT)["b6"] == "on"


def _threats(text: str) -> str:
    found = read_value(text)
    assert isinstance(found, MarkedValue)
    return found.threatens


# ---- the census -----------------------------------------------------------------------------------------------------

SHORT = """0 a2 a3/a4 a5 · * a2 a4/a3 a6 · 1 a2 a4/a5 a6 · 2 a2 a5/a6 a7 · 1/2 a2 b3/a5 a6 · ^ a2 a6/a5 a7
· ^* a2 b2/a4 b5 · ^^ a2 b2/a4 b6 · ^^* a2 a5/a7 b7 · +-1 a2 a3/a5 a6 · +-3 a2 b4/a5 b7
· {1|0} a2 b2/a5 a6 · {2|0} a2 a4/a6 a7 · {^^*|0} a2 a4/a7 b7 · {1|{0|vv*}} a2 b2/a6 a7"""
"""Short values of the census, each with an example."""


def test_the_census_of_two_against_two() -> None:
    found = worths()
    assert len(found) == 1405
    kinds = Counter(g.kind if isinstance(g, MarkedValue) else "short" for g in found.values())
    assert kinds == {"win": 202, "loss": 202, "threat": 593, "short": 408}
    values = set(found.values())
    assert len(values) == 84 + 2, "of type CGT, and on and off"
    short = {g for g in values if isinstance(g, Value)}
    named = dict(entry.strip().split(" ", 1) for entry in SHORT.replace("\n", " ").split("·"))
    assert short == {s for text in named for s in (Value(text), -Value(text))}
    assert len(short) == 26
    for text, example in named.items():
        assert settled(Pawns(example)) == Value(text)


def test_the_census_without_en_passant() -> None:
    search = ThreatSearch(lambda: None)
    other = {p: search.worth(WithoutPassant(p.white, p.black)) for p in worths()}
    assert sum(other[p] != g for p, g in worths().items()) == 82
    assert len({*other.values()}) == 92, "on and off among them"
    for p, g in worths().items():
        assert {g in (ON, OFF), other[p] in (ON, OFF)} in ({True}, {False})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("g4 h4 / f6 h7", "1/2"),
        ("f2 g3 h3 / f6 g7 h5", "1/4"),
        ("f3 g2 h4 / f7 g6 h6", "-1/4"),
        ("g2 g3 h2 / g4 g6", "2"),
    ],
)
def test_more_values(text: str, expected: str) -> None:
    """Met while the endgames of the thesis were rebuilt."""
    assert settled(Pawns(text)) == Value(expected)


def test_the_search_is_its_twin_on_the_census_and_beyond() -> None:
    """Without cuts, without the rule for pawns that cannot be caught, down to the promotions."""
    known: dict[Position, Worth] = {}
    assert {p: plain_worth(p, known) for p in worths()} == worths()
    chance = random.Random(1)
    search = ThreatSearch(lambda: None)
    for _ in range(25):
        position = random_pawns(chance, 3, 4)
        assert search.worth(position) == plain_worth(position, {}), position


def random_pawns(chance: random.Random, each: int, files: int) -> Pawns:
    """Some pawns of each colour on a few files, so advanced that a twin can search them."""
    while True:
        whites = chance.sample([8 * r + f for r in range(2, 6) for f in range(files)], each)
        blacks = chance.sample([8 * r + f for r in range(2, 6) for f in range(files)], each)
        if not {*whites} & {*blacks}:
            return Pawns(sum(1 << s for s in whites), sum(1 << s for s in blacks))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_the_search_is_its_twin_on_many(seed: int) -> None:
    chance = random.Random(seed)
    search = ThreatSearch(lambda: None)
    for each, files in ((3, 3), (3, 4), (3, 5), (4, 4)):
        for _ in range(40):
            position = random_pawns(chance, each, files)
            assert search.worth(position) == plain_worth(position, {}), position


def test_one_position_by_real_play() -> None:
    for position, worth in random.Random(1).sample(sorted(worths().items(), key=str), 300):
        assert worth.outcome == played_out(position), position


@pytest.mark.parametrize(("threats", "pairs"), [(0, 15), (1, 20), (2, 15)])
def test_pairs_by_real_play(threats: int, pairs: int) -> None:
    """Values decide while at most one part has threats; with two the sum is searched."""
    check_pairs(random.Random(threats), threats, pairs)


@pytest.mark.slow
@pytest.mark.parametrize("threats", [0, 1, 2])
def test_many_pairs_by_real_play(threats: int) -> None:
    check_pairs(random.Random(threats), threats, 400)


def check_pairs(chance: random.Random, threats: int, pairs: int) -> None:
    short = [p for p, g in worths().items() if isinstance(g, Value)]
    open_ = [p for p, g in worths().items() if isinstance(g, MarkedValue)]
    for _ in range(pairs):
        pair = [chance.choice(open_ if i < threats else short) for i in range(2)]
        real = played_out(*pair)
        assert settled(*pair).outcome == real, pair
        assert Sum(pair).outcome == real
        for player in Player:
            assert decide(pair, player, seconds=60).wins == (real in ("N", player.value))


def test_values_with_threats_do_not_add_up() -> None:
    """Why two are searched: as numbers these cancel, but whoever begins wins at once."""
    assert Sum("{on|off} + {on|off}").outcome == "N"
    wrong = 0
    for p in list(worths())[::100]:
        for q in list(worths())[7::300]:
            g, h = worths()[p], worths()[q]
            if isinstance(g, MarkedValue) and isinstance(h, MarkedValue):
                wrong += (g._stand_in + h._stand_in).outcome != Sum([p, q]).outcome
    assert wrong > 10


def test_threats_and_values_beside_each_other() -> None:
    """Values as components: whoever executes first wins; the rest is decided by values."""
    for text, outcome in [
        ("{on|0} + {0|off}", "N"),
        ("on + -5", "L"),
        ("on + off", "N"),
        ("{on|0} + {on|0}", "L"),
        ("{on|0} + -1 + *", "N"),
        ("tiny(on) + v", "R"),
        ("pawns a5 b5 c5 / a7 b7 c7 + -3", "N"),
        ("pawns a5 b5 c5 / a7 b7 c7 + {3|off}", "N"),
        ("negative pawns a5 b5 c5 / a7 b7 c7 + 1", "N"),
        ("{{on|0}|0} + {0|{0|off}}", "N"),
    ]:
        game = Sum(text)
        assert game.threatened
        assert game.outcome == outcome, text
        for player in Player:
            wins = outcome in ("N", player.value)
            for strategy in ("optimal", "alpha-beta"):
                advice = STRATEGIES[strategy](game, player)
                assert advice.proved
                assert advice.wins == wins, (text, strategy)
            match = play_match(game, first=player)
            assert match.winner is (player if wins else player.opponent), (text, match)


def test_answers_tell_of_threats() -> None:
    answer = solve("pawns a5 b5 c5 / a7 b7 c7 + {on|off} + -1")
    assert answer.move == {"left": "2: to on", "right": "2: to off"}
    assert answer.exact
    assert answer.reasons["left"] == "the move wins outright"
    assert answer.parts[0].why == "pawns a5 b5 c5 / a7 b7 c7 is worth {on|{0,{on|0}|off}}"
    assert answer.parts[0].to_json()["mean"] is None
    assert answer.line == ({"left": "2: to on"},)
    line = solve("pawns a2 b2 h3 / a6 b7 h7").line
    assert line[0] == {"left": "1: h4"}
    assert len(line) > 5
    game = Sum("{on|0}").play_line("left 1: to on")
    assert game.won is LEFT
    assert not game.moves(RIGHT)
    assert not game.moves(LEFT)
    promoted = Sum(Pawns("a7 / h2").play(LEFT, (48, 56)))
    assert promoted.won is LEFT
    assert promoted.outcome == "L"


def test_limits_and_refusals() -> None:
    with pytest.raises(BudgetExceeded):
        value("pawns a2 b2 c2 d2 e2 / a7 b7 c7 d7 e7", seconds=0.05)
    with pytest.raises(BudgetExceeded) as caught:
        solve("pawns a2 b2 c2 d2 e2 / a7 b7 c7 d7 e7", seconds=0.05)
    assert caught.value.partial.value == {"left": None, "right": None}  # type: ignore[attr-defined]
    assert caught.value.partial.between == ["off", "on"]  # type: ignore[attr-defined]
    for refused in (
        lambda: LocalSearch().value(Pawns("a5 b5 c5 / a7 b7 c7")),
        lambda: WholeSearch().wins([Pawns("a2 / a7")], LEFT),
        lambda: solve("pawns a2 / a7", "hotstrat"),
        lambda: next(iter(deepen(Pawns("a2 / a7")))),
        lambda: Sum("{on|0}").mean,
    ):
        with pytest.raises(InputError, match="outright"):
            refused()
    assert LocalSearch().value(Pawns("a2 b2 / a6 b7")) == Value("^")


def test_a_joint_position_is_played_as_one() -> None:
    both = Joint((Pawns("a7 /"), Pawns("/ h2")))
    assert both.moves(LEFT) == [(0, (48, 56))]
    assert both.won_by() is None
    assert both.play(LEFT, both.moves(LEFT)[0]).won_by() is LEFT
    assert not both.play(LEFT, both.moves(LEFT)[0]).moves(RIGHT)
    assert str(both) == "pawns a7 / and pawns / h2"
    assert hash(both) == hash(Joint(both.members))
    assert ThreatSearch(lambda: None).worth(both) == read_value("{on|off}")
