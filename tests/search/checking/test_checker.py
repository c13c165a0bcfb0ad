"""The checker of answers: right answers pass and say how far they were walked; every kind of false claim is caught."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from ludisect import decompose, load
from ludisect.answer import Answer
from ludisect.circuit.game import Game
from ludisect.circuit.rows import Rows
from ludisect.effort import spend
from ludisect.gdl.terms import Term
from ludisect.search.additive import nimbers
from ludisect.search.budget import Budget
from ludisect.search.checking.checker import checked
from ludisect.search.checking.localclaims import walk_classes, walk_nimbers
from ludisect.search.foresight import Foresight, KnownPlan, KnownValues
from ludisect.search.limits import SearchLimits
from ludisect.search.part.compound import PartGraph
from ludisect.search.settle import settled
from ludisect.search.solve import solve
from ludisect.search.study import Study
from ludisect.search.ways import WAYS
from ludisect.search.whole.backward import Table
from ludisect.search.whole.statespace import joint_moves
from ludisect.settings import using

FEW = SearchLimits(checking_positions=40)
"""So few that games of a hundred positions count as large."""


@cache
def answered(name: str, by: str) -> tuple[Game, Answer]:
    """A game and what a way says of it, unchecked."""
    game = load(name)
    study = Study(settled(decompose(game)))
    study.by_name = True
    return game, WAYS[by].run(study, Budget())


def claimed(answer: Answer) -> Foresight:
    assert isinstance(answer.solution, Foresight)
    return answer.solution


class Altered(KnownValues):
    """What a search knows, changed by hand."""

    def __init__(self, known: KnownValues, change: Callable[[Rows, Table], Table]) -> None:
        self._known, self._change = known, change
        self.rule, self.apart, self.met, self.dear = known.rule, known.apart, known.met, known.dear

    def values(self, rows: Rows) -> Table:
        return self._change(rows, self._known.values(rows))


def altered(answer: Answer, change: Callable[[Rows, Table], Table]) -> Answer:
    kept = claimed(answer)
    return replace(answer, solution=replace(kept, known=Altered(kept.known, change)))


CASES = [
    ("nim:3,4,5", "nimbers"),
    ("nim-misere:3,2", "nimbers"),
    ("domineering:2x2,2x3", "values"),
    ("double-tictactoe", "scores"),
    ("serial-tictactoe", "quotient"),
    ("parallel-tictactoe", "parallel"),
    ("runners", "parallel"),
    ("two-track", "plans"),
    ("relay", "subgoals"),
    ("nim:2,3", "tmseq"),
    ("nim:2,3", "regions"),
    ("serial-tictactoe", "serial"),
    ("two-track", "quotient"),
]


@pytest.mark.parametrize(("name", "by"), CASES)
@pytest.mark.parametrize("limits", [SearchLimits(), FEW])
def test_right_answers_hold(name: str, by: str, limits: SearchLimits) -> None:
    game, answer = answered(name, by)
    assert answer.exact
    with using(limits):
        found = checked(answer, game, Budget())
    assert found.exact, found.checked
    assert found.checked
    assert checked(found, game, Budget()) is found  # once is enough


@pytest.mark.parametrize(("name", "by"), CASES)
@pytest.mark.parametrize("limits", [SearchLimits(), FEW])
def test_a_wrong_value_is_caught(name: str, by: str, limits: SearchLimits) -> None:
    game, answer = answered(name, by)
    wrong = replace(answer, value={role: 100.0 - 0.5 * (x or 0) - 1 for role, x in answer.value.items()})
    with using(limits):
        found = checked(wrong, game, Budget())
    assert not found.exact
    assert found.notes[-1] == f"not exact: {found.checked}"


WORSE = [
    ("nim:3,4,5", "nimbers"),
    ("nim:3,4,5", "quotient"),
    ("nim-misere:3,2", "nimbers"),
    ("nim:2,3", "tmseq"),
    ("nim:2,3", "regions"),
    ("toads-and-frogs:T_F,TT_F", "values"),
    ("four-lamps", "quotient"),
    ("four-lamps", "plans"),
]
"""Games in which some first move is worse than others, and a way that knows."""


@pytest.mark.parametrize(("name", "by"), WORSE)
@pytest.mark.parametrize("limits", [SearchLimits(), FEW])
def test_every_worse_move_is_caught(name: str, by: str, limits: SearchLimits) -> None:
    game, answer = answered(name, by)
    worse = [one for one in answer.values() if one.best is False]
    with using(limits):
        for one in worse:
            found = checked(replace(answer, move={**answer.move, one.role: one.move}, mixed={}), game, Budget())
            assert not found.exact
            assert f"{one.role} is told to play {one.move}" in found.checked
    assert worse


@pytest.mark.parametrize(("name", "by"), CASES)
@pytest.mark.parametrize("limits", [SearchLimits(), FEW])
def test_wrong_values_after_the_first_move_are_caught(name: str, by: str, limits: SearchLimits) -> None:
    game, answer = answered(name, by)
    _, after = joint_moves(game, game.batch.initial)

    def change(rows: Rows, values: Table) -> Table:
        return np.where((rows[:, None] == after).all(axis=2).any(axis=1)[:, None], values + 7, values)

    with using(limits):
        found = checked(altered(answer, change), game, Budget())
    assert not found.exact
    assert "the check failed" in found.notes[-1]


def test_a_wrong_move_is_caught() -> None:
    game, answer = answered("nim:3,4,5", "nimbers")
    bad = next(m for m in game.legal_moves(game.initial_state())["player1"] if str(m) == "(reduce c 0)")
    found = checked(replace(answer, move={"player1": bad}), game, Budget())
    assert not found.exact
    assert "player1 is told to play (reduce c 0), and gets 0 of 100 by it" in found.checked
    with using(FEW):
        assert not checked(replace(answer, move={"player1": bad}), game, Budget()).exact


def test_a_move_that_is_not_legal_is_caught() -> None:
    game, answer = answered("nim:3,4,5", "nimbers")
    noop = next(m for m in game.moves[0] if str(m) == "noop")
    assert "is not legal" in checked(replace(answer, move={"player1": noop}), game, Budget()).checked


@pytest.mark.parametrize("limits", [SearchLimits(), FEW])
def test_a_wrong_value_of_a_later_state_is_caught(limits: SearchLimits) -> None:
    game, answer = answered("nim:3,4,5", "quotient")
    after = game.batch.row(game.start.play(answer.move).fluents)[0]

    def change(rows: Rows, values: Table) -> Table:
        return np.where((rows == after).all(axis=1)[:, None], 100 - values, values)

    with using(limits):
        found = checked(altered(answer, change), game, Budget())
    assert not found.exact
    assert "what follows gives" in found.checked


def test_a_wrong_value_far_from_the_start_is_caught_by_plays() -> None:
    game, answer = answered("nim:3,4,5", "quotient")
    few = game.batch.row(game.initial_state())

    def change(rows: Rows, values: Table) -> Table:
        # where only the last heap is left, who moves is said to lose
        last = np.array([sum("0)" in str(f) for f in game.batch.state(row)) == 2 for row in rows])
        return np.where(last[:, None], 100 - values, values)

    assert not np.isnan(change(few, claimed(answer).known.values(few))).any()
    with using(FEW):
        assert "what follows gives" in checked(altered(answer, change), game, Budget()).checked


def test_a_plan_that_does_not_lead_to_the_end_is_caught() -> None:
    game, answer = answered("relay", "subgoals")
    plan = [game.move_index[0][step[game.roles[0]]] for step in answer.line]
    for limits in (SearchLimits(), FEW):
        short = KnownPlan(decompose(game), game.batch.initial, plan[:-3], 100.0)
        cut = replace(answer, solution=replace(claimed(answer), known=short))
        with using(limits):
            found = checked(cut, game, Budget())
        assert not found.exact
        assert "plan" in found.checked or "should get" in found.checked


def test_an_answer_of_which_nothing_was_kept_is_not_exact() -> None:
    game, answer = answered("nim:3,4,5", "nimbers")
    found = checked(replace(answer, solution=None), game, Budget())
    assert not found.exact
    assert "could not be checked" in found.checked


def test_answers_that_are_not_exact_are_left_alone() -> None:
    game, answer = answered("nim:3,4,5", "nimbers")
    guess = replace(answer, exact=False)
    assert checked(guess, game, Budget()) is guess


def test_classes_that_are_no_bisimulation_are_caught() -> None:
    _, answer = answered("serial-tictactoe", "quotient")
    q = claimed(answer).known.classes
    assert q is not None
    states, wrong = walk_classes(q)
    assert wrong is None
    assert states == sum(q.states)
    value = [q.evaluation.value[0][s] for s in range(q.states[0])]
    first = q.class_of[0]
    pairs = [(a, b) for a in range(40) for b in range(a) if first[a] != first[b] and value[a] == value[b]]
    a, b = pairs[0]
    merged = np.where(first == first[a], first[b], first)
    assert walk_classes(replace(q, class_of=(merged, *q.class_of[1:])))[1] is not None
    c = next(s for s in range(q.states[0]) if value[s] != value[0])
    looks = np.where(np.arange(first.size) == c, first[0], first)
    assert "look different" in (walk_classes(replace(q, class_of=(looks, *q.class_of[1:])))[1] or "")


def test_nimbers_that_are_no_mex_are_caught() -> None:
    heap = PartGraph(tuple(tuple(tuple((t, t) for t in range(s)) for s in range(4)) for _ in range(2)), (0,) * 4, 3)
    assert walk_nimbers([heap], [[0, 1, 2, 3]]) == (4, None)
    assert "is not worth *2" in (walk_nimbers([heap], [[0, 1, 2, 2]])[1] or "")
    assert "is not worth *4" in (walk_nimbers([heap], [[0, 1, 2, 4]])[1] or "")


def test_a_way_that_lies_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a broken way first in line, the answer comes from another; asked for by name, it is no longer exact."""

    def lie(study: Study, budget: Budget, depth: int | None = None) -> Answer:
        told = nimbers.solve_sum(study, budget, depth)
        return replace(told, value={role: 100 - (x or 0) for role, x in told.value.items()})

    broken = replace(nimbers.WAY, solve=lie)
    monkeypatch.setattr("ludisect.search.solve.SPECIAL", (broken,))
    monkeypatch.setitem(WAYS, "nimbers", broken)
    answer = solve(load("nim:3,4,5"))
    assert (answer.algorithm, answer.exact, answer.value["player1"]) == ("quotient", True, 100)
    assert any(note.startswith("nimbers was tried: the check failed") for note in answer.notes)
    named = solve(load("nim:3,4,5"), "nimbers")
    assert not named.exact
    assert "gives player1 100, not 0" in named.checked


