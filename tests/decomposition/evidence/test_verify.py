"""Verification: wrong decompositions fail with a counterexample that replays, coarse ones pass."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import ludisect
from ludisect.circuit.record import Transitions
from ludisect.decomposition import verify
from ludisect.decomposition.evidence.freechoice import acting_together
from ludisect.decomposition.evidence.localmoves import PASS
from ludisect.decomposition.evidence.sample import take_sample
from ludisect.decomposition.evidence.verify import given_or_found, try_on_plays
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.model.decomposition import Counterexample, Decomposition, Part
from ludisect.games.source import find_rules
from ludisect.gdl import Interpreter
from ludisect.gdl import read as read_rules
from ludisect.gdl.machine import Fluents
from ludisect.gdl.terms import Term
from ludisect.loader import load
from tests.decomposition import sheets
from tests.decomposition.brute import Brute, explore
from tests.decomposition.found import by_hand, game_of, merged, parts_of


def failed(parts: Decomposition, playouts: int = 100) -> Counterexample:
    evidence = try_on_plays(parts, playouts=playouts)
    assert evidence.status == "failed"
    assert evidence.counterexample is not None
    return evidence.counterexample


def read(texts: list[str]) -> Fluents:
    return frozenset(map(Term.parse, texts))


def replay(name: str, parts: Decomposition, found: Counterexample) -> None:
    """Replay a counterexample by the rules alone: both situations agree where they must, and differ as claimed."""
    machine = Interpreter(find_rules(name))
    game = parts.game
    part = next(s for s in parts.parts if s.id == found.part)
    mine = {game.fluents[f] for f in part.fluent_numbers}
    context = {game.fluents[f] for f in parts.context_numbers}
    states = [read(one["state"]) for one in found.situations]
    for state, one in zip(states, found.situations, strict=True):
        assert not machine.is_terminal(state)
        assert read(one["part"]) == state & mine
    assert len({state & (mine | context) for state in states}) == 1
    local = given_or_found(game, take_sample(game, seed=1), part)
    if found.condition == 1:
        ends, made = [], []
        for state, one in zip(states, found.situations, strict=True):
            moves = {role: Term.parse(move) for role, move in one["moves"].items()}
            after = machine.next_state(state, moves)  # refuses moves that are not legal
            assert after == read(one["next"])
            assert after & mine == read(one["part_next"])
            ends.append(after & mine)
            classes = [int(local.number[r][game.move_index[r][moves[role]]]) for r, role in enumerate(machine.roles)]
            made.append(classes if part.kind == "dependent" else [])
        assert ends[0] != ends[1]
        assert made[0] == made[1]
    elif found.condition == 2:
        there = [
            {
                (r, int(local.number[r][game.move_index[r][move]]))
                for r, role in enumerate(machine.roles)
                for move in machine.legal_moves(state)[role]
            }
            for state in states
        ]
        assert any(c >= 0 for _, c in there[0] - there[1])
    else:
        pytest.fail(f"condition {found.condition} has no two situations")


# ---- cut too small ----


def test_the_cells_of_tictactoe_are_no_games() -> None:
    game = game_of("tictactoe")
    cells = sorted({f"(cell {t.args[0]} {t.args[1]} _)" for t in game.fluents if t.name == "cell"})
    parts = by_hand(game, [[c] for c in cells], [["(control _)"]])
    found = failed(parts)
    assert found.condition == 4
    assert "have no scores of their own" in found.what
    # the state that is shown is one in which the score is reached, with the two cells away from their start
    state = read(list(found.situations[0]["state"]))
    assert (game.batch.highest_goals(game.batch.row(state)) == 100).any()
    assert read(list(found.situations[0]["part"])) <= state


def test_a_heap_cannot_be_cut_by_its_values() -> None:
    game = game_of("nim:2,3")
    few, many = ["(heap a 0)", "(heap a 1)"], ["(heap a 2)"]
    parts = by_hand(game, [few, many, ["(heap b _)"]], [["(control _)"]])
    found = failed(parts)
    assert found.condition in (1, 2)
    replay("nim:2,3", parts, found)


def test_half_a_board_is_no_game() -> None:
    game = game_of("double-tictactoe")
    parts = by_hand(game, [["(cell1 1 _ _)"], ["(cell2 _ _ _)"], ["(cell1 _ _ _)"]], [["(control _)"]])
    found = failed(parts)
    assert found.condition in (1, 2)
    replay("double-tictactoe", parts, found)


def test_scores_that_cannot_rise_together_are_one_part() -> None:
    game = game_of("rock-paper-scissors")
    parts = by_hand(game, [["(score left _)"], ["(score right _)"]], [["(thrown _)"]])
    found = failed(parts)
    assert found.condition in (1, 3)
    if found.condition == 1:
        replay("rock-paper-scissors", parts, found)


def test_what_is_played_is_no_context() -> None:
    game = game_of("nim:2,3")
    parts = by_hand(game, [["(heap a _)"]], [["(control _)"], ["(heap b _)"]])
    found = failed(parts)
    assert found.condition == 1
    replay("nim:2,3", parts, found)


def test_the_turn_is_needed_as_context() -> None:
    """With the turn counted as a part of its own, what the others do depends on more than themselves."""
    game = game_of("nim:1,2")
    parts = by_hand(game, [["(heap a _)"], ["(heap b _)"], ["(control _)"]])
    found = failed(parts)
    assert found.condition in (1, 2)
    replay("nim:1,2", parts, found)


def test_parts_of_which_one_move_decides_both_are_tied() -> None:
    tandem = "(legal player tandem) (<= (put ?x) (does player tandem) (coupled ?x)) (coupled b) (coupled c)"
    sheet = sheets.switches("abc", sheets.lines("abc"), moves=tandem).replace(
        "(<= (legal player (push ?x)) (switch ?x) (not (true (up ?x))))", "(legal player (push a))"
    )
    parts = by_hand(load(sheet), [["(up a)"], ["(up b)"], ["(up c)"]], [["(step _)"]])
    turned = replace(parts, parts=(parts[4], parts[1], parts[2], parts[3]))  # the context need not come last
    for given in (parts, turned):
        found = failed(given)
        assert (found.condition, found.part) == (3, 2)
        assert "player cannot choose freely between parts 2, 3: what tandem does" in found.what
        (one,) = found.situations
        assert Term.parse("tandem") in Interpreter(read_rules(sheet)).legal_moves(read(one["state"]))["player"]


def test_stages_given_as_parallel_parts_fail() -> None:
    parts = parts_of("relay")
    loose = replace(parts, parts=tuple(replace(s, after=()) for s in parts.parts))
    found = failed(loose)
    assert found.condition == 2
    replay("relay", loose, found)


def three_switches(rule: str, extra: str = "") -> Decomposition:
    """Switches a, b and c, of which b can be put by a rule of its own, and is said to be a stage after a."""
    sheet = sheets.switches("ac", "(on a)", moves=f"(<= (legal player (push b)) (not (true (up b))) {rule}) {extra}")
    parts = by_hand(load(sheet), [["(up a)"], ["(up b)"], ["(up c)"]], [["(step _)"]])
    return replace(parts, parts=tuple(replace(s, after=(1,)) if s.id == 2 else s for s in parts.parts))


def test_a_stage_opens_by_the_stages_before_it_alone() -> None:
    """While it is open its moves are its own affair; whether it is open must not be up to a part beside it."""
    parts = three_switches("(true (up a)) (true (up c))")
    found = failed(parts)
    assert (found.condition, found.part) == (2, 2)
    assert "(push b) (or a move with the same effect there) is legal only in the first" in found.what
    there, elsewhere = (read(one["state"]) for one in found.situations)
    a, c = Term.parse("(up a)"), Term.parse("(up c)")
    assert a in there & elsewhere  # the stage before it is the same in both
    assert c in there - elsewhere
    assert verify(three_switches("(true (up a))"), playouts=100, prove=True).status == "proved"


def test_the_moves_of_an_open_stage_are_its_own_affair() -> None:
    """It is open from the start; that one of its moves waits for the stage before it is not in order."""
    waits = "(<= (legal player (push d)) (not (true (up d))) (true (up a)))"
    sheet = sheets.switches("ac", "(on a)", moves=f"(<= (legal player (push b)) (not (true (up b)))) {waits}")
    parts = by_hand(load(sheet), [["(up a)"], ["(up b)", "(up d)"], ["(up c)"]], [["(step _)"]])
    parts = replace(parts, parts=tuple(replace(s, after=(1,)) if s.id == 2 else s for s in parts.parts))
    found = failed(parts)
    assert (found.condition, found.part) == (2, 2)
    assert "(push d) (or a move with the same effect there) is legal only in the first" in found.what


def test_parts_are_together_where_a_move_acts_in_both() -> None:
    moves = np.array([[0, 1, PASS, PASS], [PASS, PASS, 0, PASS], [PASS, 2, PASS, 0]])
    assert np.argwhere(acting_together(moves)).tolist() == [[0, 1], [1, 0], [1, 3], [3, 1]]


def test_a_closed_stage_is_changed_by_the_stages_before_it_alone() -> None:
    rises = "(<= (next (up b)) (not (true (up a))) {})"
    found = failed(three_switches("(true (up a))", rises.format("(true (up c))")))
    assert (found.condition, found.part) == (1, 2)
    by_the_clock = three_switches("(true (up a))", rises.format("(true (step 1))"))
    assert verify(by_the_clock, playouts=100, prove=True).status == "proved"


def test_two_situations_are_enough_to_refute_a_stage() -> None:
    """A stage that is open, and goes on as the stage before it says, though that differs."""
    parts = three_switches("(or (true (up a)) (not (true (up a))))", "(<= (next (up b)) (true (up a)))")
    game = parts.game
    rows = np.concatenate([game.batch.row(read(state)) for state in (["(step 1)"], ["(step 1)", "(up a)"])])
    rest = game.move_index[0][Term("rest")]
    joint = np.full((2, 1), rest, np.int32)
    for order in ([0, 1], [1, 0]):
        states = np.ascontiguousarray(rows[order])
        two = Transitions(states, joint, game.batch.next(states, joint), np.ones(2, np.int64), 1)
        evidence = try_on_plays(parts, transitions=two)
        assert evidence.counterexample is not None
        assert (evidence.counterexample.condition, evidence.counterexample.part) == (1, 2)


def test_a_part_that_nobody_moves_in() -> None:
    """A counter that is called a part: it has no local moves, and breaks nothing."""
    parts = by_hand(load(sheets.switches("ab", "(on a)")), [["(up a)"], ["(up b)"], ["(step _)"]])
    assert try_on_plays(parts, playouts=50).status == "tested"


def test_useless_parts_need_no_score() -> None:
    """Of the cells of a board only one is said to matter: no two are left that need each other."""
    game = game_of("tictactoe")
    cells = sorted({f"(cell {t.args[0]} {t.args[1]} _)" for t in game.fluents if t.name == "cell"})
    parts = by_hand(game, [[c] for c in cells], [["(control _)"]])
    one = replace(parts, parts=tuple(replace(s, useful=s.id == 1) for s in parts))
    assert try_on_plays(one, playouts=100).status == "tested"


def test_wrong_local_moves_fail() -> None:
    """The fluents may be right and the moves that are said to do the same not."""
    parts = parts_of("nim:2,3")
    first = parts.dependent[0]
    lumped = tuple((tuple(m for members in classes for m in members),) for classes in first.move_numbers)
    wrong = replace(parts, parts=(replace(first, move_numbers=lumped), *parts.parts[1:]))
    found = failed(wrong)
    assert (found.condition, found.part) == (1, first.id)
    replay("nim:2,3", wrong, found)


# ---- coarse ----


@pytest.mark.parametrize("name", ["double-tictactoe", "nim:2,3", "relay", "runners"])
def test_a_coarser_decomposition_passes(name: str) -> None:
    coarse = merged(parts_of(name))
    evidence = try_on_plays(coarse, playouts=100)
    assert evidence.status == "tested"
    assert evidence.transitions > 0
    assert verify(coarse, playouts=50, prove=True).status == "proved"


def test_what_was_found_passes_and_is_proved_again() -> None:
    for name in ("nim:2,3", "two-track", "relay"):
        parts = parts_of(name)
        assert verify(parts, playouts=50).status == "tested"
        assert verify(parts, playouts=50, prove=True).status == "proved"


def test_nothing_wrong_is_ever_proved() -> None:
    """Every way to cut one heap of nim in two fails, proved or not; the slow twin agrees."""
    game = game_of("nim:1,3")
    steps = explore(game)
    assert steps
    heap = sorted(str(t) for t in game.fluents if str(t).startswith("(heap b"))
    for cut in range(1, len(heap)):
        parts = by_hand(game, [["(heap a _)"], heap[:cut], heap[cut:]], [["(control _)"]])
        sample = take_sample(game)
        filled = tuple(
            replace(s, move_numbers=given_or_found(game, sample, s).classes) if s.kind == "dependent" else s
            for s in parts.parts
        )
        whole = replace(parts, parts=filled)
        assert Brute(whole, game, steps).broken()
        assert verify(whole, playouts=100, prove=True).status == "failed"


def test_failures_read_well() -> None:
    game = game_of("nim:2,3")
    parts = by_hand(game, [["(heap a 0)", "(heap a 1)"], ["(heap _ _)"]], [["(control _)"]])
    data = try_on_plays(parts, playouts=100).to_json()
    assert data["status"] == "failed"
    assert set(data["counterexample"]) == {"condition", "subgame", "what", "situations"}
    assert data["transitions"] > 0


def test_a_part_without_moves_of_its_own_is_judged_by_its_fluents() -> None:
    parts = parts_of("two-track")
    bare = tuple(Part(s.id, s.kind, s.useful, s.fluent_numbers) for s in parts.parts)
    sample = take_sample(parts.game)
    for with_moves, without in zip(parts.parts, bare, strict=True):
        assert given_or_found(parts.game, sample, without).classes == with_moves.move_numbers
    assert try_on_plays(replace(parts, parts=bare), playouts=50).status == "tested"


def test_verify_is_a_function_of_the_package() -> None:
    game = ludisect.load("nim:2,1")
    parts = ludisect.decompose(game)
    assert ludisect.verify is verify
    again = ludisect.Decomposition.from_json(game, parts.to_json())
    assert ludisect.verify(again, playouts=50).status == "tested"
    assert ludisect.verify(again, playouts=50, prove=True).status == "proved"
    short = ludisect.verify(again, playouts=50, limits=DecompositionLimits(verify_max_length=1))
    assert short.transitions <= 50


@pytest.mark.parametrize("given", [3, None, "nim:2,1", {"subgames": []}])
def test_verify_says_what_it_takes(given: object) -> None:
    with pytest.raises(TypeError, match=r"verify takes a Decomposition \(from decompose, or .*\), not "):
        verify(given)  # type: ignore[arg-type]


def test_one_argument_too_many() -> None:
    """As one may write who takes the game for an argument, or options for arguments in order."""
    with pytest.raises(TypeError, match=r"^verify takes a Decomposition \(.*\), and options by name; '3' has none$"):
        verify(ludisect.load("nim:2,1"), 3)  # type: ignore[call-arg, arg-type]
    with pytest.raises(TypeError, match=r"^decompose takes a game, and options by name; 'exact', '7' has none$"):
        ludisect.decompose("nim:2,1", "exact", 7)  # type: ignore[call-arg, arg-type]
    with pytest.raises(TypeError, match="unexpected keyword argument 'playout'"):
        ludisect.decompose("nim:2,1", playout=5)  # type: ignore[call-arg]
