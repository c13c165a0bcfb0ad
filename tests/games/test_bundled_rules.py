"""The bundled games against what is known about the games themselves: counts of plays and positions, who wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import combinations, product
from math import prod

import pytest

from ludisect.games import bundled
from ludisect.gdl.interpret import Interpreter
from ludisect.gdl.machine import Fluents, Machine
from ludisect.gdl.reader import read
from ludisect.gdl.terms import Term


def load(name: str) -> Interpreter:
    return Interpreter(read(bundled.source(name), name=name))


def successors(game: Machine, state: Fluents) -> list[Fluents]:
    """The state after each joint move, one entry per move."""
    legal = game.legal_moves(state)
    return [game.next_state(state, dict(zip(legal, joint, strict=True))) for joint in product(*legal.values())]


def perft(game: Machine, depth: int) -> tuple[list[int], list[int]]:
    """How many sequences of joint moves there are of length 1 up to ``depth``, and how many states before the last."""
    counts, states, layer = [], [], {game.initial_state(): 1}
    for ply in range(1, depth + 1):
        running = {state: n for state, n in layer.items() if not game.is_terminal(state)}
        counts.append(sum(n * prod(map(len, game.legal_moves(state).values())) for state, n in running.items()))
        states.append(len(layer))
        layer = Counter[Fluents]()
        for state, n in running.items() if ply < depth else ():
            for after in successors(game, state):
                layer[after] += n
    return counts, states


def plays(game: Machine) -> tuple[dict[tuple[int | None, ...], int], int]:
    """The number of complete plays by goals, and the number of reachable states."""
    counts = Counter[tuple[int | None, ...]]()
    layer, states = {game.initial_state(): 1}, 0
    while layer:
        following = Counter[Fluents]()
        states += len(layer)
        for state, n in layer.items():
            if game.is_terminal(state):
                counts[tuple(game.goals(state).values())] += n
                continue
            for after in successors(game, state):
                following[after] += n
        layer = following
    return counts, states


def solve(game: Machine, every: bool = False) -> dict[Fluents, int]:
    """What the first role gets under perfect play, 0 or 100, in a game of turns without draws.

    With ``every``, in all states that can be reached; else a state is left as soon as a winning move is found.
    """
    first, control = game.roles[0], Term.parse(f"(control {game.roles[0]})")
    table: dict[Fluents, int] = {}

    def value(state: Fluents) -> int:
        if state not in table:
            if game.is_terminal(state):
                goal = game.goals(state)[first]
                assert goal is not None
                table[state] = goal
            else:
                wanted = 100 if control in state else 0
                legal = game.legal_moves(state)
                joints = (dict(zip(legal, joint, strict=True)) for joint in product(*legal.values()))
                wins = (value(game.next_state(state, joint)) == wanted for joint in joints)
                table[state] = wanted if any(list(wins) if every else wins) else 100 - wanted
        return table[state]

    value(game.initial_state())
    return table


def run(game: Machine, *moves: str) -> Fluents:
    """The state after the moves of a puzzle, or of the role that moves in a game of turns."""
    state = game.initial_state()
    for move in moves:
        legal = game.legal_moves(state).items()
        joint = {role: next((m for m in moves if str(m) == move), moves[0]) for role, moves in legal}
        assert move in map(str, joint.values())
        state = game.next_state(state, joint)
    return state


def test_tictactoe_is_fully_known() -> None:
    """255168 plays, by result (H. Bottomley, "How many Tic-Tac-Toe games are possible?", 2001); 5478 positions."""
    counts, states = plays(load("tictactoe"))
    assert counts == {(100, 0): 131184, (0, 100): 77904, (50, 50): 46080}
    assert states == 5478


def test_double_tictactoe_has_the_local_sequences_of_the_thesis() -> None:
    """D. Zhao, diploma thesis, 2009, Table 5.1: the maximal turn-move sequences on one board, by depth."""
    game = load("double-tictactoe")
    control = [Term.parse("(control xplayer)"), Term.parse("(control oplayer)")]
    boards = {game.initial_state() - set(control): 1}
    closed, counts = 0, []
    for ply in range(1, 5):
        following, open_ends = Counter[Fluents](), 0
        for state, n in boards.items():
            marks = [(state | {c}, joint) for c in control for joint in _marks_on_board_1(game, state | {c})]
            open_ends += n * len(marks)
            closed += 0 if marks else n
            for before, joint in marks if ply < 4 else ():
                following[game.next_state(before, joint) - set(control)] += n
        boards = following
        counts.append(open_ends + closed)
    assert counts == [18, 288, 4032, 47328]


def _marks_on_board_1(game: Machine, state: Fluents) -> list[dict[str, Term]]:
    legal = game.legal_moves(state)
    joints = [dict(zip(legal, joint, strict=True)) for joint in product(*legal.values())]
    return [joint for joint in joints if any(move.name == "mark1" for move in joint.values())]


def test_double_tictactoe_is_a_draw() -> None:
    """Perfect play gives 50 to each: X can have two of the four points, and no more. Solved outside GDL."""
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

    @cache
    def least(board: str) -> str:
        turned = board, board[0::3] + board[1::3] + board[2::3]
        mirrored = [b[2::-1] + b[5:2:-1] + b[:5:-1] for b in turned]
        return min(image for b in (*turned, *mirrored) for image in (b, b[::-1]))

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
    def reaches(points: int, one: str, two: str, mark: str) -> bool:
        """Whether X can have so many points, two for a board won and one for a board drawn."""
        first, second = result(one), result(two)
        if (first or 0) + (second or 0) >= points:
            return True
        if sum(2 if r is None else r for r in (first, second)) < points:
            return False
        pairs = [(b, two) for b in after(one, mark)] + [(one, b) for b in after(two, mark)]
        pairs.sort(key=lambda p: (result(p[0]) is None) + (result(p[1]) is None))
        found = (reaches(points, min(p), max(p), "xo"[mark == "x"]) for p in pairs)
        return any(found) if mark == "x" else all(found)

    assert reaches(2, "." * 9, "." * 9, "x")
    assert not reaches(3, "." * 9, "." * 9, "x")


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        # The table of A. Bik, who counts on from there.
        ("reversi:8", [4, 12, 56, 244]),
        ("rock-paper-scissors", [9, 81, 729]),
        # Eight pawns move straight, seven to either side; the first moves do not touch the enemy.
        ("breakthrough", [22, 484]),
        ("domineering:2x3", [3, 4, 0]),
    ],
)
def test_perft(name: str, counts: list[int]) -> None:
    assert perft(load(name), len(counts))[0] == counts


def test_connect_four_openings() -> None:
    """No column is full and no line made before the seventh ply; positions from J. Tromp, OEIS A212693."""
    assert perft(load("connect-four"), 4) == ([7, 49, 343, 2401], [1, 7, 49, 238])


@pytest.mark.parametrize("name", ["nim:3,3,3", "nim:1,4,5", "nim-misere:3,3,3", "nim-misere:1,4,5"])
def test_nim_outcomes(name: str) -> None:
    """Bouton's theorem, in every position below the start; misère play differs when no heap exceeds one."""
    for state, worth in solve(load(name), every=True).items():
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
        *[(f"kayles:{a},{b}", g != h) for (a, g), (b, h) in combinations(((1, 1), (2, 2), (4, 1), (6, 3), (3, 3)), 2)],
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
        # Winning Ways, ch. 2: a second player copies in the middle; a single square is *, two of them 0.
        ("col:1x1", True),
        ("col:1x1,1x1", False),
        ("col:2x2", False),
        ("col:1x2", False),
        ("snort:1x1,1x1", False),
        # On two sides of an odd board the first player takes the middle and copies: nothing is ever in the way.
        ("snort:3x3", True),
        ("snort:1x5", True),
        # 1x2: one stone fills one square, the other would choke it. 2x2, 1x3: counted by hand.
        ("nogo:1x2", True),
        ("nogo:1x2,1x2", False),
        # One queen each and one square between: {0|0} = *.
        ("amazons:1x3", True),
        ("amazons:1x3,1x3", False),
        # One file of four rows: White steps first and Black is blocked, or the same for Black: *.
        ("pawns:1x4", False),
        ("pawns:1x5", True),
    ],
)
def test_who_wins(name: str, first_wins: bool) -> None:
    game = load(name)
    assert solve(game)[game.initial_state()] == 100 * first_wins


