"""Free choice: which parts a role cannot steer one by one."""

from __future__ import annotations

from itertools import combinations, product

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludisect.decomposition import decompose
from ludisect.decomposition.evidence.freechoice import irregular_parts, outcome_rows, tie_by_choice, tied_parts
from ludisect.decomposition.evidence.localmoves import PASS, mask_of
from ludisect.decomposition.evidence.sample import take_sample
from ludisect.decomposition.model.blocks import merge
from ludisect.loader import load
from tests.decomposition import sheets
from tests.decomposition.found import PLAYOUTS, game_of, named

Row = tuple[int, ...]


def free(rows: set[Row]) -> bool:
    """Definition 1 of the 2018 paper for any two parts: some move does both, or some move does each alone."""
    for i, j in combinations(range(len(next(iter(rows)))), 2):
        pairs = {(row[i], row[j]) for row in rows}
        for c, d in product({a for a, _ in pairs} - {PASS}, {b for _, b in pairs} - {PASS}):
            if (c, d) not in pairs and not {(c, PASS), (PASS, d)} <= pairs:
                return False
    return True


def joined(rows: set[Row], blocks: list[list[int]]) -> set[Row]:
    """The rows with blocks of parts as one part each."""
    numbers: list[dict[Row, int]] = [{} for _ in blocks]
    out = set()
    for row in sorted(rows):
        new = []
        for k, block in enumerate(blocks):
            values = tuple(row[i] for i in block)
            passing = all(v == PASS for v in values)
            new.append(PASS if passing else numbers[k].setdefault(values, len(numbers[k])))
        out.add(tuple(new))
    return out


@st.composite
def moves(draw: st.DrawFn) -> set[Row]:
    parts = draw(st.integers(2, 4))
    row = st.tuples(*[st.integers(PASS, 1) for _ in range(parts)])
    return draw(st.sets(row, min_size=1, max_size=8))


@settings(max_examples=200, deadline=None)
@given(moves())
def test_when_nothing_is_tied_any_more_the_choice_is_free(rows: set[Row]) -> None:
    while True:
        ties = tied_parts(np.array(sorted(rows)))
        if not ties:
            break
        n = len(next(iter(rows)))
        blocks = merge(ties, n)
        assert len(blocks) < n
        rows = joined(rows, blocks)
    assert free(rows)


@settings(max_examples=50, deadline=None)
@given(moves())
def test_rows_that_were_asked_for_before_have_the_same_ties(rows: set[Row]) -> None:
    asked = np.array(sorted(rows))
    first = tied_parts(asked)
    for group in first:
        group.append(-1)  # what is remembered is not what was handed out
    again = tied_parts(np.repeat(asked, 2, axis=0)[::-1])
    assert again == [group[:-1] for group in first]


def test_products_are_free() -> None:
    assert tied_parts(np.array(list(product([0, 1, 2], [0, 1], [PASS, 0])))) == []


def test_one_at_a_time_is_free() -> None:
    assert tied_parts(np.array([[0, PASS], [1, PASS], [PASS, 0]])) == []


def test_a_move_that_does_both_and_nothing_else_does_either_ties() -> None:
    assert merge(tied_parts(np.array([[0, 0], [PASS, PASS]])), 2) == [[0, 1]]


def test_three_parts_can_be_tied_though_no_two_are() -> None:
    """Of three coins an even number is turned: any two can be set as one likes, never all three."""
    even = [row for row in product([PASS, 0], repeat=3) if row.count(0) % 2 == 0]
    rows = np.array(even)
    for i, j in combinations(range(3), 2):
        assert tied_parts(rows[:, [i, j]]) == []
    assert merge(tied_parts(rows), 3) == [[0, 1, 2]]


def test_only_the_factor_that_is_tied_is_joined() -> None:
    """Two parts that move as one, beside a third that is set freely with every move."""
    rows = np.array([(a, a, b) for a, b in product([PASS, 0], [0, 1])])
    assert merge(tied_parts(rows), 3) == [[0, 1], [2]]


def graph(n: int, *edges: tuple[int, int]) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    out = np.zeros((n, n), np.bool_)
    for a, b in edges:
        out[a, b] = out[b, a] = True
    return out


def test_neighbours_in_a_row_are_no_pattern_of_either_and_both() -> None:
    assert irregular_parts(graph(4, (0, 1), (1, 2), (2, 3))) == [[0, 1, 2, 3]]
    assert irregular_parts(graph(5, (0, 1), (2, 3))) == []
    assert irregular_parts(graph(4, (0, 2), (0, 3), (1, 2), (1, 3))) == []  # (a or b) with (c or d)
    assert irregular_parts(graph(6, (0, 1), (1, 2), (2, 3))) == [[0, 1, 2, 3]]


