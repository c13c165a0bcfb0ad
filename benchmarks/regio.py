"""Regio on boards of 15x15: greedy hotstrat by parts against alpha-beta on the whole (Mäser 2001, 8.4.5, Figure 8.10).

    python benchmarks/regio.py --plot regio.svg --json regio.json

Ten seeded boards are cut at random into as many parts as those of the thesis, whose boards are lost; no part has more
than 20 cells. From each board both programs play both sides; both search to depth 4 and estimate by the points so far.
Greedy hotstrat is that of ``ludisect.sums.strategies``, with heuristic local search of each part (``--published``: as
the thesis has it, parts are not split again while they are searched). Alpha-beta searches the whole board by iterative
deepening and tries the best move of the depth before first, as there; it works on integers, one bit per cell. A score
is what a program reached as first player, its nodes are those it searched in that game. Ctrl-C prints what is known.
"""

from __future__ import annotations

import argparse
import random
from dataclasses import asdict, dataclass
from pathlib import Path
from time import process_time

import results
from ludisect.rulesets import Player, Regio
from ludisect.rulesets.grid import neighbours
from ludisect.sums.guessing import GuessedValues
from ludisect.sums.strategies import greedy_hotstrat
from ludisect.sums.table import Sum

SIDE, LARGEST, ENTRIES = 15, 20, 1 << 18
"""Rows and columns of a board, cells of its largest part, positions in the table of alpha-beta."""

PARTS = (12, 20, 22, 12, 12, 9, 16, 11, 24, 11)
THEIRS = (
    ((1, 414914), (1, 1116646)),
    ((4, 65714), (4, 644677)),
    ((5, 31300), (3, 785328)),
    ((0, 5532), (0, 3469245)),
    ((4, 197450), (4, 1335039)),
    ((2, 839328), (2, 1975996)),
    ((0, 51360), (0, 1315216)),
    ((3, 413338), (3, 1319922)),
    ((2, 34082), (2, 628525)),
    ((3, 619136), (3, 1876232)),
)
"""Figure 8.10: score and nodes of greedy hotstrat and of alpha-beta on each board."""


def cut_board(parts: int, source: random.Random) -> Regio:
    """A board of random pieces: so many grow from random cells, the smallest first, and where they meet is blocked.

    Pieces that fall apart by that are blocked, too, but for the largest.
    """
    near, all_cells = neighbours(SIDE, SIDE), range(SIDE * SIDE)
    while True:
        pieces = [[cell] for cell in source.sample(all_cells, parts)]
        owner = {piece[0]: k for k, piece in enumerate(pieces)}
        growing = list(range(parts))
        while growing:
            k = min(growing, key=lambda k: (len(pieces[k]), source.random()))
            edge = [j for i in pieces[k] for j in near[i] if j not in owner]
            if not edge:
                growing.remove(k)
                continue
            cell = source.choice(edge)
            owner[cell] = k
            pieces[k].append(cell)
        blocked: set[int] = set()
        order = source.sample(all_cells, SIDE * SIDE)
        while True:  # those that keep most apart first, so that few are lost
            borders = {i: sum(owner[j] != owner[i] and j not in blocked for j in near[i]) for i in order}
            worst = max((i for i in order if i not in blocked), key=borders.__getitem__)
            if not borders[worst]:
                break
            blocked.add(worst)
        board = Regio(SIDE, SIDE, "".join("#" if i in blocked else "." for i in all_cells))
        found = sorted(board.components(), key=len, reverse=True)
        if len(found) >= parts and len(found[0]) <= LARGEST:
            kept = {i for piece in found[:parts] for i in piece}
            return Regio(SIDE, SIDE, "".join("." if i in kept else "#" for i in all_cells))


@dataclass
class Played:
    """One program in the game that it began."""

    score: int
    nodes: int
    seconds: float


class Greedy:
    """Greedy hotstrat on guesses; parts that were searched before are not searched again."""

    def __init__(self, depth: int, published: bool) -> None:
        self.guesses = GuessedValues((), depth=depth, published=published)

    @property
    def nodes(self) -> int:
        return self.guesses.nodes

    def move(self, board: Regio, player: Player) -> int:
        game = Sum([board], search=self.guesses)
        self.guesses.look(game.components)
        choice = greedy_hotstrat(game, player)
        assert choice.move is not None
        return int(choice.move.move)


class AlphaBeta:
    """The whole board by iterative deepening; what a player can still gain depends on the open cells alone."""

    def __init__(self, depth: int) -> None:
        self.depth, self.nodes = depth, 0
        self.reach = [1 << i | sum(1 << j for j in near) for i, near in enumerate(neighbours(SIDE, SIDE))]
        self.table: dict[int, tuple[int, float, float, int]] = {}

    def move(self, board: Regio, player: Player) -> int:
        free = sum(1 << i for i, x in enumerate(board.cells) if x == ".")
        for depth in range(1, self.depth + 1):
            self.search(free, depth, -1000, 1000)
        return self.table[free][3]

    def search(self, free: int, depth: int, alpha: float, beta: float) -> float:
        """What the mover gains beyond the opponent within ``depth`` moves, right between ``alpha`` and ``beta``."""
        self.nodes += 1
        if not free or not depth:
            return 0
        known = self.table.get(free)
        first = -1
        if known is not None:
            reached, low, high, first = known
            if reached == depth and (low == high or low >= beta or high <= alpha):
                return low if low == high or low >= beta else high
        best, chosen, floor, reach = -1000.0, first, alpha, self.reach
        rest = free
        while rest:
            if first >= 0:
                i, first = first, -1
            else:
                i = (rest & -rest).bit_length() - 1
            rest &= ~(1 << i)
            taken = reach[i] & free
            won = taken.bit_count()
            if depth == 1:
                self.nodes += 1
                gain: float = won
            else:
                gain = won - self.search(free & ~taken, depth - 1, won - beta, won - floor)
            if gain > best:
                best, chosen = gain, i
                if best > floor:
                    floor = best
                    if best >= beta:
                        break
        if len(self.table) >= ENTRIES:
            self.table.clear()
        self.table[free] = depth, best if best > alpha else -1000, best if best < beta else 1000, chosen
        return best