def test_answers_say_how_they_were_checked() -> None:
    answer = solve(load("nim:3,4,5"))
    assert answer.to_json()["checked"] == answer.checked
    assert "the nimbers of 15 local states edge by edge" in answer.checked
    whole = solve(load("nim:3,4,5"), "whole")
    assert whole.checked == f"all {whole.nodes} positions were searched"


def test_values_that_take_much_work_are_asked_for_in_few_states() -> None:
    game, answer = answered("nim:3,5,7", "nimbers")
    asked: list[int] = []

    def dear(rows: Rows, values: Table) -> Table:
        asked.append(len(rows))
        spend(1e9)
        return values

    def cheap(rows: Rows, values: Table) -> Table:
        asked.append(len(rows))
        return values

    seen = {}
    for change in (dear, cheap):
        with using(FEW):
            assert checked(altered(answer, change), game, Budget()).exact
        seen[change], asked = sum(asked), []
    assert seen[dear] < seen[cheap] / 4


ROAD = """
(role r) (init (step 0)) (init on) (legal r go) (legal r stray)
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (next on) (true on) (does r go))
(<= terminal (true (step 14)))
(<= (goal r 100) (true on)) (<= (goal r 0) (not (true on)))
""" + " ".join(f"(succ {k} {k + 1})" for k in range(14))
"""Only the play that never strays pays; random plays hardly ever come far on its road."""


