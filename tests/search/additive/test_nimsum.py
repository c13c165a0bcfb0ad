"""Impartial sums: nimbers, conventions, and misère play done right."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludisect
from ludisect.cgt.impartial import Octal
from ludisect.decomposition.rules.impartiality import by_rules
from ludisect.errors import InputError
from ludisect.search.additive.misere import MisereSearch, is_tame, lost_by_rule, signs, tame_signs
from ludisect.search.additive.nimsum import Convention, guessed_nimbers, impartial_sum, nim_move, nimbers
from ludisect.search.part.compound import Compound, PartGraph, table
from ludisect.search.part.reading import read_choice
from ludisect.search.solve import solve
from ludisect.search.way import Inapplicable
from ludisect.search.whole.whole import solve_whole
from tests.search.agreement import Whole
from tests.search.compounds import random_part, whole_value
from tests.search.known import double_tictactoe_read, kayles, nim


def impartial_part(rng: random.Random, states: int) -> PartGraph:
    """A random part in which both roles have the same moves; concept 1 is a state without a move."""
    one = random_part(rng, roles=1, states=states, concepts=1, moves=3).moves[0]
    return PartGraph((one, one), tuple(int(not options) for options in one))


def sum_of(parts: list[PartGraph], convention: Convention) -> Compound:
    """The play ends when nobody can move; the mover then has lost (normal) or won (misère)."""
    over, goal = table([2, *[2] * len(parts), 2])
    for context in range(2):
        over[(context, *[1] * len(parts))] = True
        mover_gets = 0 if convention == "normal" else 100
        goal[context, ..., context] = mover_gets
        goal[context, ..., 1 - context] = 100 - mover_gets
    return Compound(tuple(parts), (0, 1), (1, 0), over, goal, 2)


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=200, deadline=None)
def test_nim_sum_decides_normal_play(seed: int) -> None:
    rng = random.Random(seed)
    compound = sum_of([impartial_part(rng, rng.randint(2, 6)) for _ in range(rng.choice([2, 3]))], "normal")
    assert impartial_sum(compound).convention == "normal"
    values = [nimbers(p) for p in compound.parts]
    found = nim_move(compound, values)
    assert (whole_value(compound) == 100) == (found is not None)
    if found is not None:
        after = list(compound.parts)
        after[found.part] = PartGraph(after[found.part].moves, after[found.part].concept, found.state)
        moved = Compound(tuple(after), (0, 1), (1, 0), compound.over, compound.goal, 2, context=1)
        assert whole_value(moved) == 100


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=200, deadline=None)
def test_misere_play(seed: int) -> None:
    rng = random.Random(seed)
    compound = sum_of([impartial_part(rng, rng.randint(2, 7)) for _ in range(rng.choice([2, 3]))], "misère")
    assert impartial_sum(compound).convention == "misère"
    won = whole_value(compound) == 100
    search = MisereSearch(compound.parts)
    assert search.lost([c[p.start] for c, p in zip(search.of_state, compound.parts, strict=True)]) is not won
    tame = tame_signs(compound.parts)
    if tame is not None:
        assert lost_by_rule([s[p.start] for s, p in zip(tame, compound.parts, strict=True)]) is not won


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_misere_quotients_decide_what_search_finds(seed: int) -> None:
    rng = random.Random(seed)
    search = MisereSearch([impartial_part(rng, rng.randint(4, 9)) for _ in range(2)])
    quotient = search.quotient()
    if quotient is None:
        return
    for _ in range(30):
        classes = [rng.randrange(len(search.options)) for _ in range(rng.randint(0, 6))]
        assert (quotient.outcome(classes) == "P") is search.lost(classes)


@pytest.mark.parametrize("rows", [(5, 1), (5, 2), (5, 5), (4, 5, 1), (6, 3)])
def test_misere_kayles_by_its_quotient(rows: tuple[int, ...]) -> None:
    parts = kayles(*rows, misere=True)
    answer = solve(parts, "nimbers")
    assert "their misère quotient" in answer.why[-2]
    assert (answer.algorithm, answer.rule) == ("nimbers", "misère play")
    assert answer.exact
    assert list(Whole(parts.game).faults(answer)) == []


def test_many_rows_are_decided_as_quickly_as_few() -> None:
    parts = kayles(*[5] * 12, misere=True)
    answer = solve(parts, "nimbers")
    search = MisereSearch(read_choice(parts).compound.parts)
    start = [c[0] for c in search.of_state]
    assert answer.value["player1"] == (0 if search.lost(start) else 100)
    assert "genus 4^146" in answer.why[0]


def test_some_parts_are_tame_and_some_are_not() -> None:
    kinds = {tame_signs([impartial_part(random.Random(seed), 7)]) is None for seed in range(300)}
    assert kinds == {True, False}


def test_short_kayles_rows_are_tame() -> None:
    for n in (1, 2, 3, 4):
        part = read_choice(kayles(n, 1)).compound.parts[0]
        found = signs(part)
        assert found is not None
        assert is_tame(part, found)


@pytest.mark.parametrize("heaps", [(1, 2), (3, 2), (1, 1, 1), (2, 2), (1, 2, 3), (1, 1), (2, 1, 1), (3, 3, 1)])
@pytest.mark.parametrize("misere", [False, True])
def test_nim_by_parts_is_nim_whole(heaps: tuple[int, ...], misere: bool) -> None:
    """Among them (3, 2), which the misère rule of Zhao 2009, §4.3.2, gets wrong."""
    parts = nim(*heaps, misere=misere)
    answer = solve(parts, "nimbers")
    whole = solve_whole(parts.game)
    assert answer.exact
    assert answer.value == whole.value
    game = parts.game
    state = game.initial_state()
    moves = {role: of_role[0] for role, of_role in game.legal_moves(state).items()} | dict(answer.move)
    assert solve_whole(game, start=game.batch.row(game.next_state(state, moves))).value == whole.value


def test_nim_of_the_papers() -> None:
    """Zhao 2009, Table 4.1: the four positions."""
    assert solve(nim(1, 5, 4, 2), "nimbers").value["player1"] == 100
    assert solve(nim(2, 2, 10, 10), "nimbers").value["player1"] == 0
    large = solve(nim(11, 12, 15, 25), "nimbers")
    assert large.value["player1"] == 100
    assert str(large.move["player1"]) == "(reduce d 8)"
    assert "is worth *25, the others sum to *8; (reduce d 8) makes it *8" in large.why[-1]
    assert solve(nim(12, 12, 20, 20, misere=True), "nimbers").value["player1"] == 0


def test_kayles_rows_have_the_known_nimbers() -> None:
    compound = read_choice(kayles(5, 7)).compound
    known = Octal("kayles")
    assert [nimbers(p)[p.start] for p in compound.parts] == [known.nim_value(5), known.nim_value(7)]
    parts = kayles(2, 3)
    assert solve(parts, "nimbers").value == solve_whole(parts.game).value


def test_unexpanded_nimbers_are_guesses_and_said_to_be() -> None:
    parts = kayles(5, 4)
    answer = solve(parts, "nimbers", depth=1)
    assert not answer.exact
    assert any("guess" in note for note in answer.notes)
    part = read_choice(parts).compound.parts[0]
    known = nimbers(part)
    wanted = {part.start, *(t for _, t in part.moves[0][part.start])}
    assert guessed_nimbers(part, 0, 99) == ({s: known[s] for s in wanted}, False)


def test_partisan_games_are_refused() -> None:
    with pytest.raises(Inapplicable, match="same moves"):
        impartial_sum(double_tictactoe_read().compound)


TAKING = """
(role a) (role b) (init (control a)) (init (heap x 3)) (init (heap y 2)) (less 0 1) (less 1 2) (less 2 3)
(<= (smaller ?k ?n) (less ?k ?n)) (<= (smaller ?k ?n) (less ?k ?m) (smaller ?m ?n))
(<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
(<= (legal ?p (reduce ?h ?k)) (true (control ?p)) (true (heap ?h ?n)) (smaller ?k ?n))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (heap ?h ?k)) (does ?p (reduce ?h ?k)))
(<= (next (heap ?h ?n)) (true (heap ?h ?n)) (does ?p (reduce ?g ?k)) (distinct ?g ?h))
(<= terminal (true (heap x 0)) (true (heap y 0)))
(<= (goal ?p 0) (true (control ?p))) (<= (goal ?p 100) (role ?p) (not (true (control ?p))))
"""


def test_the_answer_says_how_it_is_known_to_be_impartial() -> None:
    answer = solve(ludisect.load(TAKING))
    assert answer.algorithm.startswith("nimbers")
    assert any(note.endswith("the rules say so too: every rule for one player has a twin for every other")
               for note in answer.notes)  # fmt: skip
    assert answer.value == solve_whole(ludisect.load(TAKING)).value


def test_rules_without_twins_but_the_same_moves() -> None:
    """Two differently worded rules: the check of the rules does not see it, the local states decide."""
    plain = "(<= (legal ?p (reduce ?h ?k)) (true (control ?p)) (true (heap ?h ?n)) (smaller ?k ?n))"
    worded = (
        "(<= (legal a (reduce ?h ?k)) (true (control a)) (true (heap ?h ?n)) (smaller ?k ?n))"
        "(<= (legal b (reduce ?h ?k)) (not (true (control a))) (true (heap ?h ?n)) (smaller ?k ?n))"
    )
    answer = solve(ludisect.load(TAKING.replace(plain, worded)), "nimbers")
    assert answer.exact
    assert any("the rules do not show it: no rule for b is the twin" in note for note in answer.notes)


def test_twin_rules_but_other_moves() -> None:
    """A phase that changes with the turn: no rule tells the players apart, and yet only one of them may empty a heap.
    The local states decide, and the refusal says so."""
    phase = "(init (phase 0)) (<= (next (phase 0)) (true (phase 1))) (<= (next (phase 1)) (true (phase 0)))"
    rule = "(<= (legal ?p (reduce ?h ?k)) (true (control ?p)) (true (heap ?h ?n)) (smaller ?k ?n)"
    sheet = TAKING.replace(rule, f"{rule} (allowed ?k)") + phase
    game = ludisect.load(sheet + "(<= (allowed 0) (true (phase 0))) (<= (allowed ?k) (less ?k ?m) (distinct ?k 0))")
    assert by_rules(game).impartial
    with pytest.raises(InputError, match="do not have the same moves, though every rule for one player has a twin"):
        solve(game, "nimbers")
    answer = solve(game)
    assert answer.value == solve_whole(game).value
