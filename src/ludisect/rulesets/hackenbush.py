"""Hackenbush: Left cuts blue edges, Right red ones, both green ones; what loses the ground falls.

References: *Winning Ways*, ch. 1, 2 and 7; Berlekamp's rule for red-blue strings (1974).
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from ludisect.cgt.dyadic import Number
from ludisect.errors import InputError
from ludisect.rulesets.colouredgraph import Edge, canonical_edges, components, reachable
from ludisect.rulesets.depiction import Diagram
from ludisect.rulesets.position import Player, Position

GROUND = 0
_CUTS = {Player.LEFT: "BG", Player.RIGHT: "RG"}
_SWAP = str.maketrans("BR", "RB")
_EDGE = re.compile(r"(\d{1,9})-(\d{1,9})([BRG])")


@dataclass(frozen=True)
class Hackenbush(Position):
    """A picture of blue, red and green edges, from its text or its edges; node 0 is the ground.

    A move is the edge that is cut.
    """

    edges: tuple[Edge, ...]

    name = "hackenbush"

    def __init__(self, edges: str | Iterable[Edge]) -> None:
        found = self.parse(edges).edges if isinstance(edges, str) else tuple(edges)
        object.__setattr__(self, "edges", found)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read stalks and edges: ``BRG BB`` are two stalks from the ground up, ``0-1B 1-2R`` two edges."""
        edges: list[Edge] = []
        words = text.replace(",", " ").split()
        free = 1 + max((int(n) for pair in _EDGE.findall(text) for n in pair[:2]), default=0)
        for word in words:
            edge = _EDGE.fullmatch(word)
            if edge:
                edges.append((int(edge[1]), int(edge[2]), edge[3]))
            elif set(word) <= set("BRG"):
                for i, colour in enumerate(word):
                    edges.append((free - 1 if i else GROUND, free, colour))
                    free += 1
            else:
                raise InputError(
                    f"hackenbush: {word!r} is neither a stalk of B, R and G from the ground up nor an edge like 0-1B"
                )
        if not words:
            raise InputError("hackenbush: the picture is empty; write for example BRG, or 0-1B 1-2R 2-0G")
        return cls(reachable(edges, GROUND))

    def __str__(self) -> str:
        return " ".join(f"{u}-{v}{colour}" for u, v, colour in self.edges)

    def __repr__(self) -> str:
        return f"Hackenbush({str(self) or ()!r})"

    def __neg__(self) -> Hackenbush:
        return Hackenbush(_exchanged(self.edges))

    def moves(self, player: Player) -> Sequence[Edge]:
        return sorted({e for e in self.edges if e[2] in _CUTS[player]})

    def play(self, player: Player, move: Edge) -> Hackenbush:
        rest = list(self.edges)
        rest.remove(move)
        return Hackenbush(reachable(rest, GROUND))

    def parts(self) -> Sequence[Position]:
        return [Hackenbush(group) for group in components(self.edges, GROUND)]

    def bounds(self) -> tuple[Number, Number]:
        """Every move cuts an edge of the player's."""
        low, high = (sum(e[2] in _CUTS[p] for e in self.edges) for p in (Player.RIGHT, Player.LEFT))
        return -low, high

    def key(self) -> tuple[Hashable, bool]:
        same = canonical_edges(self.edges, GROUND)
        other = canonical_edges(_exchanged(self.edges), GROUND)
        return (self.name, min(same, other)), other < same

    def move_text(self, move: Edge) -> str:
        return f"{move[0]}-{move[1]}{move[2]}"

    # ---- pictures -------------------------------------------------------------------------------------------------

    def diagram(self) -> Diagram:
        """Nodes as high as they are edges away from the ground; where an edge meets the ground, a point of its own."""
        places = _layout(self.edges)
        points, lines = [], []
        numbers: dict[int, int] = {}
        for u, v, _ in self.edges:
            ends: list[int] = []
            for node, other in ((u, v), (v, u)):
                if node == GROUND:
                    aside = 0.0 if other != GROUND else 0.3 * (1 if len(ends) else -1)
                    points.append((places[other][0] + aside, 0.0))
                    ends.append(len(points) - 1)
                else:
                    if node not in numbers:
                        points.append(places[node])
                        numbers[node] = len(points) - 1
                    ends.append(numbers[node])
            lines.append((ends[0], ends[1]))
        names = tuple(self.move_text(e) for e in self.edges)
        left = list(range(len(self.edges)))
        parts = []
        for group in components(self.edges, GROUND):
            mine = []
            for edge in group:  # of edges that look alike each is taken once
                mine.append(next(i for i in left if self.edges[i] == edge))
                left.remove(mine[-1])
            parts.append(tuple(sorted(mine)))
        cells = tuple((i, 0) for i in range(len(self.edges)))
        holds = tuple(colour for *_, colour in self.edges)
        return Diagram("lines", names, ("",), cells, holds, tuple(parts), tuple(points), tuple(lines))

    def move_cells(self, move: Edge) -> Sequence[int]:
        return [self.edges.index(move)]

    def cell_glyph(self, cell: int) -> str:
        return {"B": "line-first", "R": "line-second"}.get(self.edges[cell][2], "line-both")


def _layout(edges: Sequence[Edge]) -> dict[int, tuple[float, float]]:
    """Where each node stands: above the ground by its distance, beside the others as in a tree of shortest ways."""
    near: dict[int, list[int]] = {GROUND: []}
    for u, v, _ in edges:
        near.setdefault(u, []).append(v)
        near.setdefault(v, []).append(u)
    height, below = {GROUND: 0}, {GROUND: GROUND}
    order = [GROUND]
    for node in order:  # grows while it is walked
        for other in near[node]:
            if other not in height:
                height[other], below[other] = height[node] + 1, node
                order.append(other)
    above: dict[int, list[int]] = {node: [] for node in order}
    for node in order[1:]:
        above[below[node]].append(node)
    across: dict[int, float] = {}
    edge, todo = 0.0, [GROUND]
    while todo:  # every node after all that stand on it
        node = todo[-1]
        waiting = [x for x in above[node] if x not in across]
        if waiting:
            todo += reversed(waiting)
            continue
        todo.pop()
        if above[node]:
            across[node] = sum(across[x] for x in above[node]) / len(above[node])
        else:
            across[node], edge = edge + 0.5, edge + 1.0
    return {node: (across[node], float(height[node])) for node in order}


def _exchanged(edges: Iterable[Edge]) -> tuple[Edge, ...]:
    """Blue edges red, red ones blue."""
    return tuple((u, v, colour.translate(_SWAP)) for u, v, colour in edges)