def test_plays_keep_to_what_is_recommended() -> None:
    """So far from the start that no random play comes there, a value is wrong: who goes where it is best meets it."""
    game = load(ROAD)
    answer = replace(solve(game, "whole"), checked="")
    with using(SearchLimits(checking_positions=4)):
        assert checked(answer, game, Budget()).exact
        late = game.start.play_line([{"r": "go"}] * 13)
        row = game.batch.row(late.fluents)
        wrong = altered(answer, lambda rows, values: np.where((rows == row).all(axis=1)[:, None], 50.0, values))
        found = checked(wrong, game, Budget())
    assert not found.exact
    assert "r should get 100, and what follows gives 50" in found.checked


def test_what_no_state_tells_is_not_exact() -> None:
    """A search that kept nothing that can be judged makes no state count as judged."""
    game, answer = answered("nim:3,4,5", "nimbers")
    silent = altered(answer, lambda rows, values: np.full_like(values, np.nan))
    with using(FEW):
        found = checked(silent, game, Budget())
    assert not found.exact
    assert found.checked == "nothing that was kept of the search could be checked"


def test_a_line_goes_on_by_itself_where_nobody_has_a_choice() -> None:
    """One choice, then moves that are forced: a line of one move is walked to the end of the play."""
    game = load(ROAD.replace("(legal r stray)", "(<= (legal r stray) (true (step 0)))"))
    with using(SearchLimits(foresight_moves=1)):
        answer = replace(solve(game, "whole"), checked="")
        assert answer.line == ({"r": Term("go")},)
        assert checked(answer, game, Budget()).checked.endswith("; the line of 1 moves on the rules")
