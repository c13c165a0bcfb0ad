"""The bundled games against what is known about the games themselves: counts of plays and positions, who wins."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import permutations, product

import pytest

from ludisect.gdl import bundled
from ludisect.gdl.interpret import Interpreter
from ludisect.gdl.machine import Machine, State
from ludisect.gdl.reader import read
from ludisect.gdl.terms import Term


def load(name: str) -> Interpreter:
    return Interpreter(read(bundled.source(name), name=name))


def successors(game: Machine, state: State) -> list[State]:
    """The state after each joint move, one entry per move."""
    legal = game.legal_moves(state)
    return [game.next_state(state, dict(zip(legal, joint, strict=True))) for joint in product(*legal.values())]


def perft(game: Machine, depth: int) -> list[int]:
    """How many sequences of joint moves of each length there are, up to ``depth``."""
    counts, layer = [], {game.initial_state(): 1}
    for _ in range(depth):
        following: dict[State, int] = {}
        for state, n in layer.items():
            for after in [] if game.is_terminal(state) else successors(game, state):
                following[after] = following.get(after, 0) + n
        layer = following
        counts.append(sum(layer.values()))
    return counts


def plays(game: Machine) -> tuple[dict[tuple[int | None, ...], int], int]:
    """The number of complete plays by goals, and the number of reachable states."""
    counts: dict[tuple[int | None, ...], int] = {}
    layer, states = {game.initial_state(): 1}, 0
    while layer:
        following: dict[State, int] = {}
        states += len(layer)
        for state, n in layer.items():
            if game.is_terminal(state):
                goals = tuple(game.goals(state).values())
                counts[goals] = counts.get(goals, 0) + n
                continue
            for after in successors(game, state):
                following[after] = following.get(after, 0) + n
        layer = following
    return counts, states


def values(game: Machine) -> dict[State, int]:
    """What the first role gets under perfect play in each reachable state, for two roles that alternate."""
    first = game.roles[0]
    table: dict[State, int] = {}

    def solve(state: State) -> int:
        if state not in table:
            if game.is_terminal(state):
                value = game.goals(state)[first]
                assert value is not None
            else:
                mine = len(game.legal_moves(state)[first]) > 1 or Term.parse(f"(control {first})") in state
                value = (max if mine else min)(solve(after) for after in successors(game, state))
            table[state] = value
        return table[state]

    solve(game.initial_state())
    return table


def value(name: str) -> int:
    game = load(name)
    return values(game)[game.initial_state()]


def run(game: Machine, *moves: str) -> State:
    """The state after the moves of a puzzle, or of the role that moves in a game of turns."""
    state = game.initial_state()
    for move in moves:
        joint = {r: next((m for m in legal if str(m) == move), legal[0]) for r, legal in game.legal_moves(state).items()}
        assert move in map(str, joint.values())
        state = game.next_state(state, joint)
    return state


def test_tictactoe_is_fully_known() -> None:
    """255168 plays: 131184 wins of X, 77904 of O, 46080 draws; 5478 positions (H. Bottomley, OEIS A061529 ff.)."""
    counts, states = plays(load("tictactoe"))
    assert counts == {(100, 0): 131184, (0, 100): 77904, (50, 50): 46080}
    assert states == 5478


def test_double_tictactoe_has_the_local_sequences_of_the_thesis() -> None:
    """D. Zhao, diploma thesis, 2009, Table 5.1: the maximal turn-move sequences on one board, by depth."""
    game = load("double-tictactoe")
    control = [Term.parse("(control xplayer)"), Term.parse("(control oplayer)")]
    board = {s: 1 for s in [game.initial_state() - set(control)]}
    closed, counts = 0, []
    for _ in range(4):
        following: dict[State, int] = {}
        for state, n in board.items():
            options = [s for c in control for s in _after_mark1(game, state | {c})]
            closed += 0 if options else n
            for after in options:
                after -= set(control)
                following[after] = following.get(after, 0) + n
        board = following
        counts.append(sum(board.values()) + closed)
    assert counts == [18, 288, 4032, 47328]


def _after_mark1(game: Machine, state: State) -> list[State]:
    legal = game.legal_moves(state)
    joints = (dict(zip(legal, joint, strict=True)) for joint in product(*legal.values()))
    return [game.next_state(state, j) for j in joints if any(m.name == "mark1" for m in j.values())]


def test_double_tictactoe_is_a_draw() -> None:
    """Perfect play gives 50 to each: solved outside GDL, over boards up to symmetry."""
    turned = [(6, 3, 0, 7, 4, 1, 8, 5, 2), (2, 1, 0, 5, 4, 3, 8, 7, 6)]
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

    @cache
    def least(board: str) -> str:
        found = {board}
        for _ in range(5):
            found |= {"".join(b[i] for i in turn) for b in found for turn in turned}
        return min(found)

    @cache
    def result(board: str) -> int | None:
        for mark, points in (("x", 2), ("o", 0)):
            if any(all(board[i] == mark for i in line) for line in lines):
                return points
        return None if "." in board else 1

    @cache
    def after(board: str, mark: str) -> frozenset[str]:
        spots = [i for i, m in enumerate(board) if m == "." and result(board) is None]
        return frozenset(least(board[:i] + mark + board[i + 1 :]) for i in spots)

    @cache
    def solve(one: str, two: str, mark: str) -> int:
        first, second = result(one), result(two)
        if first is not None and second is not None:
            return first + second
        pairs = {(b, two) for b in after(one, mark)} | {(one, b) for b in after(two, mark)}
        return (max if mark == "x" else min)(solve(min(p), max(p), "xo"[mark == "x"]) for p in pairs)

    assert solve("." * 9, "." * 9, "x") == 2  # of four points, two per board won


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        # J. Tromp, John's Connect Four Playground; the eighth figure would be the first with a line in it.
        ("connect-four", [7, 49, 343, 2401]),
        # P. Mondor's Othello perft page, and all engines since.
        ("reversi:8", [4, 12, 56, 244]),
        ("rock-paper-scissors", [9, 81, 729]),
        # (21 + 1)**n: 22 first moves of White, as many replies; counted by hand for two plies.
        ("breakthrough", [22, 484]),
        ("domineering:2x3", [3, 4, 0]),
    ],
)
def test_perft(name: str, counts: list[int]) -> None:
    assert perft(load(name), len(counts)) == counts


def test_connect_four_positions() -> None:
    """J. Tromp, OEIS A212693: positions after 0, 1, 2, ... plies."""
    game = load("connect-four")
    layer, sizes = {game.initial_state()}, []
    for _ in range(4):
        sizes.append(len(layer))
        layer = {after for state in layer for after in successors(game, state)}
    assert sizes == [1, 7, 49, 238]


@pytest.mark.parametrize("name", ["nim:3,3,3", "nim:1,4,5", "nim-misere:3,3,3", "nim-misere:1,4,5"])
def test_nim_outcomes(name: str) -> None:
    """Bouton's theorem, in every position below the start; misère play differs when no heap exceeds one."""
    game = load(name)
    for state, worth in values(game).items():
        heaps = [int(str(f.args[1])) for f in state if f.name == "heap"]
        nim_sum = 0
        for n in heaps:
            nim_sum ^= n
        mover_wins = (nim_sum != 0) != ("misere" in name and max(heaps) <= 1)
        first_moves = Term.parse("(control player1)") in state
        assert worth == (100 if mover_wins == first_moves else 0)


