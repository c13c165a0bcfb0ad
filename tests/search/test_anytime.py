"""Looking ahead in parts: at full depth the exact answer, before that a guess that says so, always a legal move."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from ludisect.answer import Answer
from ludisect.circuit.game import Game
from ludisect.composition.ondemand import compose
from ludisect.decomposition.methods import decompose
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.errors import BudgetExceeded
from ludisect.loader import load
from ludisect.search.additive.nimsum import nimbers
from ludisect.search.anytime import best_so_far, deepening, loops
from ludisect.search.budget import Budget
from ludisect.search.limits import SearchLimits
from ludisect.search.part.compound import PartGraph
from ludisect.search.part.reading import read_choice
from ludisect.search.part.views import Views
from ludisect.search.solve import solve
from ludisect.search.study import Study
from ludisect.search.turns.tmseq import WAY as TMSEQ
from ludisect.search.way import Inapplicable, Way
from ludisect.search.ways import WAYS
from ludisect.settings import using
from tests.search.known import (
    double_crisscross,
    double_tictactoe,
    four_lamps,
    kayles,
    nim,
    taken_apart,
    toads_and_frogs,
)

LAMPS = """(role a) (role b) (role c) (init (left north)) (init (left south)) (init (round 1))
(<= (legal ?p (take ?l)) (role ?p) (true (left ?l))) (<= (legal ?p rest) (role ?p))
(<= (taken ?l) (does ?p (take ?l))) (<= (next (left ?l)) (true (left ?l)) (not (taken ?l)))
(<= (next (owner ?l ?p)) (does ?p (take ?l))) (<= (next (owner ?l ?p)) (true (owner ?l ?p)))
(<= (next (round 2)) (true (round 1))) (<= (next (round 3)) (true (round 2)))
(<= terminal (true (round 3)))
(<= (goal ?p 100) (role ?p) (true (owner north ?p))) (<= (goal ?p 0) (role ?p) (not (true (owner north ?p))))"""

GAMES: dict[str, Callable[[], Decomposition]] = {
    "nim": lambda: nim(2, 3, 4),
    "kayles": lambda: kayles(7, 6),
    "toads": toads_and_frogs,
    "tictactoe": double_tictactoe,
    "crisscross": double_crisscross,
    "lamps": four_lamps,
    "three at once": lambda: decompose(load(LAMPS)),
}

DEEPEST = {"tictactoe": 2, "crisscross": 4}
"""Moves deep, where all of them would take too long for a test."""


def loop_cases() -> list[tuple[str, str]]:
    return [
        ("nim", "nimbers"), ("kayles", "nimbers"), ("nim", "tmseq"), ("toads", "tmseq"), ("tictactoe", "tmseq"),
        ("crisscross", "tmseq"), ("lamps", "tmseq"), ("toads", "urgent"), ("crisscross", "urgent"),
        ("three at once", "urgent"),
    ]  # fmt: skip


@cache
def parts_of(name: str) -> Decomposition:
    return GAMES[name]()


def legal_at_start(game: Game, answer: Answer) -> bool:
    state = game.start
    return all(move in state.legal[role] for role, move in answer.move.items())


def honest(answer: Answer) -> bool:
    """A guess is no value, no exact answer, and there is a note that says why."""
    if not answer.guess:
        return True
    return not (
        answer.exact
        or answer.evidence
        or any(answer.value[role] is not None for role in answer.guess)
        or not any("guess" in note for note in answer.notes)
    )


@pytest.mark.parametrize(("name", "by"), loop_cases())
def test_every_depth_says_what_the_way_says_on_parts_that_are_known_whole(name: str, by: str) -> None:
    """The twin explores all of every part first and then looks ahead as far.

    What a part promises (``urgent``) hangs on how the other parts can end: there the twin knows more than the loop.
    """
    parts, way = parts_of(name), WAYS[by]
    most = DEEPEST.get(name)
    reached, study = 0, Study(parts)
    for depth, answer in deepening(way, parts, Budget(), depth=most):
        reached += 1
        assert depth == reached
        assert legal_at_start(parts.game, answer)
        assert answer.move
        assert honest(answer)
        if depth == most or not answer.guess or by == "urgent":
            continue
        twin = way.run(study, Budget(), depth)
        assert (answer.value, answer.guess, answer.exact) == (twin.value, twin.guess, twin.exact), depth
    if most is None:
        full = way.run(study, Budget())
        assert (answer.value, answer.guess, answer.move) == (full.value, full.guess, full.move)
    assert reached > 1 or name in ("nim", "lamps", "three at once")  # whose parts are known at once


def test_greedy_moves_by_what_the_parts_promise_so_far() -> None:
    """The twin walks every way of so many moves through one part, on parts that are known whole."""
    parts = taken_apart("blocks-maze")
    compound = read_choice(parts, waiting=True).compound

    def promise(i: int, state: int, context: int, way: frozenset[int], depth: int) -> int:
        at = (*compound.start[:i], state, *compound.start[i + 1 :])
        key = compound.key(at, context)
        onward = [t for _, t in compound.parts[i].moves[0][state] if t not in way]
        if len(way) > 1 and (bool(compound.over[key]) or not compound.parts[i].moves[0][state] or depth == 0):
            return int(compound.goal[(*key, 0)])
        follow = compound.follow[context]
        return max((promise(i, t, follow, way | {t}, depth - 1) for t in onward), default=0)

    *rounds, (_, last) = deepening(WAYS["greedy"], parts, Budget())
    assert len(rounds) > 5
    for depth, answer in rounds:
        if depth < 5:  # deeper, there are too many ways
            wanted = max(promise(i, s, compound.context, frozenset({s}), depth) for i, s in enumerate(compound.start))
            assert answer.guess == {"robot": wanted}
        assert honest(answer)
        assert legal_at_start(parts.game, answer)
        assert not answer.bounds
    assert last.bounds == {"robot": (75, 100)}
    assert not last.guess
    with using(SearchLimits(search_work=1)), pytest.raises(BudgetExceeded) as stop:
        solve(parts, "greedy")
    assert isinstance(stop.value.partial, Answer)
    assert any("by greedy, to depth" in note for note in stop.value.partial.notes)
    assert stop.value.partial.bounds == {"robot": (75, 100)}  # what moves reached that were played on the rules
    assert stop.value.partial.move == last.move


@pytest.mark.parametrize(("name", "by"), [("nim", "nimbers"), ("kayles", "nimbers"), ("toads", "tmseq")])
def test_at_full_depth_the_answer_is_exact(name: str, by: str) -> None:
    parts = parts_of(name)
    *_, (_, last) = deepening(WAYS[by], parts, Budget())
    assert last.exact
    assert last.value == solve(parts.game, "whole").value
    assert not last.guess


def by_the_letter(part: PartGraph, state: int, depth: int) -> int:
    """Alg. 4.6 without memory: the number of moves at the depth, else the least number that no move leads to."""
    below = {t for _, t in part.moves[0][state]}
    if depth == 0:
        return len(below)
    values = {by_the_letter(part, t, depth - 1) for t in below}
    return next(n for n in range(len(values) + 1) if n not in values)


@pytest.mark.parametrize("depth", range(1, 6))
def test_mobility_stands_in_for_nimbers(depth: int) -> None:
    parts = kayles(6, 5)
    whole = read_choice(parts).compound
    total = 0
    for part in whole.parts:
        total ^= by_the_letter(part, part.start, depth)
    found = solve(parts, "nimbers", depth=depth)
    said = found.guess or found.value
    assert said["player1"] == (100 if total else 0)
    assert not found.exact
    assert all(by_the_letter(part, part.start, 9) == nimbers(part)[part.start] for part in whole.parts)


def test_a_guess_can_be_wrong() -> None:
    """Or nothing would have to be marked."""
    truth = solve(kayles(7, 6)).value
    wrong = [a for _, a in deepening(WAYS["nimbers"], kayles(7, 6), Budget()) if a.guess and dict(a.guess) != truth]
    assert wrong


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("players", [1, 2])
def test_composed_games(seed: int, players: int) -> None:
    made = compose("choice", ["walk", "ring", "walk"], seed=seed, players=players)
    parts = decompose(load(made.rules))
    for way in loops(parts):
        last = None
        try:
            for _, last in deepening(way, parts, Budget()):
                assert honest(last)
                assert legal_at_start(parts.game, last)
        except Inapplicable:
            continue
        assert last is not None
        if last.exact:
            assert last.value == solve(parts.game, "whole").value


def test_views_grow() -> None:
    """Growing level by level gives the graph that exploring at once gives."""
    parts = kayles(6, 5)
    grown, whole = Views(parts, reach=0), Views(parts)
    sizes = []
    for reach in range(12):
        complete = grown.deepen(reach)
        sizes.append(grown.graph(0).positions)
        near, far = grown.graph(0), whole.graph(0)
        assert near.complete == complete or grown.graph(1).positions != whole.graph(1).positions
        assert (near.states == far.states[: near.positions]).all()
        edges = int(near.edge_start[-1])
        assert (near.successor == far.successor[:edges]).all()
        assert (near.ended == far.ended[: near.positions]).all()
        if complete:
            break
    assert sizes == sorted(set(sizes)) or complete
    assert grown.graph(0).positions == whole.graph(0).positions


def at_work(parts: Decomposition, work: float, by: str = "parts", **numbers: float) -> Answer:
    """What is known of a game when the work is used up, and no random play is made."""
    limits = SearchLimits(search_work=work, anytime_least=work, firstmove_work=0.0, **numbers)  # type: ignore[arg-type]
    with using(limits), pytest.raises(BudgetExceeded, match="steps of work") as stop:
        solve(parts, by)
    assert isinstance(stop.value.partial, Answer)
    return stop.value.partial


@pytest.mark.parametrize("by", ["parts", "tmseq", "quotient", "tmseq-published"])
def test_at_a_limit_there_is_a_move_and_a_guess(by: str) -> None:
    parts = double_crisscross()
    found = at_work(parts, 1e8, by)
    assert not found.exact
    assert found.value == {"red": None, "blue": None}
    assert set(found.guess) == {"red", "blue"}
    assert all(found.bounds[role][0] <= value <= found.bounds[role][1] for role, value in found.guess.items())
    assert legal_at_start(parts.game, found)
    assert "red" in found.move
    assert any("in every part" in note for note in found.notes)
    assert "at a guess" in str(found)
    assert found.to_json()["guess"] == found.guess


def test_more_work_looks_deeper() -> None:
    parts = kayles(12, 11)
    depths = []
    for work in (3e7, 1e8, 2e8):
        found = best_so_far(parts, "parts", Budget(work=work))
        assert found is not None
        assert not found.exact
        depths.append(int(found.notes[-1].split("depth ")[-1].split()[0]))
    assert depths == sorted(set(depths))


def test_a_depth_ends_the_loop() -> None:
    parts = toads_and_frogs()
    for most in range(4):
        rounds = list(deepening(TMSEQ, parts, Budget(), depth=most))
        assert [depth for depth, _ in rounds] == (list(range(1, most + 1)) or [0])
        assert not rounds[-1][1].exact


def test_a_search_that_looking_ahead_finishes_is_exact() -> None:
    """The ways get no work at all; what is kept for guesses is enough to end."""
    limits = SearchLimits(search_work=1e9, anytime_share=0.9, coarser_work=0.0)
    parts = nim(3, 4, 5)
    slow: Way = WAYS["tmseq"]
    with using(limits):
        found = best_so_far(parts, slow.name, Budget(work=1e9))
    assert found is not None
    assert found.exact
    assert found.value == solve(parts).value


def test_parts_that_do_not_fit_are_left_alone() -> None:
    parts = taken_apart("serial-tictactoe")
    assert loops(parts) == ()
    assert best_so_far(parts, "parts", Budget()) is None