@settings(max_examples=80, deadline=None)
@given(st.integers(4, 6), st.data())
def test_irregular_is_what_holds_a_path_of_four(n: int, data: st.DataObject) -> None:
    """Cographs are the graphs without a path of four among any four of their nodes."""
    edges = data.draw(st.sets(st.sampled_from(list(combinations(range(n), 2)))))
    matrix = graph(n, *edges)
    whole = nx.from_numpy_array(matrix)
    path = nx.path_graph(4)
    with_path = {
        frozenset(component)
        for component in nx.connected_components(whole)
        if any(nx.is_isomorphic(whole.subgraph(four), path) for four in combinations(sorted(component), 4))
    }
    assert set(map(frozenset, irregular_parts(matrix))) == with_path


# ---- in games ----


def test_skittles_in_a_row_are_one_game() -> None:
    game = game_of("kayles:4")
    pins = [[f] for f, t in enumerate(game.fluents) if t.name != "control"]
    assert tie_by_choice(take_sample(game), pins) == [[0, 1, 2, 3]]


def test_boards_marked_together_stay_two() -> None:
    game = game_of("parallel-tictactoe")
    boards = [[f for f, t in enumerate(game.fluents) if t.name == name] for name in ("first", "second")]
    assert tie_by_choice(take_sample(game), boards) == [[0], [1]]


@pytest.mark.parametrize("lamps", [3, 4, 6])
def test_a_part_with_most_of_the_moves_does_not_vanish_when_nothing_is_done(lamps: int) -> None:
    """More than half of the moves put out lamps, so that the circuit may say "one of the others" for "none of them"."""
    parts = decompose(load(sheets.lamps_and_dial(lamps)), playouts=PLAYOUTS)
    assert named(parts) == ["(dial *)", "(lit *)"]
    assert parts.evidence is not None
    assert parts.evidence.status == "proved"


def default_of(here: list[bytes], effects: list[bytes], idle: bytes, still: bool, nothing: bytes) -> bytes | None:
    """The default among the outcomes that the moves of one role in one state have in a part (module docstring)."""
    same = {effect for outcome, effect in zip(here, effects, strict=True) if outcome == idle}
    if same and (len(same) > 1 or still or idle == nothing):
        return idle
    if nothing in here:
        return nothing
    most = max(set(here), key=here.count)
    return most if 2 * here.count(most) > len(here) else None


def centre_of(here: list[bytes], rest: list[bytes]) -> bytes | None:
    """The outcome of a part that goes with several of the rest, if all others go with one and the same."""
    table = {outcome: {r for o, r in zip(here, rest, strict=True) if o == outcome} for outcome in here}
    wide = [outcome for outcome, rests in table.items() if len(rests) > 1]
    others = [rests for outcome, rests in table.items() if outcome not in wide]
    return wide[0] if len(wide) == 1 and others and len(set().union(*others)) == 1 else None


@pytest.mark.parametrize("name", ["nim:2,3", "rock-paper-scissors:2", "tron", "lights-on", "relay", "double-tictactoe"])
def test_outcomes_are_those_of_each_state_by_itself(name: str) -> None:
    game = game_of(name)
    sample = take_sample(game, playouts=50, states=30)
    rng = np.random.default_rng(0)
    n = len(game.fluents)
    parts = [sorted(rng.choice(n, size, replace=False).tolist()) for size in (1, 1, 2, 3, min(n, 8), n)]
    found = outcome_rows(sample, parts)
    nobody = sample.game.batch.next(sample.states, np.full_like(sample.joint, -1))
    for k, part in enumerate(parts):
        mask = mask_of(game, part)
        nothing = np.zeros_like(mask).tobytes()
        for s in range(len(sample.states)):
            for r in range(sample.n_roles):
                at = np.flatnonzero((sample.pair_state == s) & (sample.pair_role == r))
                changes = (sample.pair_next[at] ^ sample.states[s]) & mask
                here = [row.tobytes() for row in changes]
                effects = [row.tobytes() for row in sample.pair_next[at]]
                idle = ((sample.idle(r)[s] ^ sample.states[s]) & mask).tobytes()
                still = not ((nobody[s] ^ sample.states[s]) & mask).any()
                default = default_of(here, effects, idle, still, nothing) if here else None
                others = [x for x in range(sample.n_roles) if x != r]
                if any((sample.pair_state[sample.pair_role == x] == s).sum() > 1 for x in others):
                    rest = [(row & ~mask).tobytes() for row in sample.pair_next[at]]
                    default = centre_of(here, rest) or default
                numbers = found[at, k].tolist()
                assert [c == PASS for c in numbers] == [outcome == default for outcome in here]
                assert len(set(numbers)) == len(set(here))


def test_outcomes_are_numbered_per_part() -> None:
    game = load(sheets.switches("ab", sheets.lines("ab")))
    sample = take_sample(game)
    a, b = ([game.fluents.index(t)] for t in sorted(game.fluents, key=str) if t.name == "up")
    rows = outcome_rows(sample, [a, b])
    names = [str(game.moves[0][m]) for m in sample.pair_move]
    for name, row in zip(names, rows.tolist(), strict=True):
        acting = [value != PASS for value in row]
        assert acting == [name == "(push a)", name == "(push b)"]