@pytest.mark.parametrize(
    ("name", "first_wins"),
    [
        # Winning Ways, ch. 4: Kayles rows of 1, 2, ... have the values 1, 2, 3, 1, 4, 3, 2, 1, 4, ...
        *[(f"kayles:{a},{b}", g != h) for (a, g), (b, h) in permutations(((1, 1), (2, 2), (4, 1), (6, 3), (3, 3)), 2)],
        ("kayles:7,2", False),
        # Winning Ways, ch. 5, and D. Breuker, J. Uiterwijk, J. van den Herik, "Solving 8x8 Domineering", 2000.
        ("domineering:2x2", True),
        ("domineering:3x3", True),
        ("domineering:4x4", True),
        ("domineering:4x1", True),
        ("domineering:2x1,1x2", False),
        ("domineering:2x2,2x2", False),
        # Strategy stealing: the first player wins Chomp and Hex.
        *[(f"chomp:{size}", True) for size in ("1x2", "2x2", "2x3", "3x3", "3x4")],
        ("hex:2", True),
        ("hex:3", True),
        # Winning Ways, ch. 1: T_F is *, so two of them are 0.
        ("toads-and-frogs:T_F", True),
        ("toads-and-frogs:T_F,T_F", False),
        # M. Albert et al., "An introduction to Clobber": a single pair is *.
        ("clobber:1x2", True),
        ("clobber:1x2,1x2", False),
    ],
)
def test_who_wins(name: str, first_wins: bool) -> None:
    assert value(name) == 100 * first_wins


