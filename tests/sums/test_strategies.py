"""Sum play: optimal play against search of the whole, strategies against their guarantees, replayed outcomes."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludisect.cgt import Value, number, parse
from ludisect.errors import IllegalMove, InputError
from ludisect.rulesets import Player, read
from ludisect.sums.local import LocalSearch
from ludisect.sums.outcome import SumSolver
from ludisect.sums.partmoves import part_moves
from ludisect.sums.refute import refute
from ludisect.sums.strategies import (
    STRATEGIES,
    alpha_beta,
    ambient_temperature,
    greedy_hotstrat,
    hotstrat,
    hottest,
    optimal,
    sentestrat,
    thermostrat,
    undominated,
)
from ludisect.sums.table import Sum, SumMove
from tests.cgt.forms import values

LEFT, RIGHT = Player.LEFT, Player.RIGHT
quick = settings(max_examples=30, deadline=None)


def table(expression: str) -> Sum:
    return Sum(read(expression))


SUMS = [
    "domineering 2x2 + domineering 2x3 + {2|-1}",
    "clobber XO.|OX. + clobber XXO + *",
    "toads TT..F + toads T.FF + ^",
    "domineering ..#|... + domineering 3x2 + {3|1} + -2",
    "nim 1 2 + kayles 4 + {1|*}",
    "snort 1x3 + col 2x2 + nogo 1x4 + -1/2",
    "hackenbush BRG GB + toppling_dominoes XXO",
]


@pytest.mark.parametrize("expression", SUMS)
@pytest.mark.parametrize("player", Player)
def test_optimal_play_is_what_search_of_the_whole_finds(expression: str, player: Player) -> None:
    game = table(expression)
    ours, whole = optimal(game, player), alpha_beta(game, player)
    assert ours.proved
    assert whole.proved
    assert ours.wins == whole.wins
    outcome = SumSolver().outcome(game.all_values()).letter
    assert ours.wins == (outcome in ("N", player.value))


@pytest.mark.parametrize("expression", SUMS[:5])
def test_outcomes_are_replayed(expression: str) -> None:
    """Whoever wins by the outcome class wins against every reply."""
    game = table(expression)
    outcome = SumSolver().outcome(game.all_values()).letter
    for first in Player:
        winner = {"L": LEFT, "R": RIGHT, "N": first, "P": first.opponent}[outcome]
        assert refute(game, winner, first) is None


def test_the_checker_sees_a_false_claim() -> None:
    game = table("{1|-1} + {2|-2}")
    line = refute(game, RIGHT, LEFT)
    assert line is not None
    assert line[0] == "left 2: to 2"
    assert refute(game, RIGHT, LEFT, plays=20) is not None
    assert refute(game, LEFT, LEFT, plays=5) is None


@quick
@given(st.lists(values(3), min_size=1, max_size=3))
def test_optimal_on_random_values(components: list[Value]) -> None:
    game = Sum(components)
    total = sum(components, number(0))
    for player in Player:
        choice = optimal(game, player)
        assert choice.proved
        assert choice.wins == (total.outcome in ("N", player.value))
        if choice.move is not None and choice.wins:
            after = sum(game.play(choice.move).all_values(), number(0))
            assert after >= 0 if player is LEFT else after <= 0


@quick
@given(st.lists(values(3), min_size=1, max_size=3))
def test_dominated_incentives_are_never_needed(components: list[Value]) -> None:
    game = Sum(components)
    for player in Player:
        best = {m.move.text for m in undominated(game, player, part_moves(game, player))}
        winning = {
            m.text
            for m in game.moves(player)
            if not SumSolver().wins(game.play(m).all_values(), left_starts=player is RIGHT)
        }
        assert bool(winning & best) == bool(winning)


@quick
@given(st.lists(values(4), min_size=1, max_size=3))
@pytest.mark.parametrize("name", sorted(STRATEGIES))
def test_a_proved_win_is_a_win(name: str, components: list[Value]) -> None:
    game = Sum(components)
    total = sum(components, number(0))
    for player in Player:
        choice = STRATEGIES[name](game, player)
        assert (choice.move is None) == (not game.moves(player))
        if choice.proved:
            assert choice.wins == (total.outcome in ("N", player.value))
        if choice.wins and choice.move is not None:
            after = sum(game.play(choice.move).all_values(), number(0))
            assert after.outcome in (player.value, "P")


def final_stop(game: Sum, mover: Player, left: str, right: str) -> Fraction:
    """The number that is reached when both sides play by strategy until all components are numbers."""
    chosen = {LEFT: STRATEGIES[left], RIGHT: STRATEGIES[right]}
    while not all(isinstance(x, Value) and x.is_number for x in game.components):
        move = chosen[mover](game, mover).move
        assert move is not None
        game, mover = game.play(move), mover.opponent
    return sum((x.number for x in game.components if isinstance(x, Value)), Fraction(0))


switches = st.builds(
    lambda a, b, c: parse(f"{{{a + b}|{a - c}}}"), st.integers(-3, 3), st.integers(0, 5), st.integers(0, 5)
).filter(lambda g: not g.is_number)


@quick
@given(st.lists(switches, min_size=1, max_size=4))
@pytest.mark.parametrize("name", ["hotstrat", "greedy-hotstrat", "sentestrat", "thermostrat"])
def test_every_strategy_is_perfect_on_switches(name: str, components: list[Value]) -> None:
    """Sums of switches are played from the hottest down (Winning Ways, ch. 6)."""
    assert final_stop(Sum(components), LEFT, name, name) == sum(components, number(0)).left_stop
    assert final_stop(Sum(components), RIGHT, name, name) == sum(components, number(0)).right_stop


@quick
@given(st.lists(values(4).filter(lambda g: g.number_up_star is None), min_size=1, max_size=3))
def test_thermostrat_loses_at_most_the_ambient_temperature(components: list[Value]) -> None:
    """Winning Ways, ch. 6: the stop is missed by no more than the largest temperature."""
    best = sum(components, number(0)).left_stop
    hottest = max(max(g.temperature for g in components), Fraction(0))
    for opponent in ("hotstrat", "greedy-hotstrat", "sentestrat", "thermostrat"):
        assert final_stop(Sum(components), LEFT, "thermostrat", opponent) >= best - hottest


def test_choices_by_hand() -> None:
    game = Sum([parse("{10|-10}"), parse("{30||8|-40}")])
    assert [g.temperature for g in map(game.thermograph_of, game.components)] == [10, 22]
    hot = hotstrat(game, LEFT).move
    assert hot is not None
    assert hot.component == 1
    assert thermostrat(game, LEFT).move is not None
    assert greedy_hotstrat(game, LEFT).move is not None
    assert ambient_temperature([parse("{3|1}").thermograph], LEFT) == 0


# ---- sentestrat --------------------------------------------------------------------------------------------------


def after(expression: str, line: str) -> Sum:
    return Sum(expression).play_line(line)


def test_sentestrat_answers_a_threat() -> None:
    """Left's threat to take 40 leaves its component hotter than the rest has ever been."""
    game = after("{5|-5} + {40|0||-1} + {9|-9}", "right 3: to -9; left 2: to {40|0}")
    reply = sentestrat(game, RIGHT)
    assert reply.move is not None
    assert reply.move.text == "2: to 0"
    assert "the threat in component 2 is hotter than the ambient temperature 5;" in reply.why


