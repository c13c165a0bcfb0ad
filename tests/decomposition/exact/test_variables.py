"""Variables: groups are proposed from play and kept only if every legal move preserves them."""

from __future__ import annotations

import numpy as np
import pytest

from ludisect.circuit.game import Game
from ludisect.circuit.rows import unpack
from ludisect.composition import compose_one
from ludisect.decomposition.evidence.invariants import Invariants, prove
from ludisect.decomposition.evidence.sample import take_sample
from ludisect.decomposition.exact.variables import _seen, _successions, find_invariants, variables_of
from ludisect.decomposition.model.blocks import merge
from ludisect.effort import Effort
from ludisect.loader import load
from tests.decomposition.brute import explore
from tests.decomposition.found import game_of


def free(game: Game) -> list[int]:
    return [int(f) for f in np.flatnonzero(~game.circuit.constant_fluents)]


def found(game: Game) -> Invariants:
    return find_invariants(game, take_sample(game), free(game))


def group(game: Game, *names: str) -> tuple[int, ...]:
    index = {str(t): i for i, t in enumerate(game.fluents)}
    return tuple(index[name] for name in names)


def texts(game: Game, groups: tuple[tuple[int, ...], ...]) -> set[frozenset[str]]:
    return {frozenset(str(game.fluents[f]) for f in g) for g in groups}


def test_cells_and_turn_of_tictactoe() -> None:
    game = game_of("tictactoe")
    proved = found(game)
    assert len(proved.exactly_one) == 10
    assert frozenset({"(control xplayer)", "(control oplayer)"}) in texts(game, proved.exactly_one)
    assert frozenset({"(cell 1 1 b)", "(cell 1 1 x)", "(cell 1 1 o)"}) in texts(game, proved.exactly_one)
    assert proved.at_most_one == ()
    assert proved.constant == ()


def test_a_counter_is_one_variable() -> None:
    game = game_of("queens")
    rows = next(g for g in found(game).exactly_one if game.fluents[g[0]].name == "row")
    assert len(rows) == 7


def test_the_weaker_claim_is_what_stays_of_a_stronger_one() -> None:
    """Taking the whole heap leaves none of its other sizes, and no move brings a second one about."""
    game = game_of("nim:2,1")
    turn = group(game, "(control player1)", "(control player2)")
    sizes = group(game, "(heap a 1)", "(heap a 2)")
    assert prove(game, [turn, sizes], []) == Invariants((turn,), (sizes,))


def test_claims_may_need_each_other() -> None:
    """A heap has one size because one player moves at a time."""
    game = game_of("nim:2,1")
    turn = group(game, "(control player1)", "(control player2)")
    heap = group(game, "(heap a 0)", "(heap a 1)", "(heap a 2)")
    assert prove(game, [heap], []).exactly_one == ()
    assert prove(game, [heap, turn], []) == Invariants((heap, turn))


def test_what_play_can_break_is_dropped() -> None:
    game = game_of("nim:1,2")
    turn = group(game, "(control player1)", "(control player2)")
    both = group(game, "(heap a 0)", "(heap b 0)")  # never true together before the end
    assert prove(game, [both, turn], []) == Invariants((turn,))
    assert prove(game, [both], []) == Invariants()


def test_what_holds_by_luck_of_the_start_is_no_invariant() -> None:
    """Groups of which no fluent is true at the start, or two are."""
    game = game_of("nim:2,2")
    two = group(game, "(heap a 2)", "(heap b 2)")
    assert prove(game, [two], []) == Invariants()


def test_constants_are_proved_too() -> None:
    game = load(
        "(role r) (init (a)) (init (c)) (legal r go) (<= (next (a)) (true (a)) (does r go)) (<= (next (b)) (true (b)))"
        "(<= (next (c)) (true (c)) (not (true (d)))) (<= (next (d)) (true (a)) (true (d)))"
        "(<= (next (e)) (not (true (e)))) (<= terminal (true (f))) (<= (next (f)) (true (e))) (goal r 0)"
    )
    a, c = (game.fluent_index[t] for t in game.fluents if str(t) in ("a", "c"))
    e = next(i for t, i in game.fluent_index.items() if str(t) == "e")
    assert prove(game, [], [a, c, e]).constant == (a, c)


def test_only_what_reads_no_move_is_claimed_without_effort() -> None:
    game = game_of("tictactoe")
    sample = take_sample(game)
    hasty = find_invariants(game, sample, free(game), Effort(0))
    assert [{str(game.fluents[f]) for f in g} for g in hasty.exactly_one] == [
        {"(control xplayer)", "(control oplayer)"}
    ]
    assert set(hasty.exactly_one) < set(find_invariants(game, sample, free(game)).exactly_one)
    assert all(not v.is_group for v in variables_of(Invariants(), free(game)))


@pytest.mark.parametrize("name", ["tictactoe", "nim:2,3", "relay", "peg-solitaire", "runners"])
def test_variables_share_out_the_fluents(name: str) -> None:
    game = game_of(name)
    proved = found(game)
    variables = variables_of(proved, free(game))
    placed = sorted(f for v in variables for f in v.fluents)
    assert placed == [f for f in free(game) if f not in proved.constant]
    assert len(placed) == len(set(placed))


def holds_everywhere(game: Game) -> None:
    proved = found(game)
    steps = explore(game, 3000)
    if steps is None:
        return
    for state in {step.state for step in steps} | {step.following for step in steps}:
        bits = {game.fluent_index[t] for t in state}
        assert all(len(bits & set(g)) == 1 for g in proved.exactly_one)
        assert all(len(bits & set(g)) <= 1 for g in proved.at_most_one)
        assert all((f in bits) == bool(game.circuit.initial[f]) for f in proved.constant)


@pytest.mark.parametrize("name", ["two-track", "nim:2,3", "rock-paper-scissors:2", "relay", "kayles:2,3", "four-lamps"])
def test_invariants_hold_in_every_reachable_state(name: str) -> None:
    holds_everywhere(game_of(name))


@pytest.mark.parametrize("number", range(6))
def test_invariants_of_composed_games_hold_in_every_reachable_state(number: int) -> None:
    holds_everywhere(load(compose_one(number, seed=2).rules))


@pytest.mark.parametrize("name", ["nim:2,3", "double-tictactoe", "tron", "lights-on", "relay", "queens:4"])
def test_successions_are_those_of_all_pairs_of_fluents(name: str) -> None:
    game = game_of(name)
    sample = take_sample(game, playouts=50, states=50)
    for mine in (free(game), free(game)[::2]):
        seen = _seen(game, sample)
        before = sample.bits[sample.pair_state]
        after = unpack(sample.pair_next, len(game.fluents))
        links = [
            [i, j]
            for i, f in enumerate(mine)
            for j, g in enumerate(mine)
            if (before[:, f] & ~after[:, f] & after[:, g] & ~before[:, g]).any() and not (seen[:, f] & seen[:, g]).any()
        ]
        expected = [[mine[k] for k in block] for block in merge(links, len(mine)) if len(block) > 1]
        assert list(_successions(sample, seen, mine)) == expected