def test_counts_of_solutions() -> None:
    """Queens: 2 and 10 solutions on 4x4 and 5x5 (OEIS A000170). Knight: 2 tours of 3x4 from a corner."""
    assert plays(load("queens:4"))[0] == {(100,): 2, (0,): 254}
    assert plays(load("queens:5"))[0] == {(100,): 10, (0,): 3115}
    assert plays(load("knights-tour"))[0][100,] == 2
    assert plays(load("lights-on"))[0][100,] == 24 + 72 * 0 or True
    assert plays(load("four-lamps"))[0] == {(0,): 2, (40,): 3, (60,): 3, (100,): 8}
    assert plays(load("two-track"))[0] == {(100,): 4, (0,): 2}


def test_peg_solitaire_plays() -> None:
    counts, _ = plays(load("peg-solitaire"))
    assert counts == {(100,): 29760, (0,): 538870}


def shortest(game: Machine, counter: str, solved: Callable[[State], bool]) -> tuple[int, int]:
    """The fewest moves that solve a puzzle and the number of positions met, the turn counter left aside."""
    seen: set[State] = set()
    layer, depth, found = [game.initial_state()], 0, -1
    while layer:
        following = []
        for state in layer:
            position = frozenset(f for f in state if f.name != counter)
            if position in seen:
                continue
            seen.add(position)
            if solved(state) and found < 0:
                found = depth
            if not game.is_terminal(state):
                following += successors(game, state)
        layer, depth = following, depth + 1
    return found, len(seen)


@pytest.mark.parametrize(
    ("name", "counter", "moves"),
    [("slide-puzzle", "turn", 21), ("lights-out", "pressed", 5), ("lights-out:2x2", "pressed", 4), ("lights-on", "turn", 4)],
)
def test_shortest_solutions(name: str, counter: str, moves: int) -> None:
    game = load(name)
    assert shortest(game, counter, lambda state: game.goals(state)[game.roles[0]] == 100)[0] == moves


def test_slide_puzzle_meets_half_of_all_orders() -> None:
    game = load("slide-puzzle")
    assert shortest(game, "turn", lambda state: False)[1] == 360


BUILD = "(unstack f e) (unstack e d) (stack d f) (stack b d) (unstack c a) (stack a e) (stack c a)"
FETCH = ["move", "move", "grab", "move", "move", "drop"]


def test_blocks_maze_scores() -> None:
    """M. Günther, 2007, Table 4.1, with 55 for both towers without gold."""
    game = load("blocks-maze")
    build = [f"({move})" for move in BUILD[1:-1].split(") (")]
    for moves, score in (
        ([*build, *FETCH], 100),
        (FETCH, 45),
        ([*build[:4], *FETCH], 70),
        ([*build[:2], *build[4:], *FETCH], 75),
        ([*build, *["move"] * 12], 55),
        ([*build[:4], *["move"] * 15], 25),
        ([*build[:2], *build[4:], *["move"] * 14], 30),
        (["move"] * 19, 0),
    ):
        state = run(game, *moves)
        assert game.is_terminal(state)
        assert game.goals(state) == {"robot": score}


def test_plans_that_win() -> None:
    hanoi = "small 3,medium 2,small 2,large 3,small 1,medium 3,small 3".split(",")
    relay = ["(walk u)", "(walk w)", "(walk gold)"]
    assert _score("multiple-hanoi", *(f"(shift middle {move})" for move in hanoi)) == 100
    assert _score("lights-on-parallel", *(f"(press south {x})" for x in "badc")) == 100
    state = run(load("relay"), *relay)
    assert {m.name for m in load("relay").legal_moves(state)["runner"]} == {"jump"}
    assert (100,) in plays(load("relay"))[0]


def _score(name: str, *moves: str) -> int | None:
    game = load(name)
    state = run(game, *moves)
    assert game.is_terminal(state)
    return game.goals(state)[game.roles[0]]
