"""Crosspoints: fluents, or sets of them, that every play must pass to reach the rest of the game (§4.5).

The causal graph has a node per fluent literal and per move: preconditions lead to moves, moves to the changes that they
cause, and the premises of a change that happens by itself lead to that change. A literal that is on no circle, that
something leads to, and that opens moves, marks the end of one stage and the beginning of the next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.signals import Conjunctions, force
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.statistics.effects import MoveEffects
from ludisect.decomposition.statistics.metaactions import bits_of
from ludisect.decomposition.statistics.timing import Timing
from ludisect.gdl.digraph import cyclic
from ludisect.kernels.kernel import jit

BATCH = 32
"""Changes whose premises are tested in one propagation; no result hangs on it."""


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
        leads: dict[int, list[int]] = {}
        for a, b in zip(self.source.tolist(), self.target.tolist(), strict=True):
            leads.setdefault(a, []).append(b)
        out = np.zeros(self.size, np.bool_)
        out[list(cyclic(leads))] = True
        return out

    def closures(self) -> tuple[Closure, Closure]:
        """What leads to nodes, and what nodes lead to."""
        return Closure(self.target, self.source, self.size), Closure(self.source, self.target, self.size)


@jit("(int64[::1], int64[::1], int64[::1], boolean[::1])")
def _walk(starts: Any, first: Any, neighbours: Any, met: Any) -> None:
    """Mark all nodes that are one edge or more away from the starts."""
    waiting = np.empty(met.size + starts.size, np.int64)
    n = 0
    for s in starts:
        waiting[n] = s
        n += 1
    while n:
        n -= 1
        node = waiting[n]
        for e in range(first[node], first[node + 1]):
            other = neighbours[e]
            if not met[other]:
                met[other] = True
                waiting[n] = other
                n += 1


class Closure:
    """The nodes that can be reached from some nodes, by one edge or more."""

    def __init__(self, source: NDArray[np.int64], target: NDArray[np.int64], size: int) -> None:
        order = np.argsort(source, kind="stable")
        self.first = np.searchsorted(source[order], np.arange(size + 1))
        self.neighbours = target[order]
        self.size = size

    def __call__(self, nodes: Iterable[int]) -> NDArray[np.bool_]:
        met = np.zeros(self.size, np.bool_)
        _walk(np.array(list(nodes), np.int64), self.first, self.neighbours, met)
        return met


@dataclass(frozen=True, slots=True, eq=False)
class Crosspoint:
    """The literals, the nodes that lead to it, and the nodes that it leads to (per node of the causal graph)."""

    literals: tuple[int, ...]
    before: NDArray[np.bool_]
    after: NDArray[np.bool_]


def premises_of_changes(
    game: Game, changes: NDArray[np.int64], fluents_read: NDArray[np.bool_]
) -> list[tuple[int, int]]:
    """(premise literal, change) for changes that happen by themselves.

    ``fluents_read[literal, fluent]``: the literal reaches next of the fluent. A premise p of t turns it on if t may
    become true from false when p holds; not p turns t off if p would keep it true.
    """
    out: list[tuple[int, int]] = []
    for low in range(0, len(changes), BATCH):
        some = changes[low : low + BATCH]
        asked = [
            (k, int(c), p)
            for k, c in enumerate(some.tolist())
            for p in np.flatnonzero(fluents_read[:, c // 2]).tolist()
            if p // 2 != c // 2
        ]
        if not asked:
            continue
        # t was false if it is turned on, true if it is turned off: the opposite of the literal that the change makes
        assumptions = [((c ^ 1) + 2, p + 2) for _, c, p in asked]
        certain, never = force(game.circuit, assumptions, game.circuit.next[some // 2])
        for n, (k, c, p) in enumerate(asked):
            if c % 2 == 0 and not never[k, n]:
                out.append((p, c))
            elif c % 2 == 1 and certain[k, n]:
                out.append((p ^ 1, c))
    return out


def causal_graph(
    game: Game,
    effects: MoveEffects,
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
    return CausalGraph(n_literals, n_moves, source, target)


def crosspoints(
    game: Game, graph: CausalGraph, next_premises: Conjunctions, legal_premises: NDArray[np.bool_]
) -> list[Crosspoint]:
    """Single literals, and conjunctions of literals that are none by themselves."""
    initial = np.empty(graph.n_literals, np.bool_)
    initial[0::2], initial[1::2] = game.circuit.initial, ~game.circuit.initial
    led_to = np.zeros(graph.size, np.bool_)
    led_to[graph.target] = True
    opens = np.zeros(graph.size, np.bool_)
    # Definition 9 asks for an edge to a move in the closure; then every cell of a first board would be a crosspoint,
    # as each leads on to what opens the second. As in the authors' program, the edge has to be direct.
    opens[graph.source[graph.target >= graph.n_literals]] = True
    components = led_to[: graph.n_literals] & opens[: graph.n_literals] & ~initial
    if not components.any():
        return []
    circles = graph.circles()[: graph.n_literals]
    leading, following = graph.closures()
    found = [Crosspoint((x,), leading([x]), following([x])) for x in np.flatnonzero(components & ~circles).tolist()]
    found += _conjunctions(game, graph, components & circles, next_premises, legal_premises)
    # what only the initial state and other crosspoints lead to opens nothing new
    nothing_new = np.zeros(graph.size, np.bool_)
    nothing_new[: graph.n_literals] = initial
    nothing_new[[x for c in found for x in c.literals]] = True
    return [c for c in found if (c.before & ~nothing_new).any()]


def _conjunctions(
    game: Game,
    graph: CausalGraph,
    components: NDArray[np.bool_],
    next_premises: Conjunctions,
    legal_premises: NDArray[np.bool_],
) -> list[Crosspoint]:
    """Sets of components that together lead to two nodes or more, tested as one node each."""
    limits = DecompositionLimits.current()
    most = max(limits.crosspoints_least, limits.crosspoints_work // max(1, len(graph.source)))
    candidates = _shared_premises(graph, components)[:most]
    if not candidates:
        return []
    circuit = game.circuit
    assumptions = [tuple(x + 2 for x in c) for c in candidates]
    _, illegal = force(circuit, assumptions, circuit.legal)
    certain, impossible = force(circuit, assumptions, circuit.next)
    own_changes = np.zeros(graph.n_literals, np.bool_)
    own_changes[graph.target[(graph.target < graph.n_literals) & (graph.source < graph.n_literals)]] = True
    leading, following = graph.closures()
    out: list[Crosspoint] = []
    for k, literals in enumerate(candidates):
        before = leading(literals)
        first = np.zeros(graph.size, np.bool_)
        first[graph.n_literals :] = legal_premises[list(literals)].any(axis=0) & ~illegal[:, k]
        of_next = np.isin(next_premises.premise, literals)
        heads, moves = next_premises.head[of_next], next_premises.move[of_next]
        may_come = np.where(heads % 2 == 0, ~impossible[heads // 2, k], ~certain[heads // 2, k])
        first[moves[may_come] + graph.n_literals] = True
        opens = bool(first.any())
        first[0 : graph.n_literals : 2] |= certain[:, k] & own_changes[0::2]
        first[1 : graph.n_literals : 2] |= impossible[:, k] & own_changes[1::2]
        if not opens or (first & before).any():
            continue
        after = first | following(np.flatnonzero(first).tolist())
        if not (after & before).any():
            out.append(Crosspoint(literals, before, after))
    small = sorted(out, key=lambda c: len(c.literals))
    return [c for i, c in enumerate(small) if not any(set(d.literals) < set(c.literals) for d in small[:i])]


def _shared_premises(graph: CausalGraph, components: NDArray[np.bool_]) -> list[tuple[int, ...]]:
    """Sets of two or more components that are direct premises of two nodes or more, the most shared first."""
    useful = (graph.source < graph.n_literals) & components[np.minimum(graph.source, graph.n_literals - 1)]
    sets: dict[int, int] = {}
    for source, target in zip(graph.source[useful].tolist(), graph.target[useful].tolist(), strict=True):
        sets[target] = sets.get(target, 0) | 1 << source
    number = Counter(x for x in sets.values() if x.bit_count() > 1)
    limits = DecompositionLimits.current()
    distinct = [x for x, _ in number.most_common(limits.crosspoints_sets)]
    shared = Counter({x: n for x, n in number.items() if n > 1})
    for i, x in enumerate(distinct):
        for y in distinct[:i]:
            if (x & y).bit_count() > 1:
                shared[x & y] += number[x] + number[y]
    out = []
    for x, _ in shared.most_common(limits.crosspoints_conjunctions):
        literals = tuple(bits_of(x))
        if all(a ^ 1 != b for a, b in pairwise(literals)):
            out.append(literals)
    return out


def confirmed(points: Sequence[Crosspoint], graph: CausalGraph, timing: Timing, enough: int) -> list[Crosspoint]:
    """The crosspoints that plays do not contradict: none of its fluents changes after a move that it opens is legal.

    The authors' program makes no such test, and takes whatever falls once per round for the end of a stage.
    """
    out = []
    for point in points:
        opened = point.after[graph.n_literals :].copy()
        for x in point.literals:
            direct = np.zeros(graph.size, np.bool_)
            direct[graph.target[graph.source == x]] = True
            opened &= direct[graph.n_literals :]
        moves = np.flatnonzero(opened).tolist()
        seen = timing.times_legal(moves) if moves else 0
        if seen <= enough or timing.over_for(moves, [x // 2 for x in point.literals], enough).all():
            out.append(point)
    return out
