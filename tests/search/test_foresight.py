"""What follows an answer: lines of best play, and later states, from what each way has kept."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable

import pytest

import ludisect
from ludisect.answer import Answer
from ludisect.circuit.game import Game
from ludisect.decomposition.methods import decompose
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.errors import BudgetExceeded, IllegalMove, InputError
from ludisect.gdl.state import State
from ludisect.loader import load
from ludisect.search.foresight import Foresight
from ludisect.search.limits import SearchLimits
from ludisect.search.solve import solve
from ludisect.settings import using
from tests.search.agreement import Whole
from tests.search.fronts import fronts
from tests.search.known import double_tictactoe, lifts, taken_apart
from tests.search.staged import staged_walks

GAMES: dict[str, Callable[[], Decomposition]] = {
    "nimbers": lambda: taken_apart("nim:2,3"),
    "values": lambda: taken_apart("toads-and-frogs"),
    "subgoals": lambda: taken_apart("multiple-hanoi"),
    "parallel": lambda: taken_apart("runners"),
    "plans": lambda: taken_apart("two-track"),
    "quotient": lambda: taken_apart("kayles:4,2"),
    "serial": lambda: taken_apart("relay"),
    "stages": lambda: staged_walks([[3, 4], [3, 3]], random.Random(1), "last mover"),
    "tmseq": lambda: taken_apart("nim:2,3"),
    "whole": lambda: taken_apart("multiple-hanoi"),  # plays can go round in circles
    "alpha-beta": lambda: taken_apart("nim:2,3"),
}


def follow(game: Game, answer: Answer) -> State[Game]:
    """The state after the line of an answer, played on the rules."""
    return game.start.play_line(answer.line)


@pytest.mark.parametrize("by", GAMES)
def test_a_line_goes_to_the_end_and_keeps_the_value(by: str) -> None:
    parts = GAMES[by]()
    answer = solve(parts, by)
    assert answer.exact
    assert answer.line[0].items() >= answer.move.items()
    end = follow(parts.game, answer)
    assert end.is_over
    assert dict(end.goals) == answer.value
    assert list(Whole(parts.game).off_the_line(answer)) == []


def test_a_line_by_points() -> None:
    answer = solve(double_tictactoe(), "scores")
    end = follow(double_tictactoe().game, answer)
    assert end.is_over
    assert dict(end.goals) == answer.value
    assert [part.value for part in answer.after("(mark1 2 2)").parts] == [(2, 1), 1]
    lost = answer.after([*answer.line[0].values()]).after("(mark1 2 1)")  # a wrong reply: the corner wants the centre
    assert lost.value == {"xplayer": 75, "oplayer": 25}  # one board won, the other drawn
    assert follow_from(lost).goals == lost.value
    assert (
        solve(double_tictactoe(), "quotient").after([*answer.line[0].values()]).after("(mark1 2 1)").value == lost.value
    )


def follow_from(answer: Answer) -> State[Game]:
    """The state after the line of an answer in a later state."""
    kept = answer.solution
    assert isinstance(kept, Foresight)
    return State(kept.game, kept.game.batch.state(kept.row[0])).play_line(answer.line)


@pytest.mark.parametrize("seed", [0, 5, 9, 11])
def test_a_line_stops_where_roles_have_to_mix(seed: int) -> None:
    parts = decompose(load(fronts(seed, "ab")))
    whole = Whole(parts.game)
    for answer in (solve(parts, "joint"), solve(parts, "whole"), solve(parts, "quotient")):
        assert list(whole.off_the_line(answer)) == []
        end = follow(parts.game, answer)
        later = answer.after(end)
        assert later.value == pytest.approx(answer.value)
        assert end.is_over or later.mixed
        for odds in later.mixed.values():
            assert sum(odds.values()) == pytest.approx(1)


def test_no_line_where_each_counts_on_the_worst() -> None:
    answer = solve(taken_apart("runners"), "whole")
    assert answer.rule.startswith("pessimistic")
    assert answer.line == ()


@pytest.mark.parametrize("by", ["nimbers", "values", "quotient", "tmseq", "serial", "stages", "parallel", "plans"])
def test_after_a_move_nothing_is_searched_again(by: str) -> None:
    parts = GAMES[by]()
    answer = solve(parts, by)
    later = answer.after(answer.line[0])
    assert later.value == answer.value
    assert later.nodes == 0
    assert later.exact
    assert later.notes == ("known from the search before",)
    assert later.line == answer.line[1:]
    state = parts.game.start.play(answer.line[0])
    assert answer.after(state).value == later.value
    assert solve(parts, by).after(follow(parts.game, answer)).move == {}


def test_parts_after_a_move() -> None:
    answer = ludisect.solve("nim:3,5,7")
    assert [str(part.value) for part in answer.after({"player1": "(reduce b 1)"}).parts] == ["*3", "*", "*7"]
    assert answer.after("(reduce b 1)").value == {"player1": 0, "player2": 100}
    game = load("nim:3,5,7")
    state = game.start.play_line("(reduce b 4) (reduce a 0)")
    assert ludisect.solve(state, given=answer).value == ludisect.solve(state).value == {"player1": 100, "player2": 0}
    assert answer.after(state).parts[0].why == "part 1, (heap a *), is worth *0"


def test_a_state_of_which_nobody_knows_how_it_came_about() -> None:
    """Tables of the parts tell its value, but not that the rules of the whole are those of the parts there."""
    answer = ludisect.solve("nim:3,5,7")
    game = load("nim:3,5,7")
    found = answer.after(game.state("(heap a 3) (heap b 0) (heap c 0) (control player2)"))
    assert found.value == {"player1": 0, "player2": 100}
    assert not found.exact
    assert found.notes[-1] == "that play can lead to this state is taken for granted"
    played = game.start.play_line("(reduce b 4) (reduce b 1)")
    assert answer.after(played).exact
    assert answer.after("(reduce b 4)").after(played).exact  # its last move leads there
    for by, met in (("quotient", False), ("tmseq", False), ("whole", True), ("alpha-beta", True)):
        assert (
            solve(load("nim:2,3"), by).after(load("nim:2,3").state("(heap a 2) (heap b 0) (control player2)")).exact
            == met
        )


def test_a_plan_that_is_left_is_made_anew() -> None:
    """Plans of the part in which nothing happened are kept."""
    parts = taken_apart("two-track")
    answer = solve(parts, "plans")
    start = parts.game.start
    strays = [m for m in start.legal["walker"] if m != answer.line[0]["walker"]]
    for move in strays:
        later = answer.after({"walker": move})
        state = start.play(walker=move)
        assert later.value == solve(load("two-track"), "whole").after(state).value
        assert later.nodes > 0
        assert later.notes == ("searched again from here; what was known of the other parts was kept",)
        assert dict(state.play_line(later.line).goals) == later.value


def test_what_is_not_known_is_solved_anew() -> None:
    parts = taken_apart("multiple-hanoi")
    answer = solve(parts, "subgoals")
    start = parts.game.start
    role = parts.game.roles[0]
    stray = next(m for m in start.legal[role] if m != answer.line[0][role])
    later = answer.after({role: stray})
    assert later.nodes > 0
    assert later.exact
    assert later.value == answer.value
    assert dict(start.play({role: stray}).play_line(later.line).goals) == later.value


def test_a_plan_in_step() -> None:
    answer = solve(lifts(), "lockstep")
    assert answer.value == {"r": None}  # the parts are given by hand and not verified
    assert answer.line == ()


def test_a_line_can_be_cut() -> None:
    answer = solve(taken_apart("nim:2,3"))
    with using(SearchLimits(foresight_moves=2)):
        assert len(answer.line) == 2
    assert len(solve(taken_apart("nim:2,3")).line) > 2


def test_what_after_refuses() -> None:
    answer = solve(taken_apart("nim:2,3"))
    with pytest.raises(IllegalMove, match=r"illegal move '\(reduce b 3\)'"):
        answer.after({"player1": "(reduce b 3)"})
    with pytest.raises(InputError, match="that is a state of another game"):
        answer.after(load("nim:2,4").start)
    with pytest.raises(InputError, match="no move for player1, who has a choice"):
        answer.after({})
    with pytest.raises(TypeError):
        answer.after(3)
    over = answer.after(follow(load("nim:2,3"), answer))
    assert over.line == ()
    with pytest.raises(InputError, match="the game is over"):
        over.after({})
    with pytest.raises(BudgetExceeded) as caught:
        solve(load("reversi:6"), "whole", seconds=0.05)
    assert isinstance(caught.value.partial, Answer)
    assert caught.value.partial.line == ()


def test_given_an_answer() -> None:
    answer = ludisect.solve("nim:2,3")
    with pytest.raises(TypeError, match="with a given answer, solve takes a State or a Sum, not str"):
        ludisect.solve("nim:2,3", given=answer)
    with pytest.raises(InputError, match="'by' was settled when the given answer was found"):
        ludisect.solve(load("nim:2,3").start, "whole", given=answer)


def test_an_answer_is_copied_without_what_was_kept() -> None:
    answer = solve(taken_apart("nim:2,3"))
    copy = pickle.loads(pickle.dumps(answer))
    assert copy == answer
    assert copy.solution is None
    assert copy.line == ()
