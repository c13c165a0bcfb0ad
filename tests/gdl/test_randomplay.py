"""Random plays: recorded as matches, and what they find wrong with a game."""

from __future__ import annotations

from random import Random

from ludisect.gdl import Interpreter, PlayProblem, PlayReport, check_by_playouts, read, record, replay
from ludisect.progress import listening

from .small import race

WALK = """
(role r) (init (at 0)) (step 0 1) (step 1 2) (step 2 0)
(<= (legal r go) (true (at ?x)))
(<= (next (at ?y)) (true (at ?x)) (step ?x ?y))
"""


def problems(rules: str, *, plays: int = 5, max_length: int = 20) -> tuple[PlayProblem, ...]:
    return check_by_playouts(Interpreter(read(rules)), plays=plays, max_length=max_length).problems


def test_plays_end_and_replay() -> None:
    for seed in range(20):
        match = record(race(), seed=seed)
        assert match.terminal
        assert 2 <= len(match.steps) <= 3
        assert replay(race(), match) == []


def test_the_same_seed_gives_the_same_play() -> None:
    assert record(race(), seed=3) == record(race(), seed=3)
    assert len({str(record(race(), seed=seed).to_dict()) for seed in range(20)}) > 3
    generator = Random(0)
    assert len({str(record(race(), seed=generator).to_dict()) for _ in range(20)}) > 3


def test_a_play_is_cut_at_its_greatest_length() -> None:
    match = record(race(), max_length=1)
    assert len(match.steps) == 1
    assert not match.terminal
    assert match.goals is None


def test_nothing_to_say_about_a_sound_game() -> None:
    assert check_by_playouts(race(), plays=20) == PlayReport(20, ())


def test_no_end() -> None:
    (problem,) = problems(WALK + "(goal r 50)", max_length=2)
    assert (
        str(problem)
        == """\
warning: no end within 2 joint moves (in 5 of 5 playouts; after 2 joint moves)
  help: a step counter that makes the state terminal ends every play
     1. r go
     2. r go
  state (at 2)"""
    )


def test_no_legal_move() -> None:
    (problem,) = problems(WALK.replace("(step 2 0)", "").replace("(true (at ?x)))", "(true (at ?x)) (step ?x ?y))", 1))
    assert problem.level == "error"
    assert (
        str(problem)
        == """\
role r has no legal move and the play is not over (in 5 of 5 playouts; after 2 joint moves)
  help: end the play there by 'terminal', or make a move such as noop legal
     1. r go
     2. r go
  state (at 2)"""
    )


def test_no_goal_value_or_several() -> None:
    for goals in ("", "(goal r 0) (goal r 100)"):
        (problem,) = problems(WALK + "(<= terminal (true (at 1)))" + goals)
        assert problem.level == "error"
        assert (
            str(problem)
            == """\
the play is over and role r has no goal value, or several (in 5 of 5 playouts; after 1 joint move)
  help: let exactly one 'goal' rule apply to each role in each terminal state
     1. r go
  state (at 1)"""
        )


def test_goals_that_fall() -> None:
    (problem,) = problems(
        WALK + "(<= terminal (true (at 2))) (<= (goal r 9) (true (at 0))) (<= (goal r 5) (not (true (at 0))))"
    )
    assert problem.level == "warning"
    assert problem.what == "the goal of role r falls during play (in 5 of 5 playouts; after 1 joint move)"
    assert problem.to_dict() == {
        "level": "warning",
        "what": problem.what,
        "help": "GDL wants goals that never fall; it matters only to programs that read them before the end",
        "file": None,
        "line": None,
        "column": None,
        "length": None,
        "moves": [{"r": "go"}],
        "state": ["(at 1)"],
    }


def test_the_shortest_play_is_shown() -> None:
    machine = race("(<= (goal ?r 0) (role ?r)", "(<= (goal ?r 0) (role ?r) (true (at ?r 9))")
    for problem in check_by_playouts(machine, plays=50).problems:
        assert len(problem.moves) == 2


def test_long_plays_are_printed_in_part() -> None:
    (problem,) = problems(WALK + "(goal r 50)", max_length=300)
    assert len(problem.moves) == 300
    lines = str(problem).splitlines()
    assert lines[11:14] == ["    10. r go", "     …  280 more joint moves", "   291. r go"]
    assert lines[-2:] == ["   300. r go", "  state (at 0)"]


def test_time_is_limited_and_progress_told() -> None:
    told: list[tuple[str, int, int | None]] = []
    machine = race()
    with listening(lambda *step: told.append(step)):
        assert check_by_playouts(machine, plays=10, seconds=0.0).plays == 0  # broken off
        assert told == [("playing", 0, 10)]
        assert check_by_playouts(machine, plays=10).plays == 10
    assert told[1:] == [("playing", played, 10) for played in range(1, 11)]
    assert check_by_playouts(race(), plays=0) == PlayReport(0, ())
