"""Impartiality: the check of the rules is sound, the circuit decides, and plays agree with both."""

from __future__ import annotations

import pytest

import ludisect
from ludisect.circuit.record import record
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.rules.handover import control_symbol, difference_in_plays, on_circuit, take_turns
from ludisect.decomposition.rules.impartiality import by_rules, impartiality
from ludisect.games import bundled
from ludisect.gdl.terms import Term
from ludisect.settings import using

IMPARTIAL = {"chomp", "kayles", "nim", "nim-misere"}

TWO_PLAYERS = [name for name in bundled.names() if bundled.describe(name).turns != "single-player"]


@pytest.mark.parametrize("name", TWO_PLAYERS)
def test_bundled_games(name: str) -> None:
    """The rules are silent where the circuit says no, and plays show it; the quick verdict is that of the circuit."""
    game = ludisect.load(name)
    decided = on_circuit(game).impartial
    assert bool(decided) == bool(by_rules(game).impartial) == (name in IMPARTIAL)
    assert bool(impartiality(game).impartial) == bool(decided)
    control = control_symbol(game)
    if control is not None:
        shown = difference_in_plays(game, control)
        assert (shown is None) == (name in IMPARTIAL)
        assert take_turns(game, control)


@pytest.mark.parametrize("name", sorted(IMPARTIAL))
def test_plays_agree(name: str) -> None:
    """In states of random plays, handing the turn over changes neither the legal moves nor their effects."""
    game = ludisect.load(name)
    control = control_symbol(game)
    turn = [Term(str(control), (Term.parse(r),)) for r in game.roles]
    noop = Term("noop")
    for row in record(game, 5, seed=3).states[::3]:
        state = game.batch.state(row)
        if game.is_terminal(state):
            continue
        base = state - set(turn)
        outcomes = []
        for mine, role in zip(turn, game.roles, strict=True):
            here = base | {mine}
            moves = game.legal_moves(here)[role]
            after = [game.next_state(here, {r: m if r == role else noop for r in game.roles}) for m in moves]
            outcomes.append([(str(m), s - set(turn)) for m, s in zip(moves, after, strict=True)])
        assert outcomes[0] == outcomes[1]


HEAD = """
(role a) (role b) (init (control a)) (init (n 3)) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
(<= terminal (true (n 0))) (<= (goal ?p 0) (true (control ?p)))
(<= (goal ?p 100) (role ?p) (not (true (control ?p))))
"""

TWINS = """
(<= (legal a take) (true (control a))) (<= (legal b take) (true (control b)))
(<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
(<= (next (n ?m)) (true (n ?k)) (does a take) (succ ?m ?k)) (<= (next (n ?m)) (succ ?m ?x) (does b take) (true (n ?x)))
"""


def test_twin_rules() -> None:
    """Rules 1-6 of Example 4.1: twins up to names of variables and order of literals."""
    game = ludisect.load(HEAD + TWINS)
    assert by_rules(game).impartial
    assert on_circuit(game).impartial


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        # one player can skip a number
        (TWINS + "(<= (legal a skip) (true (control a))) (<= (next (n ?k)) (does a skip) (true (n ?k)))", "twin"),
        # the same moves, other effects
        (TWINS.replace("(does b take)", "(does b take) (distinct ?x 3)"), "twin"),
        # a predicate without arguments looks at the turn
        (TWINS.replace("(<= (legal b take)", "(<= first (true (control a))) (<= (legal b take) (not first)"), "twin"),
        # the player in the head of a rule for next, which the printed algorithm overlooks
        (
            TWINS + "(init (last b)) (<= (next (last ?p)) (does ?p take)) (<= (legal ?p brag) (true (last ?p)))",
            "matters",
        ),
    ],
)
def test_rules_that_tell_the_players_apart(rules: str, why: str) -> None:
    verdict = by_rules(ludisect.load(HEAD + rules))
    assert verdict.impartial is None
    assert why in verdict.why
    assert "#" not in verdict.why


def test_sound_but_incomplete() -> None:
    """Both players may take, which two differently worded rules say: the circuit sees it, the rules do not."""
    worded = TWINS.replace("(<= (legal b take) (true (control b)))", "(<= (legal b take) (not (true (control a))))")
    game = ludisect.load(HEAD + worded)
    assert not by_rules(game).impartial
    assert on_circuit(game).impartial
    assert impartiality(game).impartial


def test_without_turns_nothing_is_impartial() -> None:
    game = ludisect.load("rock-paper-scissors")
    assert control_symbol(game) is None
    assert by_rules(game).impartial is False
    assert on_circuit(game).impartial is None
    assert str(impartiality(game)) == "no: the players do not take turns"


def test_one_player() -> None:
    assert str(impartiality(ludisect.load("two-track"))) == "no: there is only one player"


def test_turns_that_only_plays_show() -> None:
    """Who waits may do so only while a counter runs, which no play sees end: then turns are not certain, and it is said
    so; twin rules alone are not."""
    waits = TWINS.replace("(legal a noop) (true (control b))", "(legal a noop) (true (control b)) (true (n ?k))")
    game = ludisect.load(HEAD + waits.replace("(legal b noop)", "(legal b noop) (true (n ?k))", 1))
    verdict = by_rules(game)
    assert verdict.impartial
    assert verdict.why.endswith("that they take turns was seen in plays")


def test_two_ways_of_waiting_are_a_choice() -> None:
    game = ludisect.load(HEAD + TWINS + "(<= (legal ?p wait) (role ?p) (not (true (control ?p))))")
    assert on_circuit(game).impartial is False
    assert not take_turns(game, "control")


@pytest.mark.parametrize(
    ("rules", "difference"),
    [
        ("(<= (legal a skip) (true (control a))) (<= (next (n ?k)) (does a skip) (true (n ?k)))", "legal skip"),
        ("(init (last b)) (<= (next (last ?p)) (does ?p take))", "next (last a) after take"),
    ],
)
def test_a_difference_that_plays_show(rules: str, difference: str) -> None:
    game = ludisect.load(HEAD + TWINS + rules)
    assert difference_in_plays(game, "control") == f"{difference} depends on whether a or b is in control"
    assert impartiality(game).impartial is False


def test_a_circuit_too_large_to_compare() -> None:
    """What neither rules nor plays settle is left open, and it is said why."""
    worded = TWINS.replace("(<= (legal b take) (true (control b)))", "(<= (legal b take) (not (true (control a))))")
    with using(DecompositionLimits(impartiality_gates=0)):
        verdict = impartiality(ludisect.load(HEAD + worded))
    assert verdict.impartial is None
    assert "no rule for b is the twin" in verdict.why
    assert "no state of 16 plays shows a difference" in verdict.why


def test_the_circuit_names_what_differs() -> None:
    verdict = on_circuit(ludisect.load("domineering"))
    assert verdict.why.startswith("legal (place ")
    assert "vertical or horizontal" in verdict.why
    assert "twin" in by_rules(ludisect.load("domineering")).why
