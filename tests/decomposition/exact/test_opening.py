"""Stages of serial games: order by dependency and by the clock, and what is no stage."""

from __future__ import annotations

import pytest

from ludisect.decomposition import decompose
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.loader import load
from tests.decomposition import sheets
from tests.decomposition.brute import Brute, explore
from tests.decomposition.found import PLAYOUTS, named, parts_of


def found(sheet: str) -> Decomposition:
    """The decomposition, held against brute force if it is called proved."""
    game = load(sheet)
    parts = decompose(game, playouts=PLAYOUTS)
    assert parts.evidence is not None
    assert parts.evidence.status == "proved"
    steps = explore(game, 4000)
    if steps:
        assert Brute(parts, game, steps).broken() == []
    return parts


def test_a_walk_opens_what_lies_at_its_end() -> None:
    parts = found(sheets.WALK_THEN_SWITCH)
    assert [named(parts), parts.structure] == [["(at *) (passed *)", "(up *)"], "serial"]
    assert [s.after for s in parts.dependent] == [(), (1,)]


def test_three_stages_in_a_row() -> None:
    assert [s.after for s in parts_of("relay").dependent] == [(), (1,), (2,)]


def test_a_step_on_the_way_is_no_stage() -> None:
    """What feeds another variable all the time belongs to it: two counters, of which one carries into the other."""
    parts = found(sheets.ODOMETER)
    assert len(parts.dependent) == 1


def test_times_of_the_clock_are_stages() -> None:
    """Two switches may be put in the first half of the play, two in the second."""
    parts = found(sheets.by_the_clock({"a": range(3), "b": range(3), "c": range(3, 6), "d": range(3, 6)}))
    first = {s.id for s in parts.dependent if not s.after}
    later = [s for s in parts.dependent if s.after]
    names = {s.id: {str(parts.game.fluents[f]) for f in s.fluent_numbers} for s in parts.dependent}
    assert set().union(*(names[i] for i in first)) == {"(up a)", "(up b)"}
    assert set().union(*(names[s.id] for s in later)) == {"(up c)", "(up d)"}
    assert all(set(s.after) <= first for s in later)


def test_a_choice_at_one_step_is_no_stage() -> None:
    """What offers its choices at a single step happens before what comes later, as every move does: no stage of its
    own. With two steps it is one."""
    later = {"c": range(2, 5), "d": range(2, 5)}
    once, twice = (found(sheets.by_the_clock({"a": early, "b": early, **later})) for early in ([0], [0, 1]))
    assert [once.structure, [s.after for s in once.dependent]] == ["parallel-choice", [(), ()]]
    assert [twice.structure, [s.after for s in twice.dependent]] == ["serial", [(), (1,)]]


def test_a_lock_may_fall_shut_late() -> None:
    """What a stage reads of the one before may go on by itself in half of the states, and not in more."""
    late, later = found(sheets.slow_lock(1)), found(sheets.slow_lock(2))
    assert [named(late), [s.after for s in late.dependent]] == [["(at *) (passed *)", "lit"], [(), (1,)]]
    assert named(later) == ["(at *) (passed *) lit"]


CHAINS = """
(role player) (board a) (board b) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (init (step 0))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (legal player (set ?b 1)) (board ?b) (not (true (flag ?b 1))))
(<= (legal player (set ?b ?y)) (board ?b) (succ ?x ?y) (true (flag ?b ?x)) (not (true (flag ?b ?y))) (short ?y))
(short 2) (short 3) (legal player rest)
(<= (next (flag ?b ?x)) (does player (set ?b ?x)))
(<= (next (flag ?b ?x)) (true (flag ?b ?x)))
(<= terminal (true (step 5)))
"""


def test_a_chain_of_latches_is_one_part() -> None:
    won = "(<= won (true (flag a 3)) (true (flag b 3))) (<= (goal player 100) won) (<= (goal player 0) (not won))"
    assert named(found(CHAINS + won)) == [f"(flag {b} 1) (flag {b} 2) (flag {b} 3)" for b in "ab"]


