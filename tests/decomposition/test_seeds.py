"""The answer is a function of the game: other seeds, the same parts and local moves; more plays contradict nothing."""

from __future__ import annotations

import pytest

from ludisect.decomposition import Decomposition, decompose, verify
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.loader import load
from tests.decomposition import sheets
from tests.decomposition.found import game_of

SHEETS = {
    "walk": sheets.WALK_THEN_SWITCH,
    "odometer": sheets.ODOMETER,
    "pairs": sheets.switches("abcdef", sheets.lines(["ab", "cd", "ef"])),
    "path": sheets.switches("abcd", sheets.lines(["ab", "bc", "cd"])),
}


def answer(parts: Decomposition) -> object:
    moves = [{frozenset(c) for c in classes} for s in parts.parts for classes in s.move_numbers]
    return [(s.kind, s.useful, s.fluent_numbers, s.after) for s in parts.parts], moves, parts.constant, parts.structure


@pytest.mark.parametrize(
    "name", [*SHEETS, "tictactoe", "double-tictactoe", "nim:2,3", "relay", "lights-on", "four-lamps"]
)
def test_three_seeds_give_one_answer_that_other_plays_do_not_contradict(name: str) -> None:
    game = load(SHEETS[name]) if name in SHEETS else game_of(name)
    found = [decompose(game, seed=seed, playouts=200) for seed in (0, 1, 2)]
    assert all(answer(parts) == answer(found[0]) for parts in found[1:])
    assert verify(found[0], seed=1 << 20, playouts=2000).status == "tested"


@pytest.mark.parametrize("seed", [1, 2])
def test_corners_belong_to_their_board(seed: int) -> None:
    """With these seeds no play shows all corners in a row: single parts are looked at, and the solver is asked."""
    assert len(decompose(load(sheets.in_a_row(8, 5)), seed=seed).dependent) == 1


OFFER = """
(role a) (role b) (init (control a)) (init offer) (init (at a 0)) (init (at b 0))
(<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))
(<= (next offer) (true offer) (true (control a)))
(<= (legal ?p (go ?x)) (true (control ?p)) (true (at ?x ?n)) (succ ?n ?m))
(<= (legal ?p swap) (true (control ?p)) (true offer))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (moved ?x) (does ?p (go ?x)))
(<= (next (at ?x ?m)) (true (at ?x ?n)) (moved ?x) (succ ?n ?m))
(<= (next (at ?x ?n)) (true (at ?x ?n)) (not (moved ?x)))
(<= terminal (true (at ?x 40)))
(<= (goal ?p 100) (role ?p) (true (at ?p 40))) (<= (goal ?p 0) (role ?p) (not (true (at ?p 40))))
""" + " ".join(f"(succ {k} {k + 1})" for k in range(40))


@pytest.mark.parametrize("seed", range(4))
def test_an_offer_of_two_turns_goes_with_the_turn(seed: int) -> None:
    """Of six hundred states two show that the turn takes the offer away."""
    parts = decompose(load(OFFER), seed=seed, playouts=100)
    assert [part.patterns for part in parts.context] == [["(control *)", "offer"]]


RARE = """
(role r) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3) (init (step 0))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= terminal (true (step 3)))
(<= (legal r on) (true (at ?x)) (succ ?x ?y)) (<= (legal r wait) (true (at ?x)))
(<= (legal r (arm ?k)) (true (step 0)) (key ?k))
(key 1) (key 2) (key 3) (key 4) (key 5) (key 6) (key 7) (key 8)
(<= (legal r leap) (true (at 1)) (true (step 2)))
(<= (next (at ?y)) (does r on) (true (at ?x)) (succ ?x ?y))
(<= (next (at ?x)) (true (at ?x)) (not (does r on)) (not leaps))
(<= (next (at 3)) leaps) (<= leaps (does r leap) (true armed))
(<= (next armed) (true armed)) (<= (next armed) (does r (arm 5)))
(<= (goal r 100) (true (at 3))) (<= (goal r 0) (not (true (at 3))))
"""


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_move_seldom_seen_is_no_pass_of_a_single_part(seed: int) -> None:
    """Plays may show the leap only where it does nothing; that hangs on the seed."""
    (part,) = decompose(load(RARE), seed=seed, playouts=6, limits=DecompositionLimits(sample_plays=12)).dependent
    assert sorted(str(m) for (m,) in part.moves["r"]) == ["(arm 5)", "leap", "on"]


