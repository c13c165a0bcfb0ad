"""Sums played out between strategies, move by move, each seeing what the other did."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludisect.cgt import Value
from ludisect.errors import InputError
from ludisect.rulesets import Player
from ludisect.sums import STRATEGIES, Advice, Sum, play_match
from ludisect.sums.refute import refute
from tests.cgt.forms import values

LEFT, RIGHT = Player.LEFT, Player.RIGHT


@settings(max_examples=30, deadline=None)
@given(st.lists(values(3), min_size=1, max_size=3), st.sampled_from(list(Player)))
@pytest.mark.parametrize("other", sorted(STRATEGIES))
def test_who_can_win_does_so_by_optimal_play(other: str, components: list[Value], first: Player) -> None:
    game = Sum(components)
    winner = {"L": LEFT, "R": RIGHT, "N": first, "P": first.opponent}[game.outcome]
    match = play_match(
        game, left="optimal" if winner is LEFT else other, right="optimal" if winner is RIGHT else other, first=first
    )
    assert match.winner is winner
    later, mover = game, first
    for move in match.moves:
        assert move in later.moves(mover)
        later, mover = later.play(move), mover.opponent
    assert later.components == match.end.components
    assert not match.end.moves(mover)
    assert match.winner is mover.opponent


def test_sentestrat_sees_the_threats_of_the_other() -> None:
    """Hotstrat threatens to take 21 where it gains nothing; sentestrat answers, and keeps the hot component."""
    match = play_match("{3|-3} + {21|0||0}", left="hotstrat", right="sentestrat", first=RIGHT)
    assert match.line[0] == "right 1: to -3"
    for before, here in zip(match.moves, match.moves[1:], strict=False):
        if before.text == "2: to {21|0}":
            assert here.text == "2: to 0"
            break
    else:
        raise AssertionError(match.line)


def test_a_match_as_text_goes_back_to_a_line() -> None:
    game = Sum("domineering 2x3 + {3|-1} + nim 2")
    match = play_match(game, right="hotstrat")
    assert match.winner is not None
    assert str(match).endswith(f"; {match.winner.name.lower()} wins")
    assert game.play_line("; ".join(match.line)).components == match.end.components
    assert str(play_match(Sum([]))) == "right wins"


def test_strategies_of_ones_own_and_wrong_names() -> None:
    def last_move(game: Sum, player: Player) -> Advice:
        moves = game.moves(player)
        return Advice(moves[-1] if moves else None, None, False, "the last in the list")

    assert play_match("nim 2", left=last_move).line == ("left 1: heap 1 to 1", "right 1: heap 1 to 0")
    with pytest.raises(InputError, match="there is no strategy 'coldstrat'; choose from alpha-beta, greedy-hotstrat"):
        play_match("nim 2", right="coldstrat")


def test_the_past_matters_to_sentestrat_alone() -> None:
    game = Sum("{1|-1} + {2|-2}")
    with pytest.raises(InputError, match="sentestrat looks at the past, so not every reply can be tried"):
        refute(game, LEFT, LEFT, strategy=STRATEGIES["sentestrat"])
    assert refute(game, LEFT, LEFT, strategy=STRATEGIES["sentestrat"], plays=10) is None
