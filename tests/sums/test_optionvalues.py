"""What every move in a sum is worth, held against solving what each move leaves."""

from __future__ import annotations

import random

import pytest

import ludisect
from ludisect.rulesets.position import Player
from ludisect.sums.limits import SumsLimits
from ludisect.sums.partmoves import all_parts
from ludisect.sums.strategies import alpha_beta
from ludisect.sums.table import Sum

SUMS = [
    "domineering 2x3 + {3|-1}",
    "domineering 3x3",
    "nim 3 + nim 5 + kayles 4",
    "nim 3,3,5",
    "{2|-1} + {1|*} + 1/2 + ^",
    "clobber 2x3 + toads_and_frogs T.F",
    "0",
]


def plays(game: Sum, rng: random.Random) -> list[Sum]:
    """The sums of a random play in turn."""
    out, player = [game], rng.choice(list(Player))
    while moves := game.moves(player):
        game, player = game.play(rng.choice(moves)), player.opponent
        out.append(game)
    return out


@pytest.mark.parametrize("text", SUMS)
def test_every_move_against_a_search_of_the_whole(text: str) -> None:
    answer = ludisect.solve(text)
    for game in plays(Sum(text), random.Random(text)):
        values = answer.values(game)
        players = list(Player) if game.last is None else [game.last.player.opponent]
        moves = [(p, m) for p in players for m in game.moves(p)]
        assert [(v.role, v.move) for v in values] == [(p.name.lower(), m.text) for p, m in moves]
        for (player, move), value in zip(moves, values, strict=True):
            twin = alpha_beta(game.play(move), player.opponent)
            assert twin.proved
            assert value.wins is (not twin.wins)
            mine, other = player.name.lower(), player.opponent.name.lower()
            assert value.value == ({mine: 0, other: 100} if twin.wins else {mine: 100, other: 0})
            assert value.exact
            won = any(v.wins for v in values if v.role == value.role)
            assert value.best is (value.wins or not won)


@pytest.mark.parametrize("text", SUMS)
def test_incentives_are_what_the_mover_gains(text: str) -> None:
    answer, game = ludisect.solve(text), Sum(text)
    for value in answer.values():
        player = Player[value.role.upper()]
        gain = game.play(game.find(player, value.move)).value - game.value
        assert value.incentive == (gain if player is Player.LEFT else -gain)


def test_points() -> None:
    answer = ludisect.solve("regio 1x2 + regio 2x2")
    assert answer.rule == "points"
    game = Sum("regio 1x2 + regio 2x2")
    for value in answer.values():
        player = Player[value.role.upper()]
        twin = alpha_beta(game.play(game.find(player, value.move)), player.opponent)
        assert twin.points is not None
        assert value.value[value.role] == -twin.points
        assert value.wins is (-twin.points > 0)
    for role in ("left", "right"):
        mine = [v for v in answer.values() if v.role == role]
        top = max(v.value[role] or 0 for v in mine)
        assert top == answer.value[role]
        assert {v.best for v in mine if v.value[role] == top} == {True}
        assert {v.best for v in mine if v.value[role] != top} <= {False}


def test_outright_wins() -> None:
    answer = ludisect.solve("{{on|1}|0} + {1|-2}")
    game = Sum("{{on|1}|0} + {1|-2}")
    for value in answer.values():
        player = Player[value.role.upper()]
        twin = ludisect.solve(game.play(game.find(player, value.move)))
        assert value.wins is (twin.value[player.opponent.name.lower()] == 0)
        assert value.incentive is None


def test_a_board_without_values_near_by_is_played_out() -> None:
    few = SumsLimits(decide_few=1, decide_steps=1)
    plain = ludisect.solve("clobber 3x4")
    with_plays = ludisect.solve("clobber 3x4", limits=few)
    with ludisect.settings.using(few):
        found = with_plays.values()
    assert [(v.move, v.wins, v.exact) for v in found] == [(v.move, v.wins, v.exact) for v in plain.values()]
    with ludisect.settings.using(SumsLimits(decide_few=1, decide_steps=1, option_play_nodes=1)):
        short = ludisect.solve("clobber 3x4", limits=few).values()
    assert all(v.wins is None and not v.exact and v.best is None for v in short if v.wins is None)


def test_parts_are_counted_through_all_components() -> None:
    answer = ludisect.solve("domineering ..#..|..#.. + nim 2")
    parts = answer.parts_at()
    assert [(p.part, p.kind, p.more["component"]) for p in parts] == [(1, "value", 1), (2, "value", 1), (3, "value", 2)]
    assert len(all_parts(Sum("domineering ..#..|..#.. + nim 2"))) == 3
    # two equal parts of a board are told apart by their cells
    by_move = {v.move: v.part for v in answer.values()}
    assert by_move["1: a1-a2"] == 1
    assert by_move["1: d1-e1"] == 2
    assert by_move["2: heap 1 to 1"] == 3
    later = answer.parts_at({"left": "1: a1-a2"})
    assert [p.part for p in later] == [1, 2, 3][: len(later)]


def test_who_is_to_move_after_a_move() -> None:
    answer = ludisect.solve("nim 1 + nim 2")
    assert {v.role for v in answer.values()} == {"left", "right"}
    assert {v.role for v in answer.values({"left": "2: heap 1 to 1"})} == {"right"}
    assert not any(v.wins for v in answer.values({"left": "2: heap 1 to 1"}))