EARLY = """
(role r) (init (a 0 x)) (init (c 0 x)) (init (b x)) (succ 0 1) (succ 1 2) (succ 2 3) (side x) (side y)
(<= (legal r (move ?i ?j)) (first ?i) (second ?j))
(<= (first ?i) (true (a ?n ?s)) (succ ?n ?m) (distinct ?n 2) (side ?i))
(<= (first none) (true (a 2 ?s)))
(<= (second ?j) (true (c ?n ?s)) (succ ?n ?m) (side ?j))
(<= (second (light ?j)) (true (c 3 ?s)) (side ?j))
(<= (next (a ?m ?i)) (does r (move ?i ?j)) (true (a ?n ?s)) (succ ?n ?m) (distinct ?n 2))
(<= (next (a 2 ?s)) (true (a 2 ?s)))
(<= (next (c ?m ?j)) (does r (move ?i ?j)) (true (c ?n ?s)) (succ ?n ?m))
(<= (next (c 3 ?s)) (true (c 3 ?s)))
(<= (next (b ?j)) (does r (move ?i (light ?j))))
(<= (next (b ?s)) (true (b ?s)) (not (true (c 3 x))) (not (true (c 3 y))))
(<= terminal (true (b y)))
(<= (goal r 100) (true (a 2 x)) (true (c 3 x)))
(<= (goal r 0) (not (true (a 2 x)))) (<= (goal r 0) (not (true (c 3 x))))
"""
"""Two walks at once, of two and three steps; the longer one opens a lamp."""


def test_what_is_over_before_another_part_opens_is_no_stage_before_it() -> None:
    """No clock says so, and in how many of the plays that were seen it was so is no matter of the game."""
    (walk, long, lamp) = decompose(load(EARLY), playouts=200).dependent
    assert [walk.after, long.after, lamp.after] == [(), (), (long.id,)]


DIALS = """
(role r) (init (a 1)) (init (b 1)) (init (step 0)) (init (c 1)) (init (d 1)) (init (late 0))
(<= over (true (a 0)) (true (b 0))) (<= over (true (step 8))) (<= over (true lock))
(<= (next lock) over)
(<= (next (step ?n)) (not over) (true (step ?m)) (succ ?m ?n)) (<= (next (step ?n)) over (true (step ?n)))
(<= (next (late ?n)) over (true (late ?m)) (succ ?m ?n)) (<= (next (late ?n)) (not over) (true (late ?n)))
(<= (legal r (set a ?v)) (value ?v) (not over)) (<= (legal r (set b ?v)) (value ?v) (not over))
(<= (legal r (set c ?v)) (value ?v) over) (<= (legal r (set d ?v)) (value ?v) over)
(<= (moved ?x) (does r (set ?x ?v)))
(<= won (true (a ?v)) (true (b ?v)) (true (c ?w)) (true (d ?w)))
(<= terminal (true (late 8))) (<= (goal r 100) won) (<= (goal r 0) (not won))
""" + "\n".join(
    f"(<= (next ({x} ?v)) (does r (set {x} ?v))) (<= (next ({x} ?v)) (true ({x} ?v)) (not (moved {x})))" for x in "abcd"
)


@pytest.mark.parametrize("seed", range(4))
def test_a_clock_that_a_rare_state_stops_goes_with_what_its_rules_read(seed: int) -> None:
    """Both dials of the first stage at nought stop its clock, which one state of nine hundred shows; its lock stops it
    too. The clock opens the second stage as well, but does not make the two stages one."""
    facts = " ".join([*(f"(value {k})" for k in range(30)), *(f"(succ {k} {k + 1})" for k in range(8))])
    parts = decompose(load(f"{DIALS} {facts}"), seed=seed, playouts=100)
    names = [p.name for p in parts.dependent]
    assert names == ["(a *) (b *) (step *) lock", "(c *) (d *)"]
    assert parts.structure == "serial"
    assert parts.evidence is not None
    assert parts.evidence.status == "proved"
