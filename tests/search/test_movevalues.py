"""The value of every move from one solution, held against every successor solved anew, and against all positions."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

import ludisect
from ludisect.circuit.game import Game
from ludisect.circuit.midgame import at_state
from ludisect.decomposition.methods import decompose
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.errors import InputError
from ludisect.gdl.state import State
from ludisect.loader import load
from ludisect.search.solve import solve
from ludisect.search.ways import WAYS
from ludisect.search.whole.whole import solve_whole
from tests.search.agreement import Whole
from tests.search.fronts import fronts
from tests.search.known import double_tictactoe, kayles, lifts, nim, taken_apart
from tests.search.staged import staged_walks

GAMES: dict[str, Callable[[], Decomposition]] = {
    "nimbers": lambda: taken_apart("nim:2,3"),
    "nimbers, misère": lambda: nim(2, 3, misere=True),
    "nimbers, misère and wild": lambda: kayles(4, 3, misere=True),
    "values": lambda: taken_apart("toads-and-frogs"),
    "subgoals": lambda: taken_apart("four-lamps"),
    "parallel": lambda: taken_apart("runners"),
    "plans": lambda: taken_apart("two-track"),
    "greedy": lambda: taken_apart("two-track"),
    "quotient": lambda: taken_apart("kayles:4,2"),
    "serial": lambda: taken_apart("relay"),
    "stages": lambda: staged_walks([[3, 4], [3, 3]], random.Random(1), "last mover"),
    "tmseq": lambda: taken_apart("nim:2,3"),
    "tmseq-published": lambda: taken_apart("nim:2,3"),
    "urgent": lambda: taken_apart("nim:2,3"),
    "regions": lambda: taken_apart("domineering:2x3"),
    "whole": lambda: taken_apart("multiple-hanoi"),  # plays can go round in circles
    "whole, two players": lambda: taken_apart("nim:2,3"),
    "alpha-beta": lambda: taken_apart("nim:2,3"),
}

ALL_KNOWN = ("nimbers", "nimbers, misère", "values", "parallel", "quotient", "regions", "whole, two players")
"""Ways whose tables tell of every move at the start."""


def walk(game: Game, rng: random.Random) -> Iterator[State[Game]]:
    """The states of a random play, its end left out."""
    state = game.start
    while not state.is_over:
        yield state
        state = state.play({role: rng.choice(moves) for role, moves in state.legal.items()})


@pytest.mark.parametrize("name", GAMES)
def test_every_move_at_the_start_and_later(name: str) -> None:
    """What is known is right, at every state of random plays; what is not known is not called anything."""
    parts, by = GAMES[name](), name.partition(",")[0]
    game, answer = parts.game, solve(parts, by)
    whole = Whole(game)
    for seed in range(3):
        for state in walk(game, random.Random(seed)):
            values = answer.values(state if state.moves_made else None)
            here = int(whole.space.table.find(game.batch.row(state.fluents))[0])
            if answer.exact:
                wrong = list(whole.wrong_moves(values, here))
                assert [fault for fault in wrong if fault != "unknown"] == []
            for value in values:
                if value.exact and not answer.exact:  # only the rules can have said that
                    assert state.play({value.role: value.move}).is_over
                assert (value.wins, value.incentive) == (None, None)
    if name in ALL_KNOWN:
        assert all(v.exact and v.best is not None for v in answer.values())
    assert any(v.best for v in answer.values()) or not answer.exact


@pytest.mark.parametrize("name", ["nim:2,3", "two-track", "kayles:4,2", "toads-and-frogs"])
def test_every_successor_solved_whole(name: str) -> None:
    """The obvious twin: make each move on the rules, and search all that follows."""
    game = load(name)
    answer = solve(decompose(game))
    states = list(walk(game, random.Random(2)))
    for state in (states[0], states[len(states) // 2]):
        for value in answer.values(state):
            after = state.play({value.role: value.move})
            if value.exact:
                twin = dict(after.goals) if after.is_over else solve_whole(at_state(game, after.fluents)).value
                assert dict(value.value) == twin


def test_two_boards() -> None:
    game = load("double-tictactoe")
    answer = ludisect.solve(game)
    values = answer.values()
    assert len(values) == 18
    assert {v.role for v in values} == {"xplayer"}
    assert {v.part for v in values if "mark1" in str(v.move)} == {1}
    assert {v.part for v in values if "mark2" in str(v.move)} == {2}
    for by in ("quotient", "scores"):
        other = solve(double_tictactoe(), by)
        for state in (None, game.start.play("(mark1 2 2)"), game.start.play_line("(mark1 1 1); (mark1 2 1)")):
            assert [v.to_json() for v in other.values(state)] == [v.to_json() for v in answer.values(state)]
    later = answer.values("(mark1 2 2)")
    assert later == answer.values(game.start.play("(mark1 2 2)"))
    assert {str(v.move): v.value["oplayer"] for v in later if v.part == 1} == {
        **{f"(mark1 {x} {y})": 50 for x in (1, 3) for y in (1, 3)},
        **{f"(mark1 {x} {y})": 25 for x, y in ((1, 2), (2, 1), (2, 3), (3, 2))},
    }


def test_a_state_that_nothing_leads_to_is_not_called_exact() -> None:
    game = load("double-tictactoe")
    answer = ludisect.solve(game)
    reached = game.start.play("(mark1 2 2)")
    assert all(v.exact for v in answer.values(reached))
    taken_for_granted = State(game, reached.fluents)
    assert not any(v.exact for v in answer.values(taken_for_granted))
    assert [v.value for v in answer.values(taken_for_granted)] == [v.value for v in answer.values(reached)]


def test_when_the_play_is_over_and_when_nobody_has_a_choice() -> None:
    game = load("nim:1,1")
    answer = ludisect.solve(game)
    last = game.start.play("(reduce a 0)")
    assert {(v.role, str(v.move), v.best) for v in answer.values(last)} == {
        ("player1", "noop", True),
        ("player2", "(reduce b 0)", True),
    }
    assert answer.values(last.play("(reduce b 0)")) == ()


def test_moves_at_the_same_time() -> None:
    """Against the opponent's equilibrium, in which throws of equal worth are mixed."""
    answer = solve(taken_apart("rock-paper-scissors:1"), "whole")
    for value in answer.values():
        assert value.value == pytest.approx({"left": 50, "right": 50} if "left" in value.value else value.value)
        assert value.best
    # a game in which the goals are not opposite: the worst case
    sheet = """(role a) (role b) (init on) (legal a x) (legal a y) (legal b x) (legal b y) (<= terminal (true end))
    (<= (next end) (true on)) (<= (next (same)) (does a ?m) (does b ?m)) (<= (next (ax)) (does a x))
    (<= (goal a 100) (true (same))) (<= (goal a 40) (not (true (same))) (true (ax)))
    (<= (goal a 10) (not (true (same))) (not (true (ax)))) (<= (goal b 100) (true (same)))
    (<= (goal b 30) (not (true (same))))"""
    answer = solve(load(sheet), "whole")
    found = {(v.role, str(v.move)): (dict(v.value), v.best) for v in answer.values()}
    assert answer.rule == "pessimistic: each role's worst case"
    assert found == {
        ("a", "x"): ({"a": 40, "b": None}, True),
        ("a", "y"): ({"a": 10, "b": None}, False),
        ("b", "x"): ({"a": None, "b": 30}, True),
        ("b", "y"): ({"a": None, "b": 30}, True),
    }