@pytest.mark.parametrize(
    ("name", "ahead"),
    [
        # F. Mäser, 2001, Figure 8.7: 4x2 has Left's stop 2. Small boards by hand: 1x3 is coloured in one move.
        ("regio:1x1", 1),
        ("regio:1x3", 3),
        ("regio:2x2", 2),
        ("regio:1x4", 2),
        ("regio:4x2", 2),
        # Four lines make the box: the second player draws the last.
        ("dots:1x1", -1),
    ],
)
def test_points_of_the_first_player(name: str, ahead: int) -> None:
    """How many points more than the other the first player makes, searched move by move."""
    game = load(name)

    @cache
    def best(state: Fluents) -> int:
        if game.is_terminal(state):
            black, white = (game.goals(state)[role] for role in game.roles)
            assert black is not None
            assert white is not None
            return black - white
        worth = [best(after) for after in successors(game, state)]
        return max(worth) if Term.parse("(control black)") in state else min(worth)

    assert best(game.initial_state()) == ahead


def test_counts_of_solutions() -> None:
    """Queens: 2 and 10 solutions on 4x4 and 5x5 (OEIS A000170). Knight: 2 tours of 3x4 from a corner."""
    assert plays(load("queens:4"))[0] == {(100,): 2, (0,): 254}
    assert plays(load("queens:5"))[0] == {(100,): 10, (0,): 3115}
    assert plays(load("knights-tour"))[0][100,] == 2
    assert plays(load("four-lamps"))[0] == {(0,): 2, (40,): 3, (60,): 3, (100,): 8}
    assert plays(load("two-track"))[0] == {(100,): 4, (0,): 2}


