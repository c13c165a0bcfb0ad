"""Crosspoints: fluents, or conjunctions of them, that every play must pass to reach the rest of the game (§4.5).

The causal graph has a node per fluent literal and per move: preconditions lead to moves, moves to the changes that they
cause, and the premises of a change that happens by itself lead to that change. A literal that is on no circle, that
something leads to, and that opens moves, marks the end of one stage and the beginning of the next.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import networkx as nx
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from ludisect.circuit.game import Game
from ludisect.decompose.effects import Effects
from ludisect.decompose.signals import Conjunctions, force

MAX_CONJUNCTIONS = 400
"""Conjunctions are tried up to this many: each is one more node with edges of its own."""


@dataclass(frozen=True, slots=True, eq=False)
class CausalGraph:
    """Edges between nodes: literals 0..2n-1 (2 * fluent + 1 if false), then moves."""

    n_literals: int
    n_moves: int
    source: NDArray[np.int64]
    target: NDArray[np.int64]

    @property
    def size(self) -> int:
        """Number of nodes."""
        return self.n_literals + self.n_moves

    def circles(self) -> NDArray[np.bool_]:
        """Per node: on a circle."""
        ones = np.ones(len(self.source), np.bool_)
        matrix = csr_matrix((ones, (self.source, self.target)), shape=(self.size, self.size))
        _, label = connected_components(matrix, directed=True, connection="strong")
        out = np.bincount(label)[label] > 1
        out[self.source[self.source == self.target]] = True
        return np.asarray(out)

    def digraph(self) -> nx.DiGraph:
        """As a networkx graph."""
        out = nx.DiGraph()
        out.add_nodes_from(range(self.size))
        out.add_edges_from(zip(self.source.tolist(), self.target.tolist(), strict=True))
        return out


@dataclass(frozen=True, slots=True)
class Crosspoint:
    """The literals, the nodes that lead to it, and the nodes that it leads to."""

    literals: tuple[int, ...]
    before: frozenset[int]
    after: frozenset[int]


def premises_of_changes(
    game: Game, changes: NDArray[np.int64], fluents_read: NDArray[np.bool_]
) -> list[tuple[int, int]]:
    """(premise literal, change) for changes that happen by themselves.

    ``fluents_read[literal, fluent]``: the literal reaches next of the fluent. A premise p of t turns it on if t may
    become true from false when p holds; not p turns t off if p would keep it true.
    """
    turned_on = sorted({int(c) // 2 for c in changes if c % 2 == 0})
    turned_off = sorted({int(c) // 2 for c in changes if c % 2 == 1})
    out: list[tuple[int, int]] = []
    for t in turned_on:
        read = [p for p in np.flatnonzero(fluents_read[:, t]).tolist() if p // 2 != t]
        if read:
            _, never = force(game.circuit, [(2 * t + 3, p + 2) for p in read], [int(game.circuit.next[t])])
            out += [(p, 2 * t) for p, n in zip(read, never[0].tolist(), strict=True) if not n]
    for t in turned_off:
        read = [p for p in np.flatnonzero(fluents_read[:, t]).tolist() if p // 2 != t]
        if read:
            kept, _ = force(game.circuit, [(2 * t + 2, p + 2) for p in read], [int(game.circuit.next[t])])
            out += [(p ^ 1, 2 * t + 1) for p, k in zip(read, kept[0].tolist(), strict=True) if k]
    return out


def causal_graph(
    game: Game,
    effects: Effects,
    next_premises: Conjunctions,
    legal_premises: NDArray[np.bool_],
    by_itself: Iterable[tuple[int, int]],
) -> CausalGraph:
    """Edges (1) to (4) of §4.5."""
    n_literals, n_moves = 2 * len(game.fluents), game.circuit.legal.size
    move, change = np.nonzero(effects.causes)
    literal, legal = np.nonzero(legal_premises)
    own = np.array(list(by_itself), np.int64).reshape(-1, 2)
    source = np.concatenate([move + n_literals, literal, next_premises.premise, own[:, 0]])
    target = np.concatenate([change, legal + n_literals, next_premises.move + n_literals, own[:, 1]])
    pairs = np.unique(source * (n_literals + n_moves) + target)
    return CausalGraph(n_literals, n_moves, pairs // (n_literals + n_moves), pairs % (n_literals + n_moves))


def crosspoints(game: Game, graph: CausalGraph, effects: Effects) -> list[Crosspoint]:
    """Single literals first; conjunctions where no single literal does."""
    initial = np.empty(graph.n_literals, np.bool_)
    initial[0::2], initial[1::2] = game.circuit.initial, ~game.circuit.initial
    has_before = np.zeros(graph.size, np.bool_)
    has_before[graph.target] = True
    opens = np.zeros(graph.size, np.bool_)
    opens[graph.source[graph.target >= graph.n_literals]] = True
    candidate = has_before & opens
    candidate[graph.n_literals :] = False
    candidate[: graph.n_literals] &= ~initial
    circles = graph.circles()
    digraph = graph.digraph()
    out = []
    for literal in np.flatnonzero(candidate & ~circles).tolist():
        before = frozenset(nx.ancestors(digraph, literal))
        after = frozenset(nx.descendants(digraph, literal))
        out.append(Crosspoint((literal,), before, after))
    marked = {x for c in out for x in c.literals}
    kept = []
    for c in out:
        # a literal that only the initial state and other crosspoints lead to opens nothing new
        leads = [x for x in c.before if x >= graph.n_literals or not (initial[x] or x in marked)]
        if leads:
            kept.append(c)
    return kept
