"""Conditions of regions: what is proved of the bundled games, and every refusal with the state that shows it."""

from __future__ import annotations

import re
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludisect
from ludisect.circuit.game import Game
from ludisect.circuit.rows import unpack
from ludisect.decomposition.evidence.sample import take_sample
from ludisect.rulesets.position import Player
from ludisect.search.limits import SearchLimits
from ludisect.search.regions import NoOperators, operators
from ludisect.search.regions.guarded import OperatorSet
from ludisect.search.regions.implications import clauses
from ludisect.search.regions.measure import measure, rise
from ludisect.search.regions.premises import Premises, premises
from ludisect.search.regions.refused import Refused
from ludisect.settings import using
from tests.search.regions.random_games import operator_games
from tests.search.regions.variants import ENDS, LOSES, either_stuck, misere, variant


def found(game: Game) -> Premises:
    return premises(operators(game))


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("amazons:2x3", "normal play"),
        ("clobber:2x3,1x2", "normal play"),
        ("col:2x3", "normal play"),
        ("domineering:3x3,2x2", "normal play"),
        ("dots:1x2", "points"),
        ("kayles:4,3", "normal play"),
        ("nim:3,5,7", "normal play"),
        ("nim-misere:3,5,7", "misère play"),
        ("nogo:2x2", "normal play"),
        ("regio:2x3,1x2", "points"),
        ("snort:2x3", "normal play"),
        ("toads-and-frogs:TT_FF", "normal play"),
        ("chomp:3x3", "misère play"),
        ("tictactoe", "draw"),
        ("breakthrough:2x4", "normal play"),
        ("hex:2", "threats alone"),
    ],
)
def test_the_rule_of_a_bundled_game_is_proved_and_that_of_its_plays(name: str, rule: str) -> None:
    """The rule is that of the sheet; random plays, which took no part in the proof, agree with what it says."""
    game = ludisect.load(name)
    known = found(game)
    assert known.rule == rule
    sample = take_sample(game, seed=5)
    ops = known.operators
    for row, goals in zip(sample.endings, game.batch.goals(sample.endings).tolist(), strict=True):
        facts = ops.word(row[None])
        mover = ops.mover(row[None])
        threats = {threat.gets for threat in known.threats if threat.holds(facts)}
        if threats:
            assert threats == {tuple(goals)}
            continue
        assert not any(op.player is mover and op.fits(facts) for op in ops.listed)
        if known.points is not None:
            assert known.points.gets(known.points.of(facts)) == tuple(goals)
        else:
            assert known.stuck[0 if mover is Player.LEFT else 1] == tuple(goals)
    for row in sample.states:
        assert any(op.player is ops.mover(row[None]) and op.fits(ops.word(row[None])) for op in ops.listed)
        assert known.measure.longest(ops.word(row[None])) >= 1


def test_threats_name_their_winners() -> None:
    known = found(ludisect.load("pawns:2x5"))
    assert known.rule == "normal play"
    assert len(known.threats) == 4
    facts = known.operators.facts
    for threat in known.threats:
        (place,) = [k for k in range(len(facts)) if threat.needs >> k & 1]
        white = str(facts[place]).startswith("(pawn white")
        assert threat.winner is (Player.LEFT if white else Player.RIGHT)
        assert threat.by == {threat.winner}


def test_misere_of_a_partisan_game_is_recognised() -> None:
    known = found(misere("domineering:2x3"))
    assert (known.rule, known.stuck) == ("misère play", ((100, 0), (0, 100)))


def test_either_stuck_is_normal_play_where_no_move_frees_the_other() -> None:
    known = found(either_stuck("3x3"))
    assert known.rule == "normal play"
    assert "no move gives a player a move who had none" in known.evidence


def test_either_stuck_where_a_move_may_free_the_other() -> None:
    """A queen that moves away lets another out: who is stuck while he waits loses all the same."""
    known = found(either_stuck("amazons:2x3"))
    assert (known.rule, known.stuck) == ("either is stuck", ((0, 100), (100, 0)))
    assert known.neither == ((0, 100), (100, 0))
    shared = found(variant("amazons:2x3", (ENDS, ""), (LOSES, ""), more=SHARED))
    assert shared.neither == ((50, 50), (50, 50))


SHARED = """
(<= (able ?p) (true (queen ?p ?r ?c)) (step ?d ?r ?c ?r2 ?c2) (true (free ?r2 ?c2)))
(<= terminal (role ?p) (not (able ?p)))
(<= (goal ?p 0) (follows ?p ?q) (not (able ?p)) (able ?q))
(<= (goal ?p 100) (follows ?p ?q) (able ?p) (not (able ?q)))
(<= (goal ?p 50) (follows ?p ?q) (not (able ?p)) (not (able ?q)))
"""
"""Amazons that ends as soon as either player could not move; if neither can, it is a draw."""


