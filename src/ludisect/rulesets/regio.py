"""Regio: a player takes an open node with all its open neighbours; who has more at the end wins.

It is counted in points: Left's nodes minus Right's. Both players always have the same moves, and
who begins is never behind (he takes the most he can, again and again), so there is no zugzwang. What is taken plays no
part any more: parts are the pieces that hang together of what is open, and the points so far.

References: Müller's game for n players (1995), as in Mäser, *Game Bench* (2001), 8.4.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from ludisect.cgt.dyadic import Number
from ludisect.errors import InputError
from ludisect.rulesets.colouredgraph import likely_edges
from ludisect.rulesets.depiction import Diagram
from ludisect.rulesets.finalscore import FinalScore
from ludisect.rulesets.grid import GridPosition, neighbours
from ludisect.rulesets.limits import PositionLimits
from ludisect.rulesets.position import Player, Position

_STONE = {Player.LEFT: "X", Player.RIGHT: "O"}
_BOARD = re.compile(r"\d+[x×]\d+|[.#XO|]+")
_WORD = re.compile(r"(\d{1,9})(?:-(\d{1,9})|([XO]))?")


def read_regio(text: str) -> Position:
    """A board (``3x3``, ``X..|..O``), or a graph by its edges: ``1-2 2-3 7 4X`` has a lone node 7, and 4 is Left's.

    Raises:
        InputError: the text is neither.
    """
    return Regio.parse(text) if _BOARD.match(text.strip()) else RegioGraph.parse(text)


class Regio(GridPosition):
    """Regio on a board, where cells that share an edge are neighbours; a move is the cell that is picked."""

    name = "regio"
    swaps = True
    dead = "#XO"

    def moves(self, player: Player) -> Sequence[int]:
        return [i for i, x in enumerate(self.cells) if x == "."]

    def play(self, player: Player, move: int) -> Regio:
        cells, near = self.cells, neighbours(self.rows, self.cols)[move]
        return self.replaced((i, _STONE[player]) for i in (move, *near) if cells[i] == ".")

    def matters(self, group: Sequence[int]) -> bool:
        return True

    def parts(self) -> Sequence[Position]:
        points = self.score()
        return [*super().parts(), *([FinalScore(points)] if points else [])]

    def score(self) -> int:
        return self.cells.count("X") - self.cells.count("O")

    def bounds(self) -> tuple[Number, Number]:
        """Nobody can take more than what is open."""
        points, open_ = self.score(), self.cells.count(".")
        return points - open_, points + open_

    def estimate(self) -> Number:
        """The points so far; what is open has mean 0."""
        return self.score()

    def move_text(self, move: int) -> str:
        return self.cell_text(move)


@dataclass(frozen=True)
class RegioGraph(Position):
    """Regio on any graph, from its text or from nodes and neighbours; a move is the place of the node that is picked.

    Sets of nodes are the bits of integers.
    """

    nodes: tuple[int, ...]
    """What the nodes are called."""
    near: tuple[int, ...]
    """For each node its neighbours."""
    left: int = 0
    """The nodes that Left has taken."""
    right: int = 0
    """The nodes that Right has taken."""

    name = "regio"

    def __init__(self, nodes: str | tuple[int, ...], near: tuple[int, ...] = (), left: int = 0, right: int = 0) -> None:
        if isinstance(nodes, str):
            read = self.parse(nodes)
            nodes, near, left, right = read.nodes, read.near, read.left, read.right
        for name, x in (("nodes", nodes), ("near", near), ("left", left), ("right", right)):
            object.__setattr__(self, name, x)

    @classmethod
    def parse(cls, text: str) -> RegioGraph:
        """Read nodes, edges and who has taken what: ``1-2 2-3 7 4X``."""
        edges: list[tuple[int, int]] = []
        taken: dict[int, str] = {}
        names: set[int] = set()
        for word in text.replace(",", " ").split():
            found = _WORD.fullmatch(word)
            if found is None or found[1] == found[2]:
                raise InputError(
                    f"regio: {word!r} is neither an edge between two nodes like 1-2, nor a node like 7, nor one that "
                    "was taken like 4X or 4O; a board is 3x3 or X..|..O"
                )
            names.add(int(found[1]))
            if found[2]:
                names.add(int(found[2]))
                edges.append((int(found[1]), int(found[2])))
            elif found[3] and taken.setdefault(int(found[1]), found[3]) != found[3]:
                raise InputError(f"regio: node {found[1]} is said to be Left's and Right's")
        most = PositionLimits.current().grid_cells
        if not 0 < len(names) <= most:
            raise InputError(f"regio: a graph has 1 to {most} nodes, this one has {len(names)}")
        nodes = tuple(sorted(names))
        place = {x: i for i, x in enumerate(nodes)}
        near = [0] * len(nodes)
        for u, v in edges:
            near[place[u]] |= 1 << place[v]
            near[place[v]] |= 1 << place[u]
        left, right = (sum(1 << place[x] for x, stone in taken.items() if stone == s) for s in "XO")
        return cls(nodes, tuple(near), left, right)

    @property
    def open(self) -> int:
        """The nodes that nobody has taken."""
        return (1 << len(self.nodes)) - 1 & ~(self.left | self.right)

    def _edges(self) -> Iterator[tuple[int, int]]:
        for i, near in enumerate(self.near):
            yield from ((i, j) for j in _places(near) if i < j)

    def __str__(self) -> str:
        words = [f"{self.nodes[i]}-{self.nodes[j]}" for i, j in self._edges()]
        words += [str(x) for x, near in zip(self.nodes, self.near, strict=True) if not near]
        words += [f"{self.nodes[i]}{s}" for s, some in (("X", self.left), ("O", self.right)) for i in _places(some)]
        return " ".join(words)

    def __repr__(self) -> str:
        return f"RegioGraph({str(self)!r})"

    def __neg__(self) -> RegioGraph:
        return RegioGraph(self.nodes, self.near, self.right, self.left)

    def moves(self, player: Player) -> Sequence[int]:
        return list(_places(self.open))

    def play(self, player: Player, move: int) -> RegioGraph:
        won = (self.near[move] | 1 << move) & self.open
        if player is Player.LEFT:
            return RegioGraph(self.nodes, self.near, self.left | won, self.right)
        return RegioGraph(self.nodes, self.near, self.left, self.right | won)

    def _pieces(self) -> Iterator[int]:
        """What hangs together of the open nodes."""
        rest = self.open
        while rest:
            piece, edge = 0, rest & -rest
            while edge:
                piece |= edge
                edge = _union(self.near[i] for i in _places(edge)) & rest & ~piece
            rest &= ~piece
            yield piece

    def parts(self) -> Sequence[Position]:
        out: list[Position] = [self._restricted(list(_places(piece))) for piece in self._pieces()]
        return [*out, FinalScore(self.score())] if self.score() else out

    def _restricted(self, kept: list[int]) -> RegioGraph:
        place = {i: k for k, i in enumerate(kept)}
        near = (sum(1 << place[j] for j in _places(self.near[i]) if j in place) for i in kept)
        return RegioGraph(tuple(self.nodes[i] for i in kept), tuple(near))

    def key(self) -> tuple[Hashable, bool]:
        open_ = self.open
        edges = tuple((i, j, "") for i, j in self._edges() if open_ >> i & open_ >> j & 1)
        return (self.name, open_.bit_count(), self.score(), likely_edges(edges, -1)), False

    def score(self) -> int:
        return self.left.bit_count() - self.right.bit_count()

    def bounds(self) -> tuple[Number, Number]:
        """Nobody can take more than what is open."""
        return self.score() - self.open.bit_count(), self.score() + self.open.bit_count()

    def estimate(self) -> Number:
        """The points so far; what is open has mean 0."""
        return self.score()

    def move_text(self, move: int) -> str:
        return str(self.nodes[move])

    def diagram(self) -> Diagram:
        """The nodes on a circle."""
        count = len(self.nodes)
        wide = max(1.0, count / 5)
        points = tuple(
            (wide * (1 + sin(2 * pi * i / count)), wide * (1 + cos(2 * pi * i / count))) for i in range(count)
        )
        names = tuple(map(str, self.nodes))
        holds = tuple("X" if self.left >> i & 1 else "O" if self.right >> i & 1 else "" for i in range(count))
        parts = tuple(tuple(_places(piece)) for piece in self._pieces())
        cells = tuple((i, 0) for i in range(count))
        return Diagram("points", names, ("",), cells, holds, parts, points, tuple(self._edges()))

    def move_cells(self, move: int) -> Sequence[int]:
        return [move]

    def cell_glyph(self, cell: int) -> str:
        return "stone-first" if self.left >> cell & 1 else "stone-second" if self.right >> cell & 1 else ""


def _places(bits: int) -> Iterator[int]:
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def _union(sets: Iterator[int]) -> int:
    out = 0
    for some in sets:
        out |= some
    return out
