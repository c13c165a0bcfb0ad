"""Stages of serial games: order by dependency and by the clock, and what is no stage."""

from __future__ import annotations

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


def test_parts_side_by_side_have_no_order() -> None:
    for name in ("double-tictactoe", "nim:2,3", "runners", "two-track"):
        assert all(not s.after for s in parts_of(name).parts)