def test_parts_as_data() -> None:
    def records(answer: ludisect.Answer, state: object = None) -> list[tuple[int, str, object]]:
        return [(p.part, p.kind, p.to_json()["value"]) for p in answer.parts_at(state)]

    nim_answer = ludisect.solve("nim:3,5,7")
    assert records(nim_answer) == [(1, "nimber", "*3"), (2, "nimber", "*5"), (3, "nimber", "*7")]
    assert records(nim_answer, "(reduce a 1)") == [(1, "nimber", "*"), (2, "nimber", "*5"), (3, "nimber", "*7")]
    boards = ludisect.solve("double-tictactoe")
    assert records(boards, "(mark1 2 2)") == [(1, "points", [2, 1]), (2, "points", 1)]
    toads = ludisect.solve("toads-and-frogs")
    assert {kind for _, kind, _ in records(toads)} == {"value"}
    plan = ludisect.solve("four-lamps")
    assert [(kind, value) for _, kind, value in records(plan)].count(("plan", 1)) == 3
    assert records(plan, dict(plan.line[0]))[1] == (2, "plan", 0)  # that move of the plan is made
    assert [kind for _, kind, _ in records(ludisect.solve(taken_apart("domineering:2x3"), "regions"))] == ["value"]


def test_regions_number_their_own_parts() -> None:
    game = load("domineering:4x4")
    answer = solve(decompose(game), "regions")
    most = 0
    for state in walk(game, random.Random(1)):
        numbers = {p.part for p in answer.parts_at(state)}
        found = {v.part for v in answer.values(state) if v.move != ludisect.Term("noop")}
        assert found <= numbers
        most = max(most, len(numbers))
    assert most > 1


def test_an_answer_without_its_solution_says_so() -> None:
    import pickle

    copy = pickle.loads(pickle.dumps(ludisect.solve("nim:1,2")))
    for asked in (copy.values, copy.parts_at):
        with pytest.raises(InputError, match="nothing was kept"):
            asked()


def test_every_way_is_looked_at() -> None:
    """A new way is to be put into the table above."""
    known = {name.partition(",")[0] for name in GAMES} | {"scores", "lockstep", "joint"}
    assert {name for name in WAYS if not name.startswith("tmseq-")} <= known


@pytest.mark.parametrize("by", ["lockstep", "joint"])
def test_ways_that_need_games_of_their_own(by: str) -> None:
    parts = decompose(load(fronts(5))) if by == "joint" else lifts()
    answer = solve(parts, by)
    whole = Whole(parts.game)
    wrong = list(whole.wrong_moves(answer.values()))
    assert [fault for fault in wrong if fault != "unknown"] == []
