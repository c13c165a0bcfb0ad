"""Games with points by the definition: minimax of trees and of Regio on dictionaries, without values or parts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from ludisect.rulesets import Player, Position
from ludisect.rulesets.regio import RegioGraph

Tree = Any
"""A final score, or a pair: the trees that Left can move to, and those that Right can."""


@dataclass(frozen=True)
class TreeGame(Position):
    """A game with points that is written out; a move is the place of an option."""

    tree: Tree
    name = "tree"

    def options(self, player: Player) -> tuple[Tree, ...]:
        if not isinstance(self.tree, tuple):
            return ()
        found: tuple[Tree, ...] = self.tree[0 if player is Player.LEFT else 1]
        return found

    def moves(self, player: Player) -> range:
        return range(len(self.options(player)))

    def play(self, player: Player, move: int) -> TreeGame:
        return TreeGame(self.options(player)[move])

    def score(self) -> int:
        return 0 if isinstance(self.tree, tuple) else int(self.tree)

    def __str__(self) -> str:
        return str(self.tree).replace(" ", "")


Graph = tuple[tuple[int, ...], frozenset[tuple[int, int]]]
"""Open nodes, and edges."""


def graph(nodes: int, edges: list[tuple[int, int]]) -> Graph:
    return tuple(range(nodes)), frozenset((min(e), max(e)) for e in edges if e[0] != e[1])


def text(g: Graph) -> str:
    return " ".join([*(f"{u}-{v}" for u, v in sorted(g[1])), *map(str, g[0])])


def position(g: Graph) -> RegioGraph:
    return RegioGraph.parse(text(g))


def union(g: Graph, h: Graph) -> Graph:
    shift = 1 + max(g[0])
    return (*g[0], *(x + shift for x in h[0])), g[1] | {(u + shift, v + shift) for u, v in h[1]}


@cache
def first_player(g: Graph) -> int:
    """What the first player of Regio gets more, by plain minimax of the whole."""
    nodes, edges = g
    best = 0 if not nodes else -len(nodes)
    for x in nodes:
        won = {x} | {y for y in nodes if (min(x, y), max(x, y)) in edges}
        rest = tuple(y for y in nodes if y not in won)
        left = frozenset(e for e in edges if e[0] in rest and e[1] in rest)
        best = max(best, len(won) - first_player((rest, left)))
    return best


def minimax(trees: tuple[Tree, ...], left: bool) -> int:
    """The score of best play in a sum of trees; who has no move anywhere ends the play."""
    scores = []
    for i, tree in enumerate(trees):
        if isinstance(tree, tuple):
            for option in tree[0 if left else 1]:
                scores.append(minimax((*trees[:i], option, *trees[i + 1 :]), not left))
    if not scores:
        return sum(trees)
    return max(scores) if left else min(scores)