def test_nothing_is_answered_at_the_start() -> None:
    game = Sum("{5|-5} + {40|0}")
    assert sentestrat(game, LEFT) == hotstrat(game, LEFT)


def test_a_player_does_not_answer_himself() -> None:
    game = after("{5|-5} + {6||5|-30}", "right 2: to {5|-30}")
    assert sentestrat(game, RIGHT) == hotstrat(game, RIGHT)
    assert sentestrat(game, LEFT) != hotstrat(game, LEFT)


def test_a_threat_as_hot_as_the_rest_is_no_threat() -> None:
    """After Right's move component 2 is exactly as hot as the hottest has been: the larger gain elsewhere counts."""
    game = after("{5|-5} + {1||0|-10} + {12|2}", "right 2: to {0|-10}")
    assert game.before is not None
    assert hottest(game.before) == 5
    assert game.thermograph_of(game.components[1]).temperature == 5
    choice = sentestrat(game, LEFT)
    assert choice == hotstrat(game, LEFT)
    assert choice.move is not None
    assert choice.move.text == "3: to 12"
    hotter = after("{5|-5} + {1||0|-11} + {12|2}", "right 2: to {0|-11}")
    assert sentestrat(hotter, LEFT).move == hotter.find(LEFT, "2: to 0")


@quick
@given(st.lists(values(5), min_size=1, max_size=3), st.randoms(use_true_random=False))
def test_sentestrat_against_one_who_takes_notes(components: list[Value], source: Random) -> None:
    """A player who writes down every temperature and move comes to the same choice."""
    game, mover = Sum(components), source.choice(list(Player))
    ambient: Fraction | None = None
    last: SumMove | None = None
    for _ in range(8):
        moves = game.moves(mover)
        if not moves:
            break
        heat = [sum(game.values(x), number(0)).temperature for x in game.components]
        expected = hotstrat(game, mover).move
        if last is not None and ambient is not None and heat[last.component] > ambient:
            replies = [m for m in moves if m.component == last.component]
            if replies:
                sign = 1 if mover is LEFT else -1
                t = heat[last.component]

                def kept(m: SumMove, sign: int = sign, t: Fraction = t) -> tuple[Fraction, Fraction]:
                    walls = sum(Sum([m.after]).all_values(), number(0)).thermograph
                    wall = walls.right if sign > 0 else walls.left
                    return sign * Fraction(wall.at(t)), sign * Fraction(walls.mean)

                expected = max(replies, key=kept)
        assert sentestrat(game, mover).move == expected
        ambient = max(heat) if ambient is None else min(ambient, max(heat))
        last = source.choice(moves)
        game, mover = game.play(last), mover.opponent