@pytest.mark.parametrize("opener", ["(flag a 1)", "(flag a 3)"])
def test_a_board_that_latches_open_is_a_part_of_its_own(opener: str) -> None:
    """Its cells are latches side by side: they follow the same thing, and are no way to go on from it."""
    parts = found(
        CHAINS.replace("(step 5)", "(step 9)").replace("(board b)", "")
        + f"""(succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9) (by 1 2) (by 2 3) (by 3 4)
        (<= (legal player (put ?x)) (square ?x) (true {opener}) (not (true (cell ?x))))
        (square 1) (square 2) (square 3) (square 4)
        (<= (next (cell ?x)) (does player (put ?x)))
        (<= (next (cell ?x)) (true (cell ?x)))
        (<= won (true (cell ?x)) (true (cell ?y)) (by ?x ?y))
        (<= (goal player 100) won) (<= (goal player 0) (not won))"""
    )
    flags, cells = parts.dependent
    assert [{f.name for f in part.fluents} for part in (flags, cells)] == [{"flag"}, {"cell"}]
    assert (flags.after, cells.after) == ((), (1,))


def test_one_stage_may_open_two_and_have_moves_left() -> None:
    """Past the gate one may still walk on, while two wheels turn."""
    parts = found("""
        (role player) (path s gate) (path s wood) (path wood gate) (path p q) (path q p) (wheel a) (wheel b)
        (init (at s)) (init (spin a 0)) (init (spin b 0)) (init (in p)) (init (step 0))
        (turn 0 1) (turn 1 2) (turn 2 0) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
        (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
        (<= (legal player (go ?y)) (true (at ?x)) (path ?x ?y))
        (<= (legal player (hop ?y)) (true (in ?x)) (path ?x ?y))
        (<= (legal player (spin ?w)) (wheel ?w) (true (at gate)))
        (<= (next (at ?y)) (does player (go ?y)))
        (<= (next (at ?x)) (true (at ?x)) (not went))
        (<= went (does player (go ?y)))
        (<= (next (in ?y)) (does player (hop ?y)))
        (<= (next (in ?x)) (true (in ?x)) (not hopped))
        (<= hopped (does player (hop ?y)))
        (<= (next (spin ?w ?n)) (does player (spin ?w)) (true (spin ?w ?m)) (turn ?m ?n))
        (<= (next (spin ?w ?n)) (true (spin ?w ?n)) (not (does player (spin ?w))))
        (<= terminal (true (step 6)))
        (<= (goal player 100) (true (spin a 2)) (true (spin b 1)) (true (in q)))
        (<= (goal player 0) (not (true (spin a 2))))
        (<= (goal player 0) (not (true (spin b 1))))
        (<= (goal player 0) (not (true (in q))))""")
    after = {name: s.after for name, s in zip(named(parts), parts.dependent, strict=True)}
    ids = dict(zip(named(parts), (s.id for s in parts.dependent), strict=True))
    assert after["(spin a *)"] == after["(spin b *)"] == (ids["(at *)"],)
    assert after["(in *)"] == after["(at *)"] == ()


def test_stages_that_the_goal_ignores_are_useless() -> None:
    """A walk opens a switch, and neither matters; the clock alone puts them before what does."""
    sheet = sheets.WALK_THEN_SWITCH[: sheets.WALK_THEN_SWITCH.index("(<= (goal")]
    parts = found(
        sheet
        + """
        (<= (legal player (dial ?x)) (true (step 3)) (value ?x)) (value 1) (value 2) (init (dial 0))
        (<= (next (dial ?x)) (does player (dial ?x)))
        (<= (next (dial ?x)) (true (dial ?x)) (not dialled))
        (<= dialled (does player (dial ?x)))
        (<= (goal player 100) (true (dial 1)))
        (<= (goal player 0) (not (true (dial 1))))"""
    )
    assert {name: s.useful for name, s in zip(named(parts), parts.dependent, strict=True)} == {
        "(at *) (passed *)": False, "(up *)": False, "(dial *)": True,
    }  # fmt: skip


def test_what_the_score_names_but_does_not_hang_on_is_useless() -> None:
    """ "With the second switch or without it": the rules read that one, and it makes no difference."""
    parts = found(sheets.switches("ab", "(or (and (on a) (on b)) (and (on a) (not (on b))))"))
    assert [s.useful for s in parts.dependent] == [True, False]
    assert parts.structure == "multiple"


def test_parts_side_by_side_have_no_order() -> None:
    for name in ("double-tictactoe", "nim:2,3", "runners", "two-track"):
        assert all(not s.after for s in parts_of(name).parts)
