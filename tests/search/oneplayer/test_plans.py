"""Plans by concepts and greedy moves: the optimum of the whole, and honest about when greedy is optimal."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludisect
from ludisect.search.budget import Budget
from ludisect.search.oneplayer.following import named_moves
from ludisect.search.oneplayer.greedy import ends_when_stuck, greedy_play, paid, strictly_ordered
from ludisect.search.oneplayer.plansearch import Move, PlanSearch
from ludisect.search.part.compound import Compound
from ludisect.search.part.reading import read_choice
from ludisect.search.part.verdicts import single_ends
from ludisect.search.solve import solve
from ludisect.search.study import Study
from ludisect.search.whole.whole import solve_whole
from tests.search.compounds import random_compound, whole_value
from tests.search.known import blocks_maze, two_track

BY_DAY_AND_NIGHT = """(role robot) (lamp a) (lamp b) (after 0 1) (after 1 2) (after 2 3) (after 3 3)
(<= (init (off ?l)) (lamp ?l)) (init (step 0)) (when 0 day) (when 1 night) (when 2 day) (when 3 night)
(<= (legal robot (press ?l ?w)) (lamp ?l) (true (step ?n)) (when ?n ?w))
(<= (next (step ?m)) (true (step ?n)) (after ?n ?m))
(<= (pressed ?l) (does robot (press ?l ?w)))
(<= (next (on ?l)) (true (off ?l)) (pressed ?l)) (<= (next (off ?l)) (true (on ?l)) (pressed ?l))
(<= (next (on ?l)) (true (on ?l)) (not (pressed ?l))) (<= (next (off ?l)) (true (off ?l)) (not (pressed ?l)))
(<= terminal (true (step 3)))
(<= (goal robot 70) (true (on a)) (true (off b))) (<= (goal robot 30) (true (off a)) (true (on b)))
(<= (goal robot 100) (true (on a)) (true (on b))) (<= (goal robot 0) (true (off a)) (true (off b)))
"""
"""A lamp is pressed by one move at day, by another at night: in its part these are the same."""


def puzzle(seed: int) -> Compound:
    rng = random.Random(seed)
    return random_compound(
        rng,
        roles=1,
        parts=rng.choice([2, 2, 3]),
        states=rng.choice([3, 4, 5, 6]),
        concepts=rng.choice([1, 2, 3]),
        moves=rng.choice([1, 2, 3]),
    )


def replay(compound: Compound, moves: tuple[Move, ...]) -> int | None:
    """What a plan yields if it is played; it must be legal and not be over before its last move."""
    states, context = list(compound.start), compound.context
    for i, label in moves:
        assert not compound.over[compound.key(tuple(states), context)]
        states[i] = dict(compound.parts[i].moves[0][states[i]])[label]
        context = compound.follow[context]
    goals = compound.goals_at_end(compound.key(tuple(states), context))
    return None if goals is None else goals[0]


@given(st.integers(0, 2**32 - 1), st.booleans())
@settings(max_examples=300, deadline=None)
def test_plans_find_the_optimum(seed: int, cheap: bool) -> None:
    compound = puzzle(seed)
    solution = PlanSearch(compound, cheap=cheap).run()
    assert solution.exact
    assert solution.value == whole_value(compound)
    assert replay(compound, solution.moves) == solution.value


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=300, deadline=None)
def test_greedy_claims_to_be_optimal_only_where_it_is(seed: int) -> None:
    compound = puzzle(seed)
    play = greedy_play(compound)
    best = whole_value(compound)
    assert play.value is not None
    assert play.value <= best
    assert replay(compound, play.moves) == play.value
    if play.optimal:
        assert play.value == best


def test_both_conditions_of_greedy_matter() -> None:
    """Strictly ordered goals alone do not make greedy optimal, nor does an end without haste."""
    seen = set()
    for seed in range(2000):
        compound = puzzle(seed)
        conditions = strictly_ordered(compound), ends_when_stuck(compound)
        if greedy_play(compound).value != whole_value(compound):
            seen.add(conditions)
    assert (True, True) not in seen
    assert (False, True) in seen


def test_cheap_form_is_used_where_the_end_is_a_disjunction() -> None:
    used = [single_ends(puzzle(seed).over) is not None for seed in range(200)]
    assert any(used)
    assert not all(used)


def test_two_tracks_need_interleaved_plans() -> None:
    """Günther 2007, Listing 5.1: neither walker may finish first; greedy gets 0."""
    answer = solve(two_track(), "plans")
    assert answer.exact
    assert answer.value == {"walker": 100}
    greedy = solve(two_track(), "greedy")
    assert not greedy.exact
    assert greedy.bounds == {"walker": (0, 100)}


def test_blocks_and_maze() -> None:
    """Günther 2007, Table 4.1: all three goals can be reached within the steps; the gold has to come last."""
    answer = solve(blocks_maze(), "plans")
    assert answer.exact
    assert answer.value == {"robot": 100}
    assert answer.why[-1].endswith("drop")
    greedy = solve(blocks_maze(), "greedy")
    assert greedy.bounds == {"robot": (75, 100)}
    assert greedy.notes[-1].startswith("these moves were played on the rules and reach 75; ")


def test_greedy_moves_are_played_on_the_rules() -> None:
    """What they reach is told only if the rules say the same: here state by state, through the public `State`."""
    for parts in (two_track(), blocks_maze()):
        choice = Study(parts).reading(Budget(), waiting=True)
        play = greedy_play(choice.compound)
        plan = [label for _, label in named_moves(choice, parts.game.batch.initial, play.moves)]
        (role,) = parts.game.roles
        state = parts.game.start
        for move in plan:
            state = state.play({role: parts.game.moves[0][move]})
        assert state.is_over
        assert state.goals[role] == paid(parts.game, plan) == play.value
        assert paid(parts.game, plan[:-1]) is None
        assert paid(parts.game, [*plan, plan[-1]]) is None


def test_greedy_moves_that_the_rules_refute_reach_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = blocks_maze()
    wrong = replace(greedy_play(Study(parts).reading(Budget(), waiting=True).compound), value=90)
    monkeypatch.setattr("ludisect.search.oneplayer.greedy.greedy_play", lambda *_, **__: wrong)
    answer = solve(parts, "greedy")
    assert not answer.bounds
    assert not answer.exact
    assert "played on the rules they do not" in answer.notes[-1]


def test_plans_are_made_of_moves_that_are_legal_when_it_is_their_turn() -> None:
    game = ludisect.load(BY_DAY_AND_NIGHT)
    parts = ludisect.decompose(game)
    assert [str(part) for part in parts.dependent] == ["1. dependent: (off a) (on a)", "2. dependent: (off b) (on b)"]
    answer = solve(parts, "plans")
    assert (answer.value, answer.exact) == ({"robot": 70}, True)
    told = " ".join(str(moves["robot"]) for moves in answer.line)
    assert answer.conclusion == (f"in this order: {told}",)
    state = game.start.play_line(list(answer.line))
    assert (state.is_over, state.goals["robot"]) == (True, 70)


def test_depth_limits_plans() -> None:
    short = PlanSearch(read_choice(blocks_maze()).compound).run(depth=6)
    assert short.value == 75
    assert not short.exact
    assert PlanSearch(read_choice(two_track()).compound).run(depth=1).value is None


def test_first_move_of_plans_attains_the_value() -> None:
    for parts in (two_track(), blocks_maze()):
        answer = solve(parts, "plans")
        game = parts.game
        state = game.next_state(game.initial_state(), answer.move)
        if game.name == "two-track":
            assert solve_whole(game, start=game.batch.row(state)).value == answer.value


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=100, deadline=None)
def test_plans_are_kept_through_a_match(seed: int) -> None:
    """What is left of a plan is the best from there; after a stray move so is the new plan, of which parts are kept."""
    rng = random.Random(seed)
    compound = puzzle(seed)
    search = PlanSearch(compound)
    solution = search.run()
    while solution.moves:
        here = search.compound
        options = [(i, label) for i, p in enumerate(here.parts) for label, _ in p.moves[0][p.start]]
        i, label = rng.choice([solution.moves[0], solution.moves[0], rng.choice(options)])
        states = list(here.start)
        states[i] = dict(here.parts[i].moves[0][states[i]])[label]
        kept = [s for k, s in enumerate(search.searches) if k != i and states[k] == here.start[k]]
        search = search.at(tuple(states), here.follow[here.context])
        assert [s for k, s in enumerate(search.searches) if k != i] == kept
        planned = (i, label) == solution.moves[0]
        solution = replace(solution, moves=solution.moves[1:]) if planned else search.run()
        if solution.value is not None:
            assert solution.value == whole_value(search.compound)
            assert replay(search.compound, solution.moves) == solution.value