def test_limits() -> None:
    game = table(" + ".join(f"domineering 3x3 + {{{k}|-{k}}}" for k in range(2, 7)))
    assert not alpha_beta(game, LEFT, nodes=50).proved
    hard = Sum([parse(f"{{{{{5 + k}|1}}|{{-{k}|-{7 + k}*}}}}") for k in range(9)])
    late = optimal(hard, LEFT, seconds=0.0)
    assert late.move is not None
    for large in ("domineering 8x8", "domineering 6x6 + domineering 7x7"):  # nobody waits for their values
        late = optimal(Sum(large), LEFT, seconds=0.0)
        assert late.move is not None
        assert not late.proved
        assert late.why.startswith("the time was up")


def test_no_move_is_left() -> None:
    for name in STRATEGIES:
        choice = STRATEGIES[name](Sum([]), LEFT)
        assert (choice.move, choice.wins, choice.proved) == (None, False, True)


def test_moves_by_text() -> None:
    game = table("domineering 2x2 + {1|*}")
    assert str(game) == "domineering ..|.. + {1|*}"
    move = game.find(LEFT, "1: a1-a2")
    assert str(game.play(move)) == "domineering #.|#. + {1|*}"
    with pytest.raises(IllegalMove, match="1: a1-a2"):
        game.find(LEFT, "1: a1-b1")


def test_lines_of_moves() -> None:
    game = table("domineering 2x2 + {1|*}")
    later = game.play_line("right 2: to *; left 1: a1-a2; 2: to 0;")
    assert str(later) == "domineering #.|#. + 0"
    assert later.last is not None
    assert (later.last.player, later.last.text) == (RIGHT, "2: to 0")
    assert later.before is not None
    assert str(later.before) == "domineering #.|#. + *"
    assert game.last is None
    assert game.before is None
    assert later.play_line("LEFT 1: b1-b2").components == later.play(later.moves(LEFT)[0]).components
    assert game.play_line(" ; ") is game
    for line, message in [
        ("2: to *", "'2: to \\*' does not say whose move it is; write for example: left 1: a1-a2; right 2: to 3"),
        ("up 2: to *", "does not say whose move it is"),
        ("left 1: a1-a2; left 2: to 1", "'left 2: to 1': it is right's turn; players move in turn"),
    ]:
        with pytest.raises(InputError, match=message):
            game.play_line(line)
    with pytest.raises(IllegalMove, match="illegal move '2: to 7' of role 'right'; legal here: 1: a1-b1"):
        game.play_line("right 2: to 7")


def test_another_search_keeps_the_past() -> None:
    game = after("{5|-5} + {40|0||-1} + {9|-9}", "right 3: to -9; left 2: to {40|0}")
    search = LocalSearch()
    same = game.asked_of(search)
    assert sentestrat(same, RIGHT) == sentestrat(game, RIGHT)
    now: Sum | None = same
    lines = []
    while now is not None:
        assert now.search is search
        lines.append(str(now))
        now = now.before
    assert lines == ["±5 + {40|0} + -9", "±5 + {{40|0}|-1} + -9", "±5 + {{40|0}|-1} + ±9"]