def refusals() -> list[tuple[str, Game, str]]:
    loop = """
    (role a) (role b) (follows a b) (follows b a) (init (at 1)) (init (control a)) (to 1 2) (to 2 1) (to 2 3)
    (<= (legal ?p (go ?x ?y)) (true (control ?p)) (true (at ?x)) (to ?x ?y))
    (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
    (<= (next (at ?y)) (does ?p (go ?x ?y)))
    (<= (next (control ?q)) (true (control ?p)) (follows ?p ?q))
    (<= terminal (true (at 3))) (<= (goal ?p 0) (true (control ?p)))
    (<= (goal ?p 100) (role ?p) (not (true (control ?p))))
    """
    some_end = f"{ENDS}\n(<= terminal (not (true (free 1 1))) (not (true (free 1 2))))"
    corner = "(<= (goal vertical 100) (true (free 1 1))) (<= (goal vertical 0) (not (true (free 1 1))))"
    other = "(<= (goal horizontal 0) (true (free 1 1))) (<= (goal horizontal 100) (not (true (free 1 1))))"
    return [
        ("play may never end: no count of facts falls with every move; (go 2 1) takes back what (go 1 2) does",
         ludisect.load(loop), ""),
        ("play is not over though vertical, to move, has no move, as in the state (control vertical)",
         variant("domineering:2x3", ("(<= can-move\n    (true (control ?p))", "(<= can-move")), ""),
        ("not (free 1 1) and not (free 1 2) ends the play, and what the players get then is not always the same",
         variant("domineering:3x3", (ENDS, some_end)), ""),
        ("what the players get at the end is neither a matter of who moved last nor a sum of points for single facts",
         variant("regio:2x2", ("(<= (goal ?p ?n) (last ?k) (counted ?p ?k ?n))",
                               "(<= (goal black 2) (last ?k) (counted black ?k 1)) (<= (goal black ?n) (last ?k) "
                               "(counted black ?k ?n) (distinct ?n 1)) (<= (goal white ?n) (last ?k) "
                               "(counted white ?k ?n))")), "(owned "),
        ("points are counted when the player to move cannot, though the other could go on, as in the state",
         variant("domineering:3x3", (LOSES, f"{corner} {other}")), "(control "),
        ("the play is over", variant("domineering:2x3", (ENDS, "(<= terminal (true (free 1 1)))")), ""),
    ]  # fmt: skip


@pytest.mark.parametrize("number", range(6))
def test_refusals_show_what_failed(number: int) -> None:
    message, game, shown = refusals()[number]
    with pytest.raises(NoOperators, match=re.escape(message)) as caught:
        found(game)
    if shown:
        assert isinstance(caught.value, Refused)
        assert caught.value.state is not None
        assert shown in str(caught.value)


def test_a_refusal_says_whether_play_led_to_its_state() -> None:
    state = ludisect.load("nim:2").start.fluents
    assert str(Refused("it fails", state)) == (
        "it fails, as in the state (control player1) (heap a 2) (no play to it is known)"
    )
    assert str(Refused("it fails", state, met=True)).endswith("(heap a 2)")
    assert str(Refused("it fails")) == "it fails"


def test_what_cannot_be_proved_in_time_is_refused() -> None:
    ops = operators(ludisect.load("domineering:4x4"))
    with using(SearchLimits(regions_work=0.0)), pytest.raises(Refused, match="could not be proved in the time allowed"):
        premises(ops)
    with (
        using(SearchLimits(regions_diagrams=2)),
        pytest.raises(Refused, match="it could not be proved in the time allowed that black gets points for facts"),
    ):
        found(ludisect.load("regio:2x2"))


# ---- measures and clauses, beside plain enumeration ----


@settings(max_examples=150, deadline=None)
@given(operator_games())
def test_a_measure_falls_with_every_move(drawn: tuple[OperatorSet, int]) -> None:
    ops, _ = drawn
    try:
        weights = measure(ops)
    except NoOperators:
        return
    for op, facts in product(ops.listed, range(1 << len(ops.facts))):
        if op.fits(facts):
            assert weights.of(op.after(facts)) <= weights.of(facts) + rise(op, weights.weights) < weights.of(facts)
            assert weights.longest(facts) >= 1


@settings(max_examples=150, deadline=None)
@given(operator_games(), st.integers(0, 2**20))
def test_clauses_hold_wherever_operators_lead(drawn: tuple[OperatorSet, int], seed: int) -> None:
    ops, initial = drawn
    todo, seen = [initial], {initial}
    for facts in todo:
        for op in ops.listed:
            if op.fits(facts) and op.after(facts) not in seen:
                seen.add(op.after(facts))
                todo.append(op.after(facts))
    some = np.random.default_rng(seed).choice(todo, size=4)  # a few states propose more than is true
    sample = np.array([[bool(facts >> k & 1) for k in range(len(ops.facts))] for facts in some.tolist()], np.bool_)
    for clause in clauses(ops, initial, sample):
        assert all(clause.holds(facts) for facts in seen)


def test_a_bar_of_chocolate_is_a_staircase() -> None:
    """What lies above and to the left of a piece is there: the implications that Chomp's end needs."""
    game = ludisect.load("chomp:3x3")
    ops = operators(game)
    sample = take_sample(game)
    rows = np.concatenate([sample.states, sample.endings])
    known = clauses(ops, ops.word(game.batch.initial), unpack(rows, len(game.fluents))[:, list(ops.numbers)])
    place = {str(fact): k for k, fact in enumerate(ops.facts)}
    assert any(
        clause.some == 1 << place["(chocolate 1 1)"] and clause.none == 1 << place["(chocolate 1 2)"]
        for clause in known
    )