def test_lights_on_plays() -> None:
    """The play is won when four presses running are all different: words counted by their longest such ending."""
    ends, won = {1: 4, 2: 0, 3: 0}, 0
    for _ in range(9):
        won += ends[3]
        # A new letter makes the ending one longer; one met k letters ago cuts it to k.
        ends = {1: sum(ends.values()), 2: 3 * ends[1] + ends[2] + ends[3], 3: 2 * ends[2] + ends[3]}
    assert plays(load("lights-on"))[0] == {(100,): won, (0,): sum(ends.values())}


def test_peg_solitaire_plays() -> None:
    """Counted once more outside GDL, the holes numbered row by row."""
    number = {hole: k for k, hole in enumerate((r, c) for r in range(5) for c in range(r + 1))}
    steps = ((0, 1), (1, 0), (1, 1), (0, -1), (-1, 0), (-1, -1))
    rays = [[number.get((r + k * dr, c + k * dc)) for k in range(3)] for r, c in number for dr, dc in steps]
    jumps = [(1 << a | 1 << b, 1 << d) for a, b, d in rays if a is not None and b is not None and d is not None]

    @cache
    def count(pegs: int) -> tuple[int, int]:
        after = [pegs ^ used ^ hole for used, hole in jumps if pegs & (used | hole) == used]
        if not after:
            return int(pegs.bit_count() == 1), int(pegs.bit_count() > 1)
        return sum(count(p)[0] for p in after), sum(count(p)[1] for p in after)

    won, lost = count((1 << 15) - 2)
    assert (won, lost) == (29760, 538870)
    assert plays(load("peg-solitaire"))[0] == {(100,): won, (0,): lost}


def shortest(game: Machine, counter: str, solved: Callable[[Fluents], bool]) -> tuple[int, int]:
    """The fewest moves that solve a puzzle and the number of positions met, the turn counter left aside."""
    seen: set[Fluents] = set()
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
    [
        ("slide-puzzle", "turn", 21),
        ("lights-out", "pressed", 5),
        ("lights-out:2x2", "pressed", 4),
        ("lights-on", "turn", 4),
    ],
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
    hanoi = ["small 3", "medium 2", "small 2", "large 3", "small 1", "medium 3", "small 3"]
    assert _score("multiple-hanoi", *(f"(shift middle {move})" for move in hanoi)) == 100
    assert _score("lights-on-parallel", *(f"(press south {x})" for x in "badc")) == 100


def test_relay_goes_stage_by_stage() -> None:
    game = load("relay")
    walked = run(game, "(walk u)", "(walk w)", "(walk gold)")
    assert {move.name for move in game.legal_moves(walked)["runner"]} == {"jump"}
    scores = {goals[0] for goals in plays(game)[0]}
    assert scores == {0, 30, 40, 60, 70, 100}


def _score(name: str, *moves: str) -> int | None:
    game = load(name)
    state = run(game, *moves)
    assert game.is_terminal(state)
    return game.goals(state)[game.roles[0]]