Program = Greedy | AlphaBeta


def play(board: Regio, first: Program, second: Program) -> Played:
    """A game: what the first program reached, and what it cost."""
    turn, player, seconds = (first, second), Player.LEFT, 0.0
    while board.moves(player):
        begin = process_time()
        move = turn[0].move(board, player)
        seconds += (process_time() - begin) * (turn[0] is first)
        board, turn, player = board.play(player, move), (turn[1], turn[0]), player.opponent
    return Played(board.score(), first.nodes, seconds)


@dataclass
class Row:
    """One board: its cells, and each program in the game that it began."""

    board: int
    parts: int
    cells: int
    greedy: Played
    alphabeta: Played


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", type=int, default=len(PARTS), help="how many of the ten boards")
    parser.add_argument("--depth", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--published", action="store_true", help="do not split parts again while they are searched")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="nodes of both programs, ours and theirs")
    parser.add_argument("--draw", type=Path, metavar="FILE", help="the first board as SVG")
    options = parser.parse_args()
    boards = [cut_board(n, random.Random(f"{options.seed} {k}")) for k, n in enumerate(PARTS[: options.boards])]
    if options.draw:
        options.draw.write_text(boards[0].picture(), encoding="utf-8")
    side = f"{'score':>5} {'theirs':>6} {'nodes':>9} {'theirs':>9}"
    print(f"{'':17} | {'greedy hotstrat':^32} | {'alpha-beta':^32}")
    print(f"{'board':5} {'parts':5} {'cells':>5} | {side} | {side}")
    rows: list[Row] = []
    try:
        for k, board in enumerate(boards):
            rows.append(compare(k, board, options.depth, options.published))
    except KeyboardInterrupt:
        print("interrupted")
    if not rows:
        return
    tell(rows)
    if options.json:
        results.write(options.json, [asdict(row) for row in rows])
    if options.plot:
        plot(options.plot, rows)


def compare(k: int, board: Regio, depth: int, published: bool) -> Row:
    """Both programs on one board; prints the row of the table."""
    greedy = play(board, Greedy(depth, published), AlphaBeta(depth))
    whole = play(board, AlphaBeta(depth), Greedy(depth, published))
    row = Row(k + 1, PARTS[k], board.cells.count("."), greedy, whole)
    sides = (
        f"{p.score:5} {score:6} {p.nodes:9,} {nodes:9,}"
        for p, (score, nodes) in zip((greedy, whole), THEIRS[k], strict=True)
    )
    print(f"{row.board:5} {row.parts:5} {row.cells:5} | " + " | ".join(sides), flush=True)
    return row


def tell(rows: list[Row]) -> None:
    """Sums and ratios."""
    ratios = [row.alphabeta.nodes / row.greedy.nodes for row in rows]
    ours = sum(row.alphabeta.nodes for row in rows) / sum(row.greedy.nodes for row in rows)
    theirs = sum(whole for _, (_, whole) in THEIRS[: len(rows)]) / sum(parts for (_, parts), _ in THEIRS[: len(rows)])
    print(
        f"nodes: {ours:.1f} times fewer by parts (theirs {theirs:.1f}), on a board {min(ratios):.1f} to "
        f"{max(ratios):.0f} times"
    )
    better, worse = (sum(sign * (r.greedy.score - r.alphabeta.score) > 0 for r in rows) for sign in (1, -1))
    seconds = [sum(x) for x in zip(*((r.greedy.seconds, r.alphabeta.seconds) for r in rows), strict=True)]
    print(
        f"score as first player: by parts better on {better} boards, worse on {worse}; "
        f"CPU seconds {seconds[0]:.1f} and {seconds[1]:.1f}"
    )


def plot(path: Path, rows: list[Row]) -> None:
    """Nodes by board, on a scale of powers of ten."""
    from matplotlib import pyplot

    boards = [row.board for row in rows]
    _, ax = pyplot.subplots(figsize=(7, 4))
    ours = ([row.greedy.nodes for row in rows], [row.alphabeta.nodes for row in rows])
    for i, colour, name in ((0, "#0b6bcb", "greedy hotstrat"), (1, "#c9372c", "alpha-beta")):
        theirs = [both[i][1] for both in THEIRS[: len(rows)]]
        ax.plot(boards, ours[i], "o-", color=colour, label=f"{name}, ours")
        ax.plot(boards, theirs, "s--", color=colour, alpha=0.5, label=f"{name}, Mäser 2001")
    ax.set_yscale("log")
    ax.set_xticks(boards)
    ax.set_xlabel("board")
    ax.set_ylabel("nodes searched as first player")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.15), ncols=2)
    pyplot.savefig(path, bbox_inches="tight")


if __name__ == "__main__":
    main()
